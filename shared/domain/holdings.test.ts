// Test: the risk of holdings: shares by state, the expected fall, uncovered holdings.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Holdings, HoldingsSchema, holdingsRisk, type RiskRow } from './holdings.ts';
import type { State } from './states.ts';

const row = (state: State, confidence: number | null, more: Partial<NonNullable<RiskRow['signal']>> = {}): RiskRow => ({
  stale: false,
  signal: { state, confidence, base_rate: 10, price: 100, ...more },
});
const held = (unit: Holdings['unit'], amounts: Readonly<Record<string, number>>): Holdings => ({
  unit,
  rows: Object.entries(amounts).map(([symbol, amount]) => ({ symbol, amount })),
});
const ROWS = { SPY: row(2, 40), QQQ: row(1, 20), IWM: row(0, 95) };

test('shares of weight by state, and the weighted chance of the fall', () => {
  const risk = holdingsRisk(held('weight', { SPY: 50, QQQ: 30, IWM: 20 }), ROWS);
  expect(risk).toMatchObject({
    states: [20, 30, 50],
    uncovered: { share: 0, symbols: [] },
    unweighed: [],
    assessed: 100,
    fallen: 0,
  });
  // 0.5 * 40 + 0.3 * 20 + 0.2 * 5; in Normal the confidence is that nothing follows.
  expect(risk?.expected).toBeCloseTo(27);
  expect(risk?.base).toBeCloseTo(10);
  expect(risk?.contributors.map(({ symbol, part }) => [symbol, Math.round(part * 10) / 10])).toEqual([
    ['SPY', 20],
    ['QQQ', 6],
    ['IWM', 1],
  ]);
});

test('quantities are weighed by the price, and one without a price is in no share', () => {
  const rows = { SPY: row(2, 40, { price: 300 }), QQQ: row(0, 95, { price: 100 }), IWM: row(0, 95, { price: null }) };
  expect(holdingsRisk(held('quantity', { SPY: 1, QQQ: 1, IWM: 5, TSLA: 1 }), rows)).toMatchObject({
    states: [25, 0, 75],
    unweighed: ['IWM', 'TSLA'],
    uncovered: { share: 0 },
  });
});

test('unknown, stale and faulty symbols are weight that is not covered, and in no state', () => {
  const rows = {
    SPY: row(2, 40),
    QQQ: { ...row(1, 20), stale: true },
    IWM: row(0, 95, { data_health: 'quarantined' }),
  };
  const risk = holdingsRisk(held('weight', { SPY: 40, QQQ: 30, IWM: 20, TSLA: 10 }), rows);
  expect(risk).toMatchObject({
    states: [0, 0, 40],
    uncovered: { share: 60, symbols: ['QQQ', 'IWM', 'TSLA'] },
    assessed: 40,
  });
  expect(risk?.expected).toBeCloseTo(40);
});

test('a chance of a further fall is another claim: its weight is named, and not averaged', () => {
  const rows = { SPY: row(2, 60, { confidence_of: 'further_fall' }), QQQ: row(1, 20) };
  expect(holdingsRisk(held('weight', { SPY: 50, QQQ: 50 }), rows)).toMatchObject({
    fallen: 50,
    assessed: 50,
    expected: 20,
    states: [0, 50, 50],
  });
});

test('without a confidence there is no chance, and without a base rate no base', () => {
  expect(holdingsRisk(held('weight', { SPY: 1 }), { SPY: row(2, null) })).toMatchObject({
    expected: null,
    base: null,
    contributors: [],
  });
  expect(holdingsRisk(held('weight', { SPY: 1 }), { SPY: row(2, 40, { base_rate: null }) })).toMatchObject({
    expected: 40,
    base: null,
  });
  expect(holdingsRisk(held('weight', {}), ROWS)).toBeNull();
  expect(holdingsRisk(held('quantity', { TSLA: 1 }), ROWS)).toBeNull();
});

test('all shares are 100 percent, and the expected share is within its parts (property)', () => {
  const state = fc.constantFrom<State>(0, 1, 2);
  const one = fc.record({
    amount: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
    state,
    confidence: fc.integer({ min: 0, max: 100 }),
    stale: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 20 }), (all) => {
      const rows = Object.fromEntries(
        all.map((each, index) => [`S${index}`, { ...row(each.state, each.confidence), stale: each.stale }]),
      );
      const risk = holdingsRisk(
        held('weight', Object.fromEntries(all.map(({ amount }, index) => [`S${index}`, amount]))),
        rows,
      );
      if (risk === null) throw new Error('something is held');
      expect(risk.states.reduce((sum, share) => sum + share, 0) + risk.uncovered.share).toBeCloseTo(100, 6);
      if (risk.expected === null) expect(all.every(({ stale }) => stale)).toBe(true);
      else expect(risk.expected).toBeGreaterThanOrEqual(-1e-9);
      expect(risk.expected ?? 0).toBeLessThanOrEqual(100 + 1e-9);
    }),
  );
});

test('a symbol is held once, and an amount is above 0', () => {
  const rows = [{ symbol: 'SPY', amount: 1 }];
  expect(HoldingsSchema.safeParse({ unit: 'weight', rows }).success).toBe(true);
  expect(HoldingsSchema.safeParse({ unit: 'weight', rows: [...rows, ...rows] }).success).toBe(false);
  expect(HoldingsSchema.safeParse({ unit: 'weight', rows: [{ symbol: 'SPY', amount: 0 }] }).success).toBe(false);
});
