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

export interface JudgedPrice {
  readonly close: number;
  /** The close over the one before it, which a history that is adjusted later leaves as it is; null: not known. */
  readonly move: number | null;
}

/** What is known from elsewhere about the bar of a date. */
export interface Ruling {
  /** New level over old one, of a split. */
  readonly factor?: number;
  /** real: the operator says that this is the price. refuse: that it is none. */
  readonly decision?: 'real' | 'refuse';
  /** The price that the decision is about; absent: whichever the date has. */
  readonly judged?: JudgedPrice;
  /** Paid in cash, a share, at the level of the bar before. */
  readonly dividend?: number;
}

/** Of each symbol the dates that have a ruling, ascending. */
export type Rulings = ReadonlyMap<string, readonly (readonly [date: string, ruling: Ruling])[]>;

/**
 * Later rows win: an operator may change a decision, a vendor the amount of a dividend. Dividends of a date that were
 * told together are several.
 */
export function rulingsOf(actions: readonly TapeAction[]): Rulings {
  const rulings = new Map<string, Map<string, Ruling>>();
  /** Amounts of the newest answer about the dividends of a date. */
  const answers = new Map<string, { readonly answer: string; readonly amounts: Set<number> }>();
  for (const { kind, symbol, date, factor, amount = null, close = null, feed, receivedAt } of actions) {
    const dates = rulings.get(symbol) ?? new Map<string, Ruling>();
    const known = dates.get(date)?.dividend;
    const dividend = known === undefined ? {} : { dividend: known };
    if (kind === 'split' && factor !== null) dates.set(date, { factor, ...dividend });
    const judged = close === null ? {} : { judged: { close, move: factor } };
    if (kind === 'real') dates.set(date, { decision: kind, ...judged, ...dividend });
    // A split of that date is in the next price.
    if (kind === 'refuse') {
      const { judged: _, ...level } = dates.get(date) ?? {};
      dates.set(date, { ...level, decision: kind, ...judged });
    }
    if (kind === 'dividend' && amount !== null) {
      const [key, answer] = [`${symbol} ${date}`, `${feed} ${receivedAt}`];
      const last = answers.get(key);
      const amounts = new Set(last?.answer === answer ? last.amounts : []).add(amount);
      answers.set(key, { answer, amounts });
      dates.set(date, { ...dates.get(date), dividend: [...amounts].reduce((sum, one) => sum + one) });
    }
    if (dates.size > 0) rulings.set(symbol, dates);
  }
  return new Map([...rulings].map(([symbol, dates]) => [symbol, [...dates].sort(([a], [b]) => (a < b ? -1 : 1))]));
}

/**
 * What is known of a date and of those before it that have no bar: a split or a dividend is in the next price.
 * @param after date of the bar before; undefined: the date alone
 */
export function rulingOn(rulings: Rulings, symbol: string, date: string, after?: string): Ruling | null {
  const dates = rulings.get(symbol);
  if (dates === undefined) return null;
  const isBefore = ([one]: readonly [string, Ruling]): boolean => (after === undefined ? one < date : one <= after);
  let ruling: Ruling | null = null;
  let last: readonly [string, Ruling] | null = null;
  for (let index = countLeading(dates, isBefore); index < dates.length; index++) {
    const [on, known] = dates[index] as [string, Ruling];
    if (on > date) break;
    const own = withoutRepeated(on === date ? known : undecided(known), on, last);
    ruling = ruling === null ? own : following(ruling, own);
    last = [on, known];
  }
  return ruling;
}

/** Without what the ruling before it says too: the same split or dividend, with a corrected date. */
function withoutRepeated(
  { factor, dividend, ...rest }: Ruling,
  on: string,
  last: readonly [string, Ruling] | null,
): Ruling {
  const before = last !== null && Date.parse(on) - Date.parse(last[0]) <= CORRECTED_DATE_MS ? last[1] : {};
  return {
    ...rest,
    ...(factor === undefined || factor === before.factor ? {} : { factor }),
    ...(dividend === undefined || dividend === before.dividend ? {} : { dividend }),
  };
}

/** Without its decision. */
export function undecided({ decision: _decision, judged: _judged, ...level }: Ruling): Ruling {
  return level;
}

/** Whether a bar is another price than the one that was judged: its vendor has corrected it. */
export function isCorrected({ judged }: Ruling, bar: Bar, before: Bar | undefined): boolean {
  if (judged === undefined || Math.abs(bar.close / judged.close - 1) < SMALL_CORRECTION) return false;
  if (judged.move === null || before === undefined) return true;
  // A history that was adjusted since has all closes at another level.
  const level = (before.close / judged.close) * judged.move;
  const isAdjusted = Math.abs(level - 1) >= SMALL_CORRECTION;
  return !(isAdjusted && Math.abs(bar.close / (judged.close * level) - 1) < SAME_MOVE);
}

/** Both, at the level before the first of them. */
function following(first: Ruling, { factor, dividend, ...decision }: Ruling): Ruling {
  const level = first.factor ?? 1;
  return {
    ...first,
    ...decision,
    ...(factor === undefined ? {} : { factor: level * factor }),
    ...(dividend === undefined ? {} : { dividend: (first.dividend ?? 0) + dividend / level }),
  };
}
