// Test runner: one after the other, the runners that `npm test` and `npm run test:long` consist of, each with its own JSON report.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { addTallies, playwrightTally, readTally, type Tally, tallyLine, vitestTally } from './reports.ts';

export const TOP = join(import.meta.dirname, '..', '..');
const RESULTS = join(TOP, 'test-results');

export interface Stage {
  readonly name: string;
  readonly runner: 'vitest' | 'playwright';
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a script of node_modules under this Node, in the terminal. @returns its exit code, 1 when it was killed */
export function runTool(script: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(TOP, 'node_modules', script), ...args], {
      cwd: TOP,
      stdio: ['ignore', 'inherit', 'inherit'],
      // What a test starts by name (npm, node) is the project's own.
      env: { ...process.env, PATH: `${join(TOP, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`, ...environment },
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

async function runStage(stage: Stage, folder: string): Promise<Tally> {
  console.log(`\n== ${stage.name}`);
  const report = join(folder, `${stage.name.replaceAll(/\W+/g, '-')}.json`);
  const code =
    stage.runner === 'vitest'
      ? await runTool(
          'vitest/vitest.mjs',
          ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...stage.args],
          stage.environment,
        )
      : await runTool('@playwright/test/cli.js', ['test', '--reporter=list,json', ...stage.args], {
          ...stage.environment,
          PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        });
  const tally = readTally(report, stage.runner === 'vitest' ? vitestTally : playwrightTally);
  // A runner that ends badly although no test failed (an error outside all tests, nothing found) has failed.
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

/**
 * Runs all stages, also after a failure, and leaves the sum in test-results/NAME/tally.json.
 * @returns the exit code
 */
export async function runStages(name: string, stages: readonly Stage[]): Promise<number> {
  const folder = join(RESULTS, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const started = performance.now();
  const tallies: { stage: string; tally: Tally }[] = [];
  for (const stage of stages) tallies.push({ stage: stage.name, tally: await runStage(stage, folder) });
  const sum = addTallies(tallies.map(({ tally }) => tally));
  writeFileSync(join(folder, 'tally.json'), JSON.stringify(sum));
  console.log(`\n${name}, in ${Math.round((performance.now() - started) / 1000)} s:`);
  for (const { stage, tally } of tallies) console.log(`  ${stage.padEnd(24)} ${tallyLine(tally)}`);
  return sum.failed === 0 ? 0 : 1;
}
