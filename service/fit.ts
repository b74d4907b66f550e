// Service: the command `npm run fit -- --prices DIR [--version NAME]`, which fits the risk model.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { messageOf } from '../shared/lib/result.ts';
import { fitRiskModel } from './engine/fit-risk-model.ts';
import { openCsvFolder } from './market/csv/source.ts';

const FILE = fileURLToPath(new URL('./engine/risk/parameters.json', import.meta.url));

try {
  const { prices, version } = new Command('fit')
    .description(
      'Fits the risk model to the prices of a folder and rewrites its parameter file, which all signals come from',
    )
    .requiredOption('--prices <folder>', 'folder of CSV files (symbol,date,open,high,low,close,volume)')
    .option('--version <name>', 'name of the fitted model', 'fp1-1')
    .exitOverride()
    .allowExcessArguments(false)
    .parse()
    .opts<{ prices: string; version: string }>();
  const parameters = fitRiskModel(openCsvFolder(prices), version);
  // Puts each list of numbers on one line, like the formatter.
  const text = JSON.stringify(parameters, null, 2).replace(
    /\[\s+([^[\]{}"]*?)\s+\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, ' ')}]`,
  );
  writeFileSync(FILE, `${text}\n`);
  for (const { year, own, fellows } of parameters.years)
    console.log(`${year}: ${own.rows} bars, with other symbols ${fellows === null ? 'too few' : fellows.rows}`);
} catch (error) {
  // commander prints its own errors.
  if (!(error instanceof CommanderError)) console.error(messageOf(error));
  process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
}
