// Service, market, tape: one symbol's inspected bars, as known at an instant, at one level.
// Pure in time.
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import { type BarList, BarSeries, BarView } from '../bar-series.ts';
import {
  type Adjustment,
  GAP_SESSIONS,
  type Gap,
  type Inspection,
  type InspectionContext,
  inspect,
  NEVER,
  type PriceQuestion,
} from './inspect.ts';
import { RecentMoves } from './recent-moves.ts';

/** Significant digits of a derived price: further digits are an artefact of the factor. */
const DIGITS = 10;
/** Longest look-back of the state rule, in bars: a gap within it affects the drawdown. */
const AFFECTED_BARS = 21;

/** Bars from which threshold and usual moves are measured: an older price in question no longer matters. */
const ASKED_BARS = 252;
const USUAL_BARS = 300;

export interface KnownBar {
  readonly bar: Bar;
  /** World ms of its close. */
  readonly closedAt: number;
}

/** A price in question as known at an instant, with its bar as received. */
export interface AskedPrice {
  readonly question: PriceQuestion;
  readonly bar: Bar;
  /** Date of the last bar before it that counts. */
  readonly after: string;
  /** Date of the bar that settled it; null: open. */
  readonly by: string | null;
}

/** World ms. `bar`: the first one after the gap, or the first that does not count. */
export type Hole = { readonly from: number; readonly to: number | null; readonly bar: Bar } & (
  | { readonly kind: 'gap'; readonly sessions: number }
  | ({ readonly kind: 'quarantined' } & AskedPrice)
);

export class InspectedSymbol {
  readonly inspection: Inspection;
  readonly bars: BarList;
  readonly #closes: Float64Array;
  readonly #sessionsBetween: InspectionContext['sessionsBetween'];
  /** Missing sessions by index of the bar after them, see `Bar`. */
  readonly #missing: ReadonlyMap<number, number>;
  /** Cache: the bars adjusted by the first `known` adjustments. */
  #levelled: { readonly known: number; readonly bars: BarList };
  /** Cache: the bars that count once the first `count` have closed, and their usual moves. */
  #daily: { readonly count: number; readonly bars: BarList; moves: RecentMoves | null } | null = null;

  /** @param closeOf world ms of the close of a date */
  constructor(bars: BarList, closeOf: (date: string) => number, context: InspectionContext) {
    this.bars = bars;
    this.inspection = inspect(bars, context);
    this.#closes = Float64Array.from(bars, ({ date }) => closeOf(date));
    this.#sessionsBetween = context.sessionsBetween;
    this.#missing = this.#missingSessions();
    this.#levelled = { known: 0, bars };
  }

