// Service, market, tape: the forming day, without prices that look like data faults.
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Bar } from '../../engine/types.ts';
import type { FormingBar, MarketSource, PriceFault } from '../types.ts';
import { formingText, splitDayText } from './fault-text.ts';
import type { InspectedMarket } from './inspected-market.ts';
import type { TapeListing } from './inspections.ts';
import type { IntradayBars } from './intraday-bars.ts';

export interface FormingDay extends Pick<MarketSource, 'forming' | 'decisions'> {
  /** Whether the forming day is withheld because its price looks like a split or a change of level. */
  isJump(symbol: string, now: number): boolean;
  /** The fault of the closed bars, else that of a forming day withheld as a jump. */
  fault(symbol: string, now: number): PriceFault | null;
}

/**
 * Serves forming days; withholds them for quarantined or delisted symbols, and while they look like faults.
 */
export function formingDay(
  listings: ReadonlyMap<string, TapeListing>,
  market: InspectedMarket,
  intraday: () => IntradayBars,
): FormingDay {
  const formingAt = (symbol: string, calendar: SessionCalendar, now: number): FormingBar | null => {
    const daily = market.daily(symbol, now);
    const [bar, before] = [intraday().forming(symbol, calendar, daily, now), daily.at(-1)];
    if (bar === null || before === undefined) return bar;
    const [missing, level] = [market.missingBefore(symbol, bar.date, now), market.levelOf(symbol, bar, now)];
    if (missing === 0 && level === 1) return bar;
    return { ...bar, ...(missing !== 0 && { missing }), ...(level !== 1 && { closeBefore: before.close * level }) };
  };
  const isHeld = (symbol: string, now: number): boolean => {
    const kind = market.fault(symbol, now)?.kind;
    return kind === 'quarantined' || kind === 'unlisted';
  };
  const jumpAt = (symbol: string, now: number): Bar | null => {
    const listed = listings.get(symbol);
    const bar = listed === undefined || !intraday().has(symbol) ? null : formingAt(symbol, listed.calendar, now);
    return bar !== null && market.isSuspect(symbol, bar, now) === 'jump' ? bar : null;
  };
  return {
    forming(symbol, now) {
      const listed = listings.get(symbol);
      if (listed === undefined || !intraday().has(symbol) || isHeld(symbol, now)) return null;
      const bar = formingAt(symbol, listed.calendar, now);
      const suspect = bar === null ? null : market.isSuspect(symbol, bar, now);
      if (bar === null || suspect === null) return bar;
      if (suspect === 'jump') return null;
      // A spike counts once a second price confirms it.
      const start = intraday().newest(symbol, now);
      const before = start === null ? null : formingAt(symbol, listed.calendar, start);
      const earlier = before?.date === bar.date ? before : null;
      const agrees = earlier !== null && market.isSuspect(symbol, earlier, now) !== null;
      return agrees ? bar : earlier;
    },
    isJump: (symbol, now) => jumpAt(symbol, now) !== null,
    fault(symbol, now) {
      const found = market.fault(symbol, now);
      if (found !== null && found.kind !== 'gap') return found;
      const [jump, before] = [jumpAt(symbol, now), market.daily(symbol, now).at(-1)];
      if (jump === null || before === undefined) return found;
      const level = market.levelOf(symbol, jump, now);
      const reason = level === 1 ? formingText(symbol, jump, before) : splitDayText(symbol, jump, level);
      return { kind: 'quarantined', reason };
    },
    decisions(symbol, from, to) {
      const listed = listings.get(symbol);
      if (listed === undefined || !intraday().has(symbol)) return [];
      return intraday().decisions(symbol, listed.calendar, market.daily(symbol, to), from, to);
    },
  };
}
