// Test: the relay in a whole core on a manual clock: one ledger for three sources.
import { beforeEach, expect, test } from 'vitest';
import { encodeEvent } from '../../../shared/wire/sse.ts';
import { notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import {
  createFakeRelayServer,
  createSubscriptionServer,
  GONE,
  type RelayRig,
  type RelayRigOptions,
  relayRig,
  type SubscriptionServer,
} from '../../../test/harness/relay-bench.ts';
import { createSessionVault } from '../keys/session-vault.ts';
import { openLedger } from '../ledger/ledger.ts';
import { DEFAULT_SETTINGS, type Profile } from '../profiles/settings.ts';
import { TRAIL_HEADER } from './sign.ts';
import { verify } from './signature.ts';

const bench = setUpCoreBench();
const ALL = { events: null, symbols: null, states: null };
let subscriptionService: SubscriptionServer;

beforeEach(() => {
  subscriptionService = createSubscriptionServer();
  bench.service.fault = subscriptionService.answer;
});

/** Started, registered, its past read; the stream brings no further event. */
async function up(options: RelayRigOptions = {}): Promise<RelayRig> {
  const rig = relayRig(bench, options);
  await rig.core.start();
  await bench.clock.until(
    () => rig.view().registration.state !== 'waiting' && rig.snapshot().connection.indicators.open.state === 'ok',
  );
  await bench.clock.advance(100);
  bench.service.deaf = true;
  return rig;
}
const bodyOf = (event: object): string => JSON.stringify(event);
const alert = (rig: RelayRig, id: string) => rig.snapshot().alerts.find(({ transition }) => transition.event_id === id);
const ask = (rig: RelayRig, path: string): string => `${rig.server.listening?.paths()[0]}${path}`;

test('an event that only a webhook brings is recorded, notified and answered; repeats merge with it', async () => {
  const rig = await up();
  expect(rig.view()).toMatchObject({
    on: true,
    problem: null,
    reachable: true,
    registration: { state: 'registered' },
    listening: { address: 'http://127.0.0.1:4781' },
    secrets: { current: true, previous: false },
    form: null,
  });
  expect(subscriptionService.only().url).toBe(`http://127.0.0.1:4781${ask(rig, '')}`);

  const event = bench.service.emit('SPY', 2);
  const { secret } = subscriptionService.only();
  expect(await rig.deliver(bodyOf(event), secret)).toMatchObject({
    status: 200,
    body: { status: 'stored', event_id: event.event_id },
  });
  await bench.clock.advance(1_000);
  expect(shownIds(rig)).toEqual(notificationIds(event));
  expect(alert(rig, event.event_id)?.sources[0]).toBe('relay');
  expect(rig.view()).toMatchObject({
    form: 'hex',
    arrivals: [{ event_id: event.event_id, result: 'stored', symbol: 'SPY', secret: 'current' }],
  });

  // The service retries, and the other two sources bring it as well.
  expect(await rig.deliver(bodyOf(event), secret)).toMatchObject({ status: 200, body: { status: 'known' } });
  bench.service.write(encodeEvent(event));
  await bench.clock.advance(60_000);
  expect(alert(rig, event.event_id)?.sources).toEqual(expect.arrayContaining(['relay', 'stream', 'backfill']));
  expect(shownIds(rig)).toEqual(notificationIds(event));
  expect(rig.snapshot().gaps.filter(({ closed }) => !closed)).toEqual([]);
});

test('webhooks that arrive hours late are labelled: one alone, several in one digest', async () => {
  const rig = await up();
  const { secret } = subscriptionService.only();
  // No other source brings them before the webhooks do.
  bench.service.fault = (request) => (request.path === '/events' ? 'unreachable' : subscriptionService.answer(request));
  const ago = (minutes: number): string => new Date(bench.clock.now() - minutes * 60_000).toISOString();
  const first = bench.service.emit('SPY', 2, { at: ago(125) });
  await rig.deliver(bodyOf(first), secret);
  await bench.clock.advance(20_000);
  expect(rig.shown).toMatchObject([
    { id: notificationIds(first)[0], body: expect.stringContaining('It arrived 2 hours 5 minutes late, by webhook.') },
  ]);
  const { steps } = await rig.core.handlers['alerts.trace']({ ledger_id: alert(rig, first.event_id)?.ledger_id ?? 0 });
  expect(steps.map(({ detail }) => detail).join(' ')).toContain('came late, by webhook');

  const further = ['QQQ', 'IWM', 'AAPL'].map((symbol) => bench.service.emit(symbol, 2, { at: ago(90) }));
  await Promise.all(further.map((event) => rig.deliver(bodyOf(event), secret)));
  await bench.clock.advance(20_000);
  expect(rig.shown).toHaveLength(2);
  expect(rig.shown[1]?.body).toContain('All of them arrived late, by webhook.');
  expect(rig.shown[1]?.names?.toSorted()).toEqual(notificationIds(...further).sort());
});

test('a webhook beyond a hole makes back-fill fetch the missing events', async () => {
  const rig = await up();
  const [first, second] = [bench.service.emit('SPY', 2), bench.service.emit('QQQ', 2)];
  await rig.deliver(bodyOf(second), subscriptionService.only().secret);
  await bench.clock.advance(1_000);
  expect(shownIds(rig).sort()).toEqual(notificationIds(first, second).sort());
});

test('many at once are one transaction, and each gets its own answer', async () => {
  const rig = await up();
  const event = bench.service.emit('SPY', 2);
  const further = Array.from({ length: 20 }, (_, index) =>
    bench.service.emit(index % 2 === 0 ? 'QQQ' : 'IWM', index % 4 < 2 ? 1 : 0),
  );
  const answers = await Promise.all(
    [event, event, ...further, event].map((one) => rig.deliver(bodyOf(one), subscriptionService.only().secret)),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await bench.clock.advance(1_000);
  expect(shownIds(rig)).toEqual(notificationIds(event));
  expect(rig.snapshot().ledger.events).toBe(21);
});

test.each([
  ['signed with another secret', { 'x-service-signature': '0'.repeat(64) }, 401, 'wrong_signature'],
  ['not signed', { 'x-service-signature': undefined }, 401, 'unsigned'],
  ['spelt wrongly', { 'x-service-signature': 'md5' }, 401, 'unreadable_signature'],
] as const)('%s: refused, listed, examined, and not in the ledger', async (_, headers, status, reason) => {
  const rig = await up();
  const { secret } = subscriptionService.only();
  const event = bench.service.emit('SPY', 2);
  expect(await rig.deliver(bodyOf({ ...event, event_id: 'evt_forged' }), secret, headers)).toMatchObject({
    status,
    body: { reason },
  });
  const [refused] = rig.view().refused;
  expect(refused).toMatchObject({ reason, times: 1, examinable: true });
  const { findings } = await rig.core.handlers['relay.diagnose']({ refused: refused?.id ?? 0 });
  expect(findings[0]?.kind).toBe('fault');
  expect(JSON.stringify([rig.view(), findings])).not.toContain(secret.slice(0, 8));
  await bench.clock.advance(60_000);
  expect(shownIds(rig)).toEqual(notificationIds(event));
  expect(rig.snapshot().ledger.events).toBe(1);
});

test('a proven delivery that is no event is quarantined, and not sent again', async () => {
  const rig = await up();
  for (const body of ['not JSON', '[]', '{"event":"signal.high_risk","data":{}}', '"text"'])
    expect(await rig.deliver(body, subscriptionService.only().secret)).toMatchObject({
      status: 202,
      body: { status: 'quarantined' },
    });
  expect(rig.view()).toMatchObject({ quarantined: 4, arrivals: [{ result: 'quarantined' }, {}, {}, {}] });
  expect(rig.snapshot().ledger.events).toBe(0);
});

test('the ledger cannot be written: the service is told to send it again, and nothing is notified before', async () => {
  let full = false;
  const rig = await up({
    openLedger: (folder, stamp) => {
      const ledger = openLedger(folder, stamp);
      return {
        ...ledger,
        ingest(arrival) {
          if (full) throw new Error('disk full');
          return ledger.ingest(arrival);
        },
      };
    },
  });
  full = true;
  const event = bench.service.emit('SPY', 2);
  const { secret } = subscriptionService.only();
  expect(await rig.deliver(bodyOf(event), secret)).toMatchObject({ status: 503, retryAfter: 5 });
  expect(shownIds(rig)).toEqual([]);
  expect(rig.view().refused[0]).toMatchObject({ reason: 'not_stored' });
  expect(rig.snapshot().connection.outage).not.toBeNull();
  full = false;
  expect(await rig.deliver(bodyOf(event), secret)).toMatchObject({ status: 200 });
  await bench.clock.advance(1_000);
  expect(shownIds(rig)).toEqual(notificationIds(event));
});

const DAY = 24 * 3_600_000;
test.each([
  ['from the future', 6 * 60_000],
  ['more than a month old', -31 * DAY],
])('%s: quarantined, and notified after the service confirms it', async (_, offset) => {
  const rig = await up();
  const at = new Date(bench.clock.now() + offset).toISOString();
  const event = bench.service.emit('SPY', 2, { at });
  // The service's lists are out of order for a while: only the webhook has the event.
  bench.service.log.pop();
  expect(await rig.deliver(bodyOf({ ...event, seq: undefined }), subscriptionService.only().secret)).toMatchObject({
    status: 202,
  });
  await bench.clock.advance(70_000);
  expect(shownIds(rig)).toEqual([]);
  expect(rig.view().quarantined).toBe(1);
  bench.service.log.push(event);
  await bench.clock.advance(130_000);
  expect(rig.view().quarantined).toBe(0);
  expect(shownIds(rig)).toEqual(notificationIds(event));
});

test('a day late by the service’s clock, whatever this computer’s says: notified, and labelled late', async () => {
  bench.service.worldOffset = 400 * DAY;
  const rig = await up();
  const event = bench.service.emit('SPY', 2, {
    at: new Date(bench.clock.now() + 400 * DAY - 26 * 3_600_000).toISOString(),
  });
  expect(await rig.deliver(bodyOf(event), subscriptionService.only().secret)).toMatchObject({ status: 200 });
  await bench.clock.advance(1_000);
  expect(rig.view().arrivals[0]).toMatchObject({ result: 'stored', message: expect.stringContaining('late') });
  expect(shownIds(rig)).toEqual(notificationIds(event));
});

test.each([
  ['removed', () => void subscriptionService.subscriptions.clear()],
  [
    'paused',
    () => {
      subscriptionService.only().status = 'paused';
    },
  ],
  [
    'pointed elsewhere',
    () =>
      void subscriptionService.subscriptions.set(subscriptionService.only().id, {
        ...subscriptionService.only(),
        url: 'https://elsewhere.example/',
      }),
  ],
])('a subscription that was %s repairs itself', async (_, harm) => {
  const rig = await up();
  harm();
  await bench.clock.advance(61_000);
  expect(subscriptionService.only()).toMatchObject({ status: 'active', url: `http://127.0.0.1:4781${ask(rig, '')}` });
  const event = bench.service.emit('SPY', 2);
  expect(await rig.deliver(bodyOf(event), subscriptionService.only().secret)).toMatchObject({ status: 200 });
});

test('disabling deletes its subscription and stops listening; enabling starts again', async () => {
  const rig = await up();
  await rig.core.handlers['relay.switch']({ on: false });
  await bench.clock.advance(1_000);
  expect([subscriptionService.subscriptions.size, rig.server.listening]).toEqual([0, null]);
  expect(rig.view()).toMatchObject({ on: false, listening: null, registration: { state: 'off' } });
  expect(rig.settings.profiles[0]?.relay).toMatchObject({ on: false });
  await rig.core.handlers['relay.switch']({ on: true });
  await bench.clock.advance(1_000);
  expect(rig.view().registration.state).toBe('registered');
  expect(subscriptionService.subscriptions.size).toBe(1);
});

const remote: Partial<Profile> = { name: 'sandbox', baseUrl: 'https://signals.example' };
const farAway = { profile: remote, baseUrl: 'https://signals.example' };

test('after a restart the same subscription continues where the secret was kept; otherwise a new one replaces it', async () => {
  const vault = createSessionVault();
  const profile = { baseUrl: bench.service.url };
  const first = await up({ vault, profile });
  const before = subscriptionService.only();
  await bench.down(first);
  expect(subscriptionService.only()).toBe(before);
  const second = await up({ vault, profile });
  expect(subscriptionService.only()).toBe(before);
  await bench.down(second);
  const third = await up({ vault: createSessionVault(), profile });
  expect(subscriptionService.only().id).not.toBe(before.id);
  const event = bench.service.emit('SPY', 2);
  expect(await third.deliver(bodyOf(event), subscriptionService.only().secret)).toMatchObject({ status: 200 });
});

test('the service inside the app ends with it: its subscription does too', async () => {
  const rig = await up();
  await bench.down(rig);
  expect(subscriptionService.subscriptions.size).toBe(0);
});

test('a relay outside the settings deletes its subscription; if the service misses that, the next one does', async () => {
  const profile = { name: 'terminal', baseUrl: bench.service.url };
  const first = await up({ profile });
  bench.service.fault = (request) => (request.method === 'DELETE' ? 'silence' : subscriptionService.answer(request));
  await bench.down(first);
  expect(subscriptionService.subscriptions.size).toBe(1);
  bench.service.fault = subscriptionService.answer;
  const second = await up({ profile });
  expect(subscriptionService.subscriptions.size).toBe(1);
  await bench.down(second);
  expect(subscriptionService.subscriptions.size).toBe(0);
});

test('a remote service cannot reach this computer: disabled, then manual, then by a public address', async () => {
  const rig = await up(farAway);
  expect(rig.view()).toMatchObject({ on: false, reachable: false, registration: { state: 'off' } });
  await rig.core.handlers['relay.switch']({ on: true });
  await bench.clock.advance(1_000);
  expect(rig.view().registration).toMatchObject({
    state: 'by_hand',
    message: expect.stringContaining('public address'),
  });
  expect(subscriptionService.calls).toEqual([]);
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
  expect(subscriptionService.only().url).toBe(`https://tunnel.example/desk${ask(rig, '')}`);
  expect(rig.server.listening?.hosts()).toEqual(['tunnel.example']);
  expect(rig.server.listening?.paths()).toContain(`/desk${ask(rig, '')}`);
});

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
  bench.service.fault = subscriptionService.answer;
  await bench.clock.advance(61_000);
  expect(rig.view().registration.state).toBe('registered');
});

