// Service, market, tape: halts, and the ends of symbols, by date. Pure.
import { countLeading } from '../../count-leading.ts';
import type { TapeAction } from './tape.ts';

/** Of each symbol its halts, resumptions and delistings by date; those of one date as they came. */
export type Statuses = ReadonlyMap<string, readonly TapeAction[]>;

export const isStatus = ({ kind }: TapeAction): boolean =>
  kind === 'halt' || kind === 'resume' || kind === 'delisting';

export function statusesOf(actions: readonly TapeAction[]): Statuses {
  const bySymbol = Map.groupBy(actions.filter(isStatus), ({ symbol }) => symbol);
  return new Map([...bySymbol].map(([symbol, own]) => [symbol, own.toSorted(byDate)]));
}

/** The newest up to a date, or null. */
export function statusOn(statuses: Statuses, symbol: string, date: string): TapeAction | null {
  const own = statuses.get(symbol) ?? [];
  return own[countLeading(own, (one) => one.date <= date) - 1] ?? null;
}

const byDate = (a: TapeAction, b: TapeAction): number => (a.date < b.date ? -1 : Number(a.date > b.date));
