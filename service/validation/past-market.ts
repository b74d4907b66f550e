// Service, validation: everything of a market source that closed up to an instant.
import { BarColumn } from '../engine/bar-column.ts';
import type { PastMarket } from '../engine/scoring/validation-record.ts';
import type { MarketSource } from '../market/types.ts';

/**
 * Regime-only symbols are inputs here: they have no signal to score. Each pass reads the days from the source
 * again, and bars are stored in columns: as objects, a market of 500 symbols would take a gigabyte.
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
