// Test: the queue of a target: persistent, retried, in order, never blocked by a refused event.

import { beforeEach, describe, expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
import { createTestContext } from '../../../test/harness/core-context.ts';
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { createForwarder, type Forwarder } from './forwarder.ts';
import type { OutboundRequest, Receipt } from './server.ts';
import { openRelayStore, type RelayStore } from './store.ts';

const HOUR = 3_600_000;
const ALL = { events: null, symbols: null, states: null };
const OK: Receipt = { status: 200, error: null };
const BUSY: Receipt = { status: 503, error: plainMessage('answered 503') };
const GONE: Receipt = { status: null, error: plainMessage('nothing listens there') };
let clock: ManualClock;
let store: RelayStore;
let log: EntryRow[];
let sent: { at: number; request: OutboundRequest; id: string }[];
let reply: (id: string) => Receipt;
let begun: number;
let isInMemory: boolean;

beforeEach(() => {
  clock = createManualClock();
  begun = clock.now();
  store = openRelayStore(':memory:', '', () => undefined);
  log = [];
  isInMemory = false;
  sent = [];
  reply = () => OK;
});

function make(): Forwarder {
  const context = createTestContext(clock);
  const forwarder = createForwarder({
    context: { ...context, ports: { ...context.ports, random: () => 0 } },
    store,
    server: {
      async post(request) {
        const id = request.headers['webhook-id'] ?? '';
        sent.push({ at: clock.now() - begun, request, id });
        return reply(id);
      },
    },
    ledger: {
      count: () => log.length,
      unwritten: () => (isInMemory ? { since: 0, cause: plainMessage('locked') } : null),
      entries: { after: (id, limit) => log.slice(id, id + limit) },
    },
    activity: { sent: () => undefined },
  });
  forwarder.wake();
  return forwarder;
}
function happen(...ids: string[]): void {
  for (const id of ids)
    log.push({
      ledger_id: log.length + 1,
      event_id: id,
      event: 'model.version',
      body: JSON.stringify({ event_id: id, event: 'model.version', timestamp: '2026-03-02T14:30:00.000Z', data: {} }),
      occurred_s: Math.floor(clock.now() / 1000),
      received_ms: clock.now(),
      assumptions: null,
      log: 1,
      seq: null,
      sources: 'relay',
      symbol: null,
      transition: null,
      attributes: {},
    } as unknown as EntryRow);
}
const add = (forwarder: Forwarder) =>
  forwarder.add({ url: 'http://127.0.0.1:9000/', filter: ALL, allowPublic: false, secret: null });
const ids = (): string[] => sent.map(({ id }) => id);

test('an event that the target refuses is sent 28 times in a day and given up; other events are not delayed', async () => {
  const forwarder = make();
  add(forwarder);
  reply = (id) => (id === 'bad' ? BUSY : OK);
  happen('bad', 'good');
  forwarder.wake();
  await clock.advance(1_000);
  expect(ids()).toEqual(['bad', 'good']);
  expect(forwarder.targets()[0]).toMatchObject({ queue: 1, delivered: 1, given_up: 0 });
  await clock.advance(48 * HOUR);
  const tries = sent.filter(({ id }) => id === 'bad').map(({ at }) => at);
  expect(tries.slice(0, 7)).toEqual([0, 5_000, 35_000, 155_000, 755_000, 4_355_000, 7_955_000]);
  expect(tries).toHaveLength(28);
  expect(forwarder.targets()[0]).toMatchObject({ queue: 0, delivered: 1, given_up: 1, next_at: null });
});

test('while no target answers, no event is given up, and all are sent in order when one does', async () => {
  const forwarder = make();
  add(forwarder);
  reply = () => GONE;
  happen('a', 'b', 'c');
  forwarder.wake();
  await clock.advance(30 * HOUR);
  happen('d');
  forwarder.wake();
  await clock.advance(1_000);
  expect(new Set(ids())).toEqual(new Set(['a']));
  expect(forwarder.targets()[0]).toMatchObject({ queue: 4, given_up: 0 });
  sent.length = 0;
  reply = () => OK;
  await clock.advance(60_000);
  expect(ids()).toEqual(['a', 'b', 'c', 'd']);
});

test('a ledger that was lost and filled again sends no event twice', async () => {
  const first = make();
  add(first);
  happen('a', 'b');
  first.wake();
  await clock.advance(1_000);
  first.stop();
  log.length = 0;
  sent.length = 0;
  const second = make();
  happen('b', 'a', 'c');
  second.wake();
  await clock.advance(1_000);
  expect(ids()).toEqual(['c']);
});

describe('a ledger in memory, because its file cannot be written', () => {
  /** The rows of the file, with these behind them. */
  const writeBack = (forwarder: Forwarder, isRenumbered: boolean, ...rows: EntryRow[]): void => {
    log = rows.map((row, index) => ({ ...row, ledger_id: index + 1 }));
    isInMemory = false;
    forwarder.ledgerWritten(isRenumbered);
  };

  test('that begins empty: its events are forwarded once; after the write-back, later events follow once', async () => {
    const first = make();
    add(first);
    happen('a', 'b', 'c');
    first.wake();
    await clock.advance(1_000);
    first.stop();
    const file = log;
    // Forgets the settled events, as after a month.
    store.prune(clock.now() + 1);
    [log, sent, isInMemory] = [[], [], true];
    const second = make();
    happen('d', 'e');
    second.wake();
    await clock.advance(1_000);
    expect(ids()).toEqual(['d', 'e']);
    writeBack(second, true, ...file, ...log);
    await clock.advance(1_000);
    happen('f');
    second.wake();
    await clock.advance(1_000);
    expect(ids()).toEqual(['d', 'e', 'f']);
    second.stop();
    happen('g');
    make();
    await clock.advance(1_000);
    expect(ids()).toEqual(['d', 'e', 'f', 'g']);
  });

  test('whose rows were removed to make room: later events in the file are forwarded', async () => {
    const forwarder = make();
    add(forwarder);
    happen('a', 'b');
    forwarder.wake();
    isInMemory = true;
    happen('c', 'd', 'e', 'f', 'g');
    forwarder.wake();
    const late = add(forwarder);
    await clock.advance(1_000);
    expect(ids()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    forwarder.remove(late.id);
    writeBack(forwarder, true, ...log.filter(({ event_id }) => ['a', 'b', 'g'].includes(event_id)));
    happen('h');
    forwarder.wake();
    await clock.advance(1_000);
    expect(ids().slice(7)).toEqual(['h']);
  });

  test('written back under the same ids: no event is repeated or left out, and a new target gets the later ones', async () => {
    const forwarder = make();
    happen('a');
    isInMemory = true;
    happen('b');
    clock.jump(HOUR);
    add(forwarder);
    happen('c');
    forwarder.wake();
    await clock.advance(1_000);
    writeBack(forwarder, false, ...log);
    happen('d');
    forwarder.wake();
    await clock.advance(1_000);
    expect(ids()).toEqual(['c', 'd']);
  });

  test('and a program that is killed then: no event is sent twice or left out', async () => {
    const first = make();
    add(first);
    happen('a');
    first.wake();
    const file = log;
    isInMemory = true;
    log = [...file];
    happen('b', 'c', 'd');
    first.wake();
    await clock.advance(1_000);
    first.stop();
    [log, isInMemory] = [[...file], false];
    const second = make();
    happen('c');
    second.wake();
    await clock.advance(1_000);
    expect(ids()).toEqual(['a', 'b', 'c', 'd']);
    happen('e', 'f');
    second.wake();
    await clock.advance(1_000);
    expect(ids()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});

test('a clock that was set back or far ahead does not stop it', async () => {
  const forwarder = make();
  add(forwarder);
  reply = () => GONE;
  happen('a');
  forwarder.wake();
  await clock.advance(40_000);
  clock.jump(-100 * 24 * HOUR);
  reply = () => OK;
  sent.length = 0;
  await clock.advance(120_000);
  expect(ids()).toEqual(['a']);
  clock.jump(200 * 24 * HOUR);
  happen('b');
  forwarder.wake();
  await clock.advance(1_000);
  expect(ids()).toEqual(['a', 'b']);
});

test('an event pending for a month is given up', async () => {
  const forwarder = make();
  add(forwarder);
  reply = () => GONE;
  happen('a');
  forwarder.wake();
  await clock.advance(1_000);
  store.prune(clock.now() + 1);
  expect(forwarder.targets()[0]).toMatchObject({ queue: 0, given_up: 1 });
});

test('a target is removed while an event is on its way to it', async () => {
  let answer: (receipt: Receipt) => void = () => undefined;
  const forwarder = make();
  const target = add(forwarder);
  const slow = new Promise<Receipt>((resolve) => {
    answer = resolve;
  });
  reply = () => slow as unknown as Receipt;
  happen('a', 'b');
  forwarder.wake();
  await clock.advance(10);
  forwarder.remove(target.id);
  answer(OK);
  await clock.advance(10_000);
  expect(ids()).toEqual(['a']);
  expect(forwarder.targets()).toEqual([]);
});

test('while its file cannot be written, no event is sent twice, and none is left out', async () => {
  const { queue } = store;
  let isFull = false;
  const whenWritable =
    <Given extends unknown[]>(write: (...given: Given) => void) =>
    (...given: Given): void => {
      if (isFull) throw new Error('disk full');
      write(...given);
    };
  store = { ...store, queue: { ...queue, enqueue: whenWritable(queue.enqueue), settle: whenWritable(queue.settle) } };
  const forwarder = make();
  add(forwarder);
  happen('a');
  reply = () => {
    isFull = true;
    return OK;
  };
  forwarder.wake();
  await clock.advance(10 * 60_000);
  happen('b');
  forwarder.wake();
  await clock.advance(10 * 60_000);
  expect(ids()).toEqual(['a']);
  isFull = false;
  reply = () => OK;
  // Without a further event.
  await clock.advance(2 * 60_000);
  expect(ids()).toEqual(['a', 'b']);
  expect(forwarder.targets()[0]).toMatchObject({ queue: 0, delivered: 2 });
});
