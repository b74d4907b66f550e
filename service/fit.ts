// Service, entry of `npm run fit -- --prices DIR [--version NAME]`: fits the risk model and writes its parameter file.
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
    .option('--version <name>', 'name of the fitted model', 'log8-1')
    .exitOverride()
    .allowExcessArguments(false)
    .parse()
    .opts<{ prices: string; version: string }>();
  const parameters = fitRiskModel(openCsvFolder(prices), version);
  // A list of numbers in one line, as the formatter has it.
  const text = JSON.stringify(parameters, null, 2).replace(
    /\[\s+([^[\]{}"]*?)\s+\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, ' ')}]`,
  );
  writeFileSync(FILE, `${text}\n`);
  const bars = (vector: { rows: number } | null): string => (vector === null ? 'too few' : `${vector.rows} bars`);
  for (const { year, market, fellows, own } of parameters.years) {
    console.log(
      `${year}: own inputs ${bars(own)}, with other symbols ${bars(fellows)}, with the market ${bars(market)}`,
    );
  }
} catch (error) {
  // What commander throws it has said by itself.
  if (!(error instanceof CommanderError)) console.error(messageOf(error));
  process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
}
