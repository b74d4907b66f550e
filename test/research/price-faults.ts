// Research: how often a fall is taken for a fault of the data, and a fault for a fall.
// `node test/research/price-faults.ts [FOLDER]` prints the curves of docs/model.md, and the falls of 22 % and more in a
// day of a folder of prices that are not used, or are in question.
import { readdirSync } from 'node:fs';
import { openCsvFolder } from '../../service/market/csv/source.ts';
import { fall, shares, split, stray } from '../harness/price-worlds.ts';

const WORLDS = 2_000;
const DEPTHS = [0.15, 0.2, 0.25, 0.33, 0.4, 0.5, 0.6];
const VALUES = [1.5, 2, 3, 5, 10];
const RATIOS = [1.1, 1.2, 1.25, 4 / 3, 1.5, 2, 3, 4, 10, 20, 50, 1 / 2, 1 / 10];
const PRINTS = [0.95, 0.9, 0.85, 0.8, 0.7, 0.5, 0.1, 0.01];
const DEEP = 0.78;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const line = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

console.log('Falls: not used / in question, by depth and traded value');
line(['depth', ...VALUES.map((value) => `${value} times`)]);
for (const depth of DEPTHS)
  line([
    percent(depth),
    ...VALUES.map((value) => {
      const { fault, question } = shares(fall(depth, value), WORLDS);
      return `${percent(fault)} / ${percent(question)}`;
    }),
  ]);

for (const [name, values, barOf] of [
  ['Splits that are not adjusted: silent / in question / adjusted at once', RATIOS, split],
  ['Closes that are wrong by a factor: silent / in question / not used', PRINTS, stray],
] as const) {
  console.log(`\n${name}`);
  for (const value of values) {
    const { price, question, fault } = shares(barOf(value), WORLDS);
    line([value.toFixed(2), percent(price), percent(question), percent(fault)]);
  }
}

const folder = process.argv[2];
if (folder !== undefined) {
  console.log(`\n${folder}: ${readdirSync(folder).length} files`);
  const market = openCsvFolder(folder);
  const findings = market.problems.map(({ reason }) => reason);
  let falls = 0;
  for (const { symbol } of market.instruments) {
    const bars = [...market.bars(symbol)];
    for (const [index, bar] of bars.entries()) {
      const before = bars[index - 1];
      if (before === undefined || bar.close > before.close * DEEP) continue;
      falls += 1;
      console.log(`${symbol} ${bar.date}: ${percent(bar.close / before.close - 1)} counts`);
    }
  }
  console.log(`${falls} falls of 22 % and more count; findings:`);
  for (const finding of findings.filter((one) => /\d{4}-\d\d-\d\d: close/.test(one))) console.log(finding);
}
