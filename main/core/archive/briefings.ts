// Main, core: the briefings of the archive: list records and texts.
import type { Database } from 'better-sqlite3';
import { type KeptBriefing, KeptBriefingSchema } from '../../../shared/channels/archive.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { BriefingContent } from '../compat/read-articles.ts';
import { type FlagStore, type Flags, flagsOf } from './flags.ts';
import type { ArchiveMetadata } from './metadata.ts';
import { plainText } from './plain-text.ts';
import { createPruner, joinSymbols, positionFinder, splitSymbols, timeOfPosition } from './positions.ts';

export interface StoredBriefing extends Flags {
  readonly head: KeptBriefing;
  /** null while its text is missing. */
  readonly text: { readonly body: string; readonly contentType: string } | null;
}

export interface TallyRow extends Flags {
  readonly type: string;
  readonly author: string;
  readonly count: number;
}

export interface BriefingStore {
  /** Writes a record of the list. `false`: it was stored already, unchanged. */
  put(head: KeptBriefing): boolean;
  putText(text: BriefingContent): void;
  /** Ids of briefings without text, newest first. */
  pendingTexts(limit: number): string[];
  countPendingTexts(): number;
  /** Number of listed briefings that the service has no text for. */
  countTextless(): number;
  /** Stops fetching its text until the list changes it. */
  giveUp(id: string): void;
  read(id: string): StoredBriefing | null;
  /** Counts, one row per type, author and flags. */
  tallies(): TallyRow[];
  /** Deletes briefings published before the instant and not starred, ms. */
  prune(before: number): number;
}

interface Row {
  n: number;
  id: string;
  type: string;
  title: string;
  author: string;
  summary: string;
  symbols: string;
  reading_minutes: number;
  unread: number;
  starred: number;
  later: number;
}

interface TextRow {
  readonly content_type: string | null;
  readonly body: string | null;
  readonly plain: string;
}

export const BRIEFING_COLUMNS =
  'b.n, b.id, b.type, b.title, b.author, b.summary, b.symbols, b.reading_minutes, b.unread, b.starred, b.later';

export const headOf = (row: Row): KeptBriefing =>
  KeptBriefingSchema.parse({
    id: row.id,
    type: row.type,
    title: row.title,
    author: row.author,
    date: timestamp(timeOfPosition(row.n)),
    summary: row.summary,
    symbols: splitSymbols(row.symbols),
    reading_minutes: row.reading_minutes,
  });
export type BriefingRow = Row;

export function createBriefingStore(
  db: Database,
  flagStore: FlagStore,
  metadata: Pick<ArchiveMetadata, 'get'>,
): BriefingStore {
  const columns = BRIEFING_COLUMNS.replaceAll('b.', '');
  const nextPosition = positionFinder(db, 'briefings');
  const byId = db.prepare<[string], Row & { body: string | null; content_type: string | null }>(
    `SELECT ${columns}, body, content_type FROM briefings WHERE id = ?`,
  );
  const known = db.prepare<[string], Row>(`SELECT ${columns} FROM briefings WHERE id = ?`);
  const textOf = db.prepare<[number], TextRow>('SELECT content_type, body, plain FROM briefings WHERE n = ?');
  const insert = db.prepare(
    `INSERT INTO briefings
       (n, id, type, title, author, summary, symbols, reading_minutes, unread, starred, later, text_pending, content_type, body, plain)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)`,
  );
  const remove = db.prepare('DELETE FROM briefings WHERE n = ?');
  const addSymbol = db.prepare('INSERT INTO briefing_symbols (symbol, n) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const setText = db.prepare(
    'UPDATE briefings SET body = ?, content_type = ?, plain = ?, text_pending = 0 WHERE id = ?',
  );
  const clearPending = db.prepare('UPDATE briefings SET text_pending = 0 WHERE id = ?');
  const selectPending = db.prepare<[number], { id: string }>(
    'SELECT id FROM briefings WHERE text_pending = 1 ORDER BY n DESC LIMIT ?',
  );
  const countPending = db.prepare<[], { many: number }>(
    'SELECT count(*) AS many FROM briefings WHERE text_pending = 1',
  );
  const textlessCount = db.prepare<[], { many: number }>(
    'SELECT count(*) AS many FROM briefings WHERE text_pending = 0 AND body IS NULL',
  );
  const tallies = db.prepare<
    [],
    { type: string; author: string; unread: number; starred: number; later: number; many: number }
  >(
    'SELECT type, author, unread, starred, later, count(*) AS many FROM briefings GROUP BY type, author, unread, starred, later',
  );
  const initial = (head: KeptBriefing): Flags =>
    flagStore.of(head.id) ?? {
      unread: head.date >= (metadata.get('read_before') ?? ''),
      starred: false,
      later: false,
    };

  const put = db.transaction((head: KeptBriefing): boolean => {
    const before = known.get(head.id);
    let text: TextRow = { content_type: null, body: null, plain: '' };
    if (before !== undefined) {
      if (JSON.stringify(headOf(before)) === JSON.stringify(head)) return false;
      // The text may have changed too: keep the old one until the new one arrives.
      text = textOf.get(before.n) ?? text;
      remove.run(before.n);
    }
    const n = nextPosition(Date.parse(head.date));
    const { unread, starred, later } = before === undefined ? initial(head) : flagsOf(before);
    insert.run(
      n,
      head.id,
      head.type,
      head.title,
      head.author,
      head.summary,
      joinSymbols(head.symbols),
      head.reading_minutes,
      Number(unread),
      Number(starred),
      Number(later),
      text.content_type,
      text.body,
      text.plain,
    );
    for (const symbol of head.symbols) addSymbol.run(symbol, n);
    return true;
  });
  return {
    put,
    putText({ id, body, contentType }) {
      setText.run(body, contentType, plainText(body, contentType), id);
    },
    pendingTexts: (limit) => selectPending.all(limit).map(({ id }) => id),
    countPendingTexts: () => countPending.get()?.many ?? 0,
    countTextless: () => textlessCount.get()?.many ?? 0,
    giveUp: (id) => void clearPending.run(id),
    read(id) {
      const row = byId.get(id);
      if (row === undefined) return null;
      const text =
        row.body === null ? null : { body: row.body, contentType: row.content_type ?? 'text/markdown; charset=utf-8' };
      return { head: headOf(row), text, ...flagsOf(row) };
    },
    tallies: () =>
      tallies.all().map((row) => ({ type: row.type, author: row.author, count: row.many, ...flagsOf(row) })),
    prune: createPruner(db, 'briefings', 'starred = 0'),
  };
}
