// Service, entry of `npm run fit -- --prices DIR [--version NAME]`: fits the risk model and writes its parameter file.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '../shared/lib/result.ts';
import { fitRiskModel } from './engine/risk/fit.ts';
import { openCsvFolder } from './market/csv/source.ts';

const FILE = fileURLToPath(new URL('./engine/risk/parameters.json', import.meta.url));

try {
  const { values } = parseArgs({ options: { prices: { type: 'string' }, version: { type: 'string', default: 'log8-1' } } });
  if (values.prices === undefined) throw new Error('say where the prices are: npm run fit -- --prices DIR');
  const parameters = fitRiskModel(openCsvFolder(values.prices), values.version);
  writeFileSync(FILE, `${JSON.stringify(parameters, null, 2)}\n`);
  const bars = (vector: { rows: number } | null): string => (vector === null ? 'too few' : `${vector.rows} bars`);
  for (const { year, market, fellows, own } of parameters.years) {
    console.log(`${year}: own inputs ${bars(own)}, with other symbols ${bars(fellows)}, with the market ${bars(market)}`);
  }
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
