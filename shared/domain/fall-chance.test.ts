// Test: the chance of a fall: in every state the same quantity; what is unknown stays unknown.
import { describe, expect, test } from 'vitest';
import { breachDistance, chanceOf, type FallRow, fallChance } from './fall-chance.ts';
import type { State } from './states.ts';

/** A high of 100 and a threshold of 10 %: the breach is at 90, and 96 is 0.4 of the way there. */
const SIGNAL = {
  ...{ state: 1 as State, confidence: 24, base_rate: 15, price: 96, breach_level: 90, breach_progress: 0.4 },
  ...{ updated_at: '2026-03-02T15:00:00.000Z', decided_at: '2026-03-02T15:00:00.000Z' },
};
type Signal = NonNullable<FallRow['signal']>;
const of = (signal: Partial<Signal>, stale = false) => fallChance({ stale, signal: { ...SIGNAL, ...signal } });

describe('the chance of a fall', () => {
  test('has its size, the price it leads to, and how usual it is', () => {
    const fall = { percent: 24, isFurther: false, usual: 15, timesUsual: 1.6, isHeld: false, size: 6.25, level: 90 };
    expect(of({})).toEqual(fall);
    expect(of({ confidence_of: 'event' })).toEqual(fall);
  });

  test.each([
    [0, 85.5, 14.5],
    [1, 24, 24],
    [2, 58, 58],
  ] as const)('is the chance that it comes in state %i too', (state, confidence, percent) => {
    expect(of({ state, confidence })).toMatchObject({ percent, size: 6.25, level: 90 });
    expect(of({ state, confidence, confidence_of: 'further_fall' })).toMatchObject({ percent, isFurther: true });
  });

  test('that has begun is of half a threshold more, on either side of the breach level', () => {
    const further = { confidence_of: 'further_fall' } as const;
    for (const [price, progress] of [
      [84, 1.6],
      [96, 0.4],
    ] as const) {
      const fall = of({ ...further, price, breach_progress: progress });
      expect(fall?.size).toBeCloseTo(5, 6);
      expect(fall?.level).toBeCloseTo(price * 0.95, 6);
    }
  });

  test('close to its breach level is of half a threshold at least, so that it leads past that level', () => {
    const fall = of({ price: 92, breach_progress: 0.8 });
    expect(fall?.size).toBeCloseTo(5, 6);
    expect(fall?.level).toBeCloseTo(87.4, 6);
  });

  test('is not known of a stale row, of no row, and without a confidence', () => {
    expect(of({}, true)).toBeNull();
    expect(of({ confidence: null })).toBeNull();
    expect([fallChance(undefined), fallChance({ stale: false, signal: null })]).toEqual([null, null]);
  });

  test('below the usual one is held by the rule, except in Normal', () => {
    expect(of({ state: 2, confidence: 9 })).toMatchObject({ isHeld: true, timesUsual: 0.6 });
    expect(of({ state: 0, confidence: 91 })?.isHeld).toBe(false);
  });

  test('has no multiple without a usual one', () => {
    expect(of({ base_rate: null })).toMatchObject({ percent: 24, usual: null, timesUsual: null, isHeld: false });
    expect(of({ base_rate: 0 })).toMatchObject({ usual: 0, timesUsual: null });
  });
});

describe('the size of a fall', () => {
  const unknown = { percent: 24, size: null, level: null };

  test.each([
    ['the breach level is missing', { breach_level: null }],
    ['the price is missing', { price: null }],
    ['the price is old', { data_health: 'stale' }],
    ['the price is from before the state', { updated_at: '2026-03-02T14:00:00.000Z' }],
    ['the price is past the level of an event that is not said to have begun', { price: 84, breach_progress: 1.6 }],
    ['the threshold of a further fall is missing', { confidence_of: 'further_fall', breach_progress: undefined }],
    ['the price is at the level, where no threshold follows', { confidence_of: 'further_fall', breach_progress: 0.99 }],
  ] as [string, Partial<Signal>][])('is unknown where %s, and the chance is still said', (_, signal) => {
    expect(of(signal)).toMatchObject(unknown);
  });

  test('of a service that gives a level alone is the way to that level', () => {
    expect(of({ price: 92, breach_progress: undefined })).toMatchObject({ level: 90, isFurther: false });
    expect(of({ price: 92, breach_progress: undefined })?.size).toBeCloseTo(2.174, 3);
  });

  test('of impossible numbers is the way to the level', () => {
    expect(of({ breach_progress: 3 })).toMatchObject({ size: 6.25, level: 90 });
  });
});

test('a past record has a chance without a size', () => {
  expect(chanceOf({ state: 0, confidence: 90, base_rate: null })?.percent).toBe(10);
});

test('the distance to the breach level is percent of the price, and past the level percent of the level', () => {
  expect([SIGNAL, { ...SIGNAL, price: 90 }, { ...SIGNAL, price: 45 }].map(breachDistance)).toEqual([6.25, 0, -50]);
});
