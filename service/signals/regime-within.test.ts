// Service, signals, test: the intraday regime equals the engine's, today and over two years.

import { expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/lib/time.ts';
import { createEngine } from '../engine/engine.ts';
import type { Reading } from '../engine/types.ts';
import { createSyntheticMarket } from '../market/synthetic/market.ts';
import { tradingOf } from './closed-row.ts';
import { followRegime } from './regime-within.ts';
import { addClose, newTrack, type Track } from './track.ts';

const NOW = Date.parse('2026-03-02T14:30:00Z');

const market = createSyntheticMarket({ seed: 7, symbols: 2 });
const engine = createEngine({ instruments: market.instruments, factorsFrom: '2026-01-01' });
const tracks = new Map<string, Track>(market.instruments.map((one) => [one.symbol, newTrack(one)]));
for (const day of market.closedDays(engine.lastDate, NOW)) {
  for (const [symbol, reading] of engine.closeDay(day.date, day.bars)) {
    const track = tracks.get(symbol);
    const bar = day.bars.get(symbol);
    if (track === undefined || bar === undefined) continue;
    addClose(track, { closedAt: day.closesAt.get(symbol) ?? 0, reading, trading: tradingOf(bar) });
  }
}
const trackOf = (symbol: string): Track => tracks.get(symbol) ?? expect.fail(symbol);
const close = (
  shares: Readonly<Record<string, number>> | null,
  expected: Reading['regimeProbabilities'],
  what: string,
): void => {
  for (const [regime, share] of Object.entries(expected ?? expect.fail(what)))
    expect(shares?.[regime], `${what} ${regime}`).toBeCloseTo(share, 6);
};

test.each(['SPY', 'QQQ', 'BTC', 'EURUSD'])(
  "%s: at the price of a close it equals the engine's regime at that close, for two years",
  (symbol) => {
    const track = trackOf(symbol);
    const within = followRegime(track, engine.volatilityStates);
    const first = track.days.length - 730;
    let compared = 0;
    for (let index = first; index < track.days.length - 1; index += 1) {
      const [before, after] = [track.days[index]?.reading, track.days[index + 1]?.reading];
      // The state decides when Stress begins and ends, and past intraday states are unknown.
      if (before === undefined || after === undefined || (before.regime === 'stress') !== (after.regime === 'stress'))
        continue;
      close(within(index, after.close)?.probabilities ?? null, after.regimeProbabilities, `${symbol} ${after.date}`);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(600);
  },
);

test.each(['SPY', 'BTC'])("%s: today it equals the engine's regime of the forming bar", (symbol) => {
  const track = trackOf(symbol);
  const last = track.days.length - 1;
  const within = followRegime(track, engine.volatilityStates);
  const state = track.days[last]?.reading.state ?? 0;
  const seen = new Set<number>();
  for (let at = Date.parse('2026-03-02T01:00:00Z'); at <= NOW; at += HOUR_MS) {
    const bar = market.forming(symbol, at) ?? expect.fail();
    const shares = within(last, bar.close)?.probabilities ?? null;
    const said = engine.peek(symbol, bar, state);
    const { calm_uptrend, calm_downtrend } = said?.regimeProbabilities ?? expect.fail();
    expect(shares?.calm_uptrend).toBeCloseTo(calm_uptrend, 6);
    expect(shares?.calm_downtrend).toBeCloseTo(calm_downtrend, 6);
    // The state decides whether the remainder is Stress, and only at closes.
    if (said?.state !== 2 && track.days[last]?.reading.regime !== 'stress')
      close(shares, said?.regimeProbabilities ?? null, symbol);
    seen.add(shares?.calm_uptrend ?? 0);
  }
  expect(seen.size).toBeGreaterThan(10);
});

test('the order of calls does not matter, and without a year of closes there is no result', () => {
  const track = trackOf('SPY');
  const last = track.days.length - 1;
  const within = followRegime(track, engine.volatilityStates);
  const forward = [last - 400, last - 30, last].map((index) => within(index, 500));
  expect([last, last - 30, last - 400].map((index) => within(index, 500)).reverse()).toEqual(forward);
  const young = newTrack(track.instrument);
  for (const row of track.days.slice(0, 200)) addClose(young, row);
  expect(followRegime(young, engine.volatilityStates)(199, 500)).toBeNull();
});

test("after missing sessions it equals the engine's regime, of the forming bar and of the closes", () => {
  const holed = createEngine({ instruments: market.instruments, factorsFrom: '9999' });
  const track = newTrack(trackOf('SPY').instrument);
  const bars = [...market.closedDays((symbol) => (symbol === 'SPY' ? null : '9999'), NOW)].flatMap(
    ({ date, bars: day, closesAt }) => {
      const bar = day.get('SPY');
      return bar === undefined ? [] : [{ date, bar, closedAt: closesAt.get('SPY') ?? 0 }];
    },
  );
  const last = bars.at(-1) ?? expect.fail();
  // Five sessions are missing within the retained days, five before them, and five before the day in progress.
  const isMissing = (index: number): boolean =>
    [1200, 300, 6].some((back) => index < bars.length - back + 5 && index >= bars.length - back);
  let missing = 0;
  for (const [index, { date, bar, closedAt }] of bars.slice(0, -1).entries()) {
    missing = isMissing(index) ? missing + 1 : 0;
    if (isMissing(index)) continue;
    const found = isMissing(index - 1) ? { ...bar, missing: 5 } : bar;
    const reading = holed.closeDay(date, new Map([['SPY', found]])).get('SPY') ?? expect.fail();
    addClose(track, { closedAt, reading, trading: tradingOf(bar) }, found.missing);
  }
  expect(missing).toBe(5);
  const within = followRegime(track, engine.volatilityStates);
  const from = track.days.findIndex(({ reading }) => reading.date > (bars.at(-310)?.date ?? ''));
  let compared = 0;
  for (let index = from; index < track.days.length - 1; index += 1) {
    const [before, after] = [track.days[index]?.reading, track.days[index + 1]?.reading];
    if (before === undefined || after === undefined || (before.regime === 'stress') !== (after.regime === 'stress'))
      continue;
    close(within(index, after.close)?.probabilities ?? null, after.regimeProbabilities, after.date);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(250);
  const state = track.days.at(-1)?.reading.state ?? 0;
  const peeked = holed.peek('SPY', { ...last.bar, missing: 5 }, state);
  expect(peeked?.state === 2 || peeked?.regime === 'stress').toBe(false);
  close(
    within(track.days.length - 1, last.bar.close, 5)?.probabilities ?? null,
    peeked?.regimeProbabilities ?? null,
    'now',
  );
});
