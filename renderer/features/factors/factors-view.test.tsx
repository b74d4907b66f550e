// Test: comparisons of powers name the time of the compared powers, not the requested time.
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { FACTOR_CODES, FACTOR_DIMENSIONS } from '../../../shared/domain/factors.ts';
import { iso, row, snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { FactorsView } from './factors-view.tsx';

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
