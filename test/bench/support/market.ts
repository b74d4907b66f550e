// Bench: a market of related random walks, a bar a day for every symbol, and an engine fed with it.
import { createEngine } from '../../../service/engine/engine.ts';
import type { Bar, Engine } from '../../../service/engine/types.ts';
import { createRandom } from '../../../shared/lib/random.ts';

/** The instruments that the dimensions of all symbols use. */
export const PANEL = [
  'SPY',
  'QQQ',
  'XLB',
  'XLE',
  'XLF',
  'XLI',
  'XLK',
  'XLP',
  'XLU',
  'XLV',
  'XLY',
  'AGG',
  'GLD',
  'VIX',
] as const;

/** S000, S001, ... */
export const others = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `S${String(index).padStart(3, '0')}`);

export type Market = ReadonlyMap<string, readonly Bar[]>;

export function makeMarket(symbols: readonly string[], days: number): Market {
  const random = createRandom(4);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const bars = new Map<string, Bar[]>(symbols.map((symbol) => [symbol, []]));
  const closes = new Map(symbols.map((symbol) => [symbol, 20 + 80 * random()]));
  for (let day = 0; day < days; day++) {
    const date = new Date(Date.UTC(1940, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
    const common = normal();
    for (const [symbol, rows] of bars) {
      const before = closes.get(symbol) ?? 1;
      const open = before * Math.exp(0.004 * normal());
      // Drawn back to where it began, so that a century of days overflows nothing.
      const close = before * Math.exp(0.006 * common + 0.008 * normal() - 0.0005 * Math.log(before / 50));
      const high = Math.max(open, close) * Math.exp(0.004 * Math.abs(normal()));
      const low = Math.min(open, close) * Math.exp(-0.004 * Math.abs(normal()));
      rows.push({ date, open, high, low, close, volume: 1e6 * Math.exp(0.3 * normal()) });
      closes.set(symbol, close);
    }
  }
  return bars;
}

export const engineFor = (symbols: readonly string[]): Engine =>
  createEngine({
    instruments: symbols.map((symbol) => ({ symbol, assetClass: 'equity', inputOnly: symbol === 'VIX' })),
  });

/** One day's bars of these symbols. */
export function dayOf(
  market: Market,
  symbols: readonly string[],
  day: number,
): { readonly date: string; readonly bars: Map<string, Bar> } {
  const bars = new Map(symbols.map((symbol) => [symbol, market.get(symbol)?.[day] as Bar]));
  return { date: market.get('SPY')?.[day]?.date ?? '', bars };
}
