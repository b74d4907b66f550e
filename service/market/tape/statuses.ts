// Service, market, tape: halts, and the ends of symbols, by date. Pure.
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';

/** An action of any kind. */
interface AnyAction {
  readonly kind: string;
  readonly symbol: string;
  readonly date: string;
}

/** Of each symbol its halts, resumptions and delistings by date; those of one date as they came. An end has no halt. */
export type Statuses<Action extends AnyAction> = ReadonlyMap<string, readonly Action[]>;

export function statusesOf<Action extends AnyAction>(actions: readonly Action[]): Statuses<Action> {
  const bySymbol = Map.groupBy(actions.filter(isStatus), ({ symbol }) => symbol);
  return new Map([...bySymbol].map(([symbol, own]) => [symbol, withoutLateHalts(own.toSorted(byDate))]));
}

/** Whether an action says anything about bars: a halt and its end do not. */
export const isAboutBars = (statuses: Statuses<AnyAction>, { kind, symbol }: AnyAction): boolean =>
  kind !== 'halt' && (kind !== 'resume' || statuses.get(symbol)?.some((one) => one.kind === 'delisting') === true);

/** Without those from the end of their symbol on. */
export function listedBars(statuses: Statuses<AnyAction>, symbol: string, bars: readonly Bar[]): readonly Bar[] {
  if (!statuses.get(symbol)?.some(({ kind }) => kind === 'delisting')) return bars;
  return bars.filter(({ date }) => statusOn(statuses, symbol, date)?.kind !== 'delisting');
}

/** The newest up to a date, or null. */
export function statusOn<Action extends AnyAction>(
  statuses: Statuses<Action>,
  symbol: string,
  date: string,
): Action | null {
  const own = statuses.get(symbol) ?? [];
  return own[countLeading(own, (one) => one.date <= date) - 1] ?? null;
}

const isStatus = ({ kind }: AnyAction): boolean => kind === 'halt' || kind === 'resume' || kind === 'delisting';

function withoutLateHalts<Action extends AnyAction>(statuses: readonly Action[]): Action[] {
  const kept: Action[] = [];
  for (const one of statuses) if (one.kind !== 'halt' || kept.at(-1)?.kind !== 'delisting') kept.push(one);
  return kept;
}

const byDate = (a: AnyAction, b: AnyAction): number => (a.date < b.date ? -1 : Number(a.date > b.date));
