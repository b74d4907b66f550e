// Test: the list of profiles.
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ProfileEntry } from '../../../shared/channels/profiles.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { ProfilesSection } from './profiles-section.tsx';

const desk: ProfileEntry = {
  name: 'desk',
  environment: 'production',
  source: { kind: 'remote', url: 'https://signals.example/v1', mode: 'bearer' },
  enabled: true,
  status: 'offline',
  message: plainMessage('The service does not answer.'),
  replay: false,
  high: 2,
  key: null,
};

async function open(more: Partial<ProfileEntry> = {}) {
  const state = profiles();
  return renderInWindow(<ProfilesSection />, {
    'profiles.read': () => ({ ...state, profiles: [...state.profiles, { ...desk, ...more }] }),
    'profiles.enable': () => ({}),
    'profiles.open': () => ({ address: null }),
  });
}
const rowOf = (name: string) => {
  const row = screen.getByRole('rowheader', { name: new RegExp(`^${name}`) }).closest('tr');
  if (row === null) throw new Error('The head is in no row.');
  return within(row);
};

test('every profile is listed with source and status; the one of this window has no actions', async () => {
  await open();
  const row = rowOf('desk');
  expect(row.getByText(/signals\.example/)).toBeDefined();
  expect(row.getByText('The service does not answer.')).toBeDefined();
  expect(row.getByText(/2/)).toBeDefined();
  expect(rowOf('sandbox').queryAllByRole('button')).toEqual([]);
  expect(row.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Open', 'Turn off', 'Remove']);
});

test('a profile that starts is opened as any other', async () => {
  const { user, calls } = await open({ status: 'opening' });
  expect(rowOf('desk').getByText('Opening')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Open the window of desk' }));
  expect(calls).toEqual([{ name: 'profiles.open', input: { name: 'desk' } }]);
});

test('a profile whose service has states of its own says what they mean', async () => {
  await open({
    source: { kind: 'remote', url: 'https://signals.example', mode: 'auto', states: { 1: 'high_risk', ok: 'normal' } },
  });
  expect(rowOf('desk').getByText('States: 1 = High Risk, ok = Normal')).toBeDefined();
});

test('a profile is turned off, and on again', async () => {
  const { user, calls, unmount } = await open();
  await user.click(screen.getByRole('button', { name: 'Turn off desk' }));
  expect(calls).toEqual([{ name: 'profiles.enable', input: { name: 'desk', enabled: false } }]);
  unmount();
  const off = await open({ enabled: false, status: 'off' });
  expect(screen.queryByRole('button', { name: 'Open the window of desk' })).toBeNull();
  await off.user.click(screen.getByRole('button', { name: 'Turn on desk' }));
  expect(off.calls).toEqual([{ name: 'profiles.enable', input: { name: 'desk', enabled: true } }]);
});
