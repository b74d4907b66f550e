// Service, engine, test: the state rule with its hysteresis.
import { describe, expect, it, test } from 'vitest';
import type { State } from '../../shared/domain/states.ts';
import {
  type Evidence,
  entryDrawdown,
  isWithheld,
  NO_RUN,
  nextState,
  ruleBehind,
  runAfter,
  type StateRun,
} from './state-rule.ts';

const LONG: StateRun = { state: 0, closes: 50 };
const evidence = (drawdown: number, probability: number | null, isTurbulent = true): Evidence => ({
  drawdown,
  probability,
  isTurbulent,
});
const run = (state: State, closes: number): StateRun => ({ state, closes });

describe('a state', () => {
  test.each<[string, number, number | null, State, State]>([
    ['High Risk asks for a drawdown and a probability', 0.45, 0.29, 0, 2],
    ['less of a probability is Elevated', 0.45, 0.28, 0, 1],
    ['a probability alone is Elevated', 0.44, 0.25, 0, 1],
    ['a drawdown alone is Elevated', 0.6, 0.24, 0, 1],
    ['less of either is Normal', 0.59, 0.24, 0, 0],
    ['a breach is High Risk whatever the probability', 1, 0.05, 0, 2],
    ['High Risk stays on both of its lower bounds', 0.3, 0.25, 2, 2],
    ['below the drawdown it eases', 0.29, 0.25, 2, 1],
    ['below the probability it eases', 0.3, 0.24, 2, 1],
    ['Elevated stays on a drawdown', 0.2, 0.01, 1, 1],
    ['Elevated stays on a probability', 0, 0.18, 1, 1],
    ['below both it is left', 0.19, 0.17, 1, 0],
    ['below both it is left from High Risk too', 0.19, 0.17, 2, 0],
    ['without a probability the drawdown decides: High Risk', 0.6, null, 0, 2],
    ['without a probability it stays until .48', 0.48, null, 2, 2],
    ['without a probability it eases below that', 0.47, null, 2, 1],
    ['without a probability Elevated begins at .45', 0.45, null, 0, 1],
    ['without a probability Elevated ends below .3', 0.29, null, 1, 0],
    ['without a drawdown nothing eases', Number.NaN, 0.01, 2, 2],
    ['without a drawdown nothing rises', Number.NaN, 0.9, 0, 0],
  ])('%s', (_, drawdown, probability, from, to) => {
    expect(nextState(evidence(drawdown, probability), from, LONG)).toBe(to);
  });

  test.each<[string, number, number | null, State, State]>([
    ['no probability enters High Risk', 0.9, 0.4, 0, 1],
    ['none keeps it', 0.9, 0.4, 2, 1],
    ['a breach does', 1, 0.05, 0, 2],
    ['the drawdown decides without a probability', 0.6, null, 0, 2],
  ])('a state in a calm market %s', (_, drawdown, probability, from, to) => {
    expect(nextState(evidence(drawdown, probability, false), from, LONG)).toBe(to);
  });

  test.each([
    ['turbulent market with a probability', 1, true],
    ['calm market with a probability', 1, false],
    ['turbulent market without a probability', null, true],
    ['calm market without a probability', null, false],
  ])('High Risk begins at the entry drawdown in a %s, and never below', (_, probability, isTurbulent) => {
    const entry = entryDrawdown(probability !== null, isTurbulent);
    for (const from of [0, 1] as const) {
      expect(nextState(evidence(entry, probability, isTurbulent), from, LONG)).toBe(2);
      expect(nextState(evidence(entry - 1e-9, probability, isTurbulent), from, LONG)).toBeLessThan(2);
    }
  });

  it('falls only after five closes in it, and rises at once', () => {
    for (let closes = 1; closes < 5; closes++) {
      expect(nextState(evidence(0, 0.01), 2, run(2, closes))).toBe(2);
      expect(nextState(evidence(0, 0.01), 1, run(1, closes))).toBe(1);
      expect(nextState(evidence(0.5, 0.3), 1, run(1, closes))).toBe(2);
    }
    expect(nextState(evidence(0, 0.01), 2, run(2, 5))).toBe(0);
    expect(nextState(evidence(0.25, 0.01), 2, run(2, 5))).toBe(1);
  });

  it('a state entered within the day may end within the day, down to a recent state of the closes', () => {
    expect(nextState(evidence(0, 0.01), 2, LONG)).toBe(0);
    expect(nextState(evidence(0, 0.01), 2, run(1, 2))).toBe(1);
    expect(nextState(evidence(0, 0.01), 2, NO_RUN)).toBe(0);
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
          const state = nextState(evidence(drawdown, probability), from, LONG);
          expect(state).toBeGreaterThanOrEqual(last);
          last = state;
        }
      }
    }
  });
});

describe('the part of the rule behind a state', () => {
  test.each([
    [1.2, 0.05, 2, 'breach'],
    [0.5, 0.3, 2, 'probability'],
    [0.32, 0.26, 2, 'exit_bounds'],
    [0.32, 0.2, 2, 'five_closes'],
    [0.1, 0.3, 1, 'probability'],
    [0.7, 0.1, 1, 'drawdown'],
    [0.25, 0.01, 1, 'exit_bounds'],
    [0.1, 0.05, 1, 'five_closes'],
    [0.6, null, 2, 'drawdown'],
    [0.5, null, 2, 'exit_bounds'],
    [0.1, null, 1, 'five_closes'],
    [null, 0.3, 2, null],
  ] as const)('drawdown %s, probability %s, state %i: %s', (drawdown, probability, state, part) => {
    expect(ruleBehind(evidence(drawdown ?? Number.NaN, probability), state)).toBe(part);
  });

  test('the part behind a state is a bound for entering exactly if the rule enters from below', () => {
    for (let drawdown = 0; drawdown <= 1.3; drawdown += 0.05)
      for (let probability = 0; probability <= 0.5; probability += 0.02) {
        const entered = nextState(evidence(drawdown, probability), 0, NO_RUN);
        if (entered !== 0)
          expect(['probability', 'drawdown', 'breach']).toContain(
            ruleBehind(evidence(drawdown ?? Number.NaN, probability), entered),
          );
      }
  });

  test('a state is withheld if only a calm market keeps it from High Risk', () => {
    expect(isWithheld(evidence(0.5, 0.3, false), 1)).toBe(true);
    expect(isWithheld(evidence(0.5, 0.3, true), 1)).toBe(false);
    expect(isWithheld(evidence(0.5, 0.2, false), 1)).toBe(false);
    expect(isWithheld(evidence(0.5, 0.3, false), 2)).toBe(false);
  });
});
