// Service, market, tape: intraday bars, and the forming day built from them. Pure in time.
import { type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import type { BarList } from '../bar-series.ts';
import { IntradaySeries } from './intraday-series.ts';

/** Time after the newest price until its day is no longer in progress. */
const STALE_AFTER = 5 * DAY_MS;

export class IntradayBars {
  protected readonly bars = new Map<string, IntradaySeries>();
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
    const bars = this.bars.get(symbol);
    const ended = bars?.endedBy(now) ?? 0;
    return bars === undefined || ended === 0 ? null : bars.start(ended - 1);
  }

  /**
   * The forming day at `now`, at the level of the daily bars. The last session that both have gives the ratio
   * of their levels.
   * @param daily closed bars, oldest first
   * @returns null without a recent price, or when a daily row has closed the day
   */
  forming(symbol: string, calendar: SessionCalendar, daily: BarList, now: number): Bar | null {
    const bars = this.bars.get(symbol);
    const last = (bars?.endedBy(now) ?? 0) - 1;
    if (bars === undefined || last < 0 || now - bars.end(last) > STALE_AFTER) return null;
    const date = bars.date(last);
    const before = lastBefore(daily, date);
    if (before === undefined || this.#isClosed(daily, calendar, date, now)) return null;
    const first = bars.firstOfDate(last);
    const level = this.#hasOtherLevel ? levelOf(bars, first, daily, before.date) : 1;
    const { open, high, low, close, volume } = bars.combined(first, last);
    // Price files have eight digits; further digits are an artefact of the level.
    const levelled = (price: number): number => (level === 1 ? price : Number((price * level).toPrecision(8)));
    return {
      date,
      open: levelled(open),
      high: levelled(Math.max(high, open, close)),
      low: levelled(Math.min(low, open, close)),
      close: levelled(close),
      volume: volume === 0 ? null : volume,
    };
  }

  /**
   * Ends of bars in (from, to] at which the forming day is evaluated. Excludes ends at which a daily row has
   * closed the day.
   */
  *decisions(symbol: string, calendar: SessionCalendar, daily: BarList, from: number, to: number): Generator<number> {
    const bars = this.bars.get(symbol);
    if (bars === undefined) return;
    for (let index = bars.endedBy(from); index < bars.length; index++) {
      const end = bars.end(index);
      if (end > to) return;
      if (!this.#isClosed(daily, calendar, bars.date(index), end)) yield end;
    }
  }

  protected seriesOf(symbol: string): IntradaySeries {
    const series = this.bars.get(symbol) ?? new IntradaySeries();
    this.bars.set(symbol, series);
    return series;
  }

  #isClosed(daily: BarList, calendar: SessionCalendar, date: string, now: number): boolean {
    const close = sessionClose(calendar, date);
    return (daily.at(-1)?.date ?? '') >= date && (this.#isBeforeClose ? close < now : close <= now);
  }
}

/**
 * Ratio of daily to intraday level at the session before `first`; 1 without a daily close of that session.
 */
function levelOf(bars: IntradaySeries, first: number, daily: BarList, latest: string): number {
  if (first === 0) return 1;
  const date = bars.date(first - 1);
  const session = date > latest ? undefined : daily.at(countLeading(daily, (bar) => bar.date < date));
  return session?.date === date ? session.close / bars.close(first - 1) : 1;
}

function lastBefore(daily: BarList, date: string): Bar | undefined {
  const index = countLeading(daily, (bar) => bar.date < date) - 1;
  return index < 0 ? undefined : daily.at(index);
}
