// Service, market, tape: halts, resumptions and delistings by date. Pure.
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import type { TapeAction } from './tape-action.ts';

/** Statuses of each symbol by date, then by order of receipt. A halt right after a delisting is dropped. */
export type Statuses = ReadonlyMap<string, readonly TapeAction[]>;

export function statusesOf(actions: readonly TapeAction[]): Statuses {
  const bySymbol = Map.groupBy(actions.filter(isStatus), ({ symbol }) => symbol);
  return new Map([...bySymbol].map(([symbol, own]) => [symbol, withoutLateHalts(own.toSorted(byDate))]));
}

/** Whether an action may change bars. A halt does not; a resumption does only after a delisting. */
export const isAboutBars = (statuses: Statuses, { kind, symbol }: TapeAction): boolean =>
  kind !== 'halt' && (kind !== 'resume' || statuses.get(symbol)?.some((one) => one.kind === 'delisting') === true);

/** Drops the bars on and after a delisting, up to a resumption. */
export function listedBars(statuses: Statuses, symbol: string, bars: readonly Bar[]): readonly Bar[] {
  if (!statuses.get(symbol)?.some(({ kind }) => kind === 'delisting')) return bars;
  return bars.filter(({ date }) => statusOn(statuses, symbol, date)?.kind !== 'delisting');
}

/** The newest status on or before a date, or null. */
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