  /** World ms of the instants at which earlier bars change. */
  changes(): number[] {
    const { adjustments, questions } = this.inspection;
    const dropped = questions.filter(({ answer, countsAs }) => answer === 'no_price' && countsAs === 'price');
    const by = [...adjustments.map(({ knownBy }) => knownBy), ...dropped.map(({ settledBy }) => settledBy ?? 0)];
    return by.map((index) => this.#closes[index] as number);
  }

  /** A key of all adjustments. */
  levels(): string {
    return this.inspection.adjustments.map(({ index, factor }) => `${this.bars.at(index)?.date} ${factor}`).join();
  }

  /** Whether the counting dates begin with those of another inspection. */
  continues(other: InspectedSymbol): boolean {
    const dates = this.#countingDates();
    for (const date of other.#countingDates()) if (dates.next().value !== date) return false;
    return true;
  }

  /** First and last date after `date`, or null. */
  datesAfter(date: string): [[string, string]] | null {
    const last = this.bars.at(-1)?.date;
    if (last === undefined || last <= date) return null;
    return [[this.bars.at(countLeading(this.bars, (bar) => bar.date <= date))?.date ?? last, last]];
  }

  /** Bars that count at `now`, after a date and up to another one, oldest first. */
  *known(after: string, to: string, now: number): Generator<KnownBar> {
    const count = this.#count(now);
    const barAt = this.#at(count);
    for (let index = countLeading(this.bars, ({ date }) => date <= after); index < count; index++) {
      const bar = barAt(index);
      if (bar.date > to) return;
      if (this.#counts(index, count)) yield { bar, closedAt: this.#closes[index] as number };
    }
  }

  /** The bars that count at `now`, oldest first. */
  daily(now: number): BarList {
    return this.#dailyAt(this.#count(now)).bars;
  }

  /** Missing sessions between the last bar that counts at `now` and a later date; 0: too few for a gap. */
  missingBefore(date: string, now: number): number {
    const last = this.daily(now).at(-1)?.date ?? date;
    const sessions = last < date ? this.#sessionsBetween(last, date) : 0;
    return sessions >= GAP_SESSIONS ? sessions : 0;
  }

  /** The symbol's usual moves at `now`. */
  usual(now: number): RecentMoves {
    const daily = this.#dailyAt(this.#count(now));
    daily.moves ??= movesOf(daily.bars);
    return daily.moves;
  }

  /** World ms of the first close after `now` among the bars; null: none. */
  nextClose(now: number): number | null {
    return this.#closes[this.#count(now)] ?? null;
  }

  /** The prices in question that may still change a state at `now`, newest first, with their answers. */
  *asked(now: number): Generator<AskedPrice> {
    const count = this.#count(now);
    for (const question of this.inspection.questions.toReversed())
      if (question.from < count && question.from > count - ASKED_BARS) yield this.#askedAt(question, count);
  }

  /** Whether the newest bar at `now` is no price. */
  isHeld(now: number): boolean {
    const count = this.#count(now);
    return count > 0 && !this.#counts(count - 1, count);
  }

  /** The newest gap that still matters at `now`, with the first bar after it. */
  gap(now: number): { readonly gap: Gap; readonly bar: Bar } | null {
    const count = this.#count(now);
    const gap = this.inspection.gaps.findLast(({ index }) => index < count && index > count - AFFECTED_BARS);
    return gap === undefined ? null : { gap, bar: this.#bar(gap.index) };
  }

  /** Gaps, and prices in question that do not count, as known at `now`. */
  *holes(now: number): Generator<Hole> {
    const count = this.#count(now);
    const at = (index: number): number => this.#closes[Math.max(0, index)] as number;
    for (const { index, sessions } of this.inspection.gaps)
      if (index < count) yield { kind: 'gap', from: at(index - 1), to: at(index), bar: this.#bar(index), sessions };
    for (const question of this.inspection.questions) {
      const { from } = question;
      if (from >= count || this.#counts(from, count)) continue;
      let next = from;
      while (next < count && !this.#counts(next, count)) next += 1;
      const to = next < count ? at(next) : null;
      yield { kind: 'quarantined', from: at(from - 1), to, ...this.#askedAt(question, count) };
    }
  }

  /** Dates of the bars that count, oldest first. */
  *#countingDates(): Generator<string> {
    let index = 0;
    for (const { date } of this.bars) if (this.#counts(index++, NEVER)) yield date;
  }

  /** Whether the bar counts once the first `count` have closed. */
  #counts(index: number, count: number): boolean {
    return (this.inspection.droppedBy[index] as number) >= count;
  }

  #askedAt(question: PriceQuestion, count: number): AskedPrice {
    const { from, settledBy } = question;
    const bar = this.#bar(from);
    let last = from - 1;
    while (last > 0 && !this.#counts(last, count)) last -= 1;
    const after = last < 0 ? '' : this.#bar(last).date;
    return settledBy === null || settledBy >= count
      ? { question: { ...question, answer: null, settledBy: null }, bar, after, by: null }
      : { question, bar, after, by: this.#bar(settledBy).date };
  }

  #bar(index: number): Bar {
    return this.bars.at(index) as Bar;
  }

  #dailyAt(count: number) {
    if (this.#daily?.count === count) return this.#daily;
    const barAt = this.#at(count);
    const counting = new Uint32Array(count);
    let length = 0;
    for (let index = 0; index < count; index++) if (this.#counts(index, count)) counting[length++] = index;
    const bars = new BarView(length, (index) => barAt(counting[index] as number));
    this.#daily = { count, bars, moves: null };
    return this.#daily;
  }

  /** Counts bars that are no prices, and the sessions of a gap, as missing before the next bar that counts. */
  #missingSessions(): ReadonlyMap<number, number> {
    const { droppedBy, gaps } = this.inspection;
    const afterGap = new Set(gaps.map(({ index }) => index));
    const missing = new Map<number, number>();
    let [last, isWhole] = [-1, true];
    for (const [index, by] of droppedBy.entries()) {
      const isDropped = by !== NEVER;
      if (isDropped || afterGap.has(index)) isWhole = false;
      // Until it is dropped, a bar follows the one before it.
      if (!isWhole && last >= 0 && (!isDropped || afterGap.has(index)))
        missing.set(index, this.#sessionsBetween(this.#bar(last).date, this.#bar(index).date));
      if (isDropped) continue;
      [last, isWhole] = [index, true];
    }
    return missing;
  }

  /** Number of bars that closed by `now`. */
  #count(now: number): number {
    let [low, high] = [0, this.#closes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#closes[middle] as number) <= now) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Reads the bars, adjusted as known once the first `count` have closed. */
  #at(count: number): (index: number) => Bar {
    const adjustments = this.inspection.adjustments.filter(({ knownBy }) => knownBy < count);
    if (this.#levelled.known !== adjustments.length)
      this.#levelled = { known: adjustments.length, bars: adjusted(this.bars, adjustments) };
    const { bars } = this.#levelled;
    return (index) => {
      const [bar, missing] = [bars.at(index) as Bar, this.#missing.get(index)];
      return missing === undefined ? bar : { ...bar, missing };
    };
  }
}

function adjusted(given: BarList, adjustments: readonly Adjustment[]): BarList {
  if (adjustments.length === 0) return given;
  const bars = [...given];
  let [level, shares] = [1, 1];
  for (let index = bars.length - 1, next = adjustments.length - 1; index >= 0; index--) {
    if (level !== 1) bars[index] = atLevel(bars[index] as Bar, level, shares);
    for (; next >= 0 && adjustments[next]?.index === index; next--) {
      const { factor, origin } = adjustments[next] as Adjustment;
      level *= factor;
      // A dividend does not change the number of shares.
      if (origin !== 'dividend') shares *= factor;
    }
  }
  return BarSeries.of(bars);
}

function movesOf(bars: BarList): RecentMoves {
  const moves = new RecentMoves();
  for (let index = Math.max(0, bars.length - USUAL_BARS); index < bars.length; index++)
    moves.push(bars.at(index) as Bar);
  return moves;
}

function atLevel({ open, high, low, close, volume, ...rest }: Bar, level: number, shares: number): Bar {
  const price = (value: number): number => Number((value * level).toPrecision(DIGITS));
  return {
    ...rest,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: volume === null ? null : Math.round(volume / shares),
  };
}
