// Service, engine, test: the state rule with its hysteresis.
import { describe, expect, it, test } from 'vitest';
import type { State } from '../../shared/domain/states.ts';
import { NO_RUN, nextState, runAfter, type StateRun } from './state-rule.ts';

const LONG: StateRun = { state: 0, closes: 50 };
const run = (state: State, closes: number): StateRun => ({ state, closes });

describe('a state', () => {
  test.each<[string, number, number | null, State, State]>([
    ['High Risk asks for a drawdown and a probability', 0.45, 0.25, 0, 2],
    ['a probability alone is Elevated', 0.44, 0.25, 0, 1],
    ['a drawdown alone is Elevated', 0.6, 0.24, 0, 1],
    ['less of either is Normal', 0.59, 0.24, 0, 0],
    ['a breach is High Risk whatever the probability', 1, 0.05, 0, 2],
    ['High Risk stays on both of its lower bounds', 0.3, 0.18, 2, 2],
    ['below the drawdown it eases', 0.29, 0.18, 2, 1],
    ['below the probability it eases', 0.3, 0.17, 2, 1],
    ['Elevated stays on a drawdown', 0.2, 0.01, 1, 1],
    ['Elevated stays on a probability', 0, 0.12, 1, 1],
    ['below both it is left', 0.19, 0.11, 1, 0],
    ['below both it is left from High Risk too', 0.19, 0.11, 2, 0],
    ['without a probability the drawdown decides: High Risk', 0.6, null, 0, 2],
    ['without a probability it stays until .48', 0.48, null, 2, 2],
    ['without a probability it eases below that', 0.47, null, 2, 1],
    ['without a probability Elevated begins at .45', 0.45, null, 0, 1],
    ['without a probability Elevated ends below .3', 0.29, null, 1, 0],
    ['without a drawdown nothing eases', Number.NaN, 0.01, 2, 2],
    ['without a drawdown nothing rises', Number.NaN, 0.9, 0, 0],
  ])('%s', (_, drawdown, probability, from, to) => {
    expect(nextState(drawdown, probability, from, LONG)).toBe(to);
  });

  it('falls only after five closes in it, and rises at once', () => {
    for (let closes = 1; closes < 5; closes++) {
      expect(nextState(0, 0.01, 2, run(2, closes))).toBe(2);
      expect(nextState(0, 0.01, 1, run(1, closes))).toBe(1);
      expect(nextState(0.5, 0.3, 1, run(1, closes))).toBe(2);
    }
    expect(nextState(0, 0.01, 2, run(2, 5))).toBe(0);
    expect(nextState(0.25, 0.01, 2, run(2, 5))).toBe(1);
  });

  it('entered within the day may end within the day, down to that of young closes', () => {
    expect(nextState(0, 0.01, 2, LONG)).toBe(0);
    expect(nextState(0, 0.01, 2, run(1, 2))).toBe(1);
    expect(nextState(0, 0.01, 2, NO_RUN)).toBe(0);
  });

  it('counts its closes, including the first', () => {
    const states: State[] = [1, 1, 2, 2, 2, 0];
    let now = NO_RUN;
    const closes = states.map((state) => {
      now = runAfter(now, state);
      return now.closes;
    });
    expect(closes).toEqual([1, 2, 1, 2, 3, 1]);
  });

  it('never becomes milder as the price falls', () => {
    for (const from of [0, 1, 2] as const) {
      for (const probability of [null, 0.05, 0.15, 0.2, 0.3]) {
        let last: State = 0;
        for (let drawdown = 0; drawdown < 2; drawdown += 0.01) {
          const state = nextState(drawdown, probability, from, LONG);
          expect(state).toBeGreaterThanOrEqual(last);
          last = state;
        }
      }
    }
  });
});
