// Test: the chosen symbol at a past moment.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { showMoment } from '../../store/shown-moment.ts';
import { PricePanel } from './price-panel.tsx';

const DAY = 86_400_000;
const points = [3, 2, 1].map((daysAgo) => ({
  at: iso(T0 - daysAgo * DAY),
  ...({ price: 100, state: 0, regime: 'stress', confidence: null, base_rate: null } as const),
}));

test('before the first day of a symbol nothing is known of it; the control says the moment that is shown', async () => {
  const rig = await createWindowRig({
    handlers: { 'timeline.read': () => ({ symbol: 'SPY', points, transitions: [] }) },
  });
  showMoment(T0 - 5 * DAY);
  rig.render(<PricePanel symbol="SPY" />);
  await rig.idle();
  expect(screen.getByText('Nothing is known of SPY then.')).toBeDefined();
  expect(document.body.textContent).not.toContain('1970');
  expect(screen.getByRole('slider', { name: 'Day shown' }).getAttribute('aria-valuetext')).toBe('Sat 14 Nov 14:37');
});
