// Service, test: bad price folders give a clear reason or no value, never NaN, Infinity or a crash.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sp500 } from '../test/fixtures/sp500.ts';
import { type TemporaryFolder, temporaryFolder } from '../test/harness/folders.ts';
import { computeLines } from './compute.ts';
import type { Bar } from './engine/types.ts';
import { openCsvFolder } from './market/csv/source.ts';
import { computeFolder } from './validation/compute.ts';

const HEADER = 'symbol,date,open,high,low,close,volume';
const good = sp500().slice(0, 900);
const rowOf = (symbol: string, bar: Bar): string =>
  [symbol, bar.date, bar.open, bar.high, bar.low, bar.close, bar.volume ?? ''].join(',');
const fileOf = (symbol: string, bars: readonly Bar[]): string =>
  `${[HEADER, ...bars.map((bar) => rowOf(symbol, bar))].join('\n')}\n`;

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
  write('good.csv', fileOf('SPX', good));
});
afterEach(() => folder.remove());
const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);

/**
 * Every number of every line, and of the validation record, is finite; JSON would silently turn others into
 * null.
 */
function assertFinite(value: unknown, path = ''): void {
  if (typeof value === 'number' && !Number.isFinite(value)) expect.fail(`${path} is ${value}`);
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) assertFinite(inner, `${path}.${key}`);
}

/** The lines of a symbol, after the checks that hold for any folder. */
function compute(symbol: string) {
  const lines = [...computeLines(folder.path)];
  for (const line of lines) {
    assertFinite(line, `${line.symbol} ${line.date}`);
    expect([0, 1, 2]).toContain(line.state);
    for (const power of Object.values(line.powers)) if (power !== null) expect(power >= 0 && power <= 1).toBe(true);
    if (line.p !== null) expect(line.p > 0 && line.p < 1).toBe(true);
  }
  const { steps } = computeFolder(folder.path);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  assertFinite(step.value);
  expect(lines.filter((line) => line.symbol === 'SPX')).toHaveLength(good.length);
  return lines.filter((line) => line.symbol === symbol);
}
const problems = (): string[] =>
  openCsvFolder(folder.path).problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);

