// Test: the relay in a whole core: its subscription at the service, and its secrets.

import { expect, test } from 'vitest';
import { message } from '../../../shared/text/message.ts';
import { createFakeRelayServer, type RelayRig, relayRig, setUpRelayBench } from '../../../test/harness/relay-bench.ts';
import { saying } from '../../../test/harness/saying.ts';
import type { ProfileKeys } from '../keys/profile-keys.ts';
import { createSessionVault } from '../keys/session-vault.ts';
import type { KeyVault } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';

const { bench, up } = setUpRelayBench();
const bodyOf = (event: object): string => JSON.stringify(event);
const ask = (rig: RelayRig, path: string): string => `${rig.server.listening?.paths()[0]}${path}`;

test.each([
  ['removed', () => void bench.subscriptions.subscriptions.clear()],
  [
    'paused',
    () => {
      bench.subscriptions.only().status = 'paused';
    },
  ],
  [
    'pointed elsewhere',
    () =>
      void bench.subscriptions.subscriptions.set(bench.subscriptions.only().id, {
        ...bench.subscriptions.only(),
        url: 'https://elsewhere.example/',
      }),
  ],
])('a subscription that was %s repairs itself', async (_, harm) => {
  const rig = await up();
  harm();
  await bench.clock.advance(61_000);
  expect(bench.subscriptions.only()).toMatchObject({ status: 'active', url: `http://127.0.0.1:4781${ask(rig, '')}` });
  const event = bench.service.emit('SPY', 2);
  expect(await rig.deliver(bodyOf(event), bench.subscriptions.only().secret)).toMatchObject({ status: 200 });
});

test('disabling deletes its subscription and stops listening; enabling starts again', async () => {
  const rig = await up();
  await rig.core.handlers['relay.switch']({ on: false });
  await bench.clock.advance(1_000);
  expect([bench.subscriptions.subscriptions.size, rig.server.listening]).toEqual([0, null]);
  expect(rig.view()).toMatchObject({ on: false, listening: null, registration: { state: 'off' } });
  expect(rig.settings.profiles[0]?.relay).toMatchObject({ on: false });
  await rig.core.handlers['relay.switch']({ on: true });
  await bench.clock.advance(1_000);
  expect(rig.view().registration.state).toBe('registered');
  expect(bench.subscriptions.subscriptions.size).toBe(1);
});

test('a subscription that the service did not delete is named, and deleted as soon as it can be', async () => {
  const rig = await up();
  bench.service.fault = (request) =>
    request.method === 'DELETE'
      ? Response.json({ code: 'INTERNAL_ERROR', message: 'no', doc_url: '' }, { status: 500 })
      : bench.subscriptions.answer(request);
  await rig.core.handlers['relay.switch']({ on: false });
  await bench.clock.advance(1_000);
  expect([bench.subscriptions.subscriptions.size, rig.server.listening]).toEqual([1, null]);
  expect(rig.view()).toMatchObject({
    on: false,
    registration: { state: 'off', message: saying(/Switched off.*still exists/) },
  });
  bench.service.fault = bench.subscriptions.answer;
  await bench.clock.advance(61_000);
  expect(bench.subscriptions.subscriptions.size).toBe(0);
  expect(rig.view().registration).toMatchObject({ state: 'off', message: saying('Switched off.') });
});

test('the next start deletes a subscription that a disabled relay could not, or uses it if enabled before', async () => {
  const vault = createSessionVault();
  const profile = { baseUrl: bench.service.url };
  const first = await up({ vault, profile });
  const kept = bench.subscriptions.only();
  bench.service.fault = (request) =>
    request.method === 'DELETE' ? 'unreachable' : bench.subscriptions.answer(request);
  await first.core.handlers['relay.switch']({ on: false });
  await first.core.handlers['relay.switch']({ on: true });
  await bench.clock.advance(61_000);
  expect([bench.subscriptions.only(), first.view().registration.state]).toEqual([kept, 'registered']);
  await first.core.handlers['relay.switch']({ on: false });
  const { relay } = first.settings.profiles[0] ?? {};
  await bench.down(first);
  bench.service.fault = bench.subscriptions.answer;
  const second = relayRig(bench, { vault, profile: { ...profile, ...(relay === undefined ? {} : { relay }) } });
  await second.core.start();
  await bench.clock.advance(61_000);
  expect([bench.subscriptions.subscriptions.size, second.view().registration.state]).toEqual([0, 'off']);
});

