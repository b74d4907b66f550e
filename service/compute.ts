// Service: runs every bar of a price folder through the engine and yields lines to print.
// Reads the folder, writes nothing.
import { normalizeSymbol } from '../shared/domain/instruments.ts';
import { createEngine } from './engine/engine.ts';
import type { Reading } from './engine/types.ts';
import { openCsvFolder } from './market/csv/source.ts';

/** One bar of one symbol; `p` is the risk probability, 0..1. */
export interface ComputeLine extends Pick<Reading, 'date' | 'state' | 'confidence' | 'regime' | 'powers'> {
  readonly symbol: string;
  readonly p: number | null;
}

/**
 * Yields lines in order of closing, so oldest first per symbol. A line never depends on rows that close after
 * it.
 * @param symbol limits the lines to one symbol; its factors still use the whole folder
 * @throws Error with one sentence when the folder has no prices, or none of `symbol`
 */
export function* computeLines(folder: string, symbol?: string): Generator<ComputeLine> {
  const source = openCsvFolder(folder);
  const only = symbol === undefined ? null : normalizeSymbol(symbol);
  if (only !== null && !source.instruments.some((row) => row.symbol === only && !row.inputOnly)) {
    throw new Error(`${folder} has no prices of ${only}`);
  }
  const engine = createEngine({ instruments: source.instruments });
  for (const day of source.closedDays(engine.lastDate, Number.POSITIVE_INFINITY)) {
    for (const [name, reading] of engine.closeDay(day.date, day.bars)) {
      if (only === null || name === only) yield line(name, reading);
    }
  }
}

const line = (symbol: string, { date, state, confidence, probability, regime, powers }: Reading): ComputeLine => ({
  symbol,
  date,
  state,
  confidence,
  p: probability,
  regime,
  powers,
});
