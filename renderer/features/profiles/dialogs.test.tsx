// Test: the dialogs that add and remove profiles.
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Check, ConnectionTest } from '../../../shared/channels/profiles.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { priceReport, profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { closeDialog, type DialogRequest, openDialog, useDialogRequest } from './dialog-request.ts';
import { ProfileDialog } from './profile-dialog.tsx';

const good = (of: Check['of']): Check => ({ of, outcome: 'good', message: plainMessage(`${of} works`), detail: null });
const tested: ConnectionTest = {
  draft: 'draft-1',
  name: 'production',
  prefix: 'svc_live_',
  ending: 'beef',
  checks: [good('service'), good('key')],
};
const report = priceReport();

function Dialogs() {
  const dialog = useDialogRequest();
  return dialog === null ? null : <ProfileDialog dialog={dialog} onClose={closeDialog} />;
}

async function open(request: DialogRequest, handlers: CoreHandlers = {}) {
  closeDialog();
  const opener = document.body.appendChild(document.createElement('button'));
  const rig = await renderInWindow(<Dialogs />, {
    'profiles.read': () => profiles(),
    'profiles.test': () => tested,
    'profiles.test_stream': () => good('stream'),
    'profiles.check_prices': () => report,
    'profiles.add': () => ({ warning: null }),
    'profiles.remove': () => ({}),
    ...handlers,
  });
  opener.focus();
  act(() => openDialog(request));
  const type = async (element: HTMLElement, text: string): Promise<void> => {
    await rig.user.clear(element);
    await rig.user.type(element, text);
  };
  return { ...rig, opener, type };
}

const press = (name: string) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const keyField = () => screen.getByLabelText<HTMLInputElement>('Key');
const alerts = () => screen.queryAllByRole('alert').map((each) => each.textContent);
const inputOf = (calls: readonly { name: string; input: unknown }[], name: string) =>
  calls.filter((call) => call.name === name).map(({ input }) => input);
const openKey = (handlers?: CoreHandlers) => open({ kind: 'key', environment: 'production' }, handlers);
const openPrices = (handlers?: CoreHandlers) => open({ kind: 'prices' }, handlers);

async function passTest(rig: Awaited<ReturnType<typeof openKey>>): Promise<void> {
  await rig.type(field('Address of the service'), 'https://api.example.com');
  await rig.type(keyField(), 'svc_live_0123beef');
  await rig.user.click(press('Test it'));
  await screen.findByRole('textbox', { name: 'Name of the profile' });
}

test('a profile by key: paste, test, keep; the window keeps four characters of the key', async () => {
  const rig = await openKey();
  await passTest(rig);
  expect(inputOf(rig.calls, 'profiles.test')).toEqual([
    { environment: 'production', url: 'https://api.example.com', mode: 'auto', key: 'svc_live_0123beef' },
  ]);
  expect(screen.queryByLabelText('Key')).toBeNull();
  expect(screen.getByRole('dialog').textContent).toContain('svc_live_ •••• •••• •••• beef');
  await rig.type(field('Name of the profile'), 'live');
  await rig.user.click(press('Save and watch'));
  expect(await screen.findByRole('button', { name: 'Open production' })).toBeDefined();
  expect(inputOf(rig.calls, 'profiles.add')).toEqual([
    { name: 'live', source: { kind: 'remote', draft: 'draft-1', tier: 'keychain', passphrase: null } },
  ]);
});

