// Test: name, age and sparkline of a row.
import { describe, expect, it } from 'vitest';
import { iso, row, signal, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { symbolViewOf } from '../../store/select.ts';
import { ageOf, rowName } from './row-label.ts';
import { sparkPath } from './watch-row.tsx';

const named = (given: ReturnType<typeof row> | undefined, isOffline = false, now = T0): string =>
  rowName('SPY', given, symbolViewOf(given, isOffline), T0, now).replaceAll('\u00a0', ' ');

describe('the name of a row', () => {
  it('says state, since when, how sure and how the price moved', () => {
    expect(named(row('SPY', 2))).toBe(
      'SPY, High Risk, for 1 hour, chance of the warned fall 36 percent, 3.0 times base, change \u22121.84 %',
    );
  });
  it('leaves out what the row does not state', () => {
    const bare = row('SPY', 0, { signal: signal('SPY', 0, { confidence: null, change_pct: null }) });
    expect(named(bare)).toBe('SPY, Normal, for 1 hour');
  });
  it('says how far its price is from the breach level, and nothing of an old price', () => {
    const far = { confidence: null, change_pct: null, price: 500, breach_level: 480.5 };
    const nameOf = (given: Parameters<typeof signal>[2]) =>
      named(row('SPY', 1, { signal: signal('SPY', 1, { ...far, ...given }) }));
    expect(nameOf({})).toBe('SPY, Elevated, for 1 hour, 3.9 % above the breach level');
    expect(nameOf({ breach_level: 500 })).toBe('SPY, Elevated, for 1 hour, past the breach level');
    expect(nameOf({ data_health: 'stale' })).toBe('SPY, Elevated, for 1 hour');
  });
  it.each([
    ['question', 'Price needs a decision'],
    ['quarantined', 'Price not used'],
  ] as const)('says of %s prices: %s', (data_health, text) => {
    const held = row('SPY', 0, { signal: signal('SPY', 0, { data_health, confidence: null, change_pct: null }) });
    expect(named(held)).toBe(`SPY, Normal, for 1 hour, ${text}`);
  });
  it('says by how much prices are behind, and nothing of those that are in order', () => {
    const late = { data_health: 'delayed', data_delay_seconds: 360, confidence: null, change_pct: null } as const;
    expect(named(row('SPY', 0, { signal: signal('SPY', 0, late) }))).toBe('SPY, Normal, for 1 hour, 6 min behind');
    const fine = row('SPY', 0, {
      signal: signal('SPY', 0, { data_health: 'current', confidence: null, change_pct: null }),
    });
    expect(named(fine)).toBe('SPY, Normal, for 1 hour');
  });
  it('never claims an unknown state', () => {
    expect(named(row('SPY', 2), true)).toBe('SPY, was High Risk');
    expect(named(row('SPY', 2, { received_at: iso(T0 - 14 * 60_000), stale: true }))).toBe(
      'SPY, unknown, no update for 14 minutes, was High Risk',
    );
    expect(named(row('SPY', 0, { signal: null, coverage: 'regime_only' }))).toBe('SPY, no signal, regime Stress');
    expect(named(row('SPY', 0, { signal: null, coverage: 'none' }))).toBe('SPY, Not covered');
    expect(named(undefined)).toBe('SPY, Unknown');
  });
});

describe('the age of a row', () => {
  const decided = (ms: number) => signal('SPY', 2, { decided_at: iso(ms), next_decision_at: iso(ms + 60_000) });

  it('is the time since it was received', () => {
    expect(ageOf(row('SPY', 2, { received_at: iso(T0 - 2000) }), T0, T0)).toBe(2000);
    expect(ageOf(row('SPY', 2, { received_at: iso(T0 - 90_000), stale: true }), T0, T0)).toBe(90_000);
    expect(ageOf(row('SPY', 2, { received_at: null }), T0, T0)).toBeNull();
  });
  it('is the time since its decision if the next one is overdue, even if it was received again', () => {
    const overdue = { received_at: iso(T0 - 2000), signal: decided(T0 - 14 * 60_000) };
    expect(ageOf(row('SPY', 2, { ...overdue, stale: true }), T0, T0)).toBe(14 * 60_000);
    expect(named(row('SPY', 2, { ...overdue, stale: true }))).toBe(
      'SPY, unknown, no update for 14 minutes, was High Risk',
    );
    expect(ageOf(row('SPY', 2, { ...overdue, stale: false }), T0, T0)).toBe(2000);
  });
});

it('the age of an old price is its own, however often it is received', () => {
  const quote = { price: 37_371.38, change_pct: null, at: iso(T0 - 86_400_000), old: true };
  const pair = { coverage: 'regime_only', signal: null, received_at: iso(T0 - 2000) } as const;
  expect(ageOf(row('BTC', 0, { ...pair, quote }), T0, T0)).toBe(86_400_000);
  expect(ageOf(row('BTC', 0, { ...pair, quote: { ...quote, old: false } }), T0, T0)).toBe(2000);
});

describe('the sparkline', () => {
  const timeline = (prices: readonly number[]) => ({
    symbol: 'SPY',
    points: prices.map((price, index) => ({
      at: iso(T0 - (prices.length - index) * 86_400_000),
      price,
      state: 0 as const,
      regime: null,
      confidence: null,
    })),
    transitions: [],
  });
  it('ends at the live price', () => {
    expect(sparkPath(timeline([1, 2, 3]), 1)?.end).toEqual([51, 14]);
    expect(sparkPath(timeline([1, 2, 3]), null)?.end).toEqual([51, 2]);
  });
  it('shows sixty days', () => {
    const long = sparkPath(timeline(Array.from({ length: 90 }, (_, index) => index + 1)), null);
    expect(long?.path.match(/[ML]/g)).toHaveLength(61);
  });
  it('is not drawn for fewer than two prices', () => {
    expect(sparkPath(timeline([1]), null)).toBeNull();
    expect(sparkPath(timeline([]), 5)).toBeNull();
  });
});
