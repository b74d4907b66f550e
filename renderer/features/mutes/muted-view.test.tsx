// Test: the list of mutes.
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { MutedView } from './muted-view.tsx';

const mute: Alerting['mutes'][number] = {
  id: 4,
  kind: 'snooze',
  symbols: ['SPY'],
  until: 'recovery',
  from: iso(T0),
  until_at: null,
  comment: 'Earnings',
  made_at: iso(T0),
  pending_count: 2,
};

async function open(mutes: Alerting['mutes']) {
  const rig = await createWindowRig({
    handlers: {
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

test('lists each mute; a button ends it, and a refusal is shown in its row', async () => {
  const rig = await open([mute]);
  const row = screen.getByRole('rowheader', { name: 'SPY' }).closest('tr') as HTMLElement;
  expect(row.textContent).toContain('Earnings');
  await userEvent.click(within(row).getByRole('button'));
  await rig.idle();
  expect(rig.inputs('mutes.end')).toEqual([{ id: 4 }]);
  expect(row.textContent).toContain('The mute has ended already.');
});

test('says that nothing is muted', async () => {
  await open([]);
  expect(screen.queryByRole('table')).toBeNull();
});
