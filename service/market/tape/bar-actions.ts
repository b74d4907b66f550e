// Service, market, tape: what actions and decisions say about the bar of a date. Pure.
import { DAY_MS } from '../../../shared/lib/time.ts';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import type { TapeAction } from './tape-action.ts';

/** A closed bar that changes by less (5 basis points) is the same price. */
export const SMALL_CORRECTION = 0.0005;
/** Digits of adjusted prices are few, so that the move between two of them is less exact. */
const SAME_MOVE = 0.005;
/** How far a vendor may correct the date of an action. */
const CORRECTED_DATE_MS = 7 * DAY_MS;

export interface DecidedPrice {
  readonly close: number;
  /** The close over the one before it, which a history that is adjusted later leaves as it is; null: not known. */
  readonly move: number | null;
}

/** What is known from elsewhere about the bar of a date. */
export interface BarActions {
  /** New level over old one, of a split. */
  readonly factor?: number;
  /** real: the operator says that this is the price. refuse: that it is none. */
  readonly decision?: 'real' | 'refuse';
  /** The price that the decision is about; absent: whichever the date has. */
  readonly decidedPrice?: DecidedPrice;
  /** Paid in cash, a share, at the level of the bar before. */
  readonly dividend?: number;
}

/** Of each symbol the dates that have a ruling, ascending. */
export type BarActionIndex = ReadonlyMap<string, readonly (readonly [date: string, actions: BarActions])[]>;

/**
 * Later rows win: an operator may change a decision, a vendor the amount of a dividend. Dividends of a date that were
 * told together are several.
 */
export function indexBarActions(actions: readonly TapeAction[]): BarActionIndex {
  const bySymbol = new Map<string, Map<string, BarActions>>();
  /** Amounts of the newest answer about the dividends of a date. */
  const answers = new Map<string, { readonly answer: string; readonly amounts: Set<number> }>();
  for (const { kind, symbol, date, factor, amount = null, close = null, feed, receivedAt } of actions) {
    const dates = bySymbol.get(symbol) ?? new Map<string, BarActions>();
    const known = dates.get(date)?.dividend;
    const dividend = known === undefined ? {} : { dividend: known };
    if (kind === 'split' && factor !== null) dates.set(date, { factor, ...dividend });
    const decidedPrice = close === null ? {} : { decidedPrice: { close, move: factor } };
    if (kind === 'real') dates.set(date, { decision: kind, ...decidedPrice, ...dividend });
    // A split of that date is in the next price.
    if (kind === 'refuse') {
      const { decidedPrice: _, ...level } = dates.get(date) ?? {};
      dates.set(date, { ...level, decision: kind, ...decidedPrice });
    }
    if (kind === 'dividend' && amount !== null) {
      const [key, answer] = [`${symbol} ${date}`, `${feed} ${receivedAt}`];
      const last = answers.get(key);
      const amounts = new Set(last?.answer === answer ? last.amounts : []).add(amount);
      answers.set(key, { answer, amounts });
      dates.set(date, { ...dates.get(date), dividend: [...amounts].reduce((sum, one) => sum + one) });
    }
    if (dates.size > 0) bySymbol.set(symbol, dates);
  }
  return new Map([...bySymbol].map(([symbol, dates]) => [symbol, [...dates].sort(([a], [b]) => (a < b ? -1 : 1))]));
}

/**
 * What is known of a date and of those before it that have no bar: a split or a dividend is in the next price.
 * @param after date of the bar before; undefined: the date alone
 */
export function barActionsOn(
  bySymbol: BarActionIndex,
  symbol: string,
  date: string,
  after?: string,
): BarActions | null {
  const dates = bySymbol.get(symbol);
  if (dates === undefined) return null;
  const isBefore = ([one]: readonly [string, BarActions]): boolean => (after === undefined ? one < date : one <= after);
  let combined: BarActions | null = null;
  let last: readonly [string, BarActions] | null = null;
  for (let index = countLeading(dates, isBefore); index < dates.length; index++) {
    const [on, known] = dates[index] as [string, BarActions];
    if (on > date) break;
    const own = withoutRepeated(on === date ? known : withoutDecision(known), on, last);
    combined = combined === null ? own : combine(combined, own);
    last = [on, known];
  }
  return combined;
}

/** Without what the ruling before it says too: the same split or dividend, with a corrected date. */
function withoutRepeated(
  { factor, dividend, ...rest }: BarActions,
  on: string,
  last: readonly [string, BarActions] | null,
): BarActions {
  const before = last !== null && Date.parse(on) - Date.parse(last[0]) <= CORRECTED_DATE_MS ? last[1] : {};
  return {
    ...rest,
    ...(factor === undefined || factor === before.factor ? {} : { factor }),
    ...(dividend === undefined || dividend === before.dividend ? {} : { dividend }),
  };
}

/** Without its decision. */
export function withoutDecision({
  decision: _decision,
  decidedPrice: _decidedPrice,
  ...level
}: BarActions): BarActions {
  return level;
}

/** Whether a bar is another price than the one that was judged: its vendor has corrected it. */
export function isCorrected({ decidedPrice }: BarActions, bar: Bar, before: Bar | undefined): boolean {
  if (decidedPrice === undefined || Math.abs(bar.close / decidedPrice.close - 1) < SMALL_CORRECTION) return false;
  if (decidedPrice.move === null || before === undefined) return true;
  // A history that was adjusted since has all closes at another level.
  const level = (before.close / decidedPrice.close) * decidedPrice.move;
  const isAdjusted = Math.abs(level - 1) >= SMALL_CORRECTION;
  return !(isAdjusted && Math.abs(bar.close / (decidedPrice.close * level) - 1) < SAME_MOVE);
}

/** Both, at the level before the first of them. */
function combine(first: BarActions, { factor, dividend, ...decision }: BarActions): BarActions {
  const level = first.factor ?? 1;
  return {
    ...first,
    ...decision,
    ...(factor === undefined ? {} : { factor: level * factor }),
    ...(dividend === undefined ? {} : { dividend: (first.dividend ?? 0) + dividend / level }),
  };
}