test('a rotation loses no event: both secrets are valid until the service has changed over', async () => {
  const rig = await up();
  const before = subscriptionService.only().secret;
  await rig.core.handlers['relay.rotate']({});
  const after = subscriptionService.only().secret;
  expect(after).not.toBe(before);
  const deliver = (secret: string) => rig.deliver(bodyOf(bench.service.emit('SPY', 1)), secret);
  expect([(await deliver(after)).status, (await deliver(before)).status]).toEqual([200, 200]);
  expect(rig.view().secrets).toEqual({ current: true, previous: true });
  bench.clock.jump(26 * 3_600_000);
  expect((await deliver(before)).status).toBe(401);
  expect((await deliver(after)).status).toBe(200);
});

test('events of every source are forwarded: the same bytes, signed with the target’s secret, selected by its filter', async () => {
  const rig = await up();
  const add = rig.core.handlers['relay.target.add'];
  const high = await add({ url: 'http://127.0.0.1:9000/high', filter: { ...ALL, states: [2] }, allow_public: false });
  const own = await add({
    url: 'http://127.0.0.1:9000/own',
    filter: { ...ALL, symbols: ['QQQ'] },
    secret: 'a secret of their own',
    allow_public: false,
  });
  const [spy, qqq] = [bench.service.emit('SPY', 2), bench.service.emit('QQQ', 1)];
  const odd = bodyOf(spy).replace('{', '{ ');
  await rig.deliver(odd, subscriptionService.only().secret);
  await rig.deliver(bodyOf(qqq), subscriptionService.only().secret);
  bench.service.deaf = false;
  const third = bench.service.emit('IWM', 2);
  await bench.clock.advance(1_000);
  const sent = (url: string) => rig.server.sent.filter((request) => request.url.endsWith(url));
  expect(sent('/high').map(({ body }) => body)).toEqual([odd, bodyOf(third)]);
  expect(sent('/own').map(({ body }) => body)).toEqual([bodyOf(qqq)]);
  for (const { body, headers } of sent('/high'))
    expect(verify(headers, Buffer.from(body), [{ generation: 'current', text: high.secret }], 'hex')).toMatchObject({
      value: { scheme: 'standard', form: 'hex' },
    });
  for (const { body, headers } of sent('/own'))
    expect(verify(headers, Buffer.from(body), [{ generation: 'current', text: own.secret }], 'hex').ok).toBe(true);
  expect(rig.view().targets).toMatchObject([
    { queue: 0, delivered: 2, last: { status: 200, error: null } },
    { queue: 0, delivered: 1 },
  ]);
  expect(JSON.stringify(rig.view())).not.toContain(high.secret);
});