const remote: Partial<Profile> = { name: 'sandbox', baseUrl: 'https://signals.example' };
const farAway = { profile: remote, baseUrl: 'https://signals.example' };

test('after a restart the same subscription continues where the secret was kept; otherwise a new one replaces it', async () => {
  const vault = createSessionVault();
  const profile = { baseUrl: bench.service.url };
  const first = await up({ vault, profile });
  const before = bench.subscriptions.only();
  await bench.down(first);
  expect(bench.subscriptions.only()).toBe(before);
  const second = await up({ vault, profile });
  expect(bench.subscriptions.only()).toBe(before);
  await bench.down(second);
  const third = await up({ vault: createSessionVault(), profile });
  expect(bench.subscriptions.only().id).not.toBe(before.id);
  const event = bench.service.emit('SPY', 2);
  expect(await third.deliver(bodyOf(event), bench.subscriptions.only().secret)).toMatchObject({ status: 200 });
});

/** A vault with the item of an earlier run, which fails until it is opened. */
async function lockedVault(): Promise<{ vault: KeyVault; open(): void; pathOf(): Promise<string>; path: string }> {
  const inner = createSessionVault();
  await bench.down(await up({ vault: inner, profile: { baseUrl: bench.service.url } }));
  const pathOf = async (): Promise<string> => JSON.parse((await inner.getPassword('sandbox', 'relay')) ?? '{}').path;
  let isOpen = false;
  const getPassword = (service: string, account: string): Promise<string | null> =>
    isOpen ? inner.getPassword(service, account) : Promise.reject(new Error('locked'));
  return {
    vault: { ...inner, getPassword },
    open() {
      isOpen = true;
    },
    pathOf,
    path: await pathOf(),
  };
}

test('a vault that opens with the key: the relay returns to its address and secret', async () => {
  const { vault, open, path, pathOf } = await lockedVault();
  let keyChanged = (): void => undefined;
  const keys = {
    inUse: () => ({ key: bench.service.key, reason: null }),
    hasFailed: () => false,
    isUnlocked: () => false,
    label: () => message('key.none'),
    onChange(listener: () => void) {
      keyChanged = listener;
    },
  } as ProfileKeys;
  const rig = await up({ vault, keys, profile: { baseUrl: bench.service.url } });
  expect(bench.subscriptions.only().url).not.toContain(path);
  expect(await pathOf()).toBe(path);
  open();
  keyChanged();
  await bench.clock.advance(61_000);
  expect(bench.subscriptions.only().url).toContain(path);
  expect(await pathOf()).toBe(path);
  const event = bench.service.emit('SPY', 2);
  expect(await rig.deliver(bodyOf(event), bench.subscriptions.only().secret)).toMatchObject({ status: 200 });
});

test('the service inside the app ends with it: its subscription does too', async () => {
  const rig = await up();
  await bench.down(rig);
  expect(bench.subscriptions.subscriptions.size).toBe(0);
});

test('a relay outside the settings deletes its subscription; if the service misses that, the next one does', async () => {
  const profile = { name: 'terminal', baseUrl: bench.service.url };
  const first = await up({ profile });
  bench.service.fault = (request) => (request.method === 'DELETE' ? 'silence' : bench.subscriptions.answer(request));
  await bench.down(first);
  expect(bench.subscriptions.subscriptions.size).toBe(1);
  bench.service.fault = bench.subscriptions.answer;
  const second = await up({ profile });
  expect(bench.subscriptions.subscriptions.size).toBe(1);
  await bench.down(second);
  expect(bench.subscriptions.subscriptions.size).toBe(0);
});

