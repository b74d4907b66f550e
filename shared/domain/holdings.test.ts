// Test: the book: which position counts, what is at stake in it; the risk of a list by state and in money.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bookOf, fallCost, type Holdings, HoldingsSchema, holdingsRisk, type RiskRow, stakesOf } from './holdings.ts';
import type { State } from './states.ts';

const row = (state: State, confidence: number | null, more: Partial<NonNullable<RiskRow['signal']>> = {}): RiskRow => ({
  stale: false,
  signal: { state, confidence, base_rate: 10, price: 100, updated_at: null, decided_at: null, ...more },
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

describe('a book in several currencies', () => {
  const holdings: Holdings = {
    unit: 'quantity',
    rows: [
      { symbol: 'SPY', amount: 2, cost: 80, currency: 'USD' },
      { symbol: 'QQQ', amount: 1, currency: 'USD' },
      { symbol: 'SAP', amount: 5, cost: 120, currency: 'EUR' },
    ],
  };
  const rows = { ...ROWS, SPY: row(2, 40, { breach_level: 95 }), SAP: row(1, 20) };
  test('adds no money of two: shares are of the larger group, and the others are named', () => {
    expect(holdingsRisk(holdings, rows)).toMatchObject({
      foreign: ['SAP'],
      states: [0, expect.closeTo(33.3, 1), expect.closeTo(66.7, 1)],
    });
  });
  test('has the shares of the largest group with a price', () => {
    const risk = holdingsRisk(holdings, { SAP: row(1, 20) });
    expect(risk).toMatchObject({ foreign: ['SPY', 'QQQ'], states: [0, 100, 0], money: [{ currency: 'EUR' }] });
  });
  test('has its worth, its gain where costs are known, and its falls of a known size, by currency', () => {
    const usd = { currency: 'USD', worth: 300, gain: 40, withoutCost: 1, falls: 10, withoutFall: ['QQQ'] };
    const eur = { currency: 'EUR', worth: 500, gain: -100, withoutCost: 0, falls: null, withoutFall: ['SAP'] };
    expect(holdingsRisk(holdings, rows)?.money).toEqual([usd, eur]);
  });
  test('says of which positions a share is', () => {
    const stakeOf = stakesOf([{ holdings }], (symbol) => ({ ...rows })[symbol as 'SPY']);
    expect(stakeOf('SPY')).toEqual({
      ...{ of: 'fall', isFurther: false, quantity: 2, money: 10, currency: 'USD' },
      ...{ share: expect.closeTo(3.33, 2), part: 'currency' },
    });
    expect(stakeOf('SAP')).toMatchObject({ of: 'position', money: 500, share: 100, part: 'currency' });
  });
});

describe('the position of a symbol in several lists', () => {
  const shares = { holdings: held('quantity', { SPY: 20 }) };
  const weights = { holdings: held('weight', { SPY: 30, GLD: 90 }) };
  test('is the larger quantity, and a weight only where no quantity is known', () => {
    const book = bookOf([weights, shares, { holdings: held('quantity', { SPY: 40 }) }, {}]);
    expect([book.get('SPY')?.amount, book.get('GLD')?.weight, book.get('QQQ')]).toEqual([40, 0.75, undefined]);
  });
  test('is looked up once for the same lists', () => {
    const lists = [weights, shares];
    expect(bookOf(lists)).toBe(bookOf(lists));
  });
  test.each([
    [shares, { unit: 'money', amount: 400, currency: null }],
    [weights, { unit: 'share', amount: 1, currency: null }],
  ] as const)('costs money, or a share of the weights: %j', (list, cost) => {
    const position = bookOf([list]).get('SPY');
    expect(position && fallCost(position, 500, 4)).toEqual(cost);
  });
});

describe('what is at stake', () => {
  const lists = [{ holdings: held('quantity', { SPY: 3, QQQ: 1, IWM: 4 }) }];
  const rowOf = (rows: Readonly<Record<string, RiskRow>>) => (symbol: string) => rows[symbol];
  test('is what the fall costs where its size is known, else all of the position', () => {
    const stakeOf = stakesOf(lists, rowOf({ ...ROWS, SPY: row(2, 40, { breach_level: 96 }), IWM: row(0, 95) }));
    expect(stakeOf('SPY')).toMatchObject({ of: 'fall', money: 12, share: 1.5, part: 'book' });
    expect(stakeOf('QQQ')).toMatchObject({ of: 'position', money: 100, share: 12.5 });
    expect(stakeOf('GLD')).toBeNull();
  });
  test('is a share of what has a price, and of a position without one nothing but its quantity', () => {
    const stakeOf = stakesOf(lists, rowOf({ SPY: row(2, 40) }));
    expect(stakeOf('SPY')).toMatchObject({ money: 300, share: 100, part: 'priced' });
    expect(stakeOf('QQQ')).toMatchObject({ quantity: 1, money: null, share: null });
  });
  test('is a share alone where only weights are known', () => {
    const stakeOf = stakesOf(
      [{ holdings: held('weight', { SPY: 30, QQQ: 70 }) }],
      rowOf({ SPY: row(2, 40, { breach_level: 95 }) }),
    );
    expect(stakeOf('SPY')).toMatchObject({ money: null, share: 1.5, part: 'book' });
  });
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
