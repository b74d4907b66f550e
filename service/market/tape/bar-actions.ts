// Service, market, tape: corporate actions and operator decisions that apply to a bar. Pure.
import { DAY_MS } from '../../../shared/lib/time.ts';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import { type BarList, BarSeries } from '../bar-series.ts';
import type { TapeAction } from './tape-action.ts';

/** Relative difference (5 basis points) below which two closes are the same price. */
export const SMALL_CORRECTION = 0.0005;
/** The same for a move between two adjusted closes, whose few digits make it less exact. */
const SAME_MOVE = 0.005;
/** Maximum distance between an action's date and the vendor's correction of that date. */
const CORRECTED_DATE_MS = 7 * DAY_MS;

export interface DecidedPrice {
  readonly close: number;
  /** Close over the previous close, which later adjustments do not change; null: not known. */
  readonly move: number | null;
}

/** The actions and the decision of one date. */
export interface BarActions {
  /** Level after a split over the level before it. */
  readonly factor?: number;
  /** real: the operator confirms the price. refuse: the operator rejects it. */
  readonly decision?: 'real' | 'refuse';
  /** The price that the decision is about. Absent: any price of the date. */
  readonly decidedPrice?: DecidedPrice;
  /** Cash paid per share, at the level of the bar before. */
  readonly dividend?: number;
}

/** Dates with actions, ascending, by symbol. */
export type BarActionIndex = ReadonlyMap<string, readonly (readonly [date: string, actions: BarActions])[]>;

/**
 * Indexes actions by symbol and date. A later row replaces an earlier one: an operator may change a decision,
 * a vendor an amount. Dividends of a date received together are added up.
 */
export function indexBarActions(actions: readonly TapeAction[]): BarActionIndex {
  const bySymbol = new Map<string, Map<string, BarActions>>();
  /** Dividend amounts of the newest answer, by symbol and date. */
  const answers = new Map<string, { readonly answer: string; readonly amounts: Set<number> }>();
  for (const { kind, symbol, date, factor, amount = null, close = null, feed, receivedAt } of actions) {
    const dates = bySymbol.get(symbol) ?? new Map<string, BarActions>();
    const known = dates.get(date)?.dividend;
    const dividend = known === undefined ? {} : { dividend: known };
    if (kind === 'split' && factor !== null) dates.set(date, { factor, ...dividend });
    const decidedPrice = close === null ? {} : { decidedPrice: { close, move: factor } };
    if (kind === 'real') dates.set(date, { decision: kind, ...decidedPrice, ...dividend });
    // Keeps the split of the date: the next price has its level.
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
 * The actions of a date, combined with those of earlier dates without a bar: the next price has their level.
 * @param after date of the previous bar; undefined: only `date` counts
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

/** Drops a split or dividend equal to the one dated before: the vendor corrected its date. */
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

/** Keeps the split and the dividends only. */
export function withoutDecision({
  decision: _decision,
  decidedPrice: _decidedPrice,
  ...level
}: BarActions): BarActions {
  return level;
}

/** Whether the vendor has corrected the price since the operator decided about it. */
export function isCorrected({ decidedPrice }: BarActions, bar: Bar, before: Bar | undefined): boolean {
  if (decidedPrice === undefined || Math.abs(bar.close / decidedPrice.close - 1) < SMALL_CORRECTION) return false;
  if (decidedPrice.move === null || before === undefined) return true;
  // An adjustment since the decision has changed the level of all closes.
  const level = (before.close / decidedPrice.close) * decidedPrice.move;
  const isAdjusted = Math.abs(level - 1) >= SMALL_CORRECTION;
  return !(isAdjusted && Math.abs(bar.close / (decidedPrice.close * level) - 1) < SAME_MOVE);
}

/** Combines two dates; dividends are converted to the level before the first. */
function combine(first: BarActions, { factor, dividend, ...decision }: BarActions): BarActions {
  const level = first.factor ?? 1;
  return {
    ...first,
    ...decision,
    ...(factor === undefined ? {} : { factor: level * factor }),
    ...(dividend === undefined ? {} : { dividend: (first.dividend ?? 0) + dividend / level }),
  };
}

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
export function listedBars(statuses: Statuses, symbol: string, bars: BarList): BarList {
  if (!statuses.get(symbol)?.some(({ kind }) => kind === 'delisting')) return bars;
  return BarSeries.of([...bars].filter(({ date }) => statusOn(statuses, symbol, date)?.kind !== 'delisting'));
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

/** Revision of a row that withdraws an earlier action: rows are never deleted. */
export const WITHDRAWN = 1;

/** @param rows in order of recording; an action recorded again after its withdrawal is in force */
export function presentActions<Row extends TapeAction & { readonly revision: number }>(rows: readonly Row[]): Row[] {
  let present: Row[] = [];
  for (const row of rows) {
    const isSame = (one: Row): boolean => one.feed === row.feed && actionKey(one) === actionKey(row);
    if (row.revision === WITHDRAWN) present = present.filter((one) => !isSame(one));
    else present.push(row);
  }
  return present;
}

/** The known actions of a feed that are missing in `present`, its current ones. */
export function missingIn(present: readonly TapeAction[], known: readonly TapeAction[], feed: string): TapeAction[] {
  const keys = new Set(present.map(keyWithoutClose));
  return known.filter((one) => one.feed === feed && !keys.has(keyWithoutClose(one)));
}

/**
 * Identifies an action. Halts of one day differ by their notes, decisions about one date by their closes.
 */
export function actionKey({ kind, symbol, date, factor, close = null, amount = null, note }: TapeAction): string {
  const own = kind === 'halt' || kind === 'resume' ? note : null;
  return JSON.stringify([kind, symbol, date, isDecision(kind) ? null : factor, close, amount, own]);
}

/** Key without the close, because files do not state it. */
export const keyWithoutClose = (action: TapeAction): string => actionKey({ ...action, close: null });

export const isDecision = (kind: string): boolean => kind === 'real' || kind === 'refuse';
