// Service, sandbox world, test: statistics of its daily bars lie within those of real instruments.
// The ranges are those of real daily series, adjusted for splits and dividends, measured with the formulas
// below on:
// US equities: SPY QQQ and the sector SPDRs XLB XLE XLF XLI XLK XLP XLU XLV XLY 2000-2025, IWM AAPL BAC IBM
// 1998-2021, GOOG 2004-2021, MSFT 1990-2022, BA CAT GE 1980-2013, F 1998-2013
// calm world: AGG 2003-2025, TLT HYG 2016-2025, gold 2006-2019, EURUSD GBPUSD 2007-2018
// VIX: 1990-2026
// A sandbox value is the median over a group's instruments and three seeds of 26 years each, so that no
// single seed decides.
import { describe, expect, it } from 'vitest';
import type { Bar } from '../../engine/types.ts';
import { listings } from './catalogue.ts';
import { DailyWorld } from './daily.ts';
import { dayOf, FIRST_DAY } from './days.ts';
import { createSyntheticMarket } from './market.ts';

const FUNDS = ['SPY', 'QQQ', 'IWM', 'XLB', 'XLE', 'XLF', 'XLI', 'XLK', 'XLP', 'XLU', 'XLV', 'XLY'];
const SECTORS = FUNDS.slice(3);
const SHARES = ['AAPL', 'MSFT', 'NVDA', 'GOOG', 'IBM', 'CAT', 'BAC', 'AMZN', 'JPM', 'GE', 'F', 'BA', 'XOM', 'JNJ'];

function barsOf(seed: number): Map<string, Bar[]> {
  const market = createSyntheticMarket({ seed });
  const result = new Map<string, Bar[]>(market.instruments.map(({ symbol }) => [symbol, []]));
  let last: string | null = null;
  for (const end of [2008, 2016, 2024, 2025].map((year) => Date.UTC(year, 11, 31))) {
    for (const { date, bars } of market.closedDays(() => last, end)) {
      for (const [symbol, bar] of bars) result.get(symbol)?.push(bar);
      last = date;
    }
  }
  return result;
}
const worlds = [1, 7, 42].map(barsOf);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const deviation = (values: readonly number[]): number => Math.sqrt(moment(values, 2));
function moment(values: readonly number[], power: number): number {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** power));
}
function correlation(a: readonly number[], b: readonly number[]): number {
  const [centreA, centreB] = [mean(a), mean(b)];
  return mean(a.map((value, index) => (value - centreA) * ((b[index] ?? 0) - centreB))) / (deviation(a) * deviation(b));
}
const lagged = (values: readonly number[], lag: number): number =>
  correlation(values.slice(lag), values.slice(0, -lag));
const closes = (bars: readonly Bar[]): number[] => bars.map((bar) => bar.close);
const returns = (prices: readonly number[]): number[] =>
  prices.slice(1).map((price, index) => Math.log(price / (prices[index] ?? price)));
const sizes = (prices: readonly number[]): number[] => returns(prices).map(Math.abs);

/**
 * Events (threshold by volatility, breach against the 21-bar high, 21 quiet bars between) per year of 252
 * bars.
 */
function eventsAYear(prices: readonly number[]): number {
  const moves = [0, ...returns(prices)];
  let sum = 0;
  let squares = 0;
  const thresholds = moves.map((move, t) => {
    const gone = moves[t - 252] ?? 0;
    sum += move - gone;
    squares += move * move - gone * gone;
    if (t < 251) return Number.POSITIVE_INFINITY;
    return Math.min(0.45, Math.max(0.025, 1.5 * Math.sqrt((21 * (squares - (sum * sum) / 252)) / 251)));
  });
  let events = 0;
  let lastBreach = Number.NEGATIVE_INFINITY;
  for (let t = 1; t < prices.length; t++) {
    let peak = t;
    for (let k = t - 1; k >= Math.max(0, t - 21); k--) if ((prices[k] ?? 0) > (prices[peak] ?? 0)) peak = k;
    if ((prices[t] ?? 0) / (prices[peak] ?? 1) - 1 > -(thresholds[peak] ?? 0)) continue;
    if (t - lastBreach > 21) events += 1;
    lastBreach = t;
  }
  return events / ((prices.length - 252) / 252);
}

