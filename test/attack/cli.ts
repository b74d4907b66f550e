// Attack: `npm run attack [-- --minutes N] [--only NAME]` repeats the tests of test/faults, harder.
// It needs a machine of its own, and leaves logs and results.json in test-results/attack.
// It prints a line for each attack and a table. Exit code 1 when something broke, 2 for wrong arguments.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesAmong, newCommand, wholeNumber } from '../runner/command.ts';
import { attemptsIn, type Tally, tallyLine } from '../runner/reports.ts';
import { reportPath, runStage, type Stage, TOP } from '../runner/stages.ts';
import { type Attack, INTENSITY, readAttacks } from './attacks.ts';

const FOLDER = join(TOP, 'test-results', 'attack');

interface Result extends Pick<Tally, 'passed' | 'failed' | 'skipped' | 'failures'> {
  readonly attack: string;
  readonly round: number;
  readonly seconds: number;
  readonly attempts: Readonly<Record<string, number>>;
}

async function run({ name, file }: Attack, round: number): Promise<Result> {
  const began = performance.now();
  const stage: Stage = {
    name: `${name} ${round}`,
    runner: 'vitest',
    args: [file],
    // No round lives the seeds of another.
    environment: { ...INTENSITY, BAROGRAPH_SEED: `${round}0000`, BAROGRAPH_TEST_SEED: String(round) },
  };
  const log: string[] = [];
  const tally = await runStage(stage, FOLDER, (text) => log.push(String(text)));
  writeFileSync(join(FOLDER, `${name}-${round}.log`), log.join(''));
  let attempts: Result['attempts'] = {};
  try {
    attempts = attemptsIn(JSON.parse(readFileSync(reportPath(stage, FOLDER), 'utf8')));
  } catch {
    // The tally already counts a report that is missing as a failure.
  }
  return { attack: name, round, seconds: (performance.now() - began) / 1000, attempts, ...tally };
}

const attemptsText = (attempts: Result['attempts']): string =>
  Object.entries(attempts)
    .map(([name, count]) => `, ${count.toLocaleString('en')} ${name}`)
    .join('');

function sumOf(results: readonly Result[]): Pick<Result, 'passed' | 'failed' | 'skipped' | 'attempts' | 'seconds'> {
  const attempts: Record<string, number> = {};
  for (const result of results)
    for (const [name, count] of Object.entries(result.attempts)) attempts[name] = (attempts[name] ?? 0) + count;
  const add = (pick: (result: Result) => number): number => results.reduce((sum, result) => sum + pick(result), 0);
  return {
    passed: add(({ passed }) => passed),
    failed: add(({ failed }) => failed),
    skipped: add(({ skipped }) => skipped),
    seconds: add(({ seconds }) => seconds),
    attempts,
  };
}

function table(attacks: readonly Attack[], results: readonly Result[]): string {
  const width = Math.max(...attacks.map(({ name }) => name.length));
  const line = (name: string, of: readonly Result[]): string => {
    const sum = sumOf(of);
    return `${name.padEnd(width)}  ${tallyLine(sum)}${attemptsText(sum.attempts)} (${Math.round(sum.seconds)} s)`;
  };
  return [
    ...attacks.map(({ name }) =>
      line(
        name,
        results.filter(({ attack }) => attack === name),
      ),
    ),
    line('all', results),
  ].join('\n');
}

const all = readAttacks();
const names = all.map(({ name }) => name);
const flags = newCommand('attack', 'Attacks the app and the service for a given time; every attack at least once.')
  .option('--minutes <number>', 'how long', wholeNumber(1), 60)
  .option('--only <name>', 'this attack; may be given several times', namesAmong(names))
  .option('--list', 'names them')
  .parse()
  .opts<{ minutes: number; only?: readonly string[]; list?: true }>();
const selected = all.filter(({ name }) => flags.only?.includes(name) ?? true);

if (flags.list) {
  for (const { name, title } of all) console.log(`${name}: ${title}`);
} else {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const end = performance.now() + flags.minutes * 60_000;
  const results: Result[] = [];
  for (let round = 1; round === 1 || performance.now() < end; round += 1)
    for (const attack of selected) {
      if (round > 1 && performance.now() >= end) break;
      const result = await run(attack, round);
      results.push(result);
      const { attempts, seconds, failures } = result;
      console.log(`${attack.name}: ${tallyLine(result)}${attemptsText(attempts)} (${Math.round(seconds)} s)`);
      for (const failure of failures) console.log(`BROKEN ${failure}`);
    }
  console.log(`\n${table(selected, results)}`);
  writeFileSync(join(FOLDER, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;
}