test('rehearse a crash: a profile of its own, then its window', async () => {
  const { user, calls } = await open({ kind: 'crashMarket' }, { 'profiles.open': () => ({ address: null }) });
  expect(screen.getByRole('dialog').textContent).toMatch(
    /at 2, 22 and 42 minutes past every hour\. The next fall begins at \d\d:[024]2\./,
  );
  await user.click(press('Begin'));
  await user.click(await screen.findByRole('button', { name: 'Open it' }));
  expect(inputOf(calls, 'profiles.add')).toEqual([{ name: 'crash', source: { kind: 'simulated', scenario: 'crash' } }]);
  expect(inputOf(calls, 'profiles.open')).toEqual([{ name: 'crash' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('rehearse a crash: the profile there is is turned on, and opened where it runs', async () => {
  const [own] = profiles().profiles;
  if (own === undefined) throw new Error('no profile');
  const crash = { ...own, name: 'fall', source: { kind: 'simulated', scenario: 'crash' } } as const;
  const read = (enabled: boolean) => () => profiles({ profiles: [own, { ...crash, enabled }] });
  const off = await open({ kind: 'crashMarket' }, { 'profiles.read': read(false), 'profiles.enable': () => ({}) });
  await off.user.click(press('Begin'));
  expect(await screen.findByRole('button', { name: 'Open it' })).toBeDefined();
  expect(inputOf(off.calls, 'profiles.enable')).toEqual([{ name: 'fall', enabled: true }]);
  expect(inputOf(off.calls, 'profiles.add')).toEqual([]);
  off.unmount();
  await open({ kind: 'crashMarket' }, { 'profiles.read': read(true) });
  expect(await screen.findByRole('button', { name: 'Open it' })).toBeDefined();
});

test('rehearse a crash: a refusal is shown', async () => {
  const { user } = await open({ kind: 'crashMarket' }, { 'profiles.add': () => refuse('The disk is full.') });
  await user.click(press('Begin'));
  await waitFor(() => expect(alerts()).toEqual(['The disk is full.']));
});

test('follow coins: says whom it asks, and adds a profile of live prices', async () => {
  const { user, calls } = await open({ kind: 'coins' });
  expect(screen.getByRole('dialog').textContent).toContain('This computer asks data-api.binance.vision');
  await user.click(press('Follow coins'));
  expect(await screen.findByRole('button', { name: 'Open production' })).toBeDefined();
  expect(inputOf(calls, 'profiles.add')).toEqual([{ name: 'coins', source: { kind: 'feed', feed: 'binance' } }]);
});

test('follow shares: key, try, keep; the window keeps four characters of the secret', async () => {
  const checks = [good('key'), { ...good('prices'), outcome: 'bad' as const, message: plainMessage('SPY is late') }];
  const tested = { draft: 'draft-2', ending: 'beef', checks };
  const { user, calls, type } = await open({ kind: 'shares' }, { 'profiles.test_feed': () => tested });
  await user.click(press('Try it'));
  await waitFor(() => expect(alerts()).toEqual(['Paste the key ID.', 'Paste the secret.']));
  await type(field('Key ID'), 'PK01');
  await type(screen.getByLabelText('Secret'), 'secretbeef');
  await type(field('Symbols (optional)'), 'spy, aapl §');
  await user.click(press('Try it'));
  await waitFor(() => expect(alerts()).toEqual([expect.stringContaining('"§" is no symbol')]));
  await type(field('Symbols (optional)'), 'spy, aapl');
  await user.click(press('Try it'));
  expect(await screen.findByText('SPY is late')).toBeDefined();
  expect(inputOf(calls, 'profiles.test_feed')).toEqual([
    { feed: 'alpaca', key: 'PK01:secretbeef', symbols: ['SPY', 'AAPL'] },
  ]);
  expect(screen.queryByLabelText('Secret')).toBeNull();
  await user.click(press('Save and watch'));
  expect(await screen.findByRole('button', { name: 'Open production' })).toBeDefined();
  const source = { kind: 'keyed_feed', draft: 'draft-2', tier: 'keychain', passphrase: null };
  expect(inputOf(calls, 'profiles.add')).toEqual([{ name: 'alpaca', source }]);
});

test('follow shares: a key that the vendor refuses cannot be kept', async () => {
  const checks = [{ ...good('key'), outcome: 'bad' as const, message: plainMessage('answered 401') }];
  const { user, type } = await open(
    { kind: 'shares' },
    { 'profiles.test_feed': () => ({ draft: null, ending: 'beef', checks }) },
  );
  await type(field('Key ID'), 'PK01');
  await type(screen.getByLabelText('Secret'), 'secretbeef');
  await user.click(press('Try it'));
  expect(await screen.findByText('answered 401')).toBeDefined();
  expect(press('Save and watch').getAttribute('aria-disabled')).toBe('true');
});

test('a profile by key: every field shows its error, and nothing is sent', { tags: ['long'] }, async () => {
  const { user, calls, type } = await openKey();
  await user.click(press('Test it'));
  await waitFor(() =>
    expect(alerts()).toEqual(['Enter the full address, like https://api.example.com.', 'Paste a key.']),
  );
  await waitFor(() => expect(document.activeElement).toBe(field('Address of the service')));
  await type(field('Address of the service'), 'http://api.example.com');
  await waitFor(() => expect(alerts()[0]).toContain('Use https://.'));
  await type(field('Address of the service'), 'http://127.0.0.1:8080');
  await type(keyField(), 'svc_test_1');
  await waitFor(() => expect(alerts()).toEqual([expect.stringContaining('This is a sandbox key.')]));
  await user.click(press('Test it'));
  expect(calls).toEqual([]);
  await user.click(press('Sandbox'));
  expect(alerts()).toEqual([]);
  await user.click(press('Test it'));
  await waitFor(() => expect(inputOf(calls, 'profiles.test')).toMatchObject([{ environment: 'sandbox' }]));
});

test('a profile by key: a dashboard needs no key', async () => {
  const { user, calls, type } = await openKey({
    'profiles.test': () => ({ ...tested, prefix: null, ending: null }),
  });
  await user.click(press('Dashboard'));
  expect(screen.queryByLabelText('Key')).toBeNull();
  await type(field('Address of the service'), 'https://desk.example.com');
  await user.click(press('Test it'));
  await screen.findByRole('textbox', { name: 'Name of the profile' });
  await user.click(press('Save and watch'));
  await waitFor(() =>
    expect(inputOf(calls, 'profiles.add')).toMatchObject([{ source: { tier: null, passphrase: null } }]),
  );
  expect(inputOf(calls, 'profiles.test')).toMatchObject([{ mode: 'proxy', key: null }]);
});

test('a profile by key: the reason of a refused test stays at the address until it is edited', async () => {
  const { user, type } = await openKey({ 'profiles.test': () => refuse('No such host.') });
  await type(field('Address of the service'), 'https://api.example.com');
  await type(keyField(), 'svc_live_1');
  await user.click(press('Test it'));
  await waitFor(() => expect(alerts()).toEqual(['No such host.']));
  expect(keyField().value).toBe('svc_live_1');
  await user.type(field('Address of the service'), '/v1');
  await waitFor(() => expect(alerts()).toEqual([]));
});

test('a profile by key: "Replace" and another address ask for the key again', async () => {
  const rig = await openKey();
  await passTest(rig);
  await rig.user.click(press('Replace'));
  expect(keyField().value).toBe('');
  expect(screen.queryByRole('textbox', { name: 'Name of the profile' })).toBeNull();
});

test('a profile by key: a name that is taken or malformed is refused while typing', async () => {
  const rig = await openKey();
  await passTest(rig);
  await rig.type(field('Name of the profile'), 'sandbox');
  await waitFor(() => expect(alerts()).toEqual(['A profile sandbox already exists.']));
  await rig.type(field('Name of the profile'), 'Live!');
  await waitFor(() => expect(alerts()[0]).toContain('At most 32 lower-case letters'));
  await rig.user.click(press('Save and watch'));
  expect(inputOf(rig.calls, 'profiles.add')).toEqual([]);
});

test('a profile by key: states of the service are read as pairs, and a wrong pair is refused', async () => {
  const rig = await openKey();
  await passTest(rig);
  await rig.type(field('States of the service (optional)'), '1 = red');
  await rig.user.click(press('Save and watch'));
  await waitFor(() => expect(alerts()[0]).toContain('"1 = red" is no pair.'));
  expect(inputOf(rig.calls, 'profiles.add')).toEqual([]);
  await rig.type(field('States of the service (optional)'), '1 = High Risk, green = normal');
  await rig.user.click(press('Save and watch'));
  await waitFor(() =>
    expect(inputOf(rig.calls, 'profiles.add')).toMatchObject([
      { source: { states: { 1: 'high_risk', green: 'normal' } } },
    ]),
  );
});

test('a profile by key: a tier with a passphrase asks for it; the reason of a refusal is shown', async () => {
  const rig = await openKey({ 'profiles.add': () => refuse('The folder cannot be written.') });
  await passTest(rig);
  await rig.user.click(screen.getByRole('radio', { name: 'A file protected by a passphrase' }));
  await rig.user.click(press('Save and watch'));
  await waitFor(() => expect(alerts()).toEqual(['At least 8 characters.']));
  await rig.user.type(screen.getByLabelText('New passphrase, at least 8 characters'), 'long enough');
  await rig.user.click(press('Save and watch'));
  await waitFor(() => expect(alerts()).toEqual(['The folder cannot be written.']));
  expect(inputOf(rig.calls, 'profiles.add')).toMatchObject([
    { source: { tier: 'passphrase', passphrase: 'long enough' } },
  ]);
});

test('prices: the folder is checked, then the profile is added under a free name', async () => {
  const { user, calls, type } = await openPrices();
  await type(field('Price folder'), ' /home/you/My Prices ');
  await user.click(press('Check folder'));
  expect(await screen.findByText('No problems found.')).toBeDefined();
  expect(inputOf(calls, 'profiles.check_prices')).toEqual([{ folder: '/home/you/My Prices', editorial: null }]);
  expect(field('Name of the profile').value).toBe('my-prices');
  await user.click(press('Add and watch'));
  expect(await screen.findByRole('button', { name: 'Open production' })).toBeDefined();
  expect(inputOf(calls, 'profiles.add')).toEqual([
    { name: 'my-prices', source: { kind: 'prices', folder: report.folder, editorial: null, replay: null } },
  ]);
});

test('prices: a folder is required, and a refusal is shown at its folder', { tags: ['long'] }, async () => {
  const { user, type } = await openPrices({
    'profiles.check_prices': () => ({ ...report, refused: 'It cannot be read.', refused_at: 'editorial' }),
  });
  await user.click(press('Check folder'));
  await waitFor(() => expect(alerts()[0]).toContain('Enter the full path of a folder'));
  await type(field('Price folder'), '/prices');
  await type(field('Briefings folder (optional)'), '/briefings');
  await user.click(press('Check folder'));
  await waitFor(() => expect(alerts()).toEqual(['It cannot be read.']));
  expect(field('Briefings folder (optional)').getAttribute('aria-invalid')).toBe('true');
  await user.type(field('Briefings folder (optional)'), '2');
  await waitFor(() => expect(alerts()).toEqual([]));
});

test('prices: a folder of what is due is checked and kept with the profile', async () => {
  const { user, calls, type } = await openPrices({ 'profiles.check_prices': () => ({ ...report, events: '/due' }) });
  await type(field('Price folder'), '/prices');
  await type(field('Folder of what is due (optional)'), '/due');
  await user.click(press('Check folder'));
  expect(await screen.findByText('No problems found.')).toBeDefined();
  expect(inputOf(calls, 'profiles.check_prices')).toEqual([{ folder: '/prices', editorial: null, events: '/due' }]);
  await user.click(press('Add and watch'));
  await waitFor(() => expect(inputOf(calls, 'profiles.add')).toMatchObject([{ source: { events: '/due' } }]));
});

test('prices: another folder must be checked again', async () => {
  const { user, type } = await openPrices();
  await type(field('Price folder'), '/prices');
  await user.click(press('Check folder'));
  await screen.findByRole('textbox', { name: 'Name of the profile' });
  await user.type(field('Price folder'), '2');
  expect(screen.queryByRole('textbox', { name: 'Name of the profile' })).toBeNull();
});

test('prices: while a folder is read, the dialog says how many of its files are', async () => {
  const done = Promise.withResolvers<void>();
  const { user, type, push } = await openPrices({ 'profiles.check_prices': () => done.promise.then(() => report) });
  await type(field('Price folder'), '/prices');
  await user.click(press('Check folder'));
  const reading = message('work.progress', { what: 'reading', done: 120, total: 500, left: 30_000 });
  await push('profiles.changed', profiles({ reading }));
  const shown = 'Reading price files: 120 of 500 files (24 %), 30 s left';
  expect(screen.getByText(shown)).toBeTruthy();
  await act(async () => done.resolve());
  await screen.findByRole('textbox', { name: 'Name of the profile' });
  expect(screen.queryByText(shown)).toBeNull();
});

test('the result of a test is dropped if the form has changed since', async () => {
  const answers: (() => void)[] = [];
  const later =
    <Value,>(value: Value) =>
    () =>
      new Promise<Value>((resolve) => answers.push(() => resolve(value)));
  const answer = async (): Promise<void> => {
    await waitFor(() => expect(answers).toHaveLength(1));
    await act(async () => answers.pop()?.());
  };
  const prices = await openPrices({ 'profiles.check_prices': later(report) });
  await prices.type(field('Price folder'), '/prices');
  await prices.user.click(press('Check folder'));
  await prices.user.type(field('Price folder'), '2');
  await answer();
  expect(screen.queryByRole('textbox', { name: 'Name of the profile' })).toBeNull();
  cleanup();
  const tested = { draft: 'draft-2', ending: 'beef', checks: [good('key')] };
  const shares = await open({ kind: 'shares' }, { 'profiles.test_feed': later(tested) });
  await shares.type(field('Key ID'), 'PK01');
  await shares.type(screen.getByLabelText('Secret'), 'secretbeef');
  await shares.user.click(press('Try it'));
  await shares.user.type(field('Symbols (optional)'), 'TSLA');
  await answer();
  expect(press('Save and watch').getAttribute('aria-disabled')).toBe('true');
});

test('prices: a replay begins on a day of the prices, at a speed', { tags: ['long'] }, async () => {
  const { user, calls, type } = await openPrices();
  await type(field('Price folder'), '/prices');
  await user.click(press('Check folder'));
  await user.click(await screen.findByRole('checkbox', { name: /Replay past prices/ }));
  await user.click(press('Add and watch'));
  await waitFor(() => expect(alerts()).toEqual([expect.stringContaining('A day from 2020-01-02 to 2024-12-31')]));
  for (const day of ['2019-12-31', '2025-01-01', '2023-02-30', 'soon']) {
    await type(field('From'), day);
    await waitFor(() => expect(alerts()[0]).toContain('A day from'));
  }
  await type(field('From'), '2020-02-14');
  await type(field('Speed factor'), '0');
  await waitFor(() => expect(alerts()).toEqual([expect.stringContaining('A number from 1 to 100,000.')]));
  await type(field('Speed factor'), '60');
  await waitFor(() => expect(alerts()).toEqual([]));
  await user.click(press('Add and watch'));
  await waitFor(() =>
    expect(inputOf(calls, 'profiles.add')).toMatchObject([
      { source: { replay: { from: '2020-02-14T00:00:00.000Z', speed: 60 } } },
    ]),
  );
});

test('prices: old ones say how old they are before they are added, and offer a replay', async () => {
  const { user, calls, type } = await openPrices();
  await type(field('Price folder'), '/prices');
  await user.click(press('Check folder'));
  const old = await screen.findByRole('region', { name: 'The newest rows are 426 to 4,994 days old.' });
  expect(old.textContent).toContain('cannot warn of anything');
  await user.click(press('Replay them instead'));
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: /Replay past prices/ }));
  // The last year that half of the symbols have: one newer file alone would be an empty market.
  expect(field('From').value).toBe('2022-06-30');
  await user.click(press('Add and watch'));
  await waitFor(() =>
    expect(inputOf(calls, 'profiles.add')).toMatchObject([
      { source: { replay: { from: '2022-06-30T00:00:00.000Z', speed: 3600 } } },
    ]),
  );
});

test('prices: a replay of a profile asks neither for its folder nor whether to replay', async () => {
  const { user, calls } = await open({
    kind: 'prices',
    replayOf: { folder: '/home/you/My Prices', editorial: '/home/you/letters' },
  });
  expect(field('Price folder').value).toBe('/home/you/My Prices');
  await user.click(press('Check folder'));
  const replay = await screen.findByRole<HTMLInputElement>('checkbox', { name: /Replay past prices/ });
  expect([replay.checked, field('From').value]).toEqual([true, '2022-06-30']);
  await user.click(press('Add and watch'));
  await waitFor(() =>
    expect(inputOf(calls, 'profiles.add')).toMatchObject([
      { source: { folder: report.folder, replay: { from: '2022-06-30T00:00:00.000Z', speed: 3600 } } },
    ]),
  );
  expect(inputOf(calls, 'profiles.check_prices')).toEqual([
    { folder: '/home/you/My Prices', editorial: '/home/you/letters' },
  ]);
});

test('prices: current prices do not state their age', async () => {
  const current = { ...report, to: '2026-02-27', earliest_end: '2026-02-27', median_end: '2026-02-27' };
  const { user, type } = await openPrices({ 'profiles.check_prices': () => current });
  await type(field('Price folder'), '/prices');
  await user.click(press('Check folder'));
  await screen.findByRole('textbox', { name: 'Name of the profile' });
  expect(screen.queryByText(/old\.$/)).toBeNull();
});

test('removing: names the profile, keeps its files unless asked, shows a refusal', async () => {
  let refusals = 1;
  const { user, calls, opener } = await open(
    { kind: 'remove', name: 'paper' },
    { 'profiles.remove': () => (refusals-- > 0 ? refuse('It is being opened.') : {}) },
  );
  const dialog = screen.getByRole('dialog', { name: 'Remove paper' });
  await user.click(within(dialog).getByRole('button', { name: 'Remove paper' }));
  await waitFor(() => expect(alerts()).toEqual(['It is being opened.']));
  await user.click(within(dialog).getByRole('checkbox'));
  await user.click(within(dialog).getByRole('button', { name: 'Remove paper' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.map(({ input }) => input)).toEqual([
    { name: 'paper', files: false },
    { name: 'paper', files: true },
  ]);
  expect(document.activeElement).toBe(opener);
});

test.each([
  [{ kind: 'key', environment: 'sandbox' }, 'Not now'],
  [{ kind: 'prices' }, 'Not now'],
  [{ kind: 'remove', name: 'paper' }, 'Keep it'],
] satisfies [DialogRequest, string][])(
  '$0.kind closes by its button and by Escape; the focus returns',
  async (request, name) => {
    const { user, calls, opener } = await open(request);
    await user.click(press(name));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(opener);
    act(() => openDialog(request));
    act(() => void screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true })));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls).toEqual([]);
  },
);
