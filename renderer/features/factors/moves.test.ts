// Test: which powers moved, and the sentence about them.
import { describe, expect, it } from 'vitest';
import type { FactorPoint, FactorSheet } from '../../../shared/channels/queries.ts';
import { emptyPowers, FACTOR_DIMENSIONS, type FactorCode } from '../../../shared/domain/factors.ts';
import { texts } from '../../../shared/text/texts.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { monthEnds, movesOf, powersAt, summaryOf } from './moves.ts';

const DAY = 86_400_000;
const powers = (given: Partial<Record<FactorCode, number>>): FactorPoint['powers'] => ({ ...emptyPowers(), ...given });
const point = (at: number, given: Partial<Record<FactorCode, number>> = {}): FactorPoint => ({
  at: iso(at),
  powers: powers(given),
});
const sheet = (given: Partial<Record<FactorCode, readonly [power: number, share: number]>>): FactorSheet => ({
  symbol: 'SPY',
  at: iso(T0),
  factors: FACTOR_DIMENSIONS.map(({ code, name }) => ({
    code,
    name,
    power: given[code]?.[0] ?? null,
    contribution: given[code]?.[1] ?? null,
  })),
});

describe('what moved', () => {
  const now = sheet({ 'D-03': [0.94, 0.22], 'D-12': [0.91, 0.19], 'D-01': [0.18, -0.3], 'D-06': [0.44, 0] });
  const then = powers({ 'D-03': 0.71, 'D-12': 0.58, 'D-01': 0.41, 'D-06': 0.45 });

  it('is ranked by its share of the risk, whatever its sign; without a share it comes last', () => {
    const moves = movesOf(now, then);
    expect(moves.slice(0, 4).map((move) => [move.name, move.moved?.toFixed(2)])).toEqual([
      ['Liquidity', '-0.23'],
      ['Volatility', '0.23'],
      ['Chaos', '0.33'],
      ['Clarity', '-0.01'],
    ]);
    expect(moves.at(-1)).toMatchObject({ now: null, moved: null, share: null });
  });

  it('is null without earlier powers, never 0', () => {
    expect(movesOf(now, null).every((move) => move.moved === null)).toBe(true);
    expect(movesOf(now, powers({ 'D-03': 0.5 })).filter((move) => move.moved !== null)).toHaveLength(1);
  });

  it('has a sentence', () => {
    const { rose, fell, carry, carriedShare } = summaryOf(movesOf(now, then));
    expect({ rose, fell, carry }).toEqual({
      rose: ['chaos', 'volatility'],
      fell: ['liquidity'],
      carry: ['volatility', 'chaos'],
    });
    expect(carriedShare).toBeCloseTo(0.41);
    expect(texts.factors.sentence(rose, fell, carry, '41 %')).toBe(
      'chaos and volatility rose most; liquidity fell most. Volatility and chaos carry 41 % of the score.',
    );
    expect(texts.factors.sentence([], [], [], '')).toBe('nothing moved by .05 or more.');
  });

  it('has the share that the table has', () => {
    const slight = sheet({ 'D-03': [0.61, 0.027], 'D-12': [0.91, 0.026] });
    expect(summaryOf(movesOf(slight, null)).carriedShare).toBeCloseTo(0.06);
  });

  it('names no dimension that has no value, whatever its share', () => {
    const unknown = { code: 'D-02', name: 'Relationships', now: null, moved: null, share: 0.5 } as const;
    expect(summaryOf([unknown, ...movesOf(now, then)])).toEqual(summaryOf(movesOf(now, then)));
  });

  it('each power has its text', () => {
    expect(texts.factors.describe('D-03', 0.949)).toBe('wilder than 94 % of days');
    expect(texts.factors.describe('D-01', 0.18)).toBe('thinner than 82 % of days');
    expect(texts.factors.describe('D-06', 0.44)).toBe('about usual');
    expect(texts.factors.describe('D-06', null)).toBe('no value');
  });
});

describe('the powers on record', () => {
  const points = [point(T0 - 2 * DAY), point(T0 - DAY), point(T0)];
  it('at a time are the last before it', () => {
    expect(powersAt(points, T0 - DAY)?.at).toBe(points[1]?.at);
    expect(powersAt(points, T0 - DAY - 1)?.at).toBe(points[0]?.at);
    expect(powersAt(points, T0 - 3 * DAY)).toBeNull();
  });
  it('by month are its last, newest first', () => {
    const days = [
      Date.parse('2026-09-30T00:00:00Z'),
      Date.parse('2026-10-01T00:00:00Z'),
      Date.parse('2026-10-31T00:00:00Z'),
    ];
    expect(monthEnds(days.map((at) => point(at))).map((each) => each.at.slice(0, 10))).toEqual([
      '2026-10-31',
      '2026-09-30',
    ]);
  });
});
