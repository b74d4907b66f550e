// Test runner: runs the stages of `npm test` and `npm run test:all`, in turn or side by side.
// Each has a JSON report of its own.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { addTallies, playwrightTally, readTally, type Tally, tallyLine, vitestTally } from './reports.ts';

export const TOP = join(import.meta.dirname, '..', '..');
const RESULTS = join(TOP, 'test-results');
const COMPILED = join(TOP, 'node_modules', '.cache', 'barograph', 'compiled');

export interface Stage {
  readonly name: string;
  readonly runner: 'vitest' | 'playwright';
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

interface Tool {
  /** Below node_modules. */
  readonly script: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly print: (text: Buffer | string) => void;
}

/** Runs it under this Node. @returns its exit code, 1 when it was killed */
function runTool({ script, args, environment, print }: Tool): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(TOP, 'node_modules', script), ...args], {
      cwd: TOP,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // Tests start npm and node of the project.
        PATH: `${join(TOP, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
        // Hundreds of processes load the same files: each is compiled once.
        NODE_COMPILE_CACHE: COMPILED,
        ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
        ...environment,
      },
    });
    child.stdout.on('data', print);
    child.stderr.on('data', print);
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Where a stage leaves its JSON report. */
export const reportPath = ({ name }: Pick<Stage, 'name'>, folder: string): string =>
  join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);

/** Buffers output until `turn` resolves. */
function printerAfter(turn: Promise<unknown>): Tool['print'] {
  let buffered: (Buffer | string)[] | null = [];
  void turn.then(() => {
    for (const text of buffered ?? []) process.stdout.write(text);
    buffered = null;
  });
  return (text) => void (buffered === null ? process.stdout.write(text) : buffered.push(text));
}

/**
 * Runs one stage.
 * @param folder where its JSON report is written, under its name
 * @param print receives what the runner prints
 */
export async function runStage(stage: Stage, folder: string, print: Tool['print']): Promise<Tally> {
  print(`\n== ${stage.name}\n`);
  const report = reportPath(stage, folder);
  const environment = { ...stage.environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const code =
    stage.runner === 'vitest'
      ? await runTool({
          script: 'vitest/vitest.mjs',
          args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...stage.args],
          environment,
          print,
        })
      : await runTool({
          script: '@playwright/test/cli.js',
          args: ['test', '--reporter=list,json', ...stage.args],
          environment,
          print,
        });
  const tally = readTally(report, stage.runner === 'vitest' ? vitestTally : playwrightTally);
  // A runner that ends badly although no test failed (an error outside all tests, nothing found) has failed.
  if (code === 0 || tally.failed > 0) return tally;
  return { ...tally, failed: 1, failures: [`${stage.name}: ended with ${code} although no test failed`] };
}

/**
 * Runs all stages, also after a failure, and leaves the sum in test-results/NAME/tally.json.
 * @param sideBySide all begin at once; their outputs still follow one another
 * @returns the exit code
 */
export async function runStages(name: string, stages: readonly Stage[], sideBySide = false): Promise<number> {
  const folder = join(RESULTS, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const started = performance.now();
  let before: Promise<unknown> = Promise.resolve();
  const runs: Promise<{ stage: string; tally: Tally }>[] = [];
  for (const stage of stages) {
    const run = runStage(stage, folder, printerAfter(before)).then((tally) => ({ stage: stage.name, tally }));
    runs.push(run);
    before = Promise.all(runs);
    if (!sideBySide) await run;
  }
  const tallies = await Promise.all(runs);
  const sum = addTallies(tallies.map(({ tally }) => tally));
  writeFileSync(join(folder, 'tally.json'), JSON.stringify(sum));
  console.log(`\n${name}, in ${Math.round((performance.now() - started) / 1000)} s:`);
  for (const { stage, tally } of tallies) console.log(`  ${stage.padEnd(24)} ${tallyLine(tally)}`);
  for (const [reason, { length }] of Map.groupBy(sum.reasons, (one) => one))
    console.log(`  ${length} not run: ${reason}`);
  for (const test of sum.unstable) console.log(`\nUNSTABLE, passed at the second attempt: ${test}`);
  for (const failure of sum.failures) console.log(`\nFAILED ${failure}`);
  return sum.failed === 0 ? 0 : 1;
}