describe('a price folder with', () => {
  it.each([
    ['an empty file', '', /^bad\.csv:0: the file is empty; the first line must be symbol,date/],
    ['a header without rows', `${HEADER}\n`, /^bad\.csv:0: there is no row below the header/],
    [
      'a missing column',
      'symbol,date,open,high,low\nBAD,2020-01-02,1,2,1\n',
      /^bad\.csv:0: column close is missing; the first line must be/,
    ],
    ['a file that is no text', 'PK\u0003\u0004\u0000\u0000', /^bad\.csv:0: this is not UTF-8 text/],
  ])('%s: the problem is reported, and the other rows are used', (_, text, message) => {
    write('bad.csv', text);
    expect(problems()).toEqual([expect.stringMatching(message)]);
    expect(compute('BAD')).toEqual([]);
  });

  it('one row only: a line without values', () => {
    write('bad.csv', fileOf('BAD', good.slice(0, 1)));
    expect(problems()).toEqual([]);
    const [line, ...more] = compute('BAD');
    expect(more).toEqual([]);
    expect(line).toMatchObject({ state: 0, p: null, confidence: null, regime: null });
    expect(Object.values(line?.powers ?? {}).every((power) => power === null)).toBe(true);
  });

  it('a price that never moves: no probability, Normal throughout', () => {
    write(
      'bad.csv',
      fileOf(
        'BAD',
        good.map((bar) => ({ ...bar, open: 50, high: 50, low: 50, close: 50 })),
      ),
    );
    const lines = compute('BAD');
    expect(lines).toHaveLength(good.length);
    for (const line of lines) expect(line).toMatchObject({ state: 0, p: null, confidence: null });
  });

  it.each([1000, 0.001])('a jump of %d times: reported, and the prices before it are adjusted', (times) => {
    const jump = good.map((bar, index) =>
      index < 600
        ? bar
        : { ...bar, open: bar.open * times, high: bar.high * times, low: bar.low * times, close: bar.close * times },
    );
    write('bad.csv', fileOf('BAD', jump));
    expect(problems()).toEqual([
      expect.stringMatching(
        /^bad\.csv:602: BAD 2002-05-28: close .* looks like a split .*; the prices before it are adjusted/,
      ),
    ]);
    expect(compute('BAD')).toHaveLength(good.length);
  });

  it('no volume, as an empty cell, as 0, as a missing column: the same lines', () => {
    const bare = good.map((bar) => ({ ...bar, volume: null }));
    write('bad.csv', fileOf('BAD', bare));
    const empty = compute('BAD');
    write(
      'bad.csv',
      fileOf(
        'BAD',
        bare.map((bar) => ({ ...bar, volume: 0 })),
      ),
    );
    expect(compute('BAD')).toEqual(empty);
    write('bad.csv', fileOf('BAD', bare).replaceAll(/,\w*$/gm, ''));
    expect(compute('BAD')).toEqual(empty);
    expect(problems()).toEqual([]);
    expect(empty.at(-1)?.p).not.toBeNull();
  });

  it('duplicate dates: the first row counts, the second is refused with its line', () => {
    const twice = good.flatMap((bar, index) => (index === 700 ? [bar, { ...bar, close: 1, low: 1 }] : [bar]));
    write('bad.csv', fileOf('BAD', good));
    const clean = compute('BAD');
    write('bad.csv', fileOf('BAD', twice));
    expect(problems()).toEqual([`bad.csv:703: BAD ${good[700]?.date} is there already; the first row is kept`]);
    expect(compute('BAD')).toEqual(clean);
  });

  it('a symbol that begins late: no value until its windows are full, values after', () => {
    write('bad.csv', fileOf('BAD', good.slice(400)));
    const lines = compute('BAD');
    expect(lines).toHaveLength(500);
    for (const line of lines.slice(0, 251)) expect(line).toMatchObject({ state: 0, p: null });
    expect(lines.at(-1)?.p).not.toBeNull();
  });

  it('a byte-order mark, CRLF, quotes, the newest row first: the same lines', () => {
    write('bad.csv', fileOf('BAD', good));
    const clean = compute('BAD');
    const [header = '', ...rows] = fileOf('BAD', good).trim().split('\n');
    write('bad.csv', `\uFEFF${[header, ...rows].join('\r\n')}\r\n`);
    expect(compute('BAD')).toEqual(clean);
    write('bad.csv', [header, ...rows.map((row) => `"${row.replaceAll(',', '","')}"`)].join('\n'));
    expect(compute('BAD')).toEqual(clean);
    write('bad.csv', [header, ...rows.toReversed()].join('\n'));
    expect(compute('BAD')).toEqual(clean);
    expect(problems()).toEqual([]);
  });

  it('invalid rows between valid ones: each is refused with its line, the valid ones count', () => {
    write('bad.csv', fileOf('BAD', good));
    const clean = compute('BAD');
    const nonsense = [
      'BAD,2000-01-01,NaN,1,1,1,1',
      'BAD,2000-01-01,1,1,1,Infinity,1',
      'BAD,never,1,1,1,1,1',
      ',,,,,,',
      'BAD,2000-01-01,1,1,1',
    ];
    const [header = '', ...rows] = fileOf('BAD', good).trim().split('\n');
    write('bad.csv', [header, ...rows.flatMap((row, index) => [nonsense[index % 50] ?? [], row].flat())].join('\n'));
    expect(compute('BAD')).toEqual(clean);
    expect(problems()).toHaveLength(nonsense.length * Math.ceil(good.length / 50));
  });
});

it('a folder without a usable row is refused in one sentence', () => {
  write('good.csv', `${HEADER}\nSPX,2020-01-02,0,0,0,0,0\n`);
  expect(() => [...computeLines(folder.path)]).toThrow(/there are no prices in .*good\.csv: open 0 is not a price/);
  expect(() => [...computeLines(join(folder.path, 'nowhere'))]).toThrow('cannot be read');
});