test('a target that was down gets every event later and in order, also after a restart; a removed one gets none', async () => {
  const profile = { baseUrl: bench.service.url };
  const first = await up({ profile });
  await first.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false });
  first.server.reply = () => GONE;
  const events = [bench.service.emit('SPY', 2), bench.service.emit('QQQ', 1), bench.service.emit('IWM', 1)];
  for (const event of events) await first.deliver(bodyOf(event), subscriptionService.only().secret);
  await bench.clock.advance(20_000);
  // The target does not answer: the first event is tried, the others wait behind it.
  expect(new Set(first.server.sent.map(({ body }) => body)).size).toBe(1);
  expect(first.server.sent.length).toBeGreaterThan(1);
  expect(first.view().targets[0]).toMatchObject({
    queue: 3,
    delivered: 0,
    last: { status: null, error: 'nothing listens there' },
  });
  await bench.down(first);

  const second = await up({ profile, server: createFakeRelayServer() });
  await bench.clock.advance(61_000);
  expect(second.server.sent.map(({ body }) => body)).toEqual(events.map(bodyOf));
  expect(second.view().targets[0]).toMatchObject({ queue: 0, delivered: 3, next_at: null });
  await second.core.handlers['relay.target.remove']({ id: second.view().targets[0]?.id ?? '' });
  await second.deliver(bodyOf(bench.service.emit('SPY', 1)), subscriptionService.only().secret);
  await bench.clock.advance(10_000);
  expect(second.server.sent).toHaveLength(3);
});

