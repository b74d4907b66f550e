// Service, validation: a market source as one who looks back sees it: everything that closed up to a moment.
import type { PastMarket } from '../engine/scoring/validation-record.ts';
import type { Bar } from '../engine/types.ts';
import type { MarketSource } from '../market/types.ts';

/**
 * Symbols that have a regime and no signal are inputs here: there is nothing of them to score.
 * @param moment world ms
 */
export function pastMarket(source: MarketSource, moment: number): PastMarket {
  const days = [...source.closedDays(() => null, moment)];
  const bars = new Map<string, Bar[]>(source.instruments.map(({ symbol }) => [symbol, []]));
  for (const day of days) for (const [symbol, bar] of day.bars) bars.get(symbol)?.push(bar);
  return {
    instruments: source.instruments.map((one) => ({ ...one, inputOnly: one.inputOnly || one.regimeOnly })),
    bars: (symbol) => bars.get(symbol) ?? [],
    closedDays: () => days,
  };
}
