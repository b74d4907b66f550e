// Test: world clock, views of symbols, tally and base rate.
import { describe, expect, it } from 'vitest';
import { row, T0 } from '../../test/fixtures/window-fixtures.ts';
import { symbolViewOf, tally, worldTime } from './select.ts';

describe('the world clock', () => {
  it('continues from its anchor at its own speed', () => {
    const replay = { offset: -100_000, speed: 60 };
    expect(worldTime(replay, T0, T0)).toBe(T0 - 100_000);
    expect(worldTime(replay, T0, T0 + 1000)).toBe(T0 - 100_000 + 60_000);
    expect(worldTime({ offset: 5, speed: 0 }, T0, T0 + 9000)).toBe(T0 + 5);
  });
});

describe('the view of a symbol', () => {
  it('is its state while connected, then its last known state', () => {
    expect(symbolViewOf(row('SPY', 2), false)).toEqual({ kind: 'state', state: 2 });
    expect(symbolViewOf(row('SPY', 2, { stale: true }), false)).toEqual({ kind: 'stale', was: 2 });
    expect(symbolViewOf(row('SPY', 2, { stale: true }), true)).toEqual({ kind: 'offline', was: 2 });
    expect(symbolViewOf(row('BTC', 0, { coverage: 'regime_only', signal: null }), true)).toEqual({
      kind: 'offline',
      was: null,
    });
    expect(symbolViewOf(row('SPY', 0, { coverage: 'unknown', signal: null }), true)).toEqual({ kind: 'unknown' });
  });
  it('says when there is no signal', () => {
    const without = { signal: null, regime: 'stress' };
    expect([
      symbolViewOf(undefined, false).kind,
      symbolViewOf(row('BTC', 0, { ...without, coverage: 'regime_only' }), false).kind,
      symbolViewOf(row('ZZZ', 0, { ...without, coverage: 'none' }), true).kind,
      symbolViewOf(row('SPY', 0, { ...without, coverage: 'unknown' }), false).kind,
    ]).toEqual(['unknown', 'regime_only', 'none', 'unknown']);
  });
  it('is counted only where it is known, riskiest first', () => {
    const views = [row('A', 0), row('B', 2), row('C', 2)].map((each) => symbolViewOf(each, false));
    expect(tally([...views, { kind: 'unknown' }])).toEqual([
      { state: 2, count: 2 },
      { state: 0, count: 1 },
    ]);
  });
});
