// Test: the inbox during an outage summarizes the last known states.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
import { connection, iso, row, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { OutageInbox } from './outage-inbox.tsx';

async function textWith(rows: ReturnType<typeof row>[]): Promise<string | null | undefined> {
  const outage = { since: iso(T0), cause: plainMessage('It does not answer.') };
  const rig = await createWindowRig({ snapshot: snapshot({ rows, connection: connection({ outage }) }) });
  rig.render(<OutageInbox needsYou={[]} />);
  await rig.idle();
  return screen.getByText(/could change state unnoticed/).closest('p')?.textContent;
}

test('names what was High Risk and Elevated', async () => {
  expect(await textWith([row('SPY', 2), row('QQQ', 1), row('IWM', 0)])).toBe(
    '3 symbols could change state unnoticed.SPY was High Risk, 1 was Elevated.',
  );
});

test('says that all were Normal', async () => {
  expect(await textWith([row('SPY', 0), row('QQQ', 0)])).toBe(
    '2 symbols could change state unnoticed.None was High Risk or Elevated.',
  );
});

test('counts nothing where no state was ever received', async () => {
  const never = row('SPY', 0, { coverage: 'unknown', signal: null, regime: null, received_at: null });
  expect(await textWith([never])).toBe('Any symbol could change state unnoticed.');
  expect(screen.getByText('Nothing was ever received.')).toBeDefined();
  expect(screen.queryByText('Nothing needed attention.')).toBeNull();
});
