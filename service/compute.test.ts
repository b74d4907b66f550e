// Service, test: computed lines never depend on later rows.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sp500 } from '../test/fixtures/sp500.ts';
import { type ComputeLine, computeOver } from './compute.ts';
import type { Bar } from './engine/types.ts';
import { createSyntheticMarket } from './market/synthetic/market.ts';
import { inOneTurn } from './steps.ts';

const row = (symbol: string, bar: Bar): string =>
  `${symbol},${bar.date},${bar.open},${bar.high},${bar.low},${bar.close},${bar.volume ?? ''}\n`;
const csv = (symbol: string, rows: readonly Bar[]): string =>
  `symbol,date,open,high,low,close,volume\n${rows.map((bar) => row(symbol, bar)).join('')}`;

function linesOf(folder: string, symbol?: string): ComputeLine[] {
  const lines: ComputeLine[] = [];
  inOneTurn(computeOver(folder, (line) => lines.push(line), { symbol }));
  return lines;
}

it('prints every bar once; truncated files change no earlier line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compute-'));
  try {
    const rows = sp500();
    const lines = (count: number, symbol?: string): string[] => {
      writeFileSync(join(folder, 'prices.csv'), csv('SPX', rows.slice(0, count)));
      writeFileSync(join(folder, 'other.csv'), csv('COMP', rows.slice(300, count)));
      return linesOf(folder, symbol).map((line) => JSON.stringify(line));
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

it('is identical up to any day, byte for byte, whatever follows, also with panel, volatility index and peers', {
  tags: ['long'],
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'compute-'));
  try {
    const days = [
      ...createSyntheticMarket({ seed: 3, symbols: 14 }).closedDays(() => '2023-01-01', Date.UTC(2026, 0, 1)),
    ];
    const lines = (until: string): string => {
      const rows = days
        .filter(({ date }) => date <= until)
        .flatMap(({ bars }) => [...bars].map(([symbol, bar]) => row(symbol, bar)));
      writeFileSync(join(folder, 'prices.csv'), `symbol,date,open,high,low,close,volume\n${rows.join('')}`);
      return linesOf(folder)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join('');
    };
    const whole = lines('2025-12-31');
    for (const cut of ['2025-03-31', '2025-12-30']) {
      const part = lines(cut);
      expect(part.length).toBeGreaterThan(1_000_000);
      expect(whole.startsWith(part), cut).toBe(true);
    }
    expect(new Set([...whole.matchAll(/"state":(\d)/g)].map((match) => match[1])).size).toBe(3);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
