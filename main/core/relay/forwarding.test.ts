// Test: the relay in a whole core: events are forwarded to local programs.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createFakeRelayServer, GONE, setUpRelayBench } from '../../../test/harness/relay-bench.ts';
import { saying } from '../../../test/harness/saying.ts';
import { openDatabase } from '../ledger/database.ts';
import { TRAIL_HEADER, verify } from './signature.ts';

const { bench, up } = setUpRelayBench();
const ALL = { events: null, symbols: null, states: null };
const bodyOf = (event: object): string => JSON.stringify(event);

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
  await rig.deliver(odd, bench.subscriptions.only().secret);
  await rig.deliver(bodyOf(qqq), bench.subscriptions.only().secret);
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
  for (const event of events) await first.deliver(bodyOf(event), bench.subscriptions.only().secret);
  await bench.clock.advance(20_000);
  // The target does not answer: the first event is sent again and again, and later events wait.
  expect(new Set(first.server.sent.map(({ body }) => body)).size).toBe(1);
  expect(first.server.sent.length).toBeGreaterThan(1);
  expect(first.view().targets[0]).toMatchObject({
    queue: 3,
    delivered: 0,
    last: { status: null, error: saying('nothing listens there') },
  });
  await bench.down(first);

  const second = await up({ profile, server: createFakeRelayServer() });
  await bench.clock.advance(61_000);
  expect(second.server.sent.map(({ body }) => body)).toEqual(events.map(bodyOf));
  expect(second.view().targets[0]).toMatchObject({ queue: 0, delivered: 3, next_at: null });
  await second.core.handlers['relay.target.remove']({ id: second.view().targets[0]?.id ?? '' });
  await second.deliver(bodyOf(bench.service.emit('SPY', 1)), bench.subscriptions.only().secret);
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
  const { secret } = bench.subscriptions.only();
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
  await rig.deliver(bodyOf(old), bench.subscriptions.only().secret);
  await bench.clock.advance(1_000);
  expect(rig.server.sent).toEqual([]);
});

test('an event right after a target was added reaches it, even if the estimate of the service’s clock is slightly ahead', async () => {
  const rig = await up();
  await bench.clock.advance(5_000);
  await rig.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false });
  await rig.deliver(
    bodyOf(bench.service.emit('SPY', 1, { at: new Date(bench.clock.now() - 2_000).toISOString() })),
    bench.subscriptions.only().secret,
  );
  await bench.clock.advance(1_000);
  expect(rig.server.sent).toHaveLength(1);
});

test('an event that could not be enqueued, because another program locked the file, is forwarded soon after', {
  tags: ['long'],
}, async () => {
  const rig = await up();
  await rig.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false });
  const db = new Database(join(bench.folder, 'relay.sqlite'));
  db.exec('BEGIN IMMEDIATE');
  const event = bench.service.emit('SPY', 2);
  expect(await rig.deliver(bodyOf(event), bench.subscriptions.only().secret)).toMatchObject({ status: 200 });
  expect(rig.server.sent).toEqual([]);
  db.exec('ROLLBACK');
  db.close();
  await bench.clock.advance(2_000);
  expect(rig.server.sent.map(({ body }) => body)).toEqual([bodyOf(event)]);
});

test('events that could not be enqueued are forwarded when the ledger is written again', async () => {
  const rig = await up();
  await rig.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false });
  const db = new Database(join(bench.folder, 'relay.sqlite'));
  db.exec("CREATE TRIGGER full BEFORE INSERT ON forwards BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END");
  const event = bench.service.emit('SPY', 2);
  bench.service.deaf = false;
  await rig.deliver(bodyOf(event), bench.subscriptions.only().secret);
  await bench.clock.advance(1_000);
  expect(rig.server.sent).toEqual([]);
  db.exec('DROP TRIGGER full');
  db.close();
  rig.core.relay.on.ledgerWritten?.({ isRenumbered: false });
  await bench.clock.advance(1);
  expect(rig.server.sent.map(({ body }) => body)).toEqual([bodyOf(event)]);
});

test('a start with a ledger that cannot be read, a month later: no old event is forwarded, and each new one once', async () => {
  const profile = { baseUrl: bench.service.url };
  const first = await up({ profile });
  await first.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false });
  bench.service.deaf = false;
  bench.service.emit('SPY', 2);
  bench.service.emit('QQQ', 1);
  await bench.clock.advance(1_000);
  expect(first.server.sent).toHaveLength(2);
  await bench.down(first);

  const path = join(bench.folder, 'ledger.sqlite');
  const bytes = readFileSync(path);
  writeFileSync(path, 'unreadable');
  let isReadOnly = true;
  bench.clock.jump(31 * 24 * 3_600_000);
  const second = await up({
    profile,
    server: createFakeRelayServer(),
    ledger: {
      open(folder, stamp) {
        if (isReadOnly && folder !== ':memory:') throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
        return openDatabase(folder, stamp);
      },
    },
  });
  bench.service.deaf = false;
  const third = bench.service.emit('IWM', 2);
  await bench.clock.advance(1_000);
  expect(second.snapshot().ledger.events).toBe(3);
  expect(second.server.sent.map(({ body }) => body)).toEqual([bodyOf(third)]);
  writeFileSync(path, bytes);
  chmodSync(path, 0o600);
  isReadOnly = false;
  await bench.clock.advance(70_000);
  expect(second.logged).toContainEqual(expect.objectContaining({ message: 'the ledger is written again' }));
  const fourth = bench.service.emit('XLK', 2);
  await bench.clock.advance(1_000);
  expect(second.server.sent.map(({ body }) => body)).toEqual([third, fourth].map(bodyOf));
});

test('a clock that runs months ahead gives up nothing that is pending', async () => {
  const profile = { baseUrl: bench.service.url, environment: 'production' as const };
  bench.service.environment = 'production';
  bench.service.accepts = () => true;
  const options = { profile, key: 'svc_live_0123456789abcdef' };
  const first = await up(options);
  await first.core.handlers['relay.target.add']({ url: 'http://127.0.0.1:9000/', filter: ALL, allow_public: false });
  first.server.reply = () => GONE;
  bench.service.deaf = false;
  const event = bench.service.emit('SPY', 2);
  await bench.clock.advance(20_000);
  await bench.down(first);
  const ahead = 60 * 24 * 3_600_000;
  bench.clock.jump(ahead);
  bench.service.worldOffset -= ahead;
  const second = await up({ ...options, server: createFakeRelayServer() });
  await bench.clock.advance(60_000);
  expect(second.view().targets).toMatchObject([{ given_up: 0 }]);
  expect(second.server.sent.map(({ body }) => body)).toContain(bodyOf(event));
});
