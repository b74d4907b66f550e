// Main, core: the position of a row in the archive's tables, derived from its publication time.
// So newest first is the order of the table itself.
import type { Database } from 'better-sqlite3';

/** Most rows per millisecond; no service publishes more. */
const ROOM = 1_000;

/** @param at time of publication, ms @returns the first free position of that instant */
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

export const timeOfPosition = (n: number): number => Math.floor(n / ROOM);
export const firstPosition = (at: number): number => at * ROOM;
export const lastPosition = (at: number): number => at * ROOM + ROOM - 1;

export const joinSymbols = (symbols: readonly string[]): string => symbols.join(',');
export const splitSymbols = (symbols: string): string[] => (symbols === '' ? [] : symbols.split(','));

/** Deletes the rows before an instant (ms) that the condition allows, some hundred at a time. */
export function createPruner(
  db: Database,
  table: 'briefings' | 'news',
  condition = 'true',
): (before: number) => number {
  const old = db.prepare<[number], { n: number }>(`SELECT n FROM ${table} WHERE n < ? AND ${condition} LIMIT 500`);
  const remove = db.prepare(`DELETE FROM ${table} WHERE n = ?`);
  const removeAll = db.transaction((rows: readonly { n: number }[]) => {
    for (const { n } of rows) remove.run(n);
  });
  return (before) => {
    let gone = 0;
    for (let rows = old.all(firstPosition(before)); rows.length > 0; rows = old.all(firstPosition(before))) {
      removeAll(rows);
      gone += rows.length;
    }
    return gone;
  };
}
