// Main, core: stores the last good answer to each query of a window, for use while offline.
import type { Database } from 'better-sqlite3';

/** An answer, and when it was received, this computer's clock, ms. */
export interface CachedResult<Value> {
  readonly value: Value;
  readonly at: number;
}

export interface SeriesPoint {
  /** The service's time, ISO. */
  readonly at: string;
}

export interface QueryCache {
  /** `name`: the channel; `key`: the query. */
  answer(name: string, key: string): CachedResult<unknown> | null;
  keepAnswer(name: string, key: string, value: unknown, at: number): void;
  /** Points of a symbol from an instant on, oldest first; ISO. */
  points(series: string, symbol: string, from: string, limit: number): unknown[];
  keepPoints(series: string, symbol: string, points: readonly SeriesPoint[], at: number): void;
  /** The service's time of the newest point, ms; null: none. */
  newest(series: string, symbol: string): number | null;
  /** When points of the series were last received, ms; null: never. */
  receivedAt(series: string, symbol: string): number | null;
  prune(series: string, before: number): void;
}

/** Runs `work` over the cache. @returns null after a failure, which is logged and never affects an answer */
export type CacheAccess = <Value>(work: (queryCache: QueryCache) => Value) => Value | null;

export function createQueryCache(db: Database): QueryCache {
  const read = db.prepare<[string, string], { at_ms: number; body: string }>(
    'SELECT at_ms, body FROM answers WHERE name = ? AND key = ?',
  );
  const put = db.prepare(
    'INSERT INTO answers (name, key, at_ms, body) VALUES (?, ?, ?, ?) ON CONFLICT (name, key) DO UPDATE SET at_ms = excluded.at_ms, body = excluded.body',
  );
  const points = db.prepare<[string, string, number, number], { body: string }>(
    'SELECT body FROM points WHERE series = ? AND symbol = ? AND at_ms >= ? ORDER BY at_ms LIMIT ?',
  );
  const putPoint = db.prepare(
    `INSERT INTO points (series, symbol, at_ms, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (series, symbol, at_ms) DO UPDATE SET body = excluded.body WHERE body <> excluded.body`,
  );
  const newest = db.prepare<[string, string], { at: number | null }>(
    'SELECT max(at_ms) AS at FROM points WHERE series = ? AND symbol = ?',
  );
  const prune = db.prepare('DELETE FROM points WHERE series = ? AND at_ms < ?');
  const keepPoints = db.transaction((series: string, symbol: string, rows: readonly SeriesPoint[], at: number) => {
    for (const row of rows) putPoint.run(series, symbol, Date.parse(row.at), JSON.stringify(row));
    put.run(series, symbol, at, 'null');
  });
  return {
    answer(name, key) {
      const row = read.get(name, key);
      return row === undefined ? null : { value: JSON.parse(row.body), at: row.at_ms };
    },
    keepAnswer: (name, key, value, at) => void put.run(name, key, at, JSON.stringify(value)),
    points: (series, symbol, from, limit) =>
      points.all(series, symbol, Date.parse(from), limit).map(({ body }) => JSON.parse(body)),
    keepPoints: (series, symbol, rows, at) => void keepPoints(series, symbol, rows, at),
    newest: (series, symbol) => newest.get(series, symbol)?.at ?? null,
    receivedAt: (series, symbol) => read.get(series, symbol)?.at_ms ?? null,
    prune: (series, before) => void prune.run(series, before),
  };
}
