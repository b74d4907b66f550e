// Service, market, tape: halts, and the ends of symbols, by date. Pure.
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import type { TapeAction } from './tape-action.ts';

/** Of each symbol its halts, resumptions and delistings by date; those of one date as they came. An end has no halt. */
export type Statuses = ReadonlyMap<string, readonly TapeAction[]>;

export function statusesOf(actions: readonly TapeAction[]): Statuses {
  const bySymbol = Map.groupBy(actions.filter(isStatus), ({ symbol }) => symbol);
  return new Map([...bySymbol].map(([symbol, own]) => [symbol, withoutLateHalts(own.toSorted(byDate))]));
}

/** Whether an action says anything about bars: a halt and its end do not. */
export const isAboutBars = (statuses: Statuses, { kind, symbol }: TapeAction): boolean =>
  kind !== 'halt' && (kind !== 'resume' || statuses.get(symbol)?.some((one) => one.kind === 'delisting') === true);

/** Without those from the end of their symbol on. */
export function listedBars(statuses: Statuses, symbol: string, bars: readonly Bar[]): readonly Bar[] {
  if (!statuses.get(symbol)?.some(({ kind }) => kind === 'delisting')) return bars;
  return bars.filter(({ date }) => statusOn(statuses, symbol, date)?.kind !== 'delisting');
}

/** The newest up to a date, or null. */
export function statusOn(statuses: Statuses, symbol: string, date: string): TapeAction | null {
  const own = statuses.get(symbol) ?? [];
  return own[countLeading(own, (one) => one.date <= date) - 1] ?? null;
}

const isStatus = ({ kind }: TapeAction): boolean => kind === 'halt' || kind === 'resume' || kind === 'delisting';

function withoutLateHalts(statuses: readonly TapeAction[]): TapeAction[] {
  const kept: TapeAction[] = [];
  for (const one of statuses) if (one.kind !== 'halt' || kept.at(-1)?.kind !== 'delisting') kept.push(one);
  return kept;
}

const byDate = (a: TapeAction, b: TapeAction): number => (a.date < b.date ? -1 : Number(a.date > b.date));
