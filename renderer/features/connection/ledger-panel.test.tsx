// Test: the ledger's size and policy on the section Connection.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DEFAULT_LEDGER_RETENTION, type LedgerDetails } from '../../../shared/channels/ledger.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, renderInWindow } from '../../../test/harness/window.tsx';
import { LedgerPanel } from './ledger-panel.tsx';

const DETAILS: LedgerDetails = {
  bytes: 12_582_912,
  events: 15_000,
  removed: 1,
  oldest: iso(T0 - 86_400_000),
  retention: DEFAULT_LEDGER_RETENTION,
};
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const save = () => screen.getByRole('button', { name: 'Save' });

async function open(handlers: CoreHandlers = {}) {
  const rig = await renderInWindow(<LedgerPanel />, {
    'ledger.read': () => DETAILS,
    'ledger.retention': () => ({}),
    ...handlers,
  });
  await screen.findByRole('textbox', { name: 'Keep events for' });
  return rig;
}

test('the panel of the ledger shows its size, its number of events and what was removed', async () => {
  await open();
  const panel = screen.getByRole('region', { name: 'Ledger' });
  expect(within(panel).getByText('12.0 MB, 15,000 events')).toBeDefined();
  expect(within(panel).getByText('1 event')).toBeDefined();
  expect([field('Keep events for').value, field('Largest size').value]).toEqual(['400', '1024']);
});

test('age and size are saved together; age can be switched off, size cannot', async () => {
  const { user, calls } = await open();
  await user.click(screen.getByRole('checkbox', { name: 'Keep events for forever' }));
  expect(field('Keep events for').disabled).toBe(true);
  expect(screen.queryByRole('checkbox', { name: /Largest/ })).toBeNull();
  await user.clear(field('Largest size'));
  await user.type(field('Largest size'), '200');
  await user.click(save());
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(calls).toEqual([{ name: 'ledger.retention', input: { retention: { days: null, megabytes: 200 } } }]);
});

test('limits that are too small are not sent', async () => {
  const { user, calls } = await open();
  await user.clear(field('Keep events for'));
  await user.type(field('Keep events for'), '29');
  await user.clear(field('Largest size'));
  await user.type(field('Largest size'), '49');
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Whole days, from 30 to 36,500.',
      'Whole megabytes, from 50 to 100,000.',
    ]),
  );
  await user.click(save());
  expect(calls).toEqual([]);
});
