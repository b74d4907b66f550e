// Service, market, tape, test: faults inserted at random into sound prices cause no new High Risk.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { INSERTED_FAULTS, insertFaults } from '../../../test/fixtures/faulty-prices.ts';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { computeLines } from '../../compute.ts';
import type { Bar } from '../../engine/types.ts';
import { createSyntheticMarket } from '../synthetic/market.ts';

const PLACES = 12;
/** Bars after a place in which a High Risk would be its fault, and bars by which a true one may move. */
const AFTER = 30;
const NEAR = 5;

/** The S&P 500 as a share, and shares and funds of the simulated market on working days. */
function soundPrices(): Map<string, Bar[]> {
  const sound = new Map<string, Bar[]>([['SPLIT', sp500().slice(1_500, 3_800)]]);
  const market = createSyntheticMarket({ seed: 11, symbols: 8 });
  const chosen = market.instruments
    .filter(({ assetClass }) => assetClass === 'equity' || assetClass === 'etf')
    .slice(0, 5);
  for (const { date, bars } of market.closedDays(() => '2019-01-01', Date.UTC(2024, 0, 1))) {
    if (new Date(date).getUTCDay() % 6 === 0) continue;
    for (const { symbol } of chosen) {
      const bar = bars.get(symbol);
      if (bar !== undefined) sound.set(symbol, [...(sound.get(symbol) ?? []), bar]);
    }
  }
  return sound;
}

/** Dates in High Risk for each symbol. */
function highRisk(prices: ReadonlyMap<string, readonly Bar[]>, folder: string): Map<string, string[]> {
  mkdirSync(folder);
  for (const [symbol, bars] of prices) {
    const rows = bars.map(({ date, open, high, low, close, volume }) =>
      [symbol, date, open, high, low, close, volume ?? ''].join(','),
    );
    writeFileSync(join(folder, `${symbol}.csv`), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  }
  const dates = new Map<string, string[]>([...prices.keys()].map((symbol) => [symbol, []]));
  for (const { symbol, date, state } of computeLines(folder)) if (state === 2) dates.get(symbol)?.push(date);
  return dates;
}

it('no fault at any place causes a High Risk', { tags: ['long'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'insertions-'));
  try {
    const sound = soundPrices();
    const truth = highRisk(sound, join(folder, 'sound'));
    expect([...truth.values()].flat().length).toBeGreaterThan(100);
    for (const kind of INSERTED_FAULTS) {
      const { prices, places } = insertFaults(sound, kind, PLACES, 5);
      const found = highRisk(prices, join(folder, kind));
      const isFalse = (symbol: string, bars: readonly Bar[], index: number): boolean => {
        const near = bars.slice(Math.max(0, index - NEAR), index + NEAR + 1).map(({ date }) => date);
        return (
          found.get(symbol)?.includes(bars[index]?.date ?? '') === true &&
          !near.some((date) => truth.get(symbol)?.includes(date))
        );
      };
      const wrong = places.filter(({ symbol, index }) => {
        const bars = sound.get(symbol) ?? [];
        return Array.from({ length: AFTER }, (_, after) => index + after).some((at) => isFalse(symbol, bars, at));
      });
      expect(wrong, kind).toEqual([]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
