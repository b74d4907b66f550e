// Bench: `npm run bench [-- --only NAME]`: every row in a process of its own, one after the other; then the table and results.json.
// A row that misses its goal does not change the exit code; one that could not be run does (1). Wrong arguments: one line, exit code 2.
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.ts';
import { failed, resultsOf, rowText, table } from './report.ts';
import type { Judged, Row } from './row.ts';
import { ROWS } from './rows.ts';

/** No row takes longer; the goal is under a minute each. */
const LIMIT_MS = 90_000;

function runRow(row: Row): Promise<Judged> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, 'run-row.ts'), [row.name], {
      execArgv: ['--expose-gc'],
      stdio: 'inherit',
    });
    let judged: Judged | null = null;
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.on('message', (message) => {
      judged = message as Judged;
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      const seconds = (performance.now() - begun) / 1000;
      const late =
        signal === 'SIGKILL' ? `it took longer than ${LIMIT_MS / 1000} s` : `its process ended with ${signal ?? code}`;
      resolve(judged === null ? failed(row, late, seconds) : { ...judged, seconds });
    });
  });
}

const wanted = readArguments(
  process.argv.slice(2),
  ROWS.map(({ name }) => name),
);
if (!wanted.ok) {
  console.error(`bench: ${wanted.error}`);
  process.exitCode = 2;
} else {
  const judged: Judged[] = [];
  for (const row of ROWS.filter(({ name }) => wanted.value.includes(name))) {
    const one = await runRow(row);
    judged.push(one);
    console.log(`${rowText(one)}\n`);
  }
  console.log(table(judged));
  writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(resultsOf(judged), null, 2)}\n`);
  process.exitCode = judged.some(({ failure }) => failure !== null) ? 1 : 0;
}
