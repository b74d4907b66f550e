// Test: what a user does with the subscription of another receiver.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { message } from '../../../shared/text/message.ts';
import { iso, subscription, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { SubscriptionDetail } from './subscription-detail.tsx';

const press = (name: string) => screen.getByRole('button', { name });

async function open(handlers: CoreHandlers, more: Partial<SubscriptionView> = {}) {
  const told: string[] = [];
  const rig = await renderInWindow(
    <SubscriptionDetail
      subscription={subscription(more)}
      onDone={() => told.push('done')}
      onBack={() => told.push('back')}
    />,
    handlers,
  );
  return { ...rig, told };
}

test('a test shows its result, and a refusal its reason', async () => {
  let answers = 0;
  const { user, calls, told } = await open({
    'subscriptions.test': () =>
      answers++ === 0
        ? { ok: true, message: message('subscription.answered', { status: 200 }) }
        : refuse('Too many tests.'),
  });
  await user.click(press('Send test'));
  await screen.findByText('The address answered 200.');
  await user.click(press('Send test'));
  await screen.findByText('Too many tests.');
  expect(calls).toEqual([
    { name: 'subscriptions.test', input: { id: 'sub_1' } },
    { name: 'subscriptions.test', input: { id: 'sub_1' } },
  ]);
  expect(told).toEqual(['done', 'done']);
});

test('a new secret is shown once; while two are live, the new one can be promoted', async () => {
  const { user } = await open({ 'subscriptions.rotate': () => ({ secret: 'whsec_2' }) });
  await user.click(press('New secret'));
  const dialog = await screen.findByRole('dialog', { name: 'New signing secret' });
  expect(within(dialog).getByRole<HTMLInputElement>('textbox').value).toBe('whsec_2');
  await user.click(press('I have saved it'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('promotes the second of two live secrets', async () => {
  const { user } = await open({ 'subscriptions.promote': () => ({}) }, { rotating: true });
  expect(screen.queryByRole('button', { name: 'New secret' })).toBeNull();
  await user.click(press('Promote the new secret'));
  expect(await screen.findByText('The new secret is the only one.')).toBeDefined();
});

test('a paused subscription says why, and is resumed', async () => {
  const { user, calls } = await open(
    { 'subscriptions.resume': () => ({}) },
    { status: 'paused', paused_at: iso(T0), paused_reason: 'It failed for a day.' },
  );
  expect(screen.getByText('It failed for a day.')).toBeDefined();
  await user.click(press('Resume'));
  await screen.findByText(/^Resumed\./);
  expect(calls).toEqual([{ name: 'subscriptions.resume', input: { id: 'sub_1', since: null } }]);
});

test('ending asks first: Cancel keeps it, the other ends it and goes back', async () => {
  const { user, calls, told } = await open({ 'subscriptions.remove': () => ({}) });
  await user.click(press('End'));
  const dialog = screen.getByRole('dialog', { name: 'End this subscription?' });
  expect(dialog.textContent).toContain('https://desk.example/hook');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(calls).toEqual([]);
  await user.click(press('End'));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End' }));
  await waitFor(() => expect(told).toEqual(['done', 'back']));
  expect(calls).toEqual([{ name: 'subscriptions.remove', input: { id: 'sub_1' } }]);
});

test('a removal that is refused says why, and does not leave the subscription', async () => {
  let answers = 0;
  const { user, told } = await open({
    'subscriptions.remove': () => (answers++ === 0 ? refuse('Not connected.') : {}),
  });
  const remove = async (): Promise<void> => {
    await user.click(press('End'));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'End' }));
  };
  await remove();
  expect(await screen.findByText('Not connected.')).toBeDefined();
  expect(told).toEqual(['done']);
  await remove();
  await waitFor(() => expect(told).toEqual(['done', 'done', 'back']));
});
