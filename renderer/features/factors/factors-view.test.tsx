// Test: comparisons of powers name the time of the compared powers, not the requested time.
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, test } from 'vitest';
import type { FactorPoint, FactorSheet } from '../../../shared/channels/queries.ts';
import { emptyPowers, FACTOR_CODES, FACTOR_DIMENSIONS, type FactorCode } from '../../../shared/domain/factors.ts';
import { texts } from '../../../shared/text/texts.ts';
import { iso, row, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { FactorsView, MovedTable } from './factors-view.tsx';
import { monthEnds, movesOf, powersAt, summaryOf } from './moves.ts';

const HOUR = 3_600_000;
/** Thursday 14:30 in New York; the last close was on Wednesday at 16:00, the one before on Tuesday. */
const NOW = Date.parse('2026-11-19T19:30:00.000Z');
const CLOSE = Date.parse('2026-11-18T21:00:00.000Z');
const pointAt = (ms: number) => ({ at: iso(ms), powers: Object.fromEntries(FACTOR_CODES.map((code) => [code, 0.5])) });

async function open(turnAt: number, show: 'both' | 'radar' = 'both', cached_at?: string) {
  const factors = FACTOR_DIMENSIONS.map(({ code, name }) => ({ code, name, power: 0.9, contribution: 0.1 }));
  const rig = await createWindowRig({
    snapshot: snapshot({ rows: [row('SPY', 2)] }),
    handlers: {
      'factors.read': () => ({
        symbol: 'SPY',
        at: iso(NOW),
        factors,
        ...(cached_at === undefined ? {} : { cached_at }),
      }),
      'factors.page': () => ({ symbol: 'SPY', points: [pointAt(CLOSE - 24 * HOUR), pointAt(CLOSE)], next: null }),
    } as never,
  });
  rig.render(<FactorsView symbol="SPY" turnAt={turnAt} show={show} />);
  await rig.advance(200);
  await rig.idle();
}

test('a comparison with the close before a transition has the time of that close', async () => {
  await open(NOW - HOUR);
  expect(screen.getByText(/^Since 18 Nov 16:00, before the transition of 19 Nov 13:30:/)).toBeDefined();
  expect(screen.getByText('18 Nov 16:00, before the transition')).toBeDefined();
  expect(screen.getByText('17 Nov 16:00, the day before')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Day before' }));
  expect(screen.getByText(/^Since 17 Nov 16:00:/)).toBeDefined();
});

test('a transition at a close is compared with that close', async () => {
  await open(CLOSE);
  expect(screen.getByText(/^Since 18 Nov 16:00:/)).toBeDefined();
  expect(screen.getByText('At transition, 18 Nov 16:00')).toBeDefined();
});

test('the radar alone says too that its powers are stored ones', async () => {
  await open(CLOSE, 'radar');
  expect(document.querySelector('.cached-note')).toBeNull();
  await open(CLOSE, 'radar', iso(NOW - HOUR));
  expect(document.querySelector('.cached-note')?.textContent).toContain('13:30');
});

test('the factors are listed by name, each with its power, its move and their meaning', () => {
  const code = 'D-03' as const;
  const name = FACTOR_DIMENSIONS.find((dimension) => dimension.code === code)?.name ?? '';
  const move = { code, name, now: 0.8, moved: 0.3, share: 0.4 };
  render(<MovedTable symbol="SPY" moves={[move]} />);
  const table = screen.getByRole('table', { name: /SPY/ });
  expect(within(table).getByRole('rowheader', { name })).toBeDefined();
  const cells = within(table)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(cells[0]).toBe(code);
  expect(cells[1]).toBe('.80');
  expect(cells.at(-1)).not.toBe('');
});

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
