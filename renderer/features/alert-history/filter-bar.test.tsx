// Test: the filters of the alert history: chips that are pressed, menus that choose, words.
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { alert, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FILTERS_AT_FIRST, type Filters, type Line } from './filters.ts';
import { useView, view } from './view-store.ts';

let filters: Filters = FILTERS_AT_FIRST;
function Probe() {
  filters = useView((now) => now.filters);
  return null;
}
const line = { subject: { alert: alert(transition('SPY', 1, 2, T0), 1) } } as unknown as Line;

async function open() {
  const rig = await renderInWindow(
    <>
      <FilterBar lines={[line]} />
      <Probe />
    </>,
  );
  const choose = async (chip: RegExp, option: string): Promise<void> => {
    await rig.user.click(screen.getByRole('button', { name: chip }));
    await rig.user.click(await screen.findByRole('menuitemradio', { name: option }));
  };
  return { ...rig, choose };
}
const isPressed = (name: string): boolean =>
  screen.getByRole('button', { name }).getAttribute('aria-pressed') === 'true';

beforeEach(() => view.filter(FILTERS_AT_FIRST));

test('states are pressed and released', async () => {
  const { user } = await open();
  expect(['High Risk', 'Elevated', 'Normal'].map(isPressed)).toEqual([true, true, false]);
  await user.click(screen.getByRole('button', { name: 'Elevated' }));
  await user.click(screen.getByRole('button', { name: 'Normal' }));
  expect(['High Risk', 'Elevated', 'Normal'].map(isPressed)).toEqual([true, false, true]);
  expect(filters.states).toEqual([2, 0]);
});

test('list, regime, class and days are chosen from menus, and each chip says what is chosen', {
  tags: ['long'],
}, async () => {
  const { choose } = await open();
  await choose(/^List: any watched/, 'Desk list');
  await choose(/^Regime: any/, 'Stress');
  await choose(/^Class: any/, 'ETF');
  await choose(/^90 days/, 'All time');
  expect(filters).toMatchObject({ list: 'desk', regime: 'stress', assetClass: 'etf', days: null });
  for (const name of [/^List: Desk list/, /^Regime: Stress/, /^Class: ETF/, /^All time/])
    expect(screen.getByRole('button', { name })).toBeDefined();
  await choose(/^Regime: Stress/, 'any');
  expect(filters.regime).toBeNull();
});

test('suppressed alerts are left out on request', async () => {
  const { user } = await open();
  expect(isPressed('Include suppressed')).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Include suppressed' }));
  expect([isPressed('Include suppressed'), filters.suppressed]).toEqual([false, false]);
});

test('the key / goes to the words, and Escape clears them', async () => {
  const { user } = await open();
  await user.keyboard('/');
  await user.keyboard('spy');
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Filter by symbol or word' }));
  expect(filters.text).toBe('spy');
  await user.keyboard('{Escape}');
  expect([filters.text, document.activeElement]).toEqual(['', document.body]);
});
