// Test runner: `npm run check` runs all checks that do not need the running product.
// Steps run side by side; one line each, details only of what failed.
// Exit code 1 when a step fails, 2 for wrong arguments.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { budgetErrors } from '../architecture/budget.ts';
import { overlongFiles, SOURCE_FOLDERS } from '../architecture/files.ts';
import { folderCycles } from '../architecture/folder-cycles.ts';

interface Step {
  readonly name: string;
  /** Resolves to an error message; empty when the step passed. */
  run(root: string): Promise<string>;
}

export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly details: string;
}

/** The native compiler, which takes a third of the time. `typescript` stays for what uses the compiler as a library. */
const TYPE_CHECKER = 'typescript-native/bin/tsc';

/** The folders that have a tsconfig of their own: one per runtime. */
const RUNTIMES = ['test', 'renderer', 'service', 'main', 'shared', 'client', 'conformance', 'sdk', 'preload'];

/** Runs a tool of node_modules under this Node; its output counts only when it fails. */
const tool = (script: string, ...args: string[]) => {
  return (root: string) =>
    new Promise<string>((done) => {
      const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' },
      });
      let printed = '';
      child.stdout.on('data', (chunk) => (printed += chunk));
      child.stderr.on('data', (chunk) => (printed += chunk));
      child.on('error', (problem) => done(problem.message));
      child.on('close', (code, signal) => done(code === 0 ? '' : printed.trim() || `ended with ${signal ?? code}`));
    });
};

const STEPS: readonly Step[] = [
  ...RUNTIMES.map((folder) => ({
    name: `types: ${folder}`,
    run: tool(TYPE_CHECKER, '-p', folder, '--pretty', 'false'),
  })),
  { name: 'lint and format', run: tool('@biomejs/biome/bin/biome', 'ci', '--colors=off', '--max-diagnostics=50', '.') },
  {
    name: 'import arrows',
    run: tool(
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      'dependency-cruiser.config.ts',
      '--output-type',
      'err-long',
      ...SOURCE_FOLDERS,
    ),
  },
  { name: 'dead code', run: tool('knip/bin/knip.js', '--no-progress') },
  { name: 'folder cycles', run: async (root) => folderCycles(root).join('\n') },
  { name: 'budget', run: async (root) => budgetErrors(root).join('\n') },
  { name: 'file length', run: async (root) => overlongFiles(root).join('\n') },
];

async function runStep(step: Step, root: string): Promise<StepResult> {
  const started = performance.now();
  const details = await step.run(root);
  const result = { name: step.name, ok: details === '', seconds: (performance.now() - started) / 1000, details };
  console.log(`${result.ok ? 'ok  ' : 'FAIL'} ${result.name.padEnd(18)} ${result.seconds.toFixed(1).padStart(5)} s`);
  return result;
}

/** Runs the steps side by side, as many at once as there are processors. */
async function runAll(steps: readonly Step[], root: string): Promise<StepResult[]> {
  const waiting = [...steps];
  const results: StepResult[] = [];
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
      results.push(await runStep(step, root));
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, lane));
  return results;
}

function usage(problem: string): never {
  console.error(
    `check: ${problem}. Usage: npm run check -- [--only STEP] [--root DIR]; steps: ${STEPS.map((step) => step.name).join(', ')}`,
  );
  process.exit(2);
}

const { values } = parseArgs({ options: { only: { type: 'string' }, root: { type: 'string' } } });
const root = resolve(values.root ?? join(import.meta.dirname, '..', '..'));
const steps = values.only === undefined ? STEPS : STEPS.filter((step) => step.name === values.only);
if (steps.length === 0) usage(`there is no step "${values.only}"`);
if (!readdirSync(root).includes('package.json')) usage(`${root} is not the top of the repository`);

const results = await runAll(steps, root);
const failed = results.filter((result) => !result.ok);
for (const result of failed) console.log(`\n== ${result.name}\n${result.details}`);
mkdirSync(join(root, 'test-results'), { recursive: true });
writeFileSync(join(root, 'test-results', 'check.json'), JSON.stringify({ steps: results }, null, 2));
console.log(
  failed.length === 0
    ? `\ncheck: all ${results.length} steps are fine`
    : `\ncheck: ${failed.length} of ${results.length} steps failed`,
);
process.exit(failed.length === 0 ? 0 : 1);
