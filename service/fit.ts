// Service: the command `npm run fit -- --prices DIR --out FILE`, which fits a risk model and compares it.
// Exit code: 0 for a better model, 1 for one that is not (the file is written), 2 without a model, 130 if stopped.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { StoppedError } from '../shared/lib/progress.ts';
import { messageOf } from '../shared/lib/result.ts';
import { programDigest } from './checkpoint/program-digest.ts';
import { longWork } from './command-line/long-work.ts';
import { fitRiskModel } from './engine/fit-risk-model.ts';
import { ModelNameSchema, type Parameters, ParametersSchema } from './engine/risk/model.ts';
import { RISK_MODEL } from './engine/risk/parameters.ts';
import {
  compareModels,
  lackOf,
  type ModelComparison,
  type Verdict,
  type WindowComparison,
} from './engine/scoring/compare-models.ts';
import { RESAMPLES } from './engine/scoring/resampling.ts';
import type { PastMarket } from './engine/scoring/validation-record.ts';
import { type CsvSource, openCsvFolderInSteps } from './market/csv/source.ts';
import { modelOf, readModel, writeModel } from './model-file.ts';

interface Flags {
  readonly prices: string;
  readonly out: string;
  readonly name: string;
  readonly model?: string;
}

const FIGURES = {
  day_lift: 'day lift',
  brier_skill: 'Brier skill',
  f1: 'f1',
  strict_f1: 'strict f1',
} as const;

const CONCLUSIONS: Readonly<Record<Verdict, (current: string) => string>> = {
  better: (current) => `It is better than ${current} in the hold-out window.`,
  same: (current) => `It is not better than ${current}: in the hold-out window the two cannot be told apart.`,
  worse: (current) => `It is worse than ${current} in the hold-out window, by day lift or Brier skill.`,
  blind: () => 'It is no use: in the hold-out window its alerts may be no better than chance (a day lift of 1).',
};

function linesOf({ windows }: ModelComparison, current: string): string[] {
  const line = ({ candidate, current: other, uncertainty }: WindowComparison, figure: keyof typeof FIGURES): string => {
    const interval = uncertainty?.differences[figure] ?? null;
    const within = interval === null ? 'too few years' : `[${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`;
    const numbers = [candidate[figure], other[figure]].map((value) => value.toFixed(3).padStart(12));
    return `${FIGURES[figure].padEnd(12)}${numbers.join('')}   ${within}`;
  };
  return (['holdout', 'full'] as const).flatMap((name) => [
    '',
    `${name === 'holdout' ? 'hold-out' : 'full'} window, ${windows[name].symbols} symbols: this fit, ${current}, difference (90 % of ${RESAMPLES} resamples of symbols and years)`,
    ...(Object.keys(FIGURES) as (keyof typeof FIGURES)[]).map((figure) => line(windows[name], figure)),
  ]);
}

/** The years of a fit that was stopped, and the program that fitted them. */
const PartSchema = z.object({ program: z.string(), parameters: ParametersSchema });

function partOf(file: string, program: string): Parameters | null {
  try {
    const part = PartSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return part.program === program ? part.parameters : null;
  } catch {
    return null;
  }
}

/** The market with its bars as objects: a fit reads each many times. */
function inMemory({ instruments, closedDays, bars: read }: CsvSource): PastMarket {
  const bars = new Map(instruments.map(({ symbol }) => [symbol, [...read(symbol)]]));
  return { instruments, closedDays, bars: (symbol) => bars.get(symbol) ?? [] };
}

async function fitAndCompare({ prices, out, name, model: inUse }: Flags): Promise<number> {
  const current = inUse === undefined ? RISK_MODEL : readModel(inUse);
  if (!ModelNameSchema.safeParse(name).success)
    throw new Error(`--name ${name}: it takes 1 to 40 of A-Z a-z 0-9 . _ -`);
  const part = `${out}.part`;
  const ended = `The same command goes on after the years that are fitted, which are in ${part}.`;
  const { parameters, model, comparison } = await longWork(async ({ steps }) => {
    const market = inMemory(await steps(openCsvFolderInSteps(prices)));
    const lack = lackOf(market);
    if (lack !== null) throw new Error(`${prices} has too little data for a model. ${lack} Nothing was written.`);
    const program = programDigest();
    const onYear = (known: Parameters): void => writeFileSync(part, JSON.stringify({ program, parameters: known }));
    const parameters = await steps(fitRiskModel(market, name, { begun: partOf(part, program), onYear }));
    const model = modelOf(parameters);
    return { parameters, model, comparison: await steps(compareModels(market, model, current)) };
  }, ended);
  writeModel(out, parameters);
  rmSync(part, { force: true });
  const [first, last] = [parameters.years[0], parameters.years.at(-1)];
  console.log(`${model.version}: weights for ${first?.year} to ${last?.year}, the last from ${last?.own.rows} bars`);
  for (const line of linesOf(comparison, current.version)) console.log(line);
  const conclusion = CONCLUSIONS[comparison.verdict](current.version);
  console.log(
    `\n${conclusion} ${comparison.verdict === 'better' ? `Use it with --model ${out}.` : `It is in ${out}; keep ${current.version} in use.`}`,
  );
  return comparison.verdict === 'better' ? 0 : 1;
}

try {
  process.exitCode = await fitAndCompare(
    new Command('fit')
      .description('Fits a risk model to the prices of a folder, writes it, and compares it with the model in use')
      .requiredOption('--prices <folder>', 'folder of CSV files (symbol,date,open,high,low,close,volume)')
      .requiredOption('--out <file>', 'file for the model, which the service takes with --model')
      .option('--name <name>', 'name of the model, part of the model version of signals', 'fit')
      .option('--model <file>', 'model in use, to compare with (default: the shipped one)')
      .exitOverride()
      .allowExcessArguments(false)
      .parse()
      .opts<Flags>(),
  );
} catch (error) {
  // commander prints its own errors.
  if (!(error instanceof CommanderError)) console.error(messageOf(error));
  process.exitCode =
    error instanceof StoppedError ? 130 : error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
}
