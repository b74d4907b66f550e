// Bench: `npm run bench [-- --only NAME]` runs the rows one by one, each in a process of its own.
// It writes a table and results.json. A row that misses its goal does not change the exit code;
// one that could not be run does (1). Wrong arguments: one line, exit code 2.
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesAmong, newCommand } from '../runner/command.ts';
import { failed, resultsOf, rowText, table } from './report.ts';
import type { Row, RowResult } from './row.ts';
import { ROWS } from './rows.ts';

/** No row takes longer; the goal is under a minute each, but for nodes with a large world. */
const LIMIT_MS = 300_000;

function runRow(row: Row): Promise<RowResult> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, 'run-row.ts'), [row.name], {
      execArgv: ['--expose-gc'],
      stdio: 'inherit',
    });
    let result: RowResult | null = null;
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.on('message', (message) => {
      result = message as RowResult;
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      const seconds = (performance.now() - begun) / 1000;
      const late =
        signal === 'SIGKILL' ? `it took longer than ${LIMIT_MS / 1000} s` : `its process ended with ${signal ?? code}`;
      resolve(result === null ? failed(row, late, seconds) : { ...result, seconds });
    });
  });
}

const names = ROWS.map(({ name }) => name);
const { only: selected = names } = newCommand('bench', 'Measures the product beside a floor or a peer, row by row.')
  .option(
    '--only <name>',
    'this row, or all whose names begin with it and a dash; may be given several times',
    namesAmong(names, (given, name) => name === given || (!names.includes(given) && name.startsWith(`${given}-`))),
  )
  .parse()
  .opts<{ only?: readonly string[] }>();

const results: RowResult[] = [];
for (const row of ROWS.filter(({ name }) => selected.includes(name))) {
  const one = await runRow(row);
  results.push(one);
  console.log(`${rowText(one)}\n`);
}
console.log(table(results));
writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(resultsOf(results), null, 2)}\n`);
process.exitCode = results.some(({ failure }) => failure !== null) ? 1 : 0;
