// Test: the section of the settings that sets up notification channels.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DEFAULT_RULE } from '../../../shared/settings/alert-rules.ts';
import { message } from '../../../shared/text/message.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { ChannelsSection } from './channels-section.tsx';

const press = (name: string | RegExp) => screen.getByRole('button', { name });
const field = (name: string | RegExp) => screen.getByLabelText<HTMLInputElement>(name);
const phone = {
  id: 'phone',
  name: 'Phone',
  destination: { kind: 'ntfy', url: 'https://ntfy.sh/me', answers: null },
} as const;
const TOKEN = `123456:${'A'.repeat(35)}`;

const open = async (handlers: CoreHandlers = {}) => {
  const rig = await renderInWindow(<ChannelsSection />, {
    'alerting.read': () => alerting(),
    'channels.save': () => ({}),
    'channels.secret': () => ({}),
    'channels.delete': () => ({}),
    ...handlers,
  });
  await screen.findByRole('button', { name: 'Add a channel' });
  return rig;
};
const withPhone = () =>
  alerting({
    channels: [{ id: 'phone', channel: phone, problem: null }],
    rules: [{ id: 'high-risk', rule: { ...DEFAULT_RULE, channels: ['phone'] }, problem: null }],
  });

test('a channel of each kind has its own fields; its secret goes to the core after it, and leaves the window', async () => {
  const { user, calls } = await open();
  await user.click(press('Add a channel'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Kind' })));
  await user.type(field('Name'), 'My phone');
  await user.type(field('Chat'), '4711');
  await user.type(field('Token of the bot'), TOKEN);
  await user.click(press('Save channel'));
  await screen.findByText(/^Saved\./);
  const destination = {
    kind: 'telegram',
    chat: '4711',
    answers: true,
    picture: true,
    server: 'https://api.telegram.org',
  };
  expect(calls).toEqual([
    { name: 'channels.save', input: { channel: { id: 'my-phone', name: 'My phone', destination } } },
    { name: 'channels.secret', input: { id: 'my-phone', secret: TOKEN, for_session: false } },
  ]);
  expect(field('Token of the bot').value).toBe('');
});

test('another kind has other fields, each refused where it is wrong, and a secret that it needs', async () => {
  const { user, calls } = await open();
  await user.click(press('Add a channel'));
  await user.selectOptions(field('Kind'), 'Pushover');
  await user.type(field('Name'), 'Phone');
  await user.clear(field('Server'));
  await user.type(field('Server'), 'http://api.pushover.net');
  await user.click(press('Save channel'));
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      '30 letters and digits.',
      'An address without a path, like https://example.com.',
      'This kind of channel needs it.',
    ]),
  );
  expect(calls).toEqual([]);
});

test('a channel whose secret the keychain refused is saved again under its id, with one that is kept for the session', async () => {
  let refusals = 1;
  const { user, calls } = await open({
    'channels.secret': () => (refusals-- > 0 ? refuse('The keychain is locked.') : {}),
  });
  await user.click(press('Add a channel'));
  await user.selectOptions(field('Kind'), 'Slack');
  await user.type(field('Name'), 'Desk');
  await user.type(field('Address of the incoming webhook'), 'https://hooks.slack.com/services/T1/B1/x1');
  await user.click(press('Save channel'));
  await screen.findByText('The keychain is locked.');
  await user.click(screen.getByRole('checkbox', { name: /^Keep it until Barograph ends/ }));
  await user.click(press('Save channel'));
  await screen.findByText(/^Saved\./);
  expect(calls.at(-1)).toMatchObject({ name: 'channels.secret', input: { for_session: true } });
  expect(calls.filter(({ name }) => name === 'channels.save')).toMatchObject([
    { input: { channel: { id: 'desk' } } },
    { input: { channel: { id: 'desk' } } },
  ]);
});

test('the list says which rules use a channel; a test shows the answer of its receiver', async () => {
  const { user, calls } = await open({
    'alerting.read': withPhone,
    'channels.test': () => ({ detail: message('delivery.taken', { host: 'ntfy.sh' }) }),
  });
  expect(screen.getByText('High Risk of a watched symbol')).toBeDefined();
  await user.click(press('Send a test to Phone'));
  expect(await screen.findByText('Accepted: ntfy.sh accepted it.')).toBeDefined();
  expect(calls).toEqual([{ name: 'channels.test', input: { id: 'phone' } }]);
});

test('a channel is removed after a question that names what changes', async () => {
  const { user, calls } = await open({ 'alerting.read': withPhone });
  await user.click(press('Remove Phone'));
  expect(await screen.findByText(/1 rule notifies the desktop alone from then on/)).toBeDefined();
  await user.click(press('Remove'));
  await waitFor(() => expect(calls).toEqual([{ name: 'channels.delete', input: { id: 'phone' } }]));
});

test('a channel that cannot be read says why, and can be removed', async () => {
  await open({
    'alerting.read': () =>
      alerting({ channels: [{ id: 'broken-1', channel: null, problem: message('channel.invalid', { why: 'name' }) }] }),
  });
  expect(screen.getByText('It cannot be read, and nothing is sent to it: name')).toBeDefined();
  expect(press('Remove broken-1')).toBeDefined();
});