test('events do not loop: a delivery that passed here before, or too many relays, is refused; the trail grows by one name', async () => {
  const rig = await up();
  await rig.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false });
  expect(() =>
    rig.core.handlers['relay.target.add']({ url: 'http://localhost:4781/x', filter: ALL, allow_public: false }),
  ).toThrow(/itself/);
  expect(() =>
    rig.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false }),
  ).toThrow(/already/);
  const { secret } = subscriptionService.only();
  await rig.deliver(bodyOf(bench.service.emit('SPY', 1)), secret, { [TRAIL_HEADER]: 'another' });
  await bench.clock.advance(1_000);
  const trail = rig.server.sent[0]?.headers[TRAIL_HEADER] ?? '';
  expect(trail).toMatch(/^another, \S+$/);
  expect(await rig.deliver(bodyOf(bench.service.emit('SPY', 0)), secret, { [TRAIL_HEADER]: trail })).toMatchObject({
    status: 508,
  });
  expect(
    await rig.deliver(bodyOf(bench.service.emit('SPY', 1)), secret, { [TRAIL_HEADER]: 'a, b, c, d' }),
  ).toMatchObject({ status: 508 });
  expect(rig.view().refused.map(({ reason }) => reason)).toEqual(['loop', 'loop']);
});

test('a target gets no event from before it was added, even if back-fill brings it later', async () => {
  const rig = await up();
  await bench.clock.advance(5_000);
  const old = bench.service.emit('SPY', 1, { at: new Date(bench.clock.now() - 3_600_000).toISOString() });
  await rig.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false });
  await rig.deliver(bodyOf(old), subscriptionService.only().secret);
  await bench.clock.advance(1_000);
  expect(rig.server.sent).toEqual([]);
});

