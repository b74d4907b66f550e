// Test: the dispatcher alone: one attempt at a time, retries, no repeat after a failed write.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock, type ManualClock, settle } from '../../../test/harness/manual-clock.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import type { DeliveryResult } from './sender.ts';

const SHOWN: DeliveryResult = { outcome: 'shown', detail: 'taken' };
const DAY = 24 * 3_600_000;

let clock: ManualClock;
let ledger: Ledger;
let dispatcher: Dispatcher;
let delivered: string[];
let deliver: (id: string) => Promise<DeliveryResult>;

beforeEach(() => {
  clock = createManualClock();
  ledger = openLedger(':memory:', 'now');
  delivered = [];
  deliver = () => Promise.resolve(SHOWN);
  dispatcher = createDispatcher({
    ledger,
    sender: {
      deliver({ id }) {
        delivered.push(id);
        return deliver(id);
      },
    },
    clock,
    random: () => 0.999,
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    events: { emit: () => undefined },
  });
});
afterEach(async () => {
  const stopped = dispatcher.stop();
  await clock.advance(2_000);
  await stopped;
  ledger.close();
});
const refuse = (): Promise<DeliveryResult> => Promise.reject(new Error('Nobody is there.'));
const intend = (id: string): boolean =>
  ledger.notifications.write(
    0,
    { id, kind: 'notice', rules: [], baseRate: null, outcome: 'intent', reason: 'x', batch: null },
    clock.now(),
  );
const outcomeOf = (id: string): string | undefined => ledger.notifications.find(id)?.outcome;

test('a failed one is retried after its own delay: other notifications do not shorten it', async () => {
  deliver = refuse;
  intend('a');
  dispatcher.wake();
  await settle();
  expect([delivered, outcomeOf('a')]).toEqual([['a'], 'failed']);
  deliver = () => Promise.resolve(SHOWN);
  intend('b');
  dispatcher.wake();
  await settle();
  expect(delivered).toEqual(['a', 'b']);
  await clock.advance(1_000);
  expect([delivered, outcomeOf('a')]).toEqual([['a', 'b', 'a'], 'shown']);
});

test('a receiver that does not answer is tried again; at most eight attempts run at once', async () => {
  deliver = () => new Promise(() => undefined);
  for (let index = 0; index < 10; index += 1) intend(`n${index}`);
  dispatcher.wake();
  dispatcher.wake();
  await settle();
  expect(delivered).toHaveLength(8);
  await clock.advance(15_000);
  expect(outcomeOf('n0')).toBe('failed');
});

test('an accepted one whose write failed is written later, and not dispatched again', async () => {
  const { notifications } = ledger;
  const { record } = notifications;
  let isFull = true;
  ledger.notifications = {
    ...notifications,
    record(...args) {
      if (isFull) throw new Error('disk full');
      return record(...args);
    },
  };
  intend('a');
  dispatcher.wake();
  await clock.advance(10_000);
  expect([delivered, outcomeOf('a')]).toEqual([['a'], 'intent']);
  isFull = false;
  await clock.advance(120_000);
  expect([delivered, outcomeOf('a')]).toEqual([['a'], 'shown']);
});

test('a channel that failed for a day is given up; the desktop never is', async () => {
  deliver = refuse;
  intend('a');
  ledger.notifications.copyTo('rule', 'a', clock.now());
  dispatcher.wake();
  await clock.advance(DAY + 120_000);
  expect([outcomeOf('a'), outcomeOf('a@rule')]).toEqual(['failed', 'dropped']);
});

test('an alert in a digest has the dispatch in its own trace, once, in order; a repeated failure adds nothing', async () => {
  const members = Array.from({ length: 300 }, (_, index) => index + 1);
  for (const ledgerId of members)
    ledger.notifications.write(
      ledgerId,
      { id: `n${ledgerId}`, kind: 'alert', rules: [], baseRate: null, outcome: 'batched', reason: 'x', batch: 'burst' },
      clock.now(),
    );
  const ids = members.map((ledgerId) => `n${ledgerId}`);
  ledger.notifications.write(
    1,
    { id: 'd', kind: 'digest', rules: [], baseRate: null, outcome: 'intent', reason: 'x', batch: null },
    clock.now(),
  );
  ledger.notifications.join(ids, 'd', clock.now());
  const traceOf = (ledgerId: number): string[] =>
    ledger.trace.of(ledgerId).map(({ step, detail }) => `${step} ${detail}`);
  const failed = ['dispatched to the desktop as d', 'answered refused: Nobody is there. It is tried again.'];
  deliver = refuse;
  dispatcher.wake();
  await settle();
  await clock.advance(5_000);
  expect(delivered.length).toBeGreaterThan(1);
  for (const ledgerId of members) expect(traceOf(ledgerId)).toEqual(failed);
  deliver = () => Promise.resolve(SHOWN);
  await clock.advance(60_000);
  for (const ledgerId of members)
    expect(traceOf(ledgerId)).toEqual([...failed, 'dispatched to the desktop as d', 'answered shown: taken']);
  expect(traceOf(301)).toEqual([]);
});
