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
  /** Deletes the generated briefings published before `instant`. */
  prune(instant: number): void;
}

/** A row: `symbols` is JSON. */
type Row<Record extends BriefingHead> = Omit<Record, 'symbols'> & { readonly symbols: string };

const COLUMNS = 'id, type, title, author, date, summary, symbols, reading_minutes';
const HEAD = `${COLUMNS} AS readingMinutes`;
const VALUES = ':id, :type, :title, :author, :date, :summary, :symbols, :readingMinutes';

export function openBriefings(database: Database): BriefingStore {
  const insert = database.prepare(
    `INSERT INTO briefings (${COLUMNS}, body, source) VALUES (${VALUES}, :body, :source) ON CONFLICT (id) DO NOTHING`,
  );
  const correct = database.prepare(
    `INSERT INTO briefings (${COLUMNS}, body, source) VALUES (${VALUES}, :body, 'editorial')
     ON CONFLICT (id) DO UPDATE SET type = excluded.type, title = excluded.title, author = excluded.author, summary = excluded.summary,
       symbols = excluded.symbols, reading_minutes = excluded.reading_minutes, body = excluded.body WHERE source = 'editorial'`,
  );
  const find = database.prepare<[string], Row<Briefing>>(`SELECT ${HEAD}, body FROM briefings WHERE id = ?`);
  const has = database.prepare<[string], number>('SELECT 1 FROM briefings WHERE id = ?').pluck();
  const prune = database.prepare<[number]>("DELETE FROM briefings WHERE source = 'generated' AND date < ?");
  const list = database.prepare<unknown[], Row<BriefingHead>>(
    `SELECT ${HEAD} FROM briefings
     WHERE (:types IS NULL OR type IN (SELECT value FROM json_each(:types))) AND (:author IS NULL OR lower(author) = lower(:author))
       AND date >= :from AND date <= :to AND (date, id) < (:belowDate, :belowId)
     ORDER BY date DESC, id DESC LIMIT :limit`,
  );

  return {
    add: (briefing, source) => void insert.run({ ...rowOf(briefing), source }),
    correct: (briefing) => void correct.run(rowOf(briefing)),
    find(id) {
      const row = find.get(id);
      return row === undefined ? null : parsed<Briefing>(row);
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
        .map(parsed<BriefingHead>),
    prune: (instant) => void prune.run(instant),
  };
}

const rowOf = (briefing: Briefing): Row<Briefing> => ({ ...briefing, symbols: JSON.stringify(briefing.symbols) });

const parsed = <Record extends BriefingHead>(row: Row<Record>): Record =>
  ({ ...row, symbols: JSON.parse(row.symbols) }) as unknown as Record;
