// Main, core: stores the last good answers to the queries of a window, for use while offline.
import type { Database } from 'better-sqlite3';

/** An answer, and when it was received, this computer's clock, ms. */
export interface Answer {
  readonly value: unknown;
  readonly at: number;
}

export interface SeriesPoint {
  /** The service's time, ISO. */
  readonly at: string;
}

export interface AnswerStore {
  /** `name`: the channel; `key`: the query. */
  read(name: string, key: string): Answer | null;
  write(name: string, key: string, value: unknown, at: number): void;
  /** The last `limit` points of a symbol within a range, ms, oldest first. */
  points(series: string, symbol: string, range: { from: number; to: number }, limit: number): unknown[];
  /** Adds points to those of earlier pages; `read(series, symbol)` then says when. */
  writePoints(series: string, symbol: string, points: readonly SeriesPoint[], at: number): void;
  /** Removes the points of a series before an instant, ms. */
  prunePoints(series: string, before: number): void;
  /** The service's time of the newest point, ms; null: none. */
  newest(series: string, symbol: string): number | null;
}

export function createAnswerStore(db: Database): AnswerStore {
  const select = db.prepare<[string, string], { at_ms: number; body: string }>(
    'SELECT at_ms, body FROM answers WHERE name = ? AND key = ?',
  );
  const put = db.prepare('INSERT OR REPLACE INTO answers (name, key, at_ms, body) VALUES (?, ?, ?, ?)');
  const points = db
    .prepare<[string, string, number, number, number], string>(
      `SELECT body FROM points WHERE series = ? AND symbol = ? AND at_ms BETWEEN ? AND ?
       ORDER BY at_ms DESC LIMIT ?`,
    )
    .pluck();
  const putPoint = db.prepare(
    `INSERT INTO points (series, symbol, at_ms, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (series, symbol, at_ms) DO UPDATE SET body = excluded.body WHERE body <> excluded.body`,
  );
  const prune = db.prepare('DELETE FROM points WHERE series = ? AND at_ms < ?');
  const newest = db
    .prepare<[string, string], number | null>('SELECT max(at_ms) FROM points WHERE series = ? AND symbol = ?')
    .pluck();
  const writePoints = db.transaction((series: string, symbol: string, rows: readonly SeriesPoint[], at: number) => {
    for (const row of rows) putPoint.run(series, symbol, Date.parse(row.at), JSON.stringify(row));
    put.run(series, symbol, at, 'null');
  });
  return {
    read(name, key) {
      const row = select.get(name, key);
      return row === undefined ? null : { value: JSON.parse(row.body), at: row.at_ms };
    },
    write: (name, key, value, at) => void put.run(name, key, at, JSON.stringify(value)),
    points: (series, symbol, { from, to }, limit) =>
      points
        .all(series, symbol, from, to, limit)
        .reverse()
        .map((body) => JSON.parse(body)),
    writePoints: (series, symbol, rows, at) => void writePoints(series, symbol, rows, at),
    prunePoints: (series, before) => void prune.run(series, before),
    newest: (series, symbol) => newest.get(series, symbol) ?? null,
  };
}
