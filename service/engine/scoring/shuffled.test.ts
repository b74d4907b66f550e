// Service, engine, test: on shuffled prices the engine has no skill.
// A skill there would prove look-ahead: with alerts from past data a bad day is as likely as on any day.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { openCsvFolder } from '../../market/csv/source.ts';
import { createEngine } from '../engine.ts';
import type { Bar } from '../types.ts';
import { createRandom, shuffleBars } from './chance-baselines.ts';
import { frameOf, windowsOf } from './frame.ts';
import { dayLift, NO_EVENT_COUNTS, NO_STRICT_COUNTS, pool, ratiosOf, scoreEvents, scoreStrict } from './score.ts';

/** Runs the engine on one symbol alone, so that only its own inputs count. */
function alertsOf(bars: readonly Bar[]): Uint8Array {
  const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }], factorsFrom: '9999' });
  return Uint8Array.from(bars, (bar) =>
    engine.closeDay(bar.date, new Map([['SPX', bar]])).get('SPX')?.state === 2 ? 1 : 0,
  );
}

const SHARED = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data/daily');
const STOCKS = ['AAPL', 'AIG', 'BA', 'BAC', 'CAT', 'F', 'GE', 'GOOG', 'IBM', 'MSFT', 'EURUSD', 'XAUUSD', 'XLU', 'TLT'];

/** Counts of the strict metric and of events over several series. */
function scored(series: readonly (readonly Bar[])[]) {
  const rows = series.map((bars) => ({
    frame: frameOf(Float64Array.from(bars, (bar) => bar.close)),
    alerts: alertsOf(bars),
  }));
  const strict = pool(
    rows.map(({ frame, alerts }) => scoreStrict(frame, alerts, windowsOf(frame.n).full)),
    NO_STRICT_COUNTS,
  );
  const events = pool(
    rows.map(({ frame, alerts }) => scoreEvents(frame, alerts, windowsOf(frame.n).full)),
    NO_EVENT_COUNTS,
  );
  return { alertBars: strict.alertBars, lift: dayLift(strict) ?? Number.NaN, f1: ratiosOf(events, events.events).f1 };
}

it.skipIf(!existsSync(SHARED))('has a day lift of 1 on shuffled returns of real symbols', { tags: ['long'] }, () => {
  const source = openCsvFolder(SHARED);
  const random = createRandom(7);
  const { lift, f1, alertBars } = scored(STOCKS.map((symbol) => shuffleBars(source.bars(symbol), random)));
  expect(alertBars).toBeGreaterThan(5000);
  expect(lift).toBeGreaterThan(0.9);
  expect(lift).toBeLessThan(1.1);
  // The F1 of a drawdown rule on a random walk, because the fall is part of the event.
  expect(f1).toBeLessThan(0.4);
});

it('has no day lift above 1 on shuffled returns of the S&P 500', () => {
  const random = createRandom(11);
  const { lift, alertBars } = scored(Array.from({ length: 12 }, () => shuffleBars(sp500(), random)));
  expect(alertBars).toBeGreaterThan(3000);
  // Slightly below 1: one extreme day raises the threshold for the following year.
  expect(lift).toBeGreaterThan(0.75);
  expect(lift).toBeLessThan(1.1);
});

it('has a higher lift on the real order', () => {
  expect(scored([sp500()]).lift).toBeGreaterThan(1.5);
});
