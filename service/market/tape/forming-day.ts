// Service, market, tape: the day in progress; a price that looks like a fault of the data is none.
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Bar } from '../../engine/types.ts';
import type { MarketSource } from '../types.ts';
import type { InspectedMarket } from './inspected-market.ts';
import type { TapeListing } from './inspections.ts';
import type { IntradayBars } from './intraday-bars.ts';

export interface FormingDay extends Pick<MarketSource, 'forming' | 'decisions'> {
  /** Whether it is no price because it looks like a split. */
  isJump(symbol: string, now: number): boolean;
}

/** The day in progress, unless its symbol is quarantined or it looks like a fault itself. */
export function formingDay(
  listings: ReadonlyMap<string, TapeListing>,
  market: InspectedMarket,
  intraday: () => IntradayBars,
): FormingDay {
  const formingAt = (symbol: string, calendar: SessionCalendar, now: number): Bar | null => {
    const bar = intraday().forming(symbol, calendar, market.daily(symbol, now), now);
    const missing = bar === null ? 0 : market.missingBefore(symbol, bar.date, now);
    return bar === null || missing === 0 ? bar : { ...bar, missing };
  };
  const isHeld = (symbol: string, now: number): boolean => {
    const kind = market.fault(symbol, now)?.kind;
    return kind === 'quarantined' || kind === 'unlisted';
  };
  return {
    forming(symbol, now) {
      const listed = listings.get(symbol);
      if (listed === undefined || !intraday().has(symbol) || isHeld(symbol, now)) return null;
      const bar = formingAt(symbol, listed.calendar, now);
      const suspect = bar === null ? null : market.isSuspect(symbol, bar, now);
      if (bar === null || suspect === null) return bar;
      if (suspect === 'jump') return null;
      // A spike counts with its second price.
      const start = intraday().newest(symbol, now);
      const before = start === null ? null : formingAt(symbol, listed.calendar, start);
      const earlier = before?.date === bar.date ? before : null;
      const agrees = earlier !== null && market.isSuspect(symbol, earlier, now) !== null;
      return agrees ? bar : earlier;
    },
    isJump(symbol, now) {
      const listed = listings.get(symbol);
      const bar = listed === undefined || !intraday().has(symbol) ? null : formingAt(symbol, listed.calendar, now);
      return bar !== null && market.isSuspect(symbol, bar, now) === 'jump';
    },
    decisions(symbol, from, to) {
      const listed = listings.get(symbol);
      if (listed === undefined || !intraday().has(symbol)) return [];
      return intraday().decisions(symbol, listed.calendar, market.daily(symbol, to), from, to);
    },
  };
}
