// Main, core: finds the briefings about the same symbols that are nearest in time.
import type { Database } from 'better-sqlite3';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { firstPosition, timeOfPosition } from './positions.ts';

/** Briefings about one of the symbols, nearest to an instant (ms) first. */
export type RelatedBriefings = (
  symbols: readonly string[],
  at: number,
  except: string,
  limit: number,
) => { id: string; title: string; date: string }[];

export function createRelatedBriefings(db: Database): RelatedBriefings {
  const around = (order: 'DESC' | 'ASC') =>
    db.prepare<[string, number, number], { n: number; id: string; title: string }>(
      `SELECT b.n, b.id, b.title FROM briefing_symbols s CROSS JOIN briefings b ON b.n = s.n
       WHERE s.symbol = ? AND s.n ${order === 'DESC' ? '<=' : '>'} ? ORDER BY s.n ${order} LIMIT ?`,
    );
  const [before, after] = [around('DESC'), around('ASC')];
  return (symbols, at, except, limit) => {
    const position = firstPosition(at);
    const found = symbols.flatMap((symbol) => [
      ...before.all(symbol, position, limit + 1),
      ...after.all(symbol, position, limit + 1),
    ]);
    return [...new Map(found.map((row) => [row.id, row])).values()]
      .filter(({ id }) => id !== except)
      .sort((a, b) => Math.abs(a.n - position) - Math.abs(b.n - position) || a.n - b.n)
      .slice(0, limit)
      .map(({ n, id, title }) => ({ id, title, date: timestamp(timeOfPosition(n)) }));
  };
}
