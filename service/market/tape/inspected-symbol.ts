// Service, market, tape: one symbol's inspected bars, as known at an instant, at one level.
// Pure in time.
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
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
  readonly bars: readonly Bar[];
  readonly #closes: Float64Array;
  readonly #sessionsBetween: InspectionContext['sessionsBetween'];
  /** The bars with the number of missing sessions before each, see `Bar`. */
  readonly #counted: readonly Bar[];
  /** Cache: the bars adjusted by the first `known` adjustments. */
  #levelled: { readonly known: number; readonly bars: readonly Bar[] };
  /** Cache: the bars that count once the first `count` have closed, and their usual moves. */
  #daily: { readonly count: number; readonly bars: readonly Bar[]; moves: RecentMoves | null } | null = null;

  /** @param closeOf world ms of the close of a date */
  constructor(bars: readonly Bar[], closeOf: (date: string) => number, context: InspectionContext) {
    this.bars = bars;
    this.inspection = inspect(bars, context);
    this.#closes = Float64Array.from(bars, ({ date }) => closeOf(date));
    this.#sessionsBetween = context.sessionsBetween;
    this.#counted = this.#withMissing();
    this.#levelled = { known: 0, bars: this.#counted };
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
    return this.inspection.adjustments.map(({ index, factor }) => `${this.bars[index]?.date} ${factor}`).join();
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
    return [[this.bars[countLeading(this.bars, (bar) => bar.date <= date)]?.date ?? last, last]];
  }

  /** Bars that count at `now`, after a date and up to another one, oldest first. */
  *known(after: string, to: string, now: number): Generator<KnownBar> {
    const count = this.#count(now);
    const bars = this.#at(count);
    for (let index = countLeading(this.bars, ({ date }) => date <= after); index < count; index++) {
      if ((this.bars[index] as Bar).date > to) return;
      if (!this.#counts(index, count)) continue;
      yield { bar: bars[index] as Bar, closedAt: this.#closes[index] as number };
    }
  }

  /** The bars that count at `now`, oldest first. */
  daily(now: number): readonly Bar[] {
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
    return gap === undefined ? null : { gap, bar: this.bars[gap.index] as Bar };
  }

  /** Gaps, and prices in question that do not count, as known at `now`. */
  *holes(now: number): Generator<Hole> {
    const count = this.#count(now);
    const at = (index: number): number => this.#closes[Math.max(0, index)] as number;
    for (const { index, sessions } of this.inspection.gaps)
      if (index < count)
        yield { kind: 'gap', from: at(index - 1), to: at(index), bar: this.bars[index] as Bar, sessions };
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
    for (const [index, { date }] of this.bars.entries()) if (this.#counts(index, NEVER)) yield date;
  }

  /** Whether the bar counts once the first `count` have closed. */
  #counts(index: number, count: number): boolean {
    return (this.inspection.droppedBy[index] as number) >= count;
  }

  #askedAt(question: PriceQuestion, count: number): AskedPrice {
    const { from, settledBy } = question;
    const bar = this.bars[from] as Bar;
    let last = from - 1;
    while (last > 0 && !this.#counts(last, count)) last -= 1;
    const after = this.bars[last]?.date ?? '';
    return settledBy === null || settledBy >= count
      ? { question: { ...question, answer: null, settledBy: null }, bar, after, by: null }
      : { question, bar, after, by: (this.bars[settledBy] as Bar).date };
  }

  #dailyAt(count: number) {
    if (this.#daily?.count === count) return this.#daily;
    const bars = this.#at(count).filter((_, index) => index < count && this.#counts(index, count));
    this.#daily = { count, bars, moves: null };
    return this.#daily;
  }

  /** Counts bars that are no prices, and the sessions of a gap, as missing before the next bar that counts. */
  #withMissing(): readonly Bar[] {
    const { droppedBy, gaps } = this.inspection;
    const afterGap = new Set(gaps.map(({ index }) => index));
    let counted: Bar[] | null = null;
    let [last, isWhole] = [-1, true];
    for (const [index, bar] of this.bars.entries()) {
      const isDropped = droppedBy[index] !== NEVER;
      if (isDropped || afterGap.has(index)) isWhole = false;
      // Until it is dropped, a bar follows the one before it.
      if (!isWhole && last >= 0 && (!isDropped || afterGap.has(index))) {
        counted ??= [...this.bars];
        counted[index] = { ...bar, missing: this.#sessionsBetween(this.bars[last]?.date ?? bar.date, bar.date) };
      }
      if (isDropped) continue;
      [last, isWhole] = [index, true];
    }
    return counted ?? this.bars;
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

  /** The bars, adjusted as known once the first `count` have closed. */
  #at(count: number): readonly Bar[] {
    const adjustments = this.inspection.adjustments.filter(({ knownBy }) => knownBy < count);
    if (this.#levelled.known !== adjustments.length) {
      const bars = [...this.#counted];
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
      this.#levelled = { known: adjustments.length, bars };
    }
    return this.#levelled.bars;
  }
}

function movesOf(bars: readonly Bar[]): RecentMoves {
  const moves = new RecentMoves();
  for (const bar of bars.slice(-USUAL_BARS)) moves.push(bar);
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