function deepestFall(prices: readonly number[]): number {
  let peak = 0;
  let deepest = 0;
  for (const price of prices) {
    peak = Math.max(peak, price);
    deepest = Math.max(deepest, 1 - price / peak);
  }
  return 100 * deepest;
}

interface Property {
  readonly name: string;
  readonly of: (bars: readonly Bar[]) => number;
  /** Minimum and maximum of the real US equities. */
  readonly equities: readonly [number, number];
}

const PROPERTIES: readonly Property[] = [
  {
    name: 'kurtosis of returns (fat tails)',
    of: (bars) => moment(returns(closes(bars)), 4) / moment(returns(closes(bars)), 2) ** 2,
    equities: [8.6, 27.2],
  },
  {
    name: 'skew of returns',
    of: (bars) => moment(returns(closes(bars)), 3) / moment(returns(closes(bars)), 2) ** 1.5,
    equities: [-0.63, 0.49],
  },
  { name: 'autocorrelation of |return|, 1 day', of: (bars) => lagged(sizes(closes(bars)), 1), equities: [0.17, 0.45] },
  { name: 'autocorrelation of |return|, 5 days', of: (bars) => lagged(sizes(closes(bars)), 5), equities: [0.13, 0.4] },
  {
    name: 'autocorrelation of |return|, 21 days',
    of: (bars) => lagged(sizes(closes(bars)), 21),
    equities: [0.09, 0.34],
  },
  { name: 'autocorrelation of returns', of: (bars) => lagged(returns(closes(bars)), 1), equities: [-0.1, 0.04] },
  {
    name: 'correlation of a return with the size of the next five (leverage effect)',
    of: leverage,
    equities: [-0.16, -0.04],
  },
  { name: 'deepest drawdown, percent', of: (bars) => deepestFall(closes(bars)), equities: [35, 96] },
  {
    name: 'range of a day over its mean |return|',
    of: (bars) => mean(bars.map((bar) => (bar.high - bar.low) / bar.close)) / mean(sizes(closes(bars))),
    equities: [1.59, 1.83],
  },
  { name: 'breach events a year', of: (bars) => eventsAYear(closes(bars)), equities: [1.33, 1.98] },
];

function leverage(bars: readonly Bar[]): number {
  const moves = returns(closes(bars));
  const next = moves.slice(0, -5).map((_, index) => mean(moves.slice(index + 1, index + 6).map(Math.abs)));
  return correlation(moves.slice(0, -5), next);
}

const over = (symbols: readonly string[], of: (bars: readonly Bar[]) => number): number =>
  median(worlds.flatMap((world) => symbols.map((symbol) => of(world.get(symbol) ?? []))));
const yearly = (bars: readonly Bar[]): number => 100 * deviation(returns(closes(bars))) * Math.sqrt(252);

