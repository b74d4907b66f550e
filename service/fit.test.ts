// Service, test: `npm run fit` refuses too little data, writes where it is told, and says what is better.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRandom } from '../shared/lib/random.ts';
import { eventually } from '../test/harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '../test/harness/folders.ts';
import { nodeScript, TOP } from '../test/harness/processes.ts';
import { RISK_MODEL } from './engine/risk/parameters.ts';
import { readModel, writeModel } from './model-file.ts';

const SHIPPED = join(TOP, 'service/engine/risk/parameters.json');

let home: TemporaryFolder;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

/** Files of random walks, one a day from 2000 on. */
function walks(count: number, bars: number): string {
  const folder = join(home.path, 'prices');
  mkdirSync(folder);
  for (let file = 0; file < count; file++) {
    const random = createRandom(file + 1);
    let close = 100;
    const rows = Array.from({ length: bars }, (_, day) => {
      close *= Math.exp(0.02 * (random() + random() + random() - 1.5));
      const date = new Date(Date.UTC(2000, 0, 1 + day)).toISOString().slice(0, 10);
      return `WALK${file},${date},${close},${close},${close},${close},`;
    });
    writeFileSync(join(folder, `${file}.csv`), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  }
  writeFileSync(
    join(folder, 'instruments.csv'),
    `symbol,name,asset_class,calendar,role\n${Array.from({ length: count }, (_, file) => `WALK${file},,equity,crypto,signal`).join('\n')}\n`,
  );
  return folder;
}

async function fitted(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...nodeScript('fit'), ...args], {
      cwd: TOP,
    });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

test('one file of a random walk is refused with what a fit needs, and no file is touched', async () => {
  const before = readFileSync(SHIPPED);
  const out = join(home.path, 'model.json');
  const { code, err } = await fitted('--prices', walks(1, 5000), '--out', out);
  expect(code).toBe(2);
  expect(err).toMatch(
    /it has 1 symbols of 5, 4,496 bars of 15,000, \d+ events of 100 that a fit needs: some ten symbols/,
  );
  expect(existsSync(out)).toBe(false);
  expect(readFileSync(SHIPPED)).toEqual(before);
});

test('without --out nothing is fitted', async () => {
  expect(await fitted('--prices', home.path)).toMatchObject({ code: 2, err: expect.stringContaining('--out') });
});

test('a model of random walks is written, is called of no use, and has a name of its own', {
  tags: ['long'],
}, async () => {
  const out = join(home.path, 'model.json');
  const { code, out: printed } = await fitted('--prices', walks(6, 4000), '--out', out, '--name', 'walks');
  expect([code, printed]).toEqual([1, expect.stringContaining('It is no use: in the hold-out window its alerts')]);
  expect(printed).toMatch(
    /hold-out window, 6 symbols: .*\nday lift +\d\.\d{3} +\d\.\d{3} {3}\[-?\d\.\d{3}, -?\d\.\d{3}\]/,
  );
  expect(readModel(out).version).toMatch(/^own-walks\.[0-9a-f]{6}$/);
  // Fitted again it is the same file; compared with itself it is no better.
  const again = join(home.path, 'again.json');
  const second = await fitted('--prices', join(home.path, 'prices'), '--out', again, '--name', 'walks', '--model', out);
  expect([second.code, readFileSync(again, 'utf8')]).toEqual([1, readFileSync(out, 'utf8')]);
  expect(second.out).toContain('day lift');
  expect(second.out).toContain('[0.000, 0.000]');
});

test('Ctrl-C keeps the years that are fitted, and the same command goes on after them to the same model', {
  tags: ['long'],
}, async () => {
  const out = join(home.path, 'model.json');
  const args = ['--prices', walks(6, 4000), '--out', out];
  const first = spawn(process.execPath, [...nodeScript('fit'), ...args], {
    cwd: TOP,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  first.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(first, 'close');
  await eventually(() => expect(existsSync(`${out}.part`)).toBe(true));
  first.kill('SIGINT');
  expect((await ended)[0]).toBe(130);
  expect(said).toContain('Stopped. The same command goes on after the years that are fitted');
  expect(existsSync(out)).toBe(false);
  await fitted(...args);
  const again = join(home.path, 'again.json');
  await fitted('--prices', join(home.path, 'prices'), '--out', again);
  expect(readFileSync(out)).toEqual(readFileSync(again));
  expect(existsSync(`${out}.part`)).toBe(false);
});

test('a file with the shipped parameters is the shipped model', () => {
  const file = join(home.path, 'shipped.json');
  writeModel(file, RISK_MODEL.source);
  expect(readFileSync(file)).toEqual(readFileSync(SHIPPED));
  expect(readModel(file)).toBe(RISK_MODEL);
});

test.each([
  ['no file', null, /^The model .*model\.json cannot be read: .*Write a model with npm run fit/],
  ['no JSON', () => '{', /is not JSON/],
  ['a missing part', () => ({ version: 'x' }), /is no model: at inputs: /],
  [
    'other inputs',
    () => ({ ...RISK_MODEL.source, inputs: ['moon'] }),
    /at inputs: this version of Barograph needs drawdown, /,
  ],
  ['a name with a space', () => ({ ...RISK_MODEL.source, version: 'a b' }), /at version: a name has 1 to 40/],
  [
    'a deviation of zero',
    () => ({
      ...RISK_MODEL.source,
      years: RISK_MODEL.source.years.map((year) => ({ ...year, own: { ...year.own, deviations: [0] } })),
    }),
    /at years\.0\.own\.deviations\.0: /,
  ],
  [
    'years out of order',
    () => ({ ...RISK_MODEL.source, years: RISK_MODEL.source.years.toReversed() }),
    /at years: years must ascend/,
  ],
] as const satisfies readonly (readonly [string, (() => unknown) | null, RegExp])[])(
  '%s is refused with the place and the cure',
  (_, content, refusal) => {
    const file = join(home.path, 'model.json');
    if (content !== null) {
      const made = content();
      writeFileSync(file, typeof made === 'string' ? made : JSON.stringify(made));
    }
    expect(() => readModel(file)).toThrow(refusal);
  },
);
