// Main, core: the position of a row in the archive's tables, derived from its publication time.
// The table itself is then in the order of publication.
import type { Database } from 'better-sqlite3';

/**
 * Rows without a publication time have negative positions, in the order of receipt, ms; newest first, they
 * are last.
 */
const UNTIMED_MS = -9e12;

/** Most rows per millisecond; no service publishes more. */
const ROOM = 1_000;

/** @param at instant of the position, ms @returns the first free position of that instant */
export function positionFinder(db: Database, table: 'briefings' | 'news'): (at: number) => number {
  const last = db.prepare<[number, number], { n: number | null }>(
    `SELECT max(n) AS n FROM ${table} WHERE n >= ? AND n < ?`,
  );
  return (at) => {
    const first = at * ROOM;
    const taken = last.get(first, first + ROOM)?.n ?? null;
    return taken === null ? first : Math.min(taken + 1, first + ROOM - 1);
  };
}

/** The instant of the position of a row without a publication time. */
export const untimedInstant = (receivedAt: number): number => receivedAt + UNTIMED_MS;
export const isUntimed = (n: number): boolean => n < 0;
export const timeOfPosition = (n: number): number => Math.floor(n / ROOM);
export const firstPosition = (at: number): number => at * ROOM;
export const lastPosition = (at: number): number => at * ROOM + ROOM - 1;

export const joinSymbols = (symbols: readonly string[]): string => symbols.join(',');
export const splitSymbols = (symbols: string): string[] => (symbols === '' ? [] : symbols.split(','));

/**
 * Deletes rows published (or, undated, received) before an instant, ms, that meet the condition; 500 at a
 * time.
 */
export function createPruner(
  db: Database,
  table: 'briefings' | 'news',
  condition = 'true',
): (before: number) => number {
  const old = db.prepare<[number, number], { n: number }>(
    `SELECT n FROM ${table} WHERE ((n >= 0 AND n < ?) OR n < ?) AND ${condition} LIMIT 500`,
  );
  const remove = db.prepare(`DELETE FROM ${table} WHERE n = ?`);
  const removeAll = db.transaction((rows: readonly { n: number }[]) => {
    for (const { n } of rows) remove.run(n);
  });
  return (before) => {
    let gone = 0;
    const oldRows = (): { n: number }[] => old.all(firstPosition(before), firstPosition(untimedInstant(before)));
    for (let rows = oldRows(); rows.length > 0; rows = oldRows()) {
      removeAll(rows);
      gone += rows.length;
    }
    return gone;
  };
}
