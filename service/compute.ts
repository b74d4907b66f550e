// Service: runs every bar of a price folder through the engine and gives lines to print.
// Reads the folder, writes nothing.
import { normalizeSymbol } from '../shared/domain/instruments.ts';
import { createEngine } from './engine/engine.ts';
import type { RiskModel } from './engine/risk/model.ts';
import type { Reading } from './engine/types.ts';
import { type CsvSource, openCsvFolder } from './market/csv/source.ts';

/** One bar of one symbol; `p` is the risk probability, 0..1. */
export interface ComputeLine extends Pick<Reading, 'date' | 'state' | 'confidence' | 'regime' | 'powers'> {
  readonly symbol: string;
  readonly p: number | null;
}

export interface FolderLines {
  /** In order of closing, so oldest first per symbol; computed lazily. */
  readonly lines: Iterable<ComputeLine>;
  /** Unused and adjusted rows of the folder, one line each. */
  readonly problems: readonly string[];
}

/**
 * The lines of a price folder. The values of a line never depend on rows that close after it; whether a row
 * counts may: one that looks like a fault of the data waits for the rows after it; without enough of them it
 * has no line.
 * @param symbol limits the lines to one symbol; its factors still use the whole folder
 * @throws Error with one sentence when the folder has no prices, or none of `symbol`
 */
export function computeOver(folder: string, symbol?: string, model?: RiskModel): FolderLines {
  const source = openCsvFolder(folder);
  const only = symbol === undefined ? null : normalizeSymbol(symbol);
  if (only !== null && !source.instruments.some((row) => row.symbol === only && !row.inputOnly)) {
    throw new Error(`${folder} has no prices of ${only}`);
  }
  const problems = source.problems.map(
    ({ file, line: row, reason }) => `${file}${row === 0 ? '' : `:${row}`}: ${reason}`,
  );
  return { lines: linesOf(source, only, model), problems };
}

/** The lines of `computeOver` alone. */
export const computeLines = (folder: string, symbol?: string): Iterable<ComputeLine> =>
  computeOver(folder, symbol).lines;

function* linesOf(source: CsvSource, only: string | null, model?: RiskModel): Generator<ComputeLine> {
  const engine = createEngine({ instruments: source.instruments, ...(model !== undefined && { model }) });
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
