// Test: the meters of the quota, what they warn of, and what the calls are for.
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ConnectionDetails, Quota } from '../../../shared/channels/connection.ts';
import { iso, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { QuotaPanel } from './quota-panel.tsx';

const DAY = 86_400_000;
const QUOTA: Quota = {
  month: { limit: 100_000, used: 40_000, left_ms: 10 * DAY },
  burst: { limit: 20, used: 3 },
  minute: null,
  overage: 0,
  capped_until: null,
  counted: true,
  slowed: 1,
};

async function show(quota: Partial<Quota>, more: Partial<ConnectionDetails> = {}, profile = snapshot().profile) {
  const details = {
    quota: { ...QUOTA, ...quota },
    calls: [
      { cause: 'signals', made: 40, per_hour: 240 },
      { cause: 'webhooks', made: 2, per_hour: 12 },
    ],
    counted_for: { ms: 1_200_000, enough: true },
    polling: { events: 1_000, signals: 60_000 },
    ...more,
  } as ConnectionDetails;
  const rig = await createWindowRig({ snapshot: snapshot({ profile }) });
  rig.render(<QuotaPanel details={details} />);
}
const linesOf = (table: string): (string | null)[][] =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .map((row) => [
      within(row).getByRole('rowheader').textContent,
      within(row).getAllByRole('cell').at(-1)?.textContent ?? null,
    ]);
const warnings = (): (string | null)[] =>
  [...document.querySelectorAll('.quota-warning')].map(({ textContent }) => textContent);

test('the month, its end at this pace, and the purposes of the calls, most first', async () => {
  await show({});
  expect(linesOf('Quota')).toEqual([
    ['This month', '40,000 of 100,000'],
    ['Month-end, at this pace', '100,480'],
    ['Remaining per day', '6,000'],
    ['Burst', '3 of 20'],
  ]);
  expect(linesOf('Usage, calls per hour now')).toEqual([
    ['Signals, safety poll', '240'],
    ['Webhooks', '12'],
  ]);
  expect(warnings()).toEqual(['At this pace the month ends 480 calls over the plan.']);
});

test('in its first ten minutes the quota has calls in total, no forecast, and says why', async () => {
  await show({}, { counted_for: { ms: 120_000, enough: false } });
  expect(linesOf('Quota')[1]).toEqual(['Month-end, at this pace', 'after ten minutes']);
  expect(linesOf('Usage, calls since the start, 2\u00a0min')[0]).toEqual(['Signals, safety poll', '40']);
  expect(screen.getByText(/^Starting uses more calls than an hour of running\./)).toBeDefined();
  expect(warnings()).toEqual([]);
});

test('the worst first: the hard cap, the bill, the slower polling', async () => {
  await show({ capped_until: iso(T0 + DAY), overage: 12, slowed: 4 });
  expect(warnings()).toEqual([
    expect.stringMatching(/^The hard cap is reached\. Calls are accepted again from /),
    '12 calls over the plan this month; they are billed.',
    expect.stringMatching(/^Signals are polled every 1\u00a0min /),
  ]);
});

test('a sandbox counts nothing; a service without a quota says so; no calls yet', async () => {
  await show({ counted: false });
  expect(screen.getByText('sandbox: calls are not counted')).toBeDefined();
  expect(linesOf('Quota')).toEqual([['Burst', '3 of 20']]);
  document.body.replaceChildren();
  await show({ month: null, burst: null }, { calls: [] });
  expect(screen.getByText('The service reports no quota.')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByText('No calls yet.')).toBeDefined();
});
