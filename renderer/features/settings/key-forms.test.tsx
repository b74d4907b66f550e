// Test: the forms that replace, move and unlock a key.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { KeyState } from '../../../shared/channels/keys.ts';
import type { Profiles } from '../../../shared/channels/profiles.ts';
import { message, plainMessage, textOf } from '../../../shared/text/message.ts';
import { keyState, profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { type CoreHandlers, refuse, refuseWith, renderInWindow } from '../../../test/harness/window.tsx';
import { ChangeKey, MoveKey, OpenVault } from './key-forms.tsx';
import { KeysSection } from './keys-section.tsx';

const UNTRIED = message('key.untried_unchanged', { why: 'No answer.' });

const press = (name: string) => screen.getByRole('button', { name });
const key = () => screen.getByLabelText<HTMLInputElement>('Key');
const alerts = () => screen.queryAllByRole('alert').map((each) => each.textContent);

async function openChange(handlers: CoreHandlers = {}, state: KeyState = keyState(), more: Partial<Profiles> = {}) {
  const results: string[] = [];
  const rig = await renderInWindow(
    <ChangeKey
      state={state}
      profiles={profiles(more)}
      environment="production"
      onDone={(result) => results.push(result)}
    />,
    { 'key.set': () => keyState({ ending: 'beef' }), ...handlers },
  );
  return { ...rig, results };
}

test('a new key is tested before it replaces the old one', async () => {
  const { user, calls, results } = await openChange();
  await user.type(key(), ' svc_live_0123456789beef ');
  await user.click(press('Test and save'));
  await waitFor(() => expect(results).toEqual(["Key …beef is saved in the system's keychain."]));
  expect(calls).toEqual([
    { name: 'key.set', input: { key: 'svc_live_0123456789beef', accepted: true, tier: 'keychain' } },
  ]);
});

test('a key of the sandbox is refused while typing, and is not sent', async () => {
  const { user, calls } = await openChange();
  await user.type(key(), 'svc_test_0123');
  expect(alerts()[0]).toContain('This is a sandbox key. Nothing was sent.');
  await user.click(press('Test and save'));
  await waitFor(() => expect(document.activeElement).toBe(key()));
  expect(calls).toEqual([]);
});

test('the form of a key requires one, and a passphrase that is long enough', async () => {
  const { user, calls } = await openChange();
  await user.click(screen.getByRole('radio', { name: 'A file protected by a passphrase' }));
  await user.type(screen.getByLabelText('New passphrase, at least 8 characters'), 'short');
  await user.click(press('Test and save'));
  await waitFor(() => expect(alerts()).toEqual(['Paste a key.', 'At least 8 characters.']));
  await user.type(screen.getByLabelText('New passphrase, at least 8 characters'), ' no more');
  await user.type(key(), 'svc_live_1');
  await waitFor(() => expect(alerts()).toEqual([]));
  await user.click(press('Test and save'));
  await waitFor(() =>
    expect(calls).toMatchObject([{ input: { key: 'svc_live_1', tier: 'passphrase', passphrase: 'short no more' } }]),
  );
});

test('a key that could not be tested can be saved untested', async () => {
  const { user, calls, results } = await openChange({
    'key.set': ({ accepted }) => (accepted ? refuseWith(UNTRIED) : keyState()),
  });
  await user.type(key(), 'svc_live_1');
  await user.click(press('Test and save'));
  expect((await screen.findByRole('alert')).textContent).toBe(textOf(UNTRIED));
  await user.click(press('Save without testing'));
  await waitFor(() => expect(results.length).toBe(1));
  expect(calls.map(({ input }) => (input as { accepted: boolean }).accepted)).toEqual([true, false]);
});

test('an untested key that is refused stays in its field, with the reason; the next one is tested', async () => {
  const { user, calls, results } = await openChange({
    'key.set': ({ accepted }) => (accepted ? refuseWith(UNTRIED) : refuse('The keychain is locked.')),
  });
  await user.type(key(), 'svc_live_1');
  await user.click(press('Test and save'));
  await user.click(await screen.findByRole('button', { name: 'Save without testing' }));
  expect((await screen.findByText('The keychain is locked.')).getAttribute('role')).toBe('alert');
  expect([key().value, results]).toEqual(['svc_live_1', []]);
  await user.type(key(), '2{Enter}');
  await waitFor(() =>
    expect(calls.map(({ input }) => (input as { accepted: boolean }).accepted)).toEqual([true, false, true]),
  );
});

test('a refused key stays in its field, with the reason', async () => {
  const { user } = await openChange({ 'key.set': () => refuse('The service does not accept this key.') });
  await user.type(key(), 'svc_live_1');
  await user.click(press('Test and save'));
  expect((await screen.findByRole('alert')).textContent).toBe('The service does not accept this key.');
  expect(key().value).toBe('svc_live_1');
  expect(screen.queryByRole('button', { name: 'Save without testing' })).toBeNull();
});

test('the first key of a profile is not compared with an old one', async () => {
  const { user, calls } = await openChange({}, keyState({ ending: null, status: 'none' }));
  await user.type(key(), 'svc_live_1');
  await user.click(press('Test and save'));
  await waitFor(() => expect(calls).toMatchObject([{ input: { accepted: false } }]));
});

test('a key moves to another tier; a refusal is shown', async () => {
  const results: string[] = [];
  let refusals = 1;
  const { user, calls } = await renderInWindow(
    <MoveKey state={keyState()} profiles={profiles()} onDone={(result) => results.push(result)} />,
    {
      'key.move': () =>
        refusals-- > 0
          ? refuse('The keychain is locked.')
          : keyState({ tier: 'session', tier_label: plainMessage('memory') }),
    },
  );
  await user.click(screen.getByRole('radio', { name: 'Only until Barograph quits' }));
  await user.click(press('Move key'));
  expect((await screen.findByRole('alert')).textContent).toBe('The keychain is locked.');
  await user.click(press('Move key'));
  await waitFor(() => expect(results).toEqual(['The key is now stored in memory.']));
  expect(calls[1]).toEqual({ name: 'key.move', input: { tier: 'session' } });
});

test('the vault opens by its passphrase; a wrong one is refused at the field', async () => {
  const results: string[] = [];
  const { user, calls } = await renderInWindow(<OpenVault onDone={(result) => results.push(result)} />, {
    'key.unlock': ({ passphrase }) => (passphrase === 'right one' ? keyState() : refuse('This does not open it.')),
  });
  const field = screen.getByLabelText<HTMLInputElement>('Passphrase');
  await user.type(field, 'short{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('At least 8 characters.');
  expect(calls).toEqual([]);
  await user.type(field, ' one{Enter}');
  await waitFor(() => expect(alerts()).toEqual(['This does not open it.']));
  await user.clear(field);
  await user.type(field, 'right one{Enter}');
  await waitFor(() => expect(results).toEqual(['The passphrase vault is open until Barograph quits.']));
});

test('no key and no passphrase is asked for while the core is gone', async () => {
  const { setUp } = await openChange();
  await setUp(false);
  expect(document.querySelectorAll('input[type=password]')).toHaveLength(0);
  expect(alerts()).toEqual(['Barograph is not running behind this window. Do not type a key or a passphrase here.']);
  await setUp(true);
  expect(key()).not.toBeNull();
});

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

test('the settings show the end of the key, where it is and how old it is', async () => {
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