describe('a world with learnable structure', () => {
  it.each(PROPERTIES)('$name', ({ of, equities: [least, most] }) => {
    for (const group of [FUNDS, SHARES]) {
      expect(over(group, of)).toBeGreaterThanOrEqual(least);
      expect(over(group, of)).toBeLessThanOrEqual(most);
    }
  });

  it.each([
    [['SPY', 'SPX', 'DIA'], 14, 20],
    [FUNDS, 14, 29],
    [SHARES, 25, 45],
    [['NVDA', 'TSLA'], 38, 60],
    [['TLT', 'GLD'], 12, 19],
    [['HYG'], 5, 9],
    [['AGG'], 3.5, 6],
    [['EURUSD', 'GBPUSD'], 6, 10],
    [['BTC', 'ETH'], 48, 75],
  ] as const)('volatility of %s lies within %d and %d percent a year', (symbols, least, most) => {
    expect(over(symbols, yearly)).toBeGreaterThan(least);
    expect(over(symbols, yearly)).toBeLessThan(most);
  });

  it('volume grows with the size of the move, as much as for real shares', () => {
    const correlations = over(SHARES, (bars) =>
      correlation(
        bars.slice(1).map((bar) => Math.log(bar.volume ?? 1)),
        sizes(closes(bars)),
      ),
    );
    expect(correlations).toBeGreaterThan(0.2);
    expect(correlations).toBeLessThan(0.55);
  });

  // Real: nine sector funds .49 calm and .73 in stress; eight shares .28 and .53.
  it.each([
    ['sectors', SECTORS, [0.4, 0.65], [0.65, 0.85]],
    ['shares', ['AAPL', 'MSFT', 'IBM', 'BAC', 'GE', 'CAT', 'BA', 'F'], [0.15, 0.4], [0.4, 0.65]],
  ] as const)('correlation of %s rises in stress', (_, symbols, calmRange, stressRange) => {
    for (const world of worlds) {
      const market = returns(closes(world.get('SPY') ?? []));
      const recent = market.map((_, index) => deviation(market.slice(Math.max(0, index - 20), index + 1)));
      const ranked = recent.slice(21).toSorted((a, b) => a - b);
      const [middle, loud] = [0.5, 0.9].map((share) => ranked[Math.floor(share * ranked.length)] ?? 0);
      const moves = symbols.map((symbol) => returns(closes(world.get(symbol) ?? [])));
      const among = (chosen: (volatility: number) => boolean): number => {
        const rows = moves.map((row) => row.filter((_, index) => chosen(recent[index] ?? 0)));
        return mean(rows.flatMap((a, i) => rows.slice(i + 1).map((b) => correlation(a, b))));
      };
      const calm = among((volatility) => volatility < (middle ?? 0));
      const stress = among((volatility) => volatility > (loud ?? 0));
      expect(calm).toBeGreaterThan(calmRange[0]);
      expect(calm).toBeLessThan(calmRange[1]);
      expect(stress).toBeGreaterThan(stressRange[0]);
      expect(stress).toBeLessThan(stressRange[1]);
      expect(stress - calm).toBeGreaterThan(0.1);
    }
  });

  it('bonds move independently, and credit moves with shares', () => {
    for (const world of worlds) {
      const toMarket = (symbol: string): number =>
        correlation(returns(closes(world.get('SPY') ?? [])), returns(closes(world.get(symbol) ?? [])));
      expect(toMarket('TLT')).toBeLessThan(-0.1);
      expect(Math.abs(toMarket('AGG'))).toBeLessThan(0.2);
      expect(toMarket('HYG')).toBeGreaterThan(0.6);
      expect(toMarket('SPX')).toBeGreaterThan(0.99);
    }
  });

  // Real: mean 19.9, 9 to 83, day-to-day autocorrelation .978, with returns -.72; above the later realised
  // volatility 86 % of the time.
  it('VIX follows the volatility of the market', () => {
    for (const world of worlds) {
      const index = closes(world.get('VIX') ?? []);
      const market = closes(world.get('SPY') ?? []);
      expect(mean(index)).toBeGreaterThan(15);
      expect(mean(index)).toBeLessThan(24);
      expect(Math.min(...index)).toBeGreaterThan(7);
      expect(Math.max(...index)).toBeGreaterThan(38);
      expect(Math.max(...index)).toBeLessThan(100);
      expect(lagged(index, 1)).toBeGreaterThan(0.96);
      const withMarket = correlation(returns(index), returns(market));
      expect(withMarket).toBeGreaterThan(-0.8);
      expect(withMarket).toBeLessThan(-0.6);
      const moves = returns(market);
      const above = moves
        .slice(0, -21)
        .map((_, day) => (index[day + 1] ?? 0) > 100 * deviation(moves.slice(day + 1, day + 22)) * Math.sqrt(252));
      expect(above.filter(Boolean).length / above.length).toBeGreaterThan(0.75);
    }
  });

  it('no price becomes implausible between 2000 and 2040', () => {
    const some = listings(45).filter(({ symbol }) => ['SPY', 'XLU', 'IBM', 'AGG'].includes(symbol));
    for (let seed = 1; seed <= 12; seed++) {
      const world = new DailyWorld(seed, some);
      world.reach(dayOf(Date.UTC(2040, 0, 1)));
      for (const [symbol, least, most] of [
        ['SPY', 50, 2000],
        ['XLU', 6, 400],
        ['IBM', 10, 2500],
        ['AGG', 50, 160],
      ] as const) {
        const path = world.path(symbol);
        for (let index = 0; index <= dayOf(Date.UTC(2040, 0, 1)) - FIRST_DAY; index++) {
          const close = path?.closeAt(index) ?? Number.NaN;
          if (!(close > least && close < most))
            expect.fail(`${symbol} stands at ${close} on day ${index} of seed ${seed}`);
        }
      }
    }
  });
});
