// Test: name and age of a row, and why its price is not that of now.
import { describe, expect, it } from 'vitest';
import type { HoldingLists } from '../../../shared/domain/holdings.ts';
import { iso, row, signal, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { symbolViewOf } from '../../store/select.ts';
import { ageOf, latePriceText, rowName } from './row-label.ts';
import { rowValues } from './row-values.ts';

type Given = ReturnType<typeof row> | undefined;
function named(given: Given, isOffline = false, lists: HoldingLists = []): string {
  const view = symbolViewOf(given, isOffline);
  return rowName('SPY', given, view, rowValues('SPY', given, view, lists), T0, T0).replaceAll('\u00a0', ' ');
}

describe('the name of a row', () => {
  it('says state, since when, how sure and how the price moved', () => {
    expect(named(row('SPY', 2))).toBe(
      'SPY, High Risk, for 1 hour, 36 % chance of a fall, 3.0 times usual, change \u22121.84 %',
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
    expect(nameOf({ breach_level: 625 })).toBe('SPY, Elevated, for 1 hour, 20.0 % past the breach level');
    expect(nameOf({ data_health: 'stale' })).toBe('SPY, Elevated, for 1 hour, Last price, of Thu 19 Nov 2026');
  });
  it('says how large the fall of its chance is, and what it costs a holder', () => {
    const given = row('SPY', 1, { signal: signal('SPY', 1, { price: 500, breach_level: 480, change_pct: null }) });
    const book = { holdings: { unit: 'quantity' as const, rows: [{ symbol: 'SPY', amount: 220 }] } };
    const fall = '36 % chance of a fall of 4.0 % or more, 3.0 times usual';
    expect(named(given, false, [book])).toBe(
      `SPY, Elevated, for 1 hour, ${fall}, it would cost me 4,400, 4.0 % above the breach level`,
    );
    expect(named(given)).not.toContain('cost');
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

describe('a price that is not that of now', () => {
  const why = (given: Given, isOffline = false) => latePriceText(given, symbolViewOf(given, isOffline), T0, T0);
  it('says why: its day, no update, no data, or a state that came before it', () => {
    const behind = { updated_at: iso(T0 - 60_000), decided_at: iso(T0) };
    expect([
      why(row('SPY', 0, { signal: signal('SPY', 0, { data_health: 'stale' }) })),
      why(row('SPY', 0, { received_at: iso(T0 - 14 * 60_000), stale: true })),
      why(row('SPY', 0), true),
      why(row('SPY', 2, { signal: signal('SPY', 2, behind) })),
    ]).toEqual([
      'Last price, of Thu 19 Nov 2026',
      'Last price, no update for 14 minutes',
      'Last price, not of now',
      'The price is from before the state',
    ]);
  });
  it('is no warning where it is that of now, or there is no price', () => {
    expect([why(row('SPY', 0)), why(row('SPY', 0, { signal: signal('SPY', 0, { price: null }) }))]).toEqual([
      null,
      null,
    ]);
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
