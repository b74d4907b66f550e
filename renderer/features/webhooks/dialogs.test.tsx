// Test: the dialogs of targets, subscriptions and recovery.
import { screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { EVENT_NAMES } from '../../../shared/wire/events.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { addressSchema, withoutField } from './address.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { PublicAddressForm } from './relay-address.tsx';
import { SecretForm } from './relay-detail.tsx';
import { SubscribeDialog } from './subscribe-dialog.tsx';
import { TargetDialog } from './targets-panel.tsx';

const press = (name: string) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

async function open(dialog: (close: () => void) => ReactElement, handlers: CoreHandlers) {
  const opener = document.body.appendChild(document.createElement('button'));
  opener.focus();
  const closed: string[] = [];
  const rig = await renderInWindow(
    dialog(() => closed.push('closed')),
    handlers,
  );
  const fill = async (name: string, text: string): Promise<void> => {
    await rig.user.clear(field(name));
    await rig.user.type(field(name), text);
  };
  return { ...rig, opener, closed, fill };
}

const openTarget = (handlers: CoreHandlers = {}) =>
  open((onClose) => <TargetDialog onAdded={() => undefined} onClose={onClose} />, {
    'relay.target.add': () => ({ id: 'tgt_1', secret: 'whsec_made' }),
    ...handlers,
  });

test('a target: everything is chosen at first, and the secret is shown once', async () => {
  const { user, calls, fill } = await openTarget();
  await fill('Address of the program', 'http://127.0.0.1:8099/hook');
  await user.click(press('Add target'));
  expect(await screen.findByRole('dialog', { name: 'Secret of this target' })).toBeDefined();
  expect(field('Secret').value).toBe('whsec_made');
  expect(calls).toEqual([
    {
      name: 'relay.target.add',
      input: {
        url: 'http://127.0.0.1:8099/hook',
        secret: null,
        allow_public: false,
        filter: { events: null, states: null, symbols: null },
      },
    },
  ]);
});

test('a target: the chosen values go to the core', async () => {
  const { user, calls, fill } = await openTarget();
  await fill('Address of the program', 'http://127.0.0.1:8099/hook');
  await user.click(screen.getByRole('checkbox', { name: 'Normal' }));
  await fill('Symbols, separated by commas; empty: all', 'spy, qqq SPY');
  await user.click(screen.getByRole('checkbox', { name: 'Allow an address outside this computer and its networks' }));
  await user.click(press('Add target'));
  await screen.findByRole('dialog', { name: 'Secret of this target' });
  expect(calls[0]?.input).toMatchObject({
    allow_public: true,
    filter: { events: null, states: [1, 2], symbols: ['SPY', 'QQQ'] },
  });
});

test('a target: shows an error at each field and sends nothing', async () => {
  const { user, calls, fill } = await openTarget();
  await fill('Address of the program', 'localhost:8099');
  for (const name of ['Normal', 'Elevated', 'High Risk']) await user.click(screen.getByRole('checkbox', { name }));
  await fill('Symbols, separated by commas; empty: all', '§');
  await user.click(press('Add target'));
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map((each) => each.textContent)).toEqual([
      'Enter the full address, like http://127.0.0.1:8099/hook.',
      'Choose at least one state.',
      'Not a symbol: §.',
    ]),
  );
  expect(document.activeElement).toBe(field('Address of the program'));
  expect(calls).toEqual([]);
});