test('a remote service cannot reach this computer: disabled, then manual, then by a public address', async () => {
  const rig = await up(farAway);
  expect(rig.view()).toMatchObject({ on: false, reachable: false, registration: { state: 'off' } });
  await rig.core.handlers['relay.switch']({ on: true });
  await bench.clock.advance(1_000);
  expect(rig.view().registration).toMatchObject({
    state: 'by_hand',
    message: saying(/public address/),
  });
  expect(bench.subscriptions.calls).toEqual([]);
  const shown = await rig.core.handlers['relay.reveal']({});
  expect(shown.url).toBe(`http://127.0.0.1:4781${ask(rig, '')}`);

  // Manual: the user registers the address of a tunnel and enters the secret here.
  expect(await rig.deliver('{}', 'a secret of the service')).toMatchObject({
    status: 503,
    body: { reason: 'no_secret' },
  });
  await rig.core.handlers['relay.secret']({ secret: 'a secret of the service' });
  const event = bench.service.emit('SPY', 2);
  expect(await rig.deliver(bodyOf(event), 'a secret of the service')).toMatchObject({ status: 200 });

  expect(() => rig.core.handlers['relay.public_url']({ url: 'http://tunnel.example' })).toThrow(/https/);
  await rig.core.handlers['relay.public_url']({ url: 'https://tunnel.example/desk/' });
  await bench.clock.advance(1_000);
  expect(rig.view()).toMatchObject({
    public_url: 'https://tunnel.example/desk/',
    registration: { state: 'registered' },
  });
  expect(bench.subscriptions.only().url).toBe(`https://tunnel.example/desk${ask(rig, '')}`);
  expect(rig.server.listening?.hosts()).toEqual(['tunnel.example']);
  expect(rig.server.listening?.paths()).toContain(`/desk${ask(rig, '')}`);
});

test('a port that another program has is said, with what that means for the public address', async () => {
  const server = createFakeRelayServer();
  const { listen } = server;
  server.listen = async (options) => ({ ...(await listen(options)), port: 4782, isConfiguredPort: false });
  const relay = { on: true, port: 4781, publicUrl: 'https://tunnel.example' };
  const rig = await up({ ...farAway, server, profile: { ...remote, relay } });
  expect(rig.view()).toMatchObject({
    listening: { as_configured: false },
    problem: saying(/uses port 4781.* listens at 4782/),
  });
});

test.each(['https://t.example/x?a=1', 'https://t.example/#in', 'https://t.example/x?', 'https://me:pw@t.example/'])(
  'a public address to which no path can be appended is refused, and an older stored one is not used: %s',
  async (publicUrl) => {
    const relay = { on: true, port: 4781, publicUrl };
    const rig = await up({ ...farAway, profile: { ...remote, relay } });
    expect(rig.view()).toMatchObject({ public_url: null, problem: saying(/neither a query/) });
    expect(bench.subscriptions.calls).toEqual([]);
    expect(() => rig.core.handlers['relay.public_url']({ url: publicUrl })).toThrow(/neither a query/);
    await rig.core.handlers['relay.public_url']({ url: 'https://t.example/x' });
    await bench.clock.advance(1_000);
    expect(rig.view()).toMatchObject({ public_url: 'https://t.example/x', problem: null });
    expect(bench.subscriptions.only().url).toBe(`https://t.example/x${ask(rig, '')}`);
  },
);

test.each([
  [403, 'forbidden', 'refused'],
  [400, 'invalid_request', 'refused'],
  [404, 'not_found', 'by_hand'],
  [500, 'INTERNAL_ERROR', 'waiting'],
])('a service that answers the registration with %i: %s', async (status, code, state) => {
  bench.service.fault = ({ path }) =>
    path.startsWith('/signals/') ? Response.json({ code, message: 'no', doc_url: '' }, { status }) : null;
  const rig = relayRig(bench);
  await rig.core.start();
  await bench.clock.advance(10_000);
  expect(rig.view().registration.state).toBe(state);
  bench.service.fault = bench.subscriptions.answer;
  await bench.clock.advance(61_000);
  expect(rig.view().registration.state).toBe('registered');
});

test('a rotation loses no event: both secrets are valid until the service has changed over', async () => {
  const rig = await up();
  const before = bench.subscriptions.only().secret;
  await rig.core.handlers['relay.rotate']({});
  const after = bench.subscriptions.only().secret;
  expect(after).not.toBe(before);
  const deliver = (secret: string) => rig.deliver(bodyOf(bench.service.emit('SPY', 1)), secret);
  expect([(await deliver(after)).status, (await deliver(before)).status]).toEqual([200, 200]);
  expect(rig.view().secrets).toEqual({ current: true, previous: true });
  bench.clock.jump(26 * 3_600_000);
  expect((await deliver(before)).status).toBe(401);
  expect((await deliver(after)).status).toBe(200);
});
