// Service, market, tape: the forming day, without prices that are data faults.
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { FormingBar, MarketSource, PriceFault, PriceInQuestion } from '../types.ts';
import type { Doubt } from './evidence.ts';
import { questionText } from './fault-text.ts';
import type { InspectedMarket } from './inspected-market.ts';
import type { TapeListing } from './inspections.ts';
import type { IntradayBars } from './intraday-bars.ts';

export interface FormingDay extends Pick<MarketSource, 'forming' | 'decisions'> {
  /** As `MarketSource.question`: of the forming day, else of the closed ones. */
  question(symbol: string, now: number, date?: string): PriceInQuestion | null;
  /** The fault of the closed bars, else that of the forming day. */
  fault(symbol: string, now: number): PriceFault | null;
}

/** In place of a doubt that an action or a decision has answered. */
const ANSWERED: Doubt = { kind: 'split', factor: 1, isCertain: false, volume: null, range: null };

/** Serves forming days; withholds them for delisted symbols, and while they are certainly faults. */
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
  const barOf = (symbol: string, now: number): FormingBar | null => {
    const listed = listings.get(symbol);
    return listed === undefined || !intraday().has(symbol) ? null : formingAt(symbol, listed.calendar, now);
  };
  /** The forming day as it is used; null: its prices are not. */
  const usedOf = (symbol: string, now: number): FormingBar | null => {
    const bar = market.fault(symbol, now)?.kind === 'unlisted' ? null : barOf(symbol, now);
    const found = bar === null ? null : market.doubt(symbol, bar, now);
    if (bar !== null && market.answer(symbol, bar, now) === 'no_price') return null;
    if (bar === null || found === null) return bar;
    if (found.isCertain) return null;
    // A price in doubt counts once a second one confirms it.
    const start = intraday().newest(symbol, now);
    const before = start === null ? null : barOf(symbol, start);
    const earlier = before?.date === bar.date ? before : null;
    return earlier !== null && market.doubt(symbol, earlier, now) !== null ? bar : earlier;
  };
  /** The forming day as a change of level, or as what an answer says. */
  const formingQuestion = (symbol: string, now: number): PriceInQuestion | null => {
    const bar = barOf(symbol, now);
    const before = market.daily(symbol, now).at(-1)?.close;
    if (bar === null || before === undefined) return null;
    const answer = market.answer(symbol, bar, now);
    const found = answer === null ? market.doubt(symbol, bar, now) : ANSWERED;
    if (found === null || found.kind === 'stray') return null;
    const { kind: doubt, isCertain, ...rest } = found;
    if (answer === null && !isCertain && usedOf(symbol, now)?.close !== bar.close) return null;
    const factor = answer === null ? found.factor : market.levelOf(symbol, bar, now);
    const asked = { ...rest, factor, before, answer, countsAs: isCertain ? 'no_price' : 'price' } as const;
    const reason = questionText(symbol, bar.date, { ...found, ...asked, close: bar.close }, null, 'price') ?? '';
    return { symbol, date: bar.date, price: bar.close, doubt, ...asked, reason };
  };
  return {
    forming: usedOf,
    question(symbol, now, date) {
      const forming = formingQuestion(symbol, now);
      const isAsked = forming !== null && (date === undefined ? forming.answer === null : date === forming.date);
      return isAsked ? forming : market.question(symbol, now, date);
    },
    fault(symbol, now) {
      const found = market.fault(symbol, now);
      if (found !== null && found.kind !== 'gap') return found;
      const asked = formingQuestion(symbol, now);
      if (asked === null || asked.answer !== null) return found;
      return { kind: asked.countsAs === 'price' ? 'question' : 'quarantined', reason: asked.reason };
    },
    decisions(symbol, from, to) {
      const listed = listings.get(symbol);
      if (listed === undefined || !intraday().has(symbol)) return [];
      return intraday().decisions(symbol, listed.calendar, market.daily(symbol, to), from, to);
    },
  };
}
