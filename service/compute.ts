// Service: runs every bar of a price folder through the engine and prints a line for each.
// Reads the folder, writes nothing.
import { normalizeSymbol } from '../shared/domain/instruments.ts';
import { createEngine } from './engine/engine.ts';
import type { RiskModel } from './engine/risk/model.ts';
import type { Reading } from './engine/types.ts';
import { openCsvFolderInSteps, problemLines } from './market/csv/source.ts';
import type { Steps } from './steps.ts';

/** One bar of one symbol; `p` is the risk probability, 0..1. */
export interface ComputeLine extends Pick<Reading, 'date' | 'state' | 'confidence' | 'regime' | 'powers'> {
  readonly symbol: string;
  readonly p: number | null;
}

export interface ComputeOptions {
  /** Limits the lines to one symbol; its factors still use the whole folder. */
  readonly symbol?: string | undefined;
  readonly model?: RiskModel | undefined;
  /** Receives the unused and adjusted rows of the folder, one line each, once it is read. */
  readonly onProblems?: (problems: readonly string[]) => void;
}

/**
 * Computes the lines of a price folder. The values of a line never depend on rows that close after it; whether
 * a row counts may: one that looks like a fault of the data waits for the rows after it; without enough of
 * them it has no line.
 * @param print receives the lines in order of closing, so oldest first per symbol
 * @throws Error with one sentence when the folder has no prices, or none of the symbol
 */
export function* computeOver(
  folder: string,
  print: (line: ComputeLine) => void,
  { symbol, model, onProblems = () => undefined }: ComputeOptions = {},
): Steps<void> {
  const source = yield* openCsvFolderInSteps(folder);
  const only = symbol === undefined ? null : normalizeSymbol(symbol);
  if (only !== null && !source.instruments.some((row) => row.symbol === only && !row.inputOnly))
    throw new Error(`${folder} has no prices of ${only}`);
  onProblems(problemLines(source));
  const engine = createEngine({ instruments: source.instruments, ...(model !== undefined && { model }) });
  const total = Math.max(...source.instruments.map((row) => source.bars(row.symbol).length));
  let done = 0;
  for (const day of source.closedDays(engine.lastDate, Number.POSITIVE_INFINITY)) {
    for (const [name, reading] of engine.closeDay(day.date, day.bars))
      if (only === null || name === only) print(line(name, reading));
    done += 1;
    yield { what: 'computing', done: Math.min(done, total), total };
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
