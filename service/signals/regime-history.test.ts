// Service, signals, test: the regime within a past day is the same after a split that came later.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../shared/lib/time.ts';
import { createEngine } from '../engine/engine.ts';
import { createSyntheticMarket } from '../market/synthetic/market.ts';
import { tradingOf } from './closed-row.ts';
import { RegimeHistory } from './regime-history.ts';
import { addClose, newTrack } from './track.ts';

const NOW = Date.parse('2026-03-02T14:30:00Z');
const SPLIT_AT = Date.parse('2026-02-10');
const market = createSyntheticMarket({ seed: 7, symbols: 1 });
const [spy = expect.fail('a symbol')] = market.instruments.filter(({ symbol }) => symbol === 'SPY');
const engine = createEngine({ instruments: market.instruments, factorsFrom: '2026-01-01' });
const track = newTrack(spy);
/** The same closes; five sessions are missing before the tenth last. */
const holed = newTrack(spy);
const rows: Parameters<typeof addClose>[1][] = [];
for (const day of market.closedDays(engine.lastDate, NOW)) {
  const reading = engine.closeDay(day.date, day.bars).get('SPY');
  const bar = day.bars.get('SPY');
  if (reading === undefined || bar === undefined) continue;
  rows.push({ closedAt: day.closesAt.get('SPY') ?? 0, reading, trading: tradingOf(bar) });
}
for (const [index, one] of rows.entries()) {
  addClose(track, one);
  addClose(holed, one, index === rows.length - 10 ? 5 : undefined);
}

const { volatilityStates } = engine;
const modelVersion = (): string => 'test';
const price = (instant: number) => market.forming('SPY', instant);
const plain = new RegimeHistory(track, [], NOW, { volatilityStates, modelVersion, price });
/** The traded level. */
const traded = (instant: number): number => (instant < SPLIT_AT + DAY_MS ? 4 : 1);
const split = new RegimeHistory(track, [], NOW, {
  volatilityStates,
  modelVersion,
  price(instant) {
    const bar = price(instant);
    return bar === null ? null : { close: bar.close * traded(instant) };
  },
  lastBar(instant) {
    const row = track.days.findLast(({ closedAt }) => closedAt <= instant);
    return row === undefined ? null : { date: row.reading.date, close: row.reading.close * traded(instant) };
  },
});

test('intraday prices before a split are at the level of the closes beside them', () => {
  let compared = 0;
  for (let at = Date.parse('2026-02-01T03:00:00Z'); at < NOW; at += 5 * HOUR_MS) {
    const [before, after] = [plain.point(at), split.point(at)];
    expect(before?.price).toBeGreaterThan(0);
    expect(after).toEqual({ ...before, price: expect.closeTo(before?.price ?? 0, 6) });
    expect(split.at(at)?.probabilities).toEqual(plain.at(at)?.probabilities);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(100);
});

test('an intraday price does not depend on sessions that are missing before the close after it', () => {
  const before = rows.at(-11) ?? expect.fail('a close');
  const at = before.closedAt + 5 * HOUR_MS;
  const later = new RegimeHistory(holed, [], NOW, { volatilityStates, modelVersion, price });
  expect(plain.at(at)?.probabilities).not.toBeNull();
  expect(later.at(at)?.probabilities).toEqual(plain.at(at)?.probabilities);
});
