// Service, signals, test: the regime favoured by the data, and the closes that it still needs.
import { describe, expect, test } from 'vitest';
import { emptyPowers } from '../../shared/domain/factors.ts';
import type { Regime } from '../../shared/domain/regimes.ts';
import type { State } from '../../shared/domain/states.ts';
import type { ClosedRow } from './closed-row.ts';
import { candidateOf, mostProbable, type Shares } from './regime-decision.ts';

const none: Shares = { calm_uptrend: 0, volatile_uptrend: 0, calm_downtrend: 0, volatile_downtrend: 0, stress: 0 };
const DOWN: Shares = { ...none, volatile_downtrend: 0.6, calm_uptrend: 0.4 };

const days = (regime: Regime, states: readonly State[]): ClosedRow[] =>
  states.map((state, index) => ({
    closedAt: index,
    trading: { range: null, volume: null },
    reading: {
      date: '2026-03-02',
      close: 100,
      state,
      isWithheld: false,
      rule: null,
      probability: null,
      claim: 'event',
      confidence: null,
      baseRate: null,
      regime,
      regimeProbabilities: null,
      powers: emptyPowers(),
      contributions: emptyPowers(),
      drawdownFraction: null,
      breachLevel: null,
    },
  }));
const inForce = (regime: Regime, age: number, target: Regime | null = 'volatile_downtrend') => ({
  regime,
  index: 9,
  since: 10 - age,
  target,
});
const of = (regime: Regime, age: number, target?: Regime | null, states: State[] = Array(10).fill(0)) =>
  candidateOf(days(regime, states), inForce(regime, age, target), DOWN);

test('the regime in force wins a tie of probabilities', () => {
  const equal: Shares = { ...none, calm_uptrend: 0.5, calm_downtrend: 0.5 };
  expect(mostProbable(equal, 'calm_downtrend')).toBe('calm_downtrend');
  expect(mostProbable(equal, 'elsewhere')).toBe('calm_uptrend');
});

describe('a candidate', () => {
  test('exists only if the data favour another regime', () => {
    expect(
      candidateOf(days('calm_uptrend', [0]), { ...inForce('calm_uptrend', 1), index: 0 }, { ...none, calm_uptrend: 1 }),
    ).toBeNull();
    expect(of('calm_uptrend', 9)).toMatchObject({
      regime: 'volatile_downtrend',
      label: 'Volatile Downtrend',
      confidence: 60,
    });
  });

  test.each([
    [1, 5],
    [3, 3],
    [5, 1],
    [9, 1],
  ])('of a regime of %i closes needs %i more', (age, closes_needed) => {
    expect(of('calm_uptrend', age)).toMatchObject({ closes_needed, waits_for: 'closes' });
  });

  test('waits for the trend or volatility that its target lacks', () => {
    expect(of('calm_uptrend', 9, 'calm_uptrend')?.waits_for).toBe('volatility');
    expect(of('volatile_uptrend', 9, 'volatile_uptrend')?.waits_for).toBe('trend');
  });

  test('of Stress waits for Normal, five closes of a state at least', () => {
    const states: State[] = [2, 2, 2, 2, 2, 2, 2, 2, 1, 1];
    expect(of('stress', 9, null, states)).toMatchObject({ closes_needed: 4, waits_for: 'normal_state' });
  });

  test('of a regime by request needs no close', () => {
    const candidate = candidateOf(
      days('volatile_downtrend', [0]),
      { regime: 'stress', index: 0, since: 0, target: null },
      DOWN,
    );
    expect(candidate).toMatchObject({ closes_needed: 0, waits_for: 'hold' });
  });
});
