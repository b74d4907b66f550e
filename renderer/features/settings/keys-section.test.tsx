// Test: the key of a profile: its state, and forgetting it.
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { KeyState } from '../../../shared/channels/keys.ts';
import { keyState, profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { type CoreHandlers, renderInWindow } from '../../../test/harness/window.tsx';
import { KeysSection } from './keys-section.tsx';

const open = async (more: Partial<KeyState> = {}, handlers: CoreHandlers = {}) => {
  const rig = await renderInWindow(<KeysSection />, {
    'key.state': () => keyState(more),
    'key.forget': () => keyState(),
    'profiles.read': () => profiles(),
    ...handlers,
  });
  await rig.idle();
  return rig;
};
const press = (name: string) => screen.getByRole('button', { name });

test('shows the end of the key, where it is and how old it is', async () => {
  await open();
  expect(screen.getByText('svc_live_… 3f9c')).toBeDefined();
  expect(screen.getByText("the system's keychain")).toBeDefined();
  expect(screen.getByText(/18/)).toBeDefined();
});

test('forgetting asks first: Cancel keeps the key, and the focus returns', async () => {
  const { user, calls } = await open();
  await user.click(press('Forget the key'));
  const dialog = screen.getByRole('dialog', { name: 'Forget the key' });
  expect(dialog.textContent).toContain('3f9c');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(press('Forget the key'));
  expect(calls).toEqual([]);
});

test('a forgotten key is read again', async () => {
  const { user, calls, inputs } = await open();
  const reads = inputs('key.state').length;
  await user.click(press('Forget the key'));
  await user.click(press('Forget key'));
  expect(calls).toEqual([{ name: 'key.forget', input: { lost: false } }]);
  expect(inputs('key.state').length).toBeGreaterThan(reads);
});

test('where the passphrase is lost, the keys are given up after two questions', async () => {
  const { user, calls } = await open({ status: 'locked', ending: null });
  await user.click(press('The passphrase is lost'));
  expect(screen.getByRole('dialog').textContent).toContain('and so do the keys of other profiles');
  await user.click(press('Give them up'));
  expect(calls).toEqual([]);
  expect(screen.getByRole('dialog').textContent).toContain('This cannot be undone');
  await user.click(screen.getByRole('button', { name: /^Give up the keys of / }));
  expect(calls).toEqual([{ name: 'key.forget', input: { lost: true } }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('without a key there is nothing to move or forget', async () => {
  await open({ status: 'none' as KeyState['status'], prefix: null, ending: null, age_days: null } as Partial<KeyState>);
  expect(screen.queryByRole('button', { name: 'Forget the key' })).toBeNull();
});