test('an event right after a target was added reaches it, even if the estimate of the service’s clock is slightly ahead', async () => {
  const rig = await up();
  await bench.clock.advance(5_000);
  await rig.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false });
  await rig.deliver(
    bodyOf(bench.service.emit('SPY', 1, { at: new Date(bench.clock.now() - 2_000).toISOString() })),
    subscriptionService.only().secret,
  );
  await bench.clock.advance(1_000);
  expect(rig.server.sent).toHaveLength(1);
});

test('without a server there is no relay, and its calls say so', async () => {
  const rig = await bench.up();
  const read = rig.core.handlers['relay.read']({});
  expect(read).toMatchObject({ listening: null, problem: expect.stringContaining('cannot listen') });
  await expect((async () => rig.core.handlers['relay.switch']({ on: true }))()).rejects.toThrow(/cannot listen/);
});

test('a port that cannot be opened is reported, and the core continues', async () => {
  const server = { ...createFakeRelayServer(), listen: () => Promise.reject(new Error('no port')) };
  const rig = relayRig(bench, { server });
  await rig.core.start();
  await bench.clock.advance(1_000);
  expect(rig.view()).toMatchObject({ listening: null, problem: expect.stringContaining('no port') });
  const event = bench.service.emit('SPY', 2);
  await bench.clock.advance(1_000);
  expect(shownIds(rig)).toEqual(notificationIds(event));
});

test('settings without a relay are valid', () => {
  expect(DEFAULT_SETTINGS.profiles[0]).not.toHaveProperty('relay');
});
