// Test: the list over 30 days: its sentence a row, the keyboard, what a cell opens.
import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { State } from '../../../shared/domain/states.ts';
import { row, snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { takeChartDay } from '../../store/route.ts';
import { StateDaysView } from './state-days.tsx';

const LIST = { id: 'desk', name: 'Desk list', sections: [{ name: 'Core', symbols: ['SPY', 'QQQ', 'IWM'] }] };
const DAYS = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`);
/** Normal, but for these days, counted from 0. */
const states = (own: Readonly<Record<number, State | null>>) =>
  DAYS.map((_, index) => (index in own ? (own[index] ?? null) : 0));
/** The whole session, but for these days. */
const shares = (own: Readonly<Record<number, number>>) => DAYS.map((_, index) => own[index] ?? 1);

async function open() {
  const asked: unknown[] = [];
  const chosen: string[] = [];
  const rig = await createWindowRig({
    snapshot: snapshot({ watchlists: [LIST], selected: 'SPY', rows: [row('SPY', 0), row('QQQ', 2), row('IWM', 1)] }),
    handlers: {
      'states.days'(input) {
        asked.push(input);
        return {
          days: DAYS,
          rows: [
            {
              symbol: 'SPY',
              states: states({ 3: 2, 4: 2, 20: 2, 25: 1 }),
              shares: shares({ 4: 0.25, 20: 0.003, 25: 0 }),
            },
            { symbol: 'QQQ', states: states({ 0: null, 1: null, 9: 1 }), shares: shares({}) },
            { symbol: 'IWM', states: states({}), shares: shares({ 29: 0.5 }) },
          ],
        };
      },
      'watchlist.select'({ symbol }) {
        chosen.push(symbol);
        return {};
      },
    },
  });
  rig.render(<StateDaysView />);
  await rig.idle();
  return { asked, chosen, rig };
}

const rows = (): HTMLElement[] => within(screen.getByRole('grid')).getAllByRole('row').slice(1);

test('the list over 30 days asks for the shown list, and says one sentence a row', async () => {
  const { asked } = await open();
  expect(asked).toEqual([{ symbols: ['SPY', 'QQQ', 'IWM'] }]);
  expect(rows().map((one) => one.getAttribute('aria-label'))).toEqual([
    'SPY: High Risk on 3 of 30 days, last 21 Nov',
    'QQQ: Elevated on 1 of 30 days, last 10 Nov, no data on 2',
    'IWM: Normal on 30 of 30 days',
  ]);
});

test('the list over 30 days is one tab stop; arrows move over rows and days, Enter opens the day in the chart', async () => {
  const { chosen, rig } = await open();
  expect(rows().filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  act(() => rows()[0]?.focus());
  const user = userEvent.setup();
  await user.keyboard('{ArrowDown}{ArrowLeft}{ArrowLeft}');
  expect(screen.getByRole('status').textContent).toBe('QQQ, 28 Nov: Normal');
  await user.keyboard('{Enter}');
  await rig.idle();
  expect(chosen).toEqual(['QQQ']);
  expect(takeChartDay('QQQ')).toBe(Date.parse('2026-11-28'));
  expect(takeChartDay('QQQ')).toBeNull();
});

test('a click on a cell opens its day, one on the symbol the symbol alone', async () => {
  const { chosen, rig } = await open();
  await userEvent.click(screen.getByTitle('SPY, 4 Nov: High Risk'));
  await rig.idle();
  expect(takeChartDay('SPY')).toBe(Date.parse('2026-11-04'));
  await userEvent.click(screen.getByRole('rowheader', { name: 'IWM' }));
  await rig.idle();
  expect(takeChartDay('IWM')).toBeNull();
  expect(chosen).toEqual(['SPY', 'IWM']);
});

test('a cell says how long the state lasted, and is filled as high', async () => {
  await open();
  const filled = (title: string) => screen.getByTitle(title).querySelector('i')?.style.height;
  expect(filled('SPY, 4 Nov: High Risk')).toBe('100%');
  expect(filled('SPY, 5 Nov: High Risk for 25 % of the session')).toBe('25%');
  expect(filled('SPY, 21 Nov: High Risk for under 1 % of the session')).toBe('0.3%');
  expect(filled('SPY, 26 Nov: Elevated after the close')).toBe('0%');
  expect(filled('IWM, 30 Nov: Normal')).toBeUndefined();
});
