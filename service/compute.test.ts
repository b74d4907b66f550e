import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sp500 } from '../test/fixtures/sp500.ts';
import { computeLines } from './compute.ts';

const csv = (symbol: string, rows: ReturnType<typeof sp500>): string =>
  `symbol,date,open,high,low,close,volume\n${rows.map((r) => `${symbol},${r.date},${r.open},${r.high},${r.low},${r.close},${r.volume}\n`).join('')}`;

it('prints every bar once, and cutting the files changes no earlier line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compute-'));
  try {
    const rows = sp500();
    const lines = (count: number, symbol?: string): string[] => {
      writeFileSync(join(folder, 'prices.csv'), csv('SPX', rows.slice(0, count)));
      writeFileSync(join(folder, 'other.csv'), csv('COMP', rows.slice(300, count)));
      return [...computeLines(folder, symbol)].map((line) => JSON.stringify(line));
    };
    const whole = lines(2600);
    expect(whole).toHaveLength(2600 + 2300);
    expect(lines(2000)).toEqual(whole.slice(0, 2000 + 1700));
    expect(lines(2600, 'comp')).toEqual(whole.filter((line) => line.startsWith('{"symbol":"COMP"')));
    expect(() => lines(2600, 'XYZ')).toThrow('has no prices of XYZ');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
