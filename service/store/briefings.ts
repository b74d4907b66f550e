// Service, store: published briefings, listed newest first.
import type { Database } from 'better-sqlite3';
import type { BriefingType } from '../../shared/wire/briefings.ts';

/** A briefing without its text. */
export interface BriefingHead {
  readonly id: string;
  readonly type: BriefingType;
  readonly title: string;
  readonly author: string;
  /** World ms. */
  readonly date: number;
  readonly summary: string;
  readonly symbols: readonly string[];
  readonly readingMinutes: number;
}

export interface Briefing extends BriefingHead {
  /** Markdown. */
  readonly body: string;
}

export interface BriefingFilter {
  readonly types: readonly string[] | null;
  /** Case-insensitive. */
  readonly author: string | null;
  /** World ms, inclusive; null: no bound. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Position of a row in the list of briefings, newest first. */
export interface BriefingPosition {
  readonly date: number;
  readonly id: string;
}

export interface BriefingStore {
  /** Writes a briefing; an existing one stays unchanged. */
  add(briefing: Briefing, source: 'generated' | 'editorial'): void;
  /** As `add`, but replaces an existing editorial. */
  correct(briefing: Briefing): void;
  find(id: string): Briefing | null;
  has(id: string): boolean;
  /** Newest first, below `below` (null: from the newest). */
  list(filter: BriefingFilter, below: BriefingPosition | null, limit: number): BriefingHead[];
  /** Number of published briefings of a type in [from, to), world ms. */
  count(type: BriefingType, from: number, to: number): number;
  /** Deletes the generated briefings published before `instant`. */
  prune(instant: number): void;
}

interface Row {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly author: string;
  readonly date: number;
  readonly summary: string;
  readonly symbols: string;
  readonly reading_minutes: number;
}

const HEAD = 'id, type, title, author, date, summary, symbols, reading_minutes';
const VALUES = ':id, :type, :title, :author, :date, :summary, :symbols, :reading_minutes';

export function openBriefings(database: Database): BriefingStore {
  const insert = database.prepare(
    `INSERT INTO briefings (${HEAD}, body, source) VALUES (${VALUES}, :body, :source) ON CONFLICT (id) DO NOTHING`,
  );
  const correct = database.prepare(
    `INSERT INTO briefings (${HEAD}, body, source) VALUES (${VALUES}, :body, 'editorial')
     ON CONFLICT (id) DO UPDATE SET type = excluded.type, title = excluded.title, author = excluded.author, summary = excluded.summary,
       symbols = excluded.symbols, reading_minutes = excluded.reading_minutes, body = excluded.body WHERE source = 'editorial'`,
  );
  const find = database.prepare<[string], Row & { body: string }>(`SELECT ${HEAD}, body FROM briefings WHERE id = ?`);
  const has = database.prepare<[string], number>('SELECT 1 FROM briefings WHERE id = ?').pluck();
  const count = database
    .prepare<[string, number, number], number>(
      "SELECT count(*) FROM briefings WHERE source = 'generated' AND type = ? AND date >= ? AND date < ?",
    )
    .pluck();
  const prune = database.prepare<[number]>("DELETE FROM briefings WHERE source = 'generated' AND date < ?");
  const list = database.prepare<unknown[], Row>(
    `SELECT ${HEAD} FROM briefings
     WHERE (:types IS NULL OR type IN (SELECT value FROM json_each(:types))) AND (:author IS NULL OR lower(author) = lower(:author))
       AND date >= :from AND date <= :to AND (date, id) < (:belowDate, :belowId)
     ORDER BY date DESC, id DESC LIMIT :limit`,
  );

  return {
    add: (briefing, source) => void insert.run({ ...rowOf(briefing), body: briefing.body, source }),
    correct: (briefing) => void correct.run({ ...rowOf(briefing), body: briefing.body }),
    find(id) {
      const row = find.get(id);
      return row === undefined ? null : { ...headOf(row), body: row.body };
    },
    has: (id) => has.get(id) !== undefined,
    list: ({ types, author, from, to }, below, limit) =>
      list
        .all({
          types: types === null ? null : JSON.stringify(types),
          author,
          from: from ?? Number.MIN_SAFE_INTEGER,
          to: to ?? Number.MAX_SAFE_INTEGER,
          belowDate: below?.date ?? Number.MAX_SAFE_INTEGER,
          belowId: below?.id ?? '',
          limit,
        })
        .map(headOf),
    count: (type, from, to) => count.get(type, from, to) ?? 0,
    prune: (instant) => void prune.run(instant),
  };
}

const rowOf = ({ id, type, title, author, date, summary, symbols, readingMinutes }: BriefingHead): Row => ({
  id,
  type,
  title,
  author,
  date,
  summary,
  symbols: JSON.stringify(symbols),
  reading_minutes: readingMinutes,
});

const headOf = ({ reading_minutes, symbols, type, ...row }: Row): BriefingHead => ({
  id: row.id,
  type: type as BriefingType,
  title: row.title,
  author: row.author,
  date: row.date,
  summary: row.summary,
  symbols: JSON.parse(symbols) as string[],
  readingMinutes: reading_minutes,
});
