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
/** Normal, but for these days, counted from 0: shares at High Risk and Elevated; null: no record. */
const cells = (own: Readonly<Record<number, readonly [state: State, high: number, elevated: number] | null>>) =>
  DAYS.map((_, index) => {
    const [state, high, elevated] = index in own ? (own[index] ?? [null, 0, 0]) : ([0, 0, 0] as const);
    return state === null ? null : { state, high, elevated };
  });

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
              symbol: 'QQQ',
              cells: cells({ 0: null, 1: null, 9: [1, 0, 0.5] }),
              alerts: 0,
              fell: 0,
              decided: 0,
              open: 0,
            },
            {
              symbol: 'SPY',
              cells: cells({ 3: [2, 1, 0], 4: [2, 0.25, 0.5], 20: [2, 0.003, 0], 25: [1, 0, 0] }),
              alerts: 3,
              fell: 1,
              decided: 2,
              open: 1,
            },
            { symbol: 'IWM', cells: cells({}), alerts: 1, fell: 0, decided: 0, open: 1 },
          ],
        };
      },
      'states.day': ({ day }) => ({
        from: `${day}T14:30:00.000Z`,
        to: `${day}T18:00:00.000Z`,
        high: 0,
        unknown: 0,
        changes:
          day === '2026-11-04'
            ? [{ symbol: 'SPY', at: '2026-11-04T14:41:00.000Z', from_state: 0, to_state: 2, high: 1 }]
            : [],
        left_out: 0,
      }),
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

test('the list over 30 days asks for the shown list; longest at High Risk first, one sentence a row', async () => {
  const { asked } = await open();
  expect(asked).toEqual([{ symbols: ['SPY', 'QQQ', 'IWM'] }]);
  expect(rows().map((one) => one.getAttribute('aria-label'))).toEqual([
    'SPY: High Risk on 3 of 30 days, last 21 Nov',
    'QQQ: Elevated on 1 of 30 days, last 10 Nov, no record of 2',
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

test('a click on a cell chooses its day, which tells what happened; a double click opens it, a symbol is one click', async () => {
  const { chosen, rig } = await open();
  const day = () => screen.getByRole('complementary', { name: 'The chosen day' });
  expect(within(day()).getByRole('heading', { level: 2 }).textContent).toBe('Mon 30 Nov, until 13:00');
  expect(within(day()).getByText('No state changed.')).toBeDefined();
  await userEvent.click(screen.getByTitle('SPY, 4 Nov: High Risk all session'));
  await rig.idle();
  expect(within(day()).getByRole('heading', { level: 2 }).textContent).toBe('Wed 4 Nov');
  expect(within(day()).getByText('From 0 to 1 at High Risk')).toBeDefined();
  expect(within(day()).getByRole('listitem').textContent).toBe('09:41 SPY Normal to High Risk');
  expect(within(day()).getByText('QQQ, IWM')).toBeDefined();
  expect(takeChartDay('SPY')).toBeNull();
  await userEvent.dblClick(screen.getByTitle('SPY, 4 Nov: High Risk all session'));
  await rig.idle();
  expect(takeChartDay('SPY')).toBe(Date.parse('2026-11-04'));
  await userEvent.click(screen.getByRole('rowheader', { name: 'IWM' }));
  await rig.idle();
  expect(takeChartDay('IWM')).toBeNull();
  expect(chosen).toEqual(['SPY', 'IWM']);
});

test('a cell is filled by the time in each state, and says it; the row counts time, alerts and falls', async () => {
  await open();
  const filled = (title: string) =>
    [...screen.getByTitle(title).querySelectorAll('i')].map((part) => `${part.className} ${part.style.height}`);
  expect(filled('SPY, 4 Nov: High Risk all session')).toEqual(['high 100%']);
  expect(filled('SPY, 5 Nov: High Risk for 25 % of the session, Elevated for 50 % of the session')).toEqual([
    'high 25%',
    'elevated 50%',
  ]);
  expect(filled('SPY, 21 Nov: High Risk for under 1 % of the session')).toEqual(['high 0.3%']);
  expect(filled('SPY, 26 Nov: Elevated after the close')).toEqual([]);
  expect(screen.getByTitle('QQQ, 1 Nov: No record').className).toContain('is-none');
  const numbers = rows().map((one) => [...one.querySelectorAll('.days-number')].map(({ textContent }) => textContent));
  expect(numbers).toEqual([
    ['1.3\u00a0d', '3', '1 of 2'],
    ['–', '–', '–'],
    ['–', '1', 'open'],
  ]);
  expect(screen.getByText('At most 1 of 3 were High Risk, on 21 Nov; 1 % of the time')).toBeDefined();
});
