// Test: the powers of the dimensions in the formats of any service.
import { expect, test } from 'vitest';
import { readFactors, readPowers } from './read-factors.ts';

test('a map with any spelling of the names; a missing one has no value', () => {
  const powers = readPowers({ powers: { Volatility: 0.94, risk_premium: 0.5, 'RISK-PREMIUM-2': 0.1 } });
  expect(powers).toMatchObject({ 'D-03': 0.94, 'D-05': 0.5, 'D-01': null });
});

test('rows at the top, under their name, or under a sole array; unknown ones come after the twelve', () => {
  const rows = [
    { code: 'D-12', name: 'Chaos', power: 0.9, contribution: 0.2 },
    { name: 'weather', power: 0.3 },
  ];
  for (const answer of [rows, { factors: rows }, { symbol: 'SPY', whatever: rows }]) {
    const read = readFactors(answer);
    expect(read).toHaveLength(13);
    expect(read?.[11]).toEqual({ code: 'D-12', name: 'Chaos', power: 0.9, contribution: 0.2 });
    expect(read?.[12]).toEqual({ code: null, name: 'weather', power: 0.3, contribution: null });
  }
});

test('a value out of range is dropped, and an answer without powers is invalid', () => {
  expect(readPowers({ powers: { chaos: 7, clarity: '1' } })).toMatchObject({ 'D-12': null, 'D-06': null });
  expect(readFactors({ symbol: 'SPY' })).toBeNull();
  expect(readFactors('<html>')).toBeNull();
});
