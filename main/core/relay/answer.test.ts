// Test: the relay answers when the event is in the ledger's file, and waits for nothing else.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { notificationIds } from '../../../test/harness/core-bench.ts';
import { createFakeRelayServer, relayRig, setUpRelayBench } from '../../../test/harness/relay-bench.ts';
import { createSessionVault } from '../keys/session-vault.ts';
import type { Answer } from './server.ts';

const { bench } = setUpRelayBench();
/** A promise that never settles. */
const hanging = (): Promise<never> => new Promise(() => undefined);
/** The events that another process finds in the file: only committed ones. */
function onDisk(): string[] {
  const db = new Database(join(bench.folder, 'ledger.sqlite'), { readonly: true });
  const rows = db.prepare<[], { event_id: string }>('SELECT event_id FROM events').all();
  db.close();
  return rows.map(({ event_id }) => event_id);
}

test('an answer says that it is on the disk, and waits for nothing but that: within a second by the clock, with all else hanging', async () => {
  const server = createFakeRelayServer();
  const vault = createSessionVault();
  const rig = relayRig(bench, { server, vault, show: hanging });
  await rig.core.start();
  await bench.clock.until(() => rig.view().registration.state === 'registered');
  await bench.clock.advance(1_000);
  await rig.core.handlers['relay.target.add']({
    url: 'http://127.0.0.1:9/hook',
    filter: { events: null, symbols: null, states: null },
    allow_public: false,
  });
  const { secret } = bench.subscriptions.only();
  // From now on nothing answers: desktop, keychain, target, service.
  server.reply = hanging;
  Object.assign(vault, { getPassword: hanging, setPassword: hanging });
  bench.service.fault = () => 'silence';
  bench.service.deaf = true;

  const events = ['SPY', 'QQQ', 'IWM'].map((symbol) => bench.service.emit(symbol, 2));
  const found: { readonly answer: Answer; readonly after: number; readonly onDisk: readonly string[] }[] = [];
  const began = bench.clock.now();
  for (const event of events)
    void rig
      .deliver(JSON.stringify(event), secret)
      .then((answer) => found.push({ answer, after: bench.clock.now() - began, onDisk: onDisk() }));
  expect(onDisk()).toEqual([]);
  await bench.clock.advance(1_000);

  expect(found.map(({ answer }) => answer.status)).toEqual([200, 200, 200]);
  for (const { after, ...seen } of found) {
    expect(after).toBeLessThan(1_000);
    expect(seen.onDisk).toEqual(events.map(({ event_id }) => event_id));
  }
  // The first notification hangs; the other events, of the same instant, joined it.
  expect(rig.shown.map(({ id }) => id)).toEqual(notificationIds(...events.slice(0, 1)));
});
