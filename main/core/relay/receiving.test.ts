// Test: the relay in a whole core: deliveries become events of the one ledger.

import { cpSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { optionalText } from '../../../shared/text/message.ts';
import { encodeEvent } from '../../../shared/wire/sse.ts';
import { namedIds, notificationIds, shownIds } from '../../../test/harness/core-bench.ts';
import { folderInMemory } from '../../../test/harness/folders.ts';
import { type RelayRig, setUpRelayBench } from '../../../test/harness/relay-bench.ts';
import { saying } from '../../../test/harness/saying.ts';
import { createSessionVault } from '../keys/session-vault.ts';
import { DEFAULT_SETTINGS } from '../profiles/settings.ts';

const { bench, up } = setUpRelayBench();
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
  expect(bench.subscriptions.only().url).toBe(`http://127.0.0.1:4781${ask(rig, '')}`);

  const event = bench.service.emit('SPY', 2);
  const { secret } = bench.subscriptions.only();
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

test('webhooks that arrive hours late are labelled: a single one by itself, several in one digest', async () => {
  const rig = await up();
  const { secret } = bench.subscriptions.only();
  // No other source brings them before the webhooks do.
  bench.service.fault = (request) => (request.path === '/events' ? 'unreachable' : bench.subscriptions.answer(request));
  const ago = (minutes: number): string => new Date(bench.clock.now() - minutes * 60_000).toISOString();
  const first = bench.service.emit('SPY', 2, { at: ago(125) });
  await rig.deliver(bodyOf(first), secret);
  await bench.clock.advance(20_000);
  expect(rig.shown).toMatchObject([
    { id: notificationIds(first)[0], body: expect.stringContaining('It arrived 2 hours 5 minutes late, by webhook.') },
  ]);
  const { steps } = await rig.core.handlers['alerts.trace']({ ledger_id: alert(rig, first.event_id)?.ledger_id ?? 0 });
  expect(steps.map(({ detail }) => optionalText(detail)).join(' ')).toContain('came late, by webhook');

  const further = ['QQQ', 'IWM', 'AAPL'].map((symbol) => bench.service.emit(symbol, 2, { at: ago(90) }));
  await Promise.all(further.map((event) => rig.deliver(bodyOf(event), secret)));
  await bench.clock.advance(20_000);
  expect(rig.shown).toHaveLength(2);
  expect(rig.shown[1]?.body).toContain('All of them arrived late, by webhook.');
  expect(rig.shown[1]?.names?.toSorted()).toEqual(notificationIds(...further).sort());
});

test('a delivery that was stored and not answered before a kill is notified once, also when it is sent again', async () => {
  const vault = createSessionVault();
  const copy = folderInMemory();
  onTestFinished(copy.remove);
  const killed = await up({
    vault,
    ledger: {
      change: (ledger) => ({
        ...ledger,
        ingest(arrival) {
          const ingested = ledger.ingest(arrival);
          // What is on the disk when the kill comes.
          if (arrival.source === 'relay') cpSync(bench.folder, copy.path, { recursive: true });
          return ingested;
        },
      }),
    },
  });
  const event = bench.service.emit('SPY', 2);
  await killed.deliver(bodyOf(event), bench.subscriptions.only().secret);
  await bench.down(killed);
  bench.folder = copy.path;
  const next = await up({ vault });
  expect(await next.deliver(bodyOf(event), bench.subscriptions.only().secret)).toMatchObject({
    status: 200,
    body: { status: 'known' },
  });
  await bench.clock.advance(60_000);
  expect(shownIds(next)).toEqual(notificationIds(event));
});

test('a webhook beyond a hole makes back-fill fetch the missing events', async () => {
  const rig = await up();
  const [first, second] = [bench.service.emit('SPY', 2), bench.service.emit('QQQ', 2)];
  await rig.deliver(bodyOf(second), bench.subscriptions.only().secret);
  await bench.clock.advance(3_000);
  expect(namedIds(rig).sort()).toEqual(notificationIds(first, second).sort());
});

/** The list of signals says nothing of its state. */
const unlisted = (symbol: string): void =>
  void bench.service.prices.set(symbol, { state: 0, state_name: 'normal' } as never);

test.each([
  ['signed with another secret', { 'x-service-signature': '0'.repeat(64) }, 401, 'wrong_signature'],
  ['not signed', { 'x-service-signature': undefined }, 401, 'unsigned'],
  ['spelt wrongly', { 'x-service-signature': 'md5' }, 401, 'unreadable_signature'],
] as const)('%s: refused, listed, examined, and not in the ledger', async (_, headers, status, reason) => {
  const rig = await up();
  const { secret } = bench.subscriptions.only();
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
  for (const body of ['not JSON', '[]', '{"data":{"symbol":"SPY"}}', '"text"'])
    expect(await rig.deliver(body, bench.subscriptions.only().secret)).toMatchObject({
      status: 202,
      body: { status: 'quarantined' },
    });
  expect(rig.view()).toMatchObject({ quarantined: 4, arrivals: [{ result: 'quarantined' }, {}, {}, {}] });
  expect(rig.snapshot().ledger.events).toBe(0);
});

test.each([
  ['with an unreadable symbol', { data: { symbol: '¿?' } }, 'event.no_symbol'],
  ['of a body that breaks off', null, 'event.no_symbol'],
])(
  'a High Risk %s, which no other source brings: recorded, notified, and a gap with the reason',
  async (_, change, code) => {
    const rig = await up();
    const { secret } = bench.subscriptions.only();
    unlisted('SPY');
    const event = bench.service.emit('SPY', 2);
    bench.service.log.pop();
    const { event_id, event: name, timestamp, data } = event;
    const body =
      change === null
        ? `{"event_id":"${event_id}","event":"${name}","timestamp":"${timestamp}","data":{"asset_class":"etf","symbol":"SP`
        : bodyOf({ event_id, event: name, timestamp, data: { ...data, ...change.data } });
    expect(await rig.deliver(body, secret)).toMatchObject({ status: 200, body: { status: 'stored', event_id } });
    expect(rig.view()).toMatchObject({
      quarantined: 0,
      arrivals: [{ event_id, event: name, symbol: null, result: 'stored', message: { code } }],
    });
    expect(await rig.deliver(body, secret)).toMatchObject({ status: 200, body: { status: 'known' } });
    await bench.clock.advance(10_000);
    expect(rig.shown).toMatchObject([
      { id: `barograph:${event_id}`, title: '[SANDBOX] High Risk of an unknown symbol', symbol: null },
    ]);
    expect(rig.snapshot().gaps).toMatchObject([{ closed: false, lost: true, cause: { code } }]);
    expect(rig.snapshot().ledger.events).toBe(1);
  },
);

test('the ledger cannot be written: the answer asks the service for a retry, and nothing is notified before', async () => {
  let full = false;
  const rig = await up({
    ledger: {
      change: (ledger) => ({
        ...ledger,
        ingest(arrival) {
          if (full) throw new Error('disk full');
          return ledger.ingest(arrival);
        },
      }),
    },
  });
  full = true;
  const event = bench.service.emit('SPY', 2);
  const { secret } = bench.subscriptions.only();
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
  unlisted('SPY');
  const event = bench.service.emit('SPY', 2, { at });
  // The service's lists are out of order for a while: only the webhook has the event.
  bench.service.log.pop();
  expect(await rig.deliver(bodyOf({ ...event, seq: undefined }), bench.subscriptions.only().secret)).toMatchObject({
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

test('the service is asked about a new dead letter alone: earlier ones wait for their round', async () => {
  const rig = await up();
  const { secret } = bench.subscriptions.only();
  const at = new Date(bench.clock.now() - 31 * DAY).toISOString();
  const before = bench.service.requests.length;
  for (let index = 0; index < 10; index += 1) {
    const event = bench.service.emit('SPY', 2, { at });
    bench.service.log.pop();
    await rig.deliver(bodyOf({ ...event, seq: undefined }), secret);
    await bench.clock.advance(100);
  }
  expect(rig.view().quarantined).toBe(10);
  const asked = bench.service.requests.slice(before).filter(({ url }) => url.searchParams.has('to'));
  expect(asked).toHaveLength(10);
});

test('a delivery a day late by the service’s clock is notified and labelled late, with any clock here', async () => {
  bench.service.worldOffset = 400 * DAY;
  const rig = await up();
  const event = bench.service.emit('SPY', 2, {
    at: new Date(bench.clock.now() + 400 * DAY - 26 * 3_600_000).toISOString(),
  });
  expect(await rig.deliver(bodyOf(event), bench.subscriptions.only().secret)).toMatchObject({ status: 200 });
  await bench.clock.advance(1_000);
  expect(rig.view().arrivals[0]).toMatchObject({ result: 'stored', message: saying(/late/) });
  expect(shownIds(rig)).toEqual(notificationIds(event));
});

test('a request at the port never reads the settings file', async () => {
  let reads = 0;
  const settings = {
    read() {
      reads += 1;
      return DEFAULT_SETTINGS;
    },
    change: () => undefined,
  };
  const rig = await up({ ports: { settings } });
  const before = reads;
  expect([rig.server.listening?.paths().length, rig.server.listening?.hosts()]).toEqual([1, []]);
  expect(reads).toBe(before);
});

test('reordered deliveries close their gap, and the service is not asked for them', async () => {
  const rig = await up();
  const { secret } = bench.subscriptions.only();
  await rig.deliver(bodyOf(bench.service.emit('SPY', 1)), secret);
  await bench.clock.advance(1_000);
  const requestCount = (): number => bench.service.requests.filter(({ path }) => path === '/events').length;
  const before = requestCount();
  const [first, second, third, fourth] = ['SPY', 'QQQ', 'IWM', 'AAPL'].map((symbol) => bench.service.emit(symbol, 2));
  // Two arrive within one turn, the first a little later, and the fourth not before the wait for it has
  // ended.
  await Promise.all([third, second].map((event) => rig.deliver(bodyOf(event ?? {}), secret)));
  await bench.clock.advance(50);
  await rig.deliver(bodyOf(first ?? {}), secret);
  await bench.clock.advance(1_000);
  expect(requestCount()).toBe(before);
  const ids = rig.core.entries(1, 10).map(({ event_id }) => event_id);
  expect(ids).toEqual([second, third, first].map((event) => event?.event_id));

  await rig.deliver(bodyOf(bench.service.emit('XLK', 2)), secret);
  await bench.clock.advance(1_000);
  expect(requestCount()).toBeGreaterThan(before);
  expect(rig.core.entries(1, 10).map(({ event_id }) => event_id)).toContain(fourth?.event_id);
});

test('the service is asked about a few dead letters in an interval, and about each in turn', async () => {
  const rig = await up();
  const { secret } = bench.subscriptions.only();
  const at = new Date(bench.clock.now() - 31 * DAY).toISOString();
  const asked = (): URL[] =>
    bench.service.requests.map(({ url }) => url).filter(({ searchParams }) => searchParams.has('to'));
  for (let index = 0; index < 100; index += 1) {
    const event = bench.service.emit('SPY', 2, { at: new Date(Date.parse(at) + index * 60_000).toISOString() });
    bench.service.log.pop();
    await rig.deliver(bodyOf({ ...event, seq: undefined }), secret);
  }
  await bench.clock.advance(1_000);
  expect(rig.view().quarantined).toBe(100);
  expect(asked().length).toBeLessThanOrEqual(30);
  await bench.clock.advance(60_000);
  expect(asked().length).toBeLessThanOrEqual(60);
  await bench.clock.advance(4 * 60_000);
  expect(new Set(asked().map(({ searchParams }) => searchParams.get('from'))).size).toBe(100);
});
