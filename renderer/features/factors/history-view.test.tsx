// Test: two years of factors: lines, a table by month, a file, and reasons for a missing history.
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { FactorPoint } from '../../../shared/channels/queries.ts';
import type { Row } from '../../../shared/channels/state.ts';
import { FACTOR_CODES } from '../../../shared/domain/factors.ts';
import { iso, row, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { refuse } from '../../../test/harness/window.tsx';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { FactorHistoryView } from './history-view.tsx';

const DAY = 86_400_000;
const pointAt = (daysAgo: number, power: number): FactorPoint => ({
  at: iso(T0 - daysAgo * DAY),
  powers: Object.fromEntries(
    FACTOR_CODES.map((code) => [code, code === 'D-03' ? power : 0.5]),
  ) as FactorPoint['powers'],
});
const POINTS = [pointAt(40, 0.1), pointAt(2, 0.6), pointAt(1, 0.9)];

async function open(points: readonly FactorPoint[] | 'refused' = POINTS, coverage: Row['coverage'] = 'full') {
  const rig = await createWindowRig({
    snapshot: snapshot({ rows: [row('SPY', 0, { coverage })] }),
    handlers: {
      'factors.read': () => refuse('Not now.'),
      'factors.page': () =>
        points === 'refused'
          ? refuse('The plan ends here.')
          : { symbol: 'SPY', points: [...points], next: null, cached_at: iso(T0) },
    } as never,
  });
  rig.render(<FactorHistoryView symbol="SPY" turnAt={null} />);
  await rig.advance(200);
  await rig.idle();
  return rig;
}
const slider = (): HTMLElement => screen.getByRole('slider', { name: 'SPY, factors day by day' });

test('the figure says from when to when and what is strongest; arrows read day by day', async () => {
  await open();
  const figure = screen.getByRole('figure', { name: 'SPY: the twelve factors over two years' });
  expect(within(figure).getByText(/^SPY, 3 days from .*; strongest on the last of them is /)).toBeDefined();
  expect(slider().getAttribute('aria-valuetext')).toMatch(/ 90\b/);
  slider().focus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(slider().getAttribute('aria-valuetext')).toMatch(/ 60\b/);
  await userEvent.keyboard('{Home}');
  expect(slider().getAttribute('aria-valuetext')).toMatch(/ 10\b/);
});

test('the history as a table: the last day of each month', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Table' }));
  const table = screen.getByRole('table', { name: 'SPY: Month by month' });
  expect(within(table).getAllByRole('rowheader')).toHaveLength(2);
  expect(screen.queryByRole('figure')).toBeNull();
});

test('the history as a CSV file', async () => {
  const saved: string[] = [];
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await open();
  await userEvent.click(screen.getByRole('button', { name: /Export factors/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /CSV/ }));
  expect(saved).toEqual(['SPY-factors.csv']);
});

test('the reason why there is no history: no signal, an empty record, a refusal that can be tried again', async () => {
  await open(POINTS, 'regime_only');
  expect(screen.getByText(/^SPY has a regime and no signal here/)).toBeDefined();
  document.body.replaceChildren();
  await open([]);
  expect(screen.getByText('The service has no factor history of SPY.')).toBeDefined();
  document.body.replaceChildren();
  const rig = await open('refused');
  expect(screen.getByText(/The plan ends here\./)).toBeDefined();
  const before = rig.inputs('factors.page').length;
  await userEvent.click(screen.getByRole('button', { name: /Retry|Try again/ }));
  await rig.idle();
  expect(rig.inputs('factors.page').length).toBeGreaterThan(before);
});
