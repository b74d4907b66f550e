// Test: the relay in a whole core without a port.

import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { notificationIds, shownIds } from '../../../test/harness/core-bench.ts';
import { createFakeRelayServer, relayRig, setUpRelayBench } from '../../../test/harness/relay-bench.ts';
import { saying } from '../../../test/harness/saying.ts';
import { createSessionVault } from '../keys/session-vault.ts';

const { bench, up } = setUpRelayBench();

test('without a server there is no relay, and its calls refuse with that reason', async () => {
  const rig = await bench.up();
  const read = rig.core.handlers['relay.read']({});
  expect(read).toMatchObject({ listening: null, problem: saying(/cannot listen/) });
  await expect((async () => rig.core.handlers['relay.switch']({ on: true }))()).rejects.toThrow(/cannot listen/);
});

test('a port that cannot be opened is reported, and the core continues', async () => {
  const server = { ...createFakeRelayServer(), listen: () => Promise.reject(new Error('no port')) };
  const rig = relayRig(bench, { server });
  await rig.core.start();
  await bench.clock.advance(1_000);
  expect(rig.view()).toMatchObject({ listening: null, problem: saying(/no port/) });
  const event = bench.service.emit('SPY', 2);
  await bench.clock.advance(1_000);
  expect(shownIds(rig)).toEqual(notificationIds(event));
});

test('a port that opens only after the relay was stopped is closed again', async () => {
  const server = createFakeRelayServer();
  const { listen } = server;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  server.listen = async (options) => {
    await opened;
    return listen(options);
  };
  const rig = relayRig(bench, { server });
  await rig.core.start();
  await bench.clock.advance(1_000);
  await rig.core.stop();
  open();
  await bench.clock.advance(1_000);
  expect(server.listening).toBeNull();
});

test('a start on a folder that takes no file: said, and the relay begins when it takes one', async () => {
  const path = join(bench.folder, 'relay.sqlite');
  mkdirSync(path);
  const rig = relayRig(bench);
  await rig.core.start();
  await bench.clock.advance(5 * 60_000);
  expect(rig.server.listening).toBeNull();
  expect(rig.view()).toMatchObject({ listening: null, problem: saying(/cannot keep/) });
  rmdirSync(path);
  await bench.clock.advance(65_000);
  expect(rig.view()).toMatchObject({ problem: null, listening: {}, registration: { state: 'registered' } });
  bench.service.deaf = true;
  const event = bench.service.emit('SPY', 2);
  expect(await rig.deliver(JSON.stringify(event), bench.subscriptions.only().secret)).toMatchObject({ status: 200 });
});

test('a relay that was stopped before its file could be opened does not open it later', async () => {
  const path = join(bench.folder, 'relay.sqlite');
  mkdirSync(path);
  const rig = relayRig(bench);
  await rig.core.start();
  await bench.clock.advance(1_000);
  await bench.down(rig);
  rmdirSync(path);
  await bench.clock.advance(5 * 60_000);
  expect([rig.server.listening, bench.subscriptions.calls]).toEqual([null, []]);
});

test('a start while another program has locked the file, with events to forward: it listens, and forwards them after', {
  tags: ['long'],
}, async () => {
  const profile = { baseUrl: bench.service.url };
  const vault = createSessionVault();
  const first = await up({ profile, vault });
  await first.core.handlers['relay.target.add']({
    url: 'http://127.0.0.1:9000/',
    filter: { events: null, symbols: null, states: null },
    allow_public: false,
  });
  const db = new Database(join(bench.folder, 'relay.sqlite'));
  db.exec('BEGIN IMMEDIATE');
  const event = bench.service.emit('SPY', 2);
  const { secret } = bench.subscriptions.only();
  await first.deliver(JSON.stringify(event), secret);
  await bench.down(first);
  expect(first.server.sent).toEqual([]);

  const server = createFakeRelayServer();
  const second = relayRig(bench, { profile, vault, server });
  await second.core.start();
  await bench.clock.advance(500);
  expect(server.listening).not.toBeNull();
  expect(await second.deliver(JSON.stringify(event), secret)).toMatchObject({ status: 200, body: { status: 'known' } });
  expect([server.sent, second.view().problem]).toEqual([[], null]);
  db.exec('ROLLBACK');
  db.close();
  await bench.clock.advance(10_000);
  expect(server.sent.map(({ body }) => body)).toEqual([JSON.stringify(event)]);
});
