// Service, market, tape: intraday bars, and the forming day built from them. Pure in time.
import { type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';

/** Time after the newest price until its day is no longer in progress. */
const STALE_AFTER = 5 * DAY_MS;

/** Counts from its end on; its date is that of its session. */
export interface IntradayBar extends Omit<Bar, 'missing'> {
  /** World ms. */
  readonly start: number;
  readonly end: number;
}

export class IntradayBars {
  /** By symbol, oldest first, with distinct starts. */
  protected readonly bars = new Map<string, IntradayBar[]>();
  readonly #hasOtherLevel: boolean;
  readonly #isBeforeClose: boolean;

  /**
   * @param hasOtherLevel whether they may be adjusted differently from the daily bars
   * @param isBeforeClose whether the last bar of a day is known before its daily row. It is then evaluated
   *   first, even if both come at once: events must not depend on when a row came.
   */
  constructor(hasOtherLevel: boolean, isBeforeClose: boolean) {
    this.#hasOtherLevel = hasOtherLevel;
    this.#isBeforeClose = isBeforeClose;
  }

  has(symbol: string): boolean {
    return this.bars.has(symbol);
  }

  /** Start of the newest bar at `now`, world ms; null: none. */
  newest(symbol: string, now: number): number | null {
    const bars = this.bars.get(symbol) ?? [];
    return bars[countTo(bars, now) - 1]?.start ?? null;
  }

  /**
   * The forming day at `now`, at the level of the daily bars. The last session that both have gives the ratio
   * of their levels.
   * @param daily closed bars, oldest first
   * @returns null without a recent price, or when a daily row has closed the day
   */
  forming(symbol: string, calendar: SessionCalendar, daily: readonly Bar[], now: number): Bar | null {
    const bars = this.bars.get(symbol) ?? [];
    const last = countTo(bars, now) - 1;
    const newest = bars[last];
    if (newest === undefined || now - newest.end > STALE_AFTER) return null;
    const { date } = newest;
    const known = daily.findLastIndex((bar) => bar.date <= date);
    const before = daily[daily[known]?.date === date ? known - 1 : known];
    if (before === undefined || this.#isClosed(daily, calendar, date, now)) return null;
    let first = last;
    while (bars[first - 1]?.date === date) first -= 1;
    const level = this.#hasOtherLevel ? levelOf(bars, first, daily, before.date) : 1;
    let [high, low, volume] = [newest.high, newest.low, 0];
    for (let index = first; index <= last; index++) {
      const part = bars[index] as IntradayBar;
      high = Math.max(high, part.high);
      low = Math.min(low, part.low);
      volume += part.volume ?? 0;
    }
    const open = (bars[first] as IntradayBar).open;
    high = Math.max(high, open, newest.close);
    low = Math.min(low, open, newest.close);
    // Price files have eight digits; further digits are an artefact of the level.
    const levelled = (price: number): number => (level === 1 ? price : Number((price * level).toPrecision(8)));
    return {
      date,
      open: levelled(open),
      high: levelled(high),
      low: levelled(low),
      close: levelled(newest.close),
      volume: volume === 0 ? null : volume,
    };
  }

  /**
   * Ends of bars in (from, to] at which the forming day is evaluated. Excludes ends at which a daily row has
   * closed the day.
   */
  *decisions(
    symbol: string,
    calendar: SessionCalendar,
    daily: readonly Bar[],
    from: number,
    to: number,
  ): Generator<number> {
    const bars = this.bars.get(symbol) ?? [];
    for (let index = countTo(bars, from); index < bars.length; index++) {
      const { end, date } = bars[index] as IntradayBar;
      if (end > to) return;
      if (!this.#isClosed(daily, calendar, date, end)) yield end;
    }
  }

  #isClosed(daily: readonly Bar[], calendar: SessionCalendar, date: string, now: number): boolean {
    const close = sessionClose(calendar, date);
    return (daily.at(-1)?.date ?? '') >= date && (this.#isBeforeClose ? close < now : close <= now);
  }
}

/** Number of bars that ended by `now`. */
const countTo = (bars: readonly IntradayBar[], now: number): number => countLeading(bars, ({ end }) => end <= now);

/**
 * Ratio of daily to intraday level at the session before `first`; 1 without a daily close of that session.
 */
function levelOf(bars: readonly IntradayBar[], first: number, daily: readonly Bar[], latest: string): number {
  const part = bars[first - 1];
  if (part === undefined || part.date > latest) return 1;
  const close = daily.findLast((bar) => bar.date <= part.date);
  return close?.date === part.date ? close.close / part.close : 1;
}
