// Test: what moved most in five sessions, in words that the record holds; the table of twelve on demand.
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, test } from 'vitest';
import type { FactorPoint, FactorSheet } from '../../../shared/channels/queries.ts';
import { emptyPowers, FACTOR_CODES, FACTOR_DIMENSIONS, type FactorCode } from '../../../shared/domain/factors.ts';
import { texts } from '../../../shared/text/texts.ts';
import { iso, row, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { FactorsView, MovedTable } from './factors-view.tsx';
import { monthEnds, movedMost, movesOf } from './moves.ts';

const HOUR = 3_600_000;
/** Thursday 14:30 in New York; the last close was on Wednesday at 16:00, the one before on Tuesday. */
const NOW = Date.parse('2026-11-19T19:30:00.000Z');
const CLOSE = Date.parse('2026-11-18T21:00:00.000Z');
const DAY = 24 * HOUR;
const powers = (given: Partial<Record<FactorCode, number>>): FactorPoint['powers'] => ({ ...emptyPowers(), ...given });
const all = (value: number) => powers(Object.fromEntries(FACTOR_CODES.map((code) => [code, value])));
/** Closes of the thirty days before today, and of today, which has not come. */
const CLOSES = Array.from({ length: 31 }, (_, index) => iso(CLOSE + (index - 29) * DAY));

async function open(history: readonly FactorPoint[], cached_at?: string) {
  const given: Partial<Record<FactorCode, number>> = { 'D-08': 0.31, 'D-11': 0.62 };
  const factors = FACTOR_DIMENSIONS.map(({ code, name }) => ({
    code,
    name,
    power: given[code] ?? 0.5,
    contribution: 0.1,
  }));
  const rig = await createWindowRig({
    snapshot: snapshot({ rows: [row('SPY', 2)] }),
    handlers: {
      'factors.read': () => ({
        symbol: 'SPY',
        at: iso(NOW),
        factors,
        ...(cached_at === undefined ? {} : { cached_at }),
      }),
      'factors.page': () => ({ symbol: 'SPY', points: history, next: null }),
    } as never,
  });
  rig.render(<FactorsView symbol="SPY" turnAt={CLOSE} />);
  await rig.advance(200);
  await rig.idle();
}

test('what moved most is said in words: from, to, their meaning, and since when it was not as low or high', async () => {
  await open(
    CLOSES.map((at, index) => ({
      at,
      powers: { ...all(0.5), 'D-08': index === 8 ? 0.3 : 0.58, 'D-11': 0.5 },
    })),
  );
  expect(screen.getByRole('heading').textContent).toBe('Moved most in 5 sessions since 14 Nov 16:00');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Momentum58 to 31weaker trend than 69 % of days; lowest since Wed 28 Oct',
    'Velocity50 to 62faster than 62 % of days; highest on record',
  ]);
  expect(screen.queryByRole('table')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'All twelve', expanded: false }));
  expect(within(screen.getByRole('table')).getAllByRole('rowheader')).toHaveLength(12);
  await userEvent.click(screen.getByRole('button', { name: 'All twelve', expanded: true }));
  expect(screen.queryByRole('table')).toBeNull();
});

test('what cannot be compared is said: no record, a short one, values that are missing', async () => {
  await open([{ at: iso(NOW), powers: all(0.5) }]);
  expect(screen.getByText('No earlier powers on record to compare with.')).toBeDefined();
  document.body.replaceChildren();
  await open([{ at: iso(CLOSE), powers: { ...all(0.5), 'D-08': null } }], iso(NOW - HOUR));
  expect(screen.getByRole('heading').textContent).toMatch(/^Moved most in one session/);
  expect(screen.getByText('1 of 12 cannot be compared: a value is missing.')).toBeDefined();
  expect(document.querySelector('.cached-note')?.textContent).toContain('13:30');
});

test('the factors are listed by name, each with its power, its move and their meaning', () => {
  const code = 'D-03' as const;
  const name = FACTOR_DIMENSIONS.find((dimension) => dimension.code === code)?.name ?? '';
  const move = { code, name, now: 0.8, before: 0.5, moved: 0.3, share: 0.4 };
  render(<MovedTable symbol="SPY" moves={[move]} />);
  const table = screen.getByRole('table', { name: /SPY/ });
  expect(within(table).getByRole('rowheader', { name })).toBeDefined();
  const cells = within(table)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(cells[0]).toBe(code);
  expect(cells[1]).toBe('80');
  expect(cells.at(-1)).not.toBe('');
});

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

  it('most are three at most, the largest first, none below .05', () => {
    expect(movedMost(movesOf(now, then)).map(({ name }) => name)).toEqual(['Chaos', 'Liquidity', 'Volatility']);
    expect(movedMost(movesOf(now, null))).toEqual([]);
  });

  it('each power has its text', () => {
    expect(texts.factors.describe('D-03', 0.949)).toBe('wilder than 94 % of days');
    expect(texts.factors.describe('D-01', 0.18)).toBe('thinner than 82 % of days');
    expect(texts.factors.describe('D-06', 0.44)).toBe('about usual');
    expect(texts.factors.describe('D-06', null)).toBe('no value');
  });
});

describe('the powers on record', () => {
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
