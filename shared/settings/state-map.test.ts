// Test: state maps: input text, stored form, lookup.
import { expect, test } from 'vitest';
import { mappedState, parseStateMap, StateMapSchema, stateMapText } from './state-map.ts';

test('reads pairs in any spelling, and writes them as a person would', () => {
  const read = parseStateMap(' 1 = High Risk, 0=normal;  Amber = ELEVATED\nall-clear=normal ');
  expect(read).toEqual({
    ok: true,
    value: { 1: 'high_risk', 0: 'normal', Amber: 'elevated', 'all-clear': 'normal' },
  });
  if (read.ok) expect(parseStateMap(stateMapText(read.value))).toEqual(read);
});

test('a wrong part is named, with the form it should have', () => {
  for (const [text, said] of [
    ['1 = red', '"1 = red" is no pair.'],
    ['= High Risk', '"= High Risk" is no pair.'],
    ['1', '"1" is no pair.'],
    ['1 = High Risk = 2', 'is no pair.'],
    ['red = High Risk, RED = Normal', '"RED" is there twice.'],
    ['', 'at least one'],
  ] as const) {
    const read = parseStateMap(text);
    expect(read.ok ? '' : read.error).toContain(said);
  }
});

test('finds words by any spelling, and numbers by their sign', () => {
  const map = StateMapSchema.parse({ 1: 'high_risk', '-1': 'normal', 'all clear': 'normal', 'code-red': 'high_risk' });
  expect(['1', '-1', 'ALL_CLEAR', 'code red', '2', 'red'].map((word) => mappedState(map, word))).toEqual([
    2,
    0,
    0,
    2,
    null,
    null,
  ]);
});

test('refuses what is no map', () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [String(index), 'normal']));
  for (const wrong of [{}, { 1: 'red' }, { '': 'normal' }, { red: 'normal', ' RED': 'high_risk' }, many, [], '1'])
    expect(StateMapSchema.safeParse(wrong).success).toBe(false);
});
