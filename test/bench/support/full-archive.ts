// Bench: fills an archive with many briefings, and has a list of searches in it.
// It writes through the archive's own tables, so that the archive's own index has the briefings.
import { openStore } from '../../../main/core/archive/store.ts';
import { createRandom } from '../../../shared/lib/random.ts';

const SYLLABLES = [
  'mar',
  'vol',
  'ten',
  'ris',
  'cur',
  'bon',
  'eq',
  'lor',
  'dan',
  'spe',
  'tri',
  'gal',
  'nor',
  'sil',
  'pro',
  'ces',
];
const VOCABULARY = 4_000;
/** A short briefing; a longer one makes both sides slower alike. */
const WORD_COUNT = 90;

const word = (index: number): string =>
  [index % 16, Math.floor(index / 16) % 16, Math.floor(index / 256) % 16].map((digit) => SYLLABLES[digit]).join('');

/** Fills a new archive in `folder`. */
export function fillArchive(folder: string, briefings: number): void {
  const random = createRandom(11);
  /** A few words are frequent, most are rare. */
  const draw = (): string => word(Math.floor(VOCABULARY ** random()) - 1);
  const text = (count: number): string => Array.from({ length: count }, draw).join(' ');
  const { db } = openStore(folder);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -200000');
  const put = db.prepare(
    `INSERT INTO briefings (n, id, type, title, author, summary, symbols, reading_minutes, unread, starred, later, text_pending, content_type, body, plain)
     VALUES (?, ?, 'midday', ?, 'Desk', ?, 'SPY', 3, 0, 0, 0, 0, 'text/markdown', '', ?)`,
  );
  db.transaction(() => {
    for (let index = 0; index < briefings; index += 1)
      put.run(1_700_000_000_000_000 + index * 60_000_000, `brf_${index}`, text(6), text(18), text(WORD_COUNT));
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Searches of one word, of two and of three, said often and seldom; the last word may be half typed. */
export const SEARCHES: readonly string[] = Array.from({ length: 60 }, (_, index) => {
  const seldom = word(200 + index * 61);
  const often = word(8 + (index % 30));
  if (index % 4 === 0) return seldom;
  if (index % 4 === 1) return `${often} ${seldom}`;
  if (index % 4 === 2) return `${often} ${word(40 + index)} ${word(3 + (index % 5))}`;
  return seldom.slice(0, -1);
});
