// Service, validation: a market source as one who looks back sees it: everything that closed up to an instant.
import { BarColumn } from '../engine/bar-column.ts';
import type { PastMarket } from '../engine/scoring/validation-record.ts';
import type { MarketSource } from '../market/types.ts';

/**
 * Symbols that have a regime and no signal are inputs here: there is nothing of them to score. Days are asked of the source at each walk, and bars
 * are kept in columns: kept as objects, a market of 500 symbols would take a gigabyte.
 * @param instant world ms
 */
export function pastMarket(source: MarketSource, instant: number): PastMarket {
  const closedDays = () => source.closedDays(() => null, instant);
  const columns = new Map(source.instruments.map(({ symbol }) => [symbol, new BarColumn()]));
  for (const day of closedDays()) for (const [symbol, bar] of day.bars) columns.get(symbol)?.push(bar);
  return {
    instruments: source.instruments.map((one) => ({ ...one, inputOnly: one.inputOnly || one.regimeOnly })),
    bars: (symbol) => columns.get(symbol)?.bars() ?? [],
    closedDays,
  };
}
