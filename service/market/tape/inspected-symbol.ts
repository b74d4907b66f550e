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
  type Quarantine,
  REFUSED,
} from './inspect.ts';
import { RecentMoves } from './recent-moves.ts';

/** Significant digits of a derived price: further digits are an artefact of the factor. */
const DIGITS = 10;
/** Longest look-back of the state rule, in bars: a gap within it affects the drawdown. */
const AFFECTED_BARS = 21;

/** Number of bars from which usual moves are measured. */
const USUAL_BARS = 300;

export interface KnownBar {
  readonly bar: Bar;
  /** World ms of its close. */
  readonly closedAt: number;
}

/** World ms. `bar`: the first one after the gap, or the first quarantined one. */
export type Hole = { readonly from: number; readonly to: number | null; readonly bar: Bar } & (
  | { readonly kind: 'gap'; readonly sessions: number }
  | { readonly kind: 'quarantined'; readonly quarantine: Quarantine; readonly by: string | null }
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
    return this.inspection.adjustments.map(({ knownBy }) => this.#closes[knownBy] as number);
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
    const { releasedBy } = this.inspection;
    for (let index = countLeading(this.bars, ({ date }) => date <= after); index < count; index++) {
      if ((this.bars[index] as Bar).date > to) return;
      const by = releasedBy[index] as number;
      if (by < 0 || by >= count) continue;
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

  /** The open quarantine at `now`, with its first bar. */
  quarantine(now: number): { readonly quarantine: Quarantine; readonly bar: Bar } | null {
    const count = this.#count(now);
    for (const quarantine of this.inspection.quarantines) {
      if (quarantine.from < count && (quarantine.until === null || quarantine.until >= count))
        return { quarantine, bar: this.bars[quarantine.from] as Bar };
    }
    return null;
  }

  /** The newest gap that still matters at `now`, with the first bar after it. */
  gap(now: number): { readonly gap: Gap; readonly bar: Bar } | null {
    const count = this.#count(now);
    const gap = this.inspection.gaps.findLast(({ index }) => index < count && index > count - AFFECTED_BARS);
    return gap === undefined ? null : { gap, bar: this.bars[gap.index] as Bar };
  }

  /** Gaps and quarantines begun by `now`, without quarantines whose prices turned out real. */
  *holes(now: number): Generator<Hole> {
    const count = this.#count(now);
    const at = (index: number): number => this.#closes[Math.max(0, index)] as number;
    for (const { index, sessions } of this.inspection.gaps)
      if (index < count)
        yield { kind: 'gap', from: at(index - 1), to: at(index), bar: this.bars[index] as Bar, sessions };
    for (const quarantine of this.inspection.quarantines) {
      const { from, until } = quarantine;
      if (from >= count) continue;
      const by = until === null || until >= count ? null : until;
      if (by !== null && quarantine.outcome === 'real') continue;
      const found = by === null ? { ...quarantine, outcome: null } : quarantine;
      yield {
        kind: 'quarantined',
        from: at(from - 1),
        to: by === null ? null : at(by),
        bar: this.bars[from] as Bar,
        quarantine: found,
        by: by === null ? null : (this.bars[by] as Bar).date,
      };
    }
  }

  /** Dates of the bars that count, oldest first. */
  *#countingDates(): Generator<string> {
    for (const [index, { date }] of this.bars.entries())
      if ((this.inspection.releasedBy[index] as number) >= 0) yield date;
  }

  #dailyAt(count: number) {
    if (this.#daily?.count === count) return this.#daily;
    const { releasedBy } = this.inspection;
    const bars = this.#at(count).filter((_, index) => {
      const by = releasedBy[index] as number;
      return by >= 0 && by < count;
    });
    this.#daily = { count, bars, moves: null };
    return this.#daily;
  }

  /** Counts refused bars and the sessions of a gap as missing before the next bar that counts. */
  #withMissing(): readonly Bar[] {
    const { releasedBy, gaps } = this.inspection;
    const afterGap = new Set(gaps.map(({ index }) => index));
    const counted = [...this.bars];
    let [last, isWhole] = [-1, true];
    for (const [index, bar] of this.bars.entries()) {
      const isRefused = releasedBy[index] === REFUSED;
      if (isRefused || afterGap.has(index)) isWhole = false;
      if (isRefused) continue;
      if (!isWhole && last >= 0)
        counted[index] = { ...bar, missing: this.#sessionsBetween(this.bars[last]?.date ?? bar.date, bar.date) };
      [last, isWhole] = [index, true];
    }
    return counted;
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
