// Test: the chosen symbol at a past moment.
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { requestChartDay } from '../../store/route.ts';
import { readShownMoment, showMoment } from '../../store/shown-moment.ts';
import { resetViewState } from '../../store/view-state.ts';
import { PricePanel } from './price-panel.tsx';

vi.mock('../../charts/price-chart-view.tsx', () => ({ PriceChartView: () => null }));

const DAY = 86_400_000;
const points = Array.from({ length: 60 }, (_, index) => ({
  at: iso(T0 - (60 - index) * DAY),
  ...({ price: 100, state: 0, regime: 'stress', confidence: null, base_rate: null } as const),
}));
beforeEach(resetViewState);

async function open(at: number) {
  const rig = await createWindowRig({
    handlers: { 'timeline.read': () => ({ symbol: 'SPY', points, transitions: [] }) },
  });
  showMoment(at);
  rig.render(<PricePanel symbol="SPY" />);
  await rig.idle();
  return rig;
}
const chartShows = (): string | undefined => screen.getByText(/^The chart shows/).textContent;

test('before the first day of a symbol nothing is known of it; the control says the moment that is shown', async () => {
  await open(T0 - 70 * DAY);
  expect(screen.getByText('Nothing is known of SPY then.')).toBeDefined();
  expect(document.body.textContent).not.toContain('1970');
  expect(screen.getByRole('slider', { name: 'Day shown' }).getAttribute('aria-valuetext')).toBe('Thu 10 Sep 15:37');
});

test('a chosen range of the past stays, also one that ends before the shown moment, until that moves', async () => {
  const rig = await open(T0 - 9.5 * DAY);
  const whole = chartShows();
  fireEvent.keyDown(document.body, { key: '+' });
  await rig.idle();
  const zoomed = chartShows();
  expect(zoomed).not.toBe(whole);
  fireEvent.change(screen.getByRole('slider', { name: 'Day shown' }), { target: { value: '54' } });
  await rig.idle();
  expect(chartShows()).not.toBe(zoomed);
});

test('a day that another page asks for is shown at a past moment after it, and leads to now from one within it', async () => {
  const day = Date.parse(iso(T0 - 30 * DAY).slice(0, 10));
  requestChartDay({ symbol: 'SPY', day });
  const rig = await open(T0 - 10 * DAY);
  expect(chartShows()).toBe('The chart shows Fri 9 Oct to Thu 29 Oct.');
  act(() => requestChartDay({ symbol: 'SPY', day }));
  expect(readShownMoment()).not.toBeNull();
  act(() => {
    showMoment(day + DAY / 2);
    requestChartDay({ symbol: 'SPY', day });
  });
  expect(readShownMoment()).toBeNull();
  await rig.idle();
});
