// Test: `barograph prices`: the form of price files, five rows, refused rows, and answers that are kept.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notRun, whyNotLinux } from '../../../test/harness/not-run.ts';
import { runVerb } from '../../../test/harness/verb-run.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'price-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

test('prints the form of the files, rows as they are read, and what is not used with its cure', async () => {
  for (const name of ['AAPL', 'MSFT'])
    write(`${name}.csv`, 'Date,Close\n2024-01-02,185.64\nsoon,1\n2024-01-03,184.25\n');
  const { code, out } = await runVerb('prices', folder);
  expect(out.split('\n')).toEqual([
    'AAPL.csv and 1 more: commas between the cells, dates YYYY-MM-DD, decimal ".", symbol from the file',
    '  symbol  date        open    high    low     close   volume',
    '  AAPL    2024-01-02  185.64  185.64  185.64  185.64',
    '  "soon" is no date; write it as 2020-02-24',
    '  AAPL    2024-01-03  184.25  184.25  184.25  184.25',
    '',
    'AAPL.csv:3 "soon" is no date; write it as 2020-02-24',
    'MSFT.csv:3 "soon" is no date; write it as 2020-02-24',
    '4 of 6 rows in 2 files are used',
    '',
  ]);
  expect(code).toBe(0);
  expect((await runVerb('prices', join(folder, 'MSFT.csv'))).out).toContain('2 of 3 rows in 1 files are used');
});

test('names the lists of what is due that a service would use', async () => {
  write('AAPL.csv', 'Date,Close\n2024-01-02,185.64\n2024-01-03,184.25\n');
  mkdirSync(join(folder, 'events'));
  write('events/earnings.csv', 'symbol,date\nAAPL,2026-02-24\n');
  const { out } = await runVerb('prices', folder);
  expect(out).toContain(`\nWhat is due: 1 event from 1 file in ${join(folder, 'events')}.\n`);
});

test('what is asked has the exit code 2, and its answer is kept beside the files', async () => {
  write('download.csv', 'Date,Close\n1/2/2024,472\n1/3/2024,473\n');
  const asked = await runVerb('prices', folder);
  expect(asked.code).toBe(2);
  expect(asked.out).toContain('    --answer "dateFormat=DD/MM/YYYY"  2024-02-01');
  const half = await runVerb('prices', folder, '--answer', 'symbol:download.csv=spy');
  expect([half.code, half.out.includes('1 to answer')]).toEqual([2, true]);
  const done = await runVerb('prices', folder, '--answer', 'dateFormat=DD/MM/YYYY');
  expect([done.code, done.out.includes('SPY     2024-02-01')]).toEqual([0, true]);
  expect(JSON.parse(readFileSync(join(folder, 'mapping.json'), 'utf8'))).toEqual({
    formats: { 'date,close': { dateFormat: 'DD/MM/YYYY' } },
    symbols: { 'download.csv': 'SPY' },
  });
});

test('columns of a file without a header are answered together', async () => {
  write('EURUSD1440.csv', '2024.01.02,00:00,1.5,1.6,1.4,1.5,100\n2024.01.03,00:00,1.5,1.6,1.4,1.55,100\n');
  const columns = ['date=1', 'time=2', 'open=3', 'high=4', 'low=5', 'close=6'].map((one) => `columns.${one}`);
  const { code, out } = await runVerb('prices', folder, '--answer', ...columns);
  expect([code, out.includes('EURUSD  2024-01-03  1.5   1.6   1.4  1.55')]).toEqual([0, true]);
});

test.each([
  [['/nowhere'], 'there is no such folder or file'],
  [['HERE', '--answer', 'zone'], 'write it like dateFormat=DD/MM/YYYY'],
  [['HERE', '--answer', 'zone=UTC'], 'no file asks that'],
])('prices %s is refused', async (args, reason) => {
  const { code, err } = await runVerb('prices', ...args.map((arg) => (arg === 'HERE' ? folder : arg)));
  expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
});

test('a folder without prices, and a file of another form beside some, have the exit code 1', async () => {
  const { code, out } = await runVerb('prices', folder);
  expect([code, out]).toEqual([1, expect.stringContaining('it has no .csv file')]);
  write('SPY.csv', 'Date,Close\n2024-01-02,472\n');
  write('QQQ.parquet', 'PAR1');
  const other = await runVerb('prices', join(folder, 'QQQ.parquet'));
  expect([other.code, other.out]).toEqual([1, expect.stringContaining('QQQ.parquet is no price file, which ends in')]);
});

test('the answer for a file whose name proposes no symbol is shown with a place for it', async () => {
  write('Газпром.csv', 'Date,Close\n2024-01-02,472\n');
  const { code, out } = await runVerb('prices', folder);
  expect([code, out]).toEqual([2, expect.stringContaining('    --answer "symbol:Газпром.csv=NAME"')]);
});

test('control characters of a file cannot rewrite the terminal', async () => {
  write('SPY.csv', 'Symbol,Date,Close,Note\n\u001b[2J,2024-01-02,1,\nSPY,2024-01-02,472,\n');
  const { out } = await runVerb('prices', folder);
  expect(out).toContain('SPY.csv:2 "\uFFFD[2J" is no symbol');
  expect(out).not.toContain('\u001b');
});

test.skipIf(whyNotLinux)(`output that cannot be written is an error${notRun(whyNotLinux)}`, () => {
  write('SPY.csv', 'Date,Close\n2024-01-02,472\n');
  const full = openSync('/dev/full', 'w');
  const cli = ['--import', './main/process-setup.mjs', 'main/node/cli.ts', 'prices', folder];
  const { status, stderr } = spawnSync(process.execPath, cli, { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
  closeSync(full);
  expect([status, stderr]).toEqual([1, expect.stringContaining('the output cannot be written: ENOSPC')]);
});
