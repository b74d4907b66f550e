// Service, validation: the bars of a market source that closed up to an instant.
import type { PastMarket } from '../engine/scoring/validation-record.ts';
import type { Bar } from '../engine/types.ts';
import type { MarketSource } from '../market/types.ts';

export interface DatedMarket extends PastMarket {
  /** World ms at which each bar of a symbol closed, oldest first. */
  closesAt(symbol: string): readonly number[];
}

/**
 * Treats regime-only symbols as inputs, as they have no signal to score. Each pass over the days reads the
 * source again.
 * @param instant world ms
 */
export function pastMarket(source: MarketSource, instant: number): DatedMarket {
  const closedDays = () => source.closedDays(() => null, instant);
  const bars = new Map<string, Bar[]>(source.instruments.map(({ symbol }) => [symbol, []]));
  const closesAt = new Map<string, number[]>(source.instruments.map(({ symbol }) => [symbol, []]));
  for (const day of closedDays()) {
    for (const [symbol, bar] of day.bars) {
      bars.get(symbol)?.push(bar);
      closesAt.get(symbol)?.push(day.closesAt.get(symbol) as number);
    }
  }
  return {
    instruments: source.instruments.map((one) => ({ ...one, inputOnly: one.inputOnly || one.regimeOnly })),
    bars: (symbol) => bars.get(symbol) ?? [],
    closesAt: (symbol) => closesAt.get(symbol) ?? [],
    closedDays,
  };
}
