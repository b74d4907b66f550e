// Test: the list of mutes.

import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { MutedView } from './muted-view.tsx';

const mute: Alerting['mutes'][number] = {
  id: 4,
  kind: 'snooze',
  matchers: symbolMatchers(['SPY']),
  until: 'recovery',
  from: iso(T0),
  until_at: null,
  comment: 'Earnings',
  made_at: iso(T0),
  pending_count: 2,
};

async function open(mutes: Alerting['mutes'], edits: unknown[] = []) {
  const rig = await createWindowRig({
    handlers: {
      'silences.edit'(input) {
        edits.push(input);
        return {};
      },
      'mutes.end': () => {
        throw new Error('The mute has ended already.');
      },
    },
  });
  const alerting = { rules: [], mutes, pending_count: 0, quiet: null, is_quiet: false } as unknown as Alerting;
  rig.render(<MutedView alerting={alerting} />);
  await rig.idle();
  return rig;
}

test('each mute is listed; a button ends it, and a refusal is shown in its row', async () => {
  const rig = await open([mute]);
  const row = screen.getByRole('rowheader', { name: 'SPY' }).closest('tr') as HTMLElement;
  expect(row.textContent).toContain('Earnings');
  await userEvent.click(within(row).getByRole('button'));
  await rig.idle();
  expect(rig.inputs('mutes.end')).toEqual([{ id: 4 }]);
  expect(row.textContent).toContain('The mute has ended already.');
});

const silence = {
  ...mute,
  kind: 'silence' as const,
  matchers: [{ name: 'class' as const, operator: 'is' as const, values: ['etf' as const] }],
  until: 'time' as const,
  from: '2026-03-02T14:00:00.000Z',
  until_at: iso(T0 + 1_800_000),
};

test('a silence by class says what it covers now, and is extended from its row', async () => {
  const edits: unknown[] = [];
  const rig = await open([silence], edits);
  const row = screen.getByRole('rowheader', { name: /^ETFs/ });
  expect(row.textContent).toMatch(/^ETFs\d+ symbols/);
  await userEvent.click(screen.getByRole('button', { name: 'Extend the silence: ETFs' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /^by 1 hour/ }));
  await rig.idle();
  expect(edits).toEqual([
    {
      id: 4,
      silence: { matchers: silence.matchers, from: silence.from, until: iso(T0 + 5_400_000), comment: 'Earnings' },
    },
  ]);
});

test('a silence is edited in a dialog that begins as it is; a snooze has no such button', async () => {
  const edits: unknown[] = [];
  const rig = await open([silence, { ...mute, id: 5 }], edits);
  expect(screen.getAllByRole('button', { name: /^Edit the silence/ })).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Edit the silence: ETFs' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Edit the silence' }));
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: 'ETFs' }).checked).toBe(true);
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Crypto' }));
  const comment = dialog.getByRole('textbox', { name: /^Comment/ });
  await userEvent.clear(comment);
  await userEvent.type(comment, 'Roll');
  await userEvent.click(dialog.getByRole('button', { name: 'Save silence' }));
  await rig.idle();
  expect(edits).toMatchObject([
    { id: 4, silence: { matchers: [{ name: 'class', values: ['etf', 'crypto'] }], from: null, comment: 'Roll' } },
  ]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the list of mutes says that nothing is muted', async () => {
  await open([]);
  expect(screen.queryByRole('table')).toBeNull();
});
