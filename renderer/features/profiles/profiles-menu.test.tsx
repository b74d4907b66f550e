// Test: the menu of profiles.
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { ProfilesMenu } from './profiles-menu.tsx';

const [sandbox] = profiles().profiles;
const state = profiles({
  profiles: [
    ...(sandbox === undefined ? [] : [sandbox, { ...sandbox, name: 'desk', high: 2 }]),
    ...(sandbox === undefined ? [] : [{ ...sandbox, name: 'old', enabled: false }]),
  ],
});

test('the menu of profiles lists the others that are on, and opens their windows', async () => {
  const { user, calls } = await renderInWindow(<ProfilesMenu />, {
    'profiles.read': () => state,
    'profiles.open': () => ({ address: null }),
  });
  await user.click(screen.getByRole('button', { name: /SANDBOX/ }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items[0]).toContain('This window');
  expect(items[1]).toContain('2 High Risk');
  expect(items.slice(2)).toEqual([
    'Add a production key',
    'Add your own prices',
    'Follow shares, with a key of your account',
    'Follow coins, without an account',
    'Rehearse a crash',
    'Profiles and keys in Settings',
  ]);
  await user.click(screen.getByRole('menuitem', { name: /^desk/ }));
  await waitFor(() => expect(calls).toEqual([{ name: 'profiles.open', input: { name: 'desk' } }]));
});

test('while Barograph itself is gone nothing of their status is known', async () => {
  const { user, services } = await renderInWindow(<ProfilesMenu />, { 'profiles.read': () => state });
  act(() => services.ingest({ kind: 'link', up: false, at: services.clock.now() }));
  await user.click(screen.getByRole('button', { name: /SANDBOX/ }));
  const [, desk] = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(desk).toMatch(/^desk.*Not known now$/);
  expect(desk).not.toContain('High Risk');
});