test('a target: a refusal is shown at the address, without the name of the field, until it is edited', async () => {
  const { user, fill } = await openTarget({ 'relay.target.add': () => refuse('url: must lie in your network') });
  await fill('Address of the program', 'https://example.com/hook');
  await user.click(press('Add target'));
  expect((await screen.findByRole('alert')).textContent).toBe('Must lie in your network');
  expect(field('Address of the program').getAttribute('aria-invalid')).toBe('true');
  await user.type(field('Address of the program'), '2');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('the secret of a target cannot be closed by Escape, only by its button', async () => {
  const { user, closed, fill } = await openTarget();
  await fill('Address of the program', 'http://127.0.0.1:8099/hook');
  await user.click(press('Add target'));
  const dialog = await screen.findByRole('dialog', { name: 'Secret of this target' });
  press('I have saved it').focus();
  await user.keyboard('{Escape}');
  expect(dialog.textContent).toContain('Esc does not close this');
  expect(closed).toEqual([]);
  await user.click(press('I have saved it'));
  expect(closed).toEqual(['closed']);
});

const openSubscribe = (handlers: CoreHandlers) =>
  open((onClose) => <SubscribeDialog onMade={() => undefined} onClose={onClose} />, handlers);

test('a subscription: sends the chosen values and shows the signing secret', async () => {
  const { user, calls, fill } = await openSubscribe({
    'subscriptions.add': () => ({ id: 'sub_1', secret: 'whsec_new' }),
  });
  await fill('Address that receives the webhooks', 'https://hooks.example.com/risk');
  await user.click(screen.getByRole('checkbox', { name: 'regime.flip' }));
  await user.click(press('Subscribe'));
  await screen.findByRole('dialog', { name: 'New signing secret' });
  expect(calls[0]?.input).toMatchObject({ url: 'https://hooks.example.com/risk', symbols: null });
  expect(calls[0]?.input).toMatchObject({ events: EVENT_NAMES.filter((name) => name !== 'regime.flip') });
});

test('a subscription that the service has already: says so, and only Close is left', async () => {
  const { user, fill } = await openSubscribe({ 'subscriptions.add': () => ({ id: 'sub_1', secret: null }) });
  await fill('Address that receives the webhooks', 'https://hooks.example.com/risk');
  await user.click(press('Subscribe'));
  expect((await screen.findByRole('alert')).textContent).toContain('has this subscription already');
  expect(press('Subscribe').hasAttribute('disabled')).toBe(true);
  expect(press('Close')).toBeDefined();
});

const openRecover = (handlers: CoreHandlers = {}) =>
  open((onClose) => <RecoverDialog subscription="sub_1" onDone={() => undefined} onClose={onClose} />, {
    'deliveries.recover': () => ({ queued: 3, more: false }),
    ...handlers,
  });
const [from, to] = [/^From \(/, /^To \(/];
const rangeField = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });

test('a range: without an end it extends to now, and the number of queued deliveries is shown', async () => {
  const { user, calls } = await openRecover();
  await user.click(press('Send again'));
  expect(await screen.findByText('3 queued.')).toBeDefined();
  expect(calls).toMatchObject([{ name: 'deliveries.recover', input: { subscription: 'sub_1', to: null } }]);
  expect(press('Close')).toBeDefined();
});

test.each([
  [from, 'yesterday', 'Enter a date and time like 2026-11-21 15:30; the end may be empty.'],
  [to, 'now', 'Enter a date and time like 2026-11-21 15:30; the end may be empty.'],
  [to, '2020-01-01 00:00', 'The end is before the beginning.'],
])('a range: %s %j is refused at its field', async (name, text, message) => {
  const { user, calls } = await openRecover();
  await user.clear(rangeField(name));
  await user.type(rangeField(name), text);
  await user.click(press('Send again'));
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(document.activeElement).toBe(rangeField(name));
  expect(calls).toEqual([]);
});

const relay = (public_url: string | null) => ({ public_url }) as RelayView;

test('a public address is saved without blanks, and the form says so', async () => {
  const { user, calls } = await renderInWindow(
    <PublicAddressForm relay={relay('https://old.example.com')} why="Why." />,
    {
      'relay.public_url': () => ({}),
    },
  );
  const field = screen.getByRole('textbox');
  await user.clear(field);
  await user.type(field, ' https://new.example.com ');
  await user.click(press('Save'));
  expect(await screen.findByText('Saved. Send a test to see that it works.')).toBeDefined();
  expect(calls).toEqual([{ name: 'relay.public_url', input: { url: 'https://new.example.com' } }]);
});

test('Remove deletes the public address', async () => {
  const { user, calls } = await renderInWindow(
    <PublicAddressForm relay={relay('https://old.example.com')} why="Why." />,
    {
      'relay.public_url': () => ({}),
    },
  );
  await user.click(press('Remove'));
  await expect.poll(() => calls).toEqual([{ name: 'relay.public_url', input: { url: null } }]);
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('');
});

test('the reason for refusing a public address is shown at its field', async () => {
  const { user } = await renderInWindow(<PublicAddressForm relay={relay(null)} why="Why." />, {
    'relay.public_url': () => refuse('It must begin with https://.'),
  });
  await user.type(screen.getByRole('textbox'), 'https://user@example.com');
  await user.click(press('Save'));
  expect((await screen.findByRole('alert')).textContent).toBe('It must begin with https://.');
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
});

test('a signing secret goes to the core and leaves the window', async () => {
  const { user, calls } = await renderInWindow(<SecretForm />, { 'relay.secret': () => ({}) });
  const field = screen.getByLabelText<HTMLInputElement>('Signing secret of the service');
  expect(field.type).toBe('password');
  await user.type(field, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  await user.click(press('Save'));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(field.value).toBe('');
  expect(calls).toMatchObject([{ input: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } }]);
});

test('an invalid signing secret stays in its field', async () => {
  const { user } = await renderInWindow(<SecretForm />, { 'relay.secret': () => ({}) });
  const field = screen.getByLabelText<HTMLInputElement>('Signing secret of the service');
  await user.type(field, 'x');
  await user.click(press('Save'));
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
  expect(field.value).toBe('x');
});

const EXAMPLE = 'https://hooks.example.com/risk';
const messageFor = (typed: string) => addressSchema(EXAMPLE).safeParse(typed).error?.issues[0]?.message;

test.each([
  '',
  '  ',
  'https://',
  'hooks.example.com/risk',
  'localhost:8099',
  'http://127.0.0.1:70000/',
  'ftp://example.com/',
  'javascript:alert(1)',
])('%j is not a full address; the message shows an example', (typed) => {
  expect(messageFor(typed)).toContain(EXAMPLE);
});

test.each([EXAMPLE, ' https://example.com \n', 'http://127.0.0.1:8099/hook', 'http://[::1]:8099/'])(
  '%j is a full address',
  (typed) => {
    expect(addressSchema(EXAMPLE).parse(typed)).toBe(typed.trim());
  },
);

test('a refusal at the field does not repeat the name of the field', () => {
  const shown = (refusal: string) => withoutField(refusal);
  expect(shown('url: must begin with https://')).toMatchObject({ error: 'Must begin with https://' });
  expect(shown('subscriptions.add: url: must be short')).toMatchObject({ error: 'Must be short' });
  expect(shown('The service does not answer: url.')).toMatchObject({ error: 'The service does not answer: url.' });
});
