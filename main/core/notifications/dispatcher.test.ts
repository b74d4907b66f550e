// Test: the dispatcher alone: one attempt at a time, retries, no repeat after a failed write.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { optionalText, plainMessage } from '../../../shared/text/message.ts';
import { createManualClock, type ManualClock, settle } from '../../../test/harness/manual-clock.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import type { DeliveryResult } from './sender.ts';

const SHOWN: DeliveryResult = { outcome: 'shown', detail: plainMessage('taken') };
const DAY = 24 * 3_600_000;

let clock: ManualClock;
let ledger: Ledger;
let dispatcher: Dispatcher;
let delivered: string[];
let deliver: (id: string, signal: AbortSignal) => Promise<DeliveryResult>;

beforeEach(() => {
  clock = createManualClock();
  ledger = openLedger(':memory:', 'now');
  delivered = [];
  deliver = () => Promise.resolve(SHOWN);
  dispatcher = createDispatcher({
    ledger,
    sender: {
      deliver({ id }, signal) {
        delivered.push(id);
        return deliver(id, signal);
      },
      isExpired: ({ channel, since }, now) => channel === 'rule' && now - since > DAY,
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
    { id, kind: 'notice', rules: [], baseRate: null, outcome: 'intent', reason: plainMessage('x'), batch: null },
    clock.now(),
  );
const outcomeOf = (id: string): string | undefined => ledger.notifications.find(id)?.outcome;

test('a failed notification is retried after its own delay, which others do not shorten', async () => {
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

test('a receiver that does not answer is retried; at most eight attempts run at once', async () => {
  deliver = () => new Promise(() => undefined);
  for (let index = 0; index < 10; index += 1) intend(`n${index}`);
  dispatcher.wake();
  dispatcher.wake();
  await settle();
  expect(delivered).toHaveLength(8);
  await clock.advance(15_000);
  expect(outcomeOf('n0')).toBe('failed');
});

test('an attempt that is over is aborted; one that succeeded is not', async () => {
  const signals: AbortSignal[] = [];
  deliver = (id, signal) => {
    signals.push(signal);
    return id === 'a' ? new Promise(() => undefined) : Promise.resolve(SHOWN);
  };
  intend('a');
  intend('b');
  dispatcher.wake();
  await clock.advance(14_999);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  await clock.advance(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test('receivers that do not answer delay no notification on the desktop', async () => {
  deliver = (id) => (id.endsWith('@rule') ? new Promise(() => undefined) : Promise.resolve(SHOWN));
  for (let index = 0; index < 20; index += 1) {
    intend(`n${index}`);
    ledger.notifications.copyTo('rule', `n${index}`, clock.now());
  }
  dispatcher.wake();
  await clock.advance(1_000);
  intend('high-risk');
  dispatcher.wake();
  await settle();
  expect(outcomeOf('high-risk')).toBe('shown');
  expect(delivered.filter((id) => id.endsWith('@rule'))).toHaveLength(8);
});

test('an accepted notification whose outcome was not written is written later, and not dispatched again', async () => {
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

test('while the desktop is away, one attempt is made for all; its return is used at once', async () => {
  deliver = () => Promise.resolve({ outcome: 'away', detail: plainMessage('Nobody is there.') });
  for (let index = 0; index < 20; index += 1) intend(`n${index}`);
  dispatcher.wake();
  await settle();
  expect(delivered).toHaveLength(8);
  await clock.advance(10 * 60_000);
  // Eight at a time, with a growing delay.
  expect(delivered.length).toBeLessThan(8 * 20);
  expect(outcomeOf('n0')).toBe('failed');
  deliver = () => Promise.resolve(SHOWN);
  dispatcher.retryDesktop();
  await settle();
  await clock.advance(0);
  expect(ledger.notifications.pending(50)).toEqual([]);
});

test('a new notification is attempted while the desktop is away, and its success dispatches the others', async () => {
  deliver = () => Promise.resolve({ outcome: 'away', detail: null });
  intend('a');
  dispatcher.wake();
  await settle();
  deliver = () => Promise.resolve(SHOWN);
  intend('b');
  dispatcher.wake();
  await settle();
  expect([delivered, outcomeOf('a'), outcomeOf('b')]).toEqual([['a', 'b', 'a'], 'shown', 'shown']);
});

test('a notification shown by a window is not retried; a channel’s copy is; an unknown id changes nothing', async () => {
  deliver = refuse;
  intend('a');
  ledger.notifications.copyTo('rule', 'a', clock.now());
  dispatcher.wake();
  await settle();
  for (const id of ['a', 'a@rule', 'unknown']) dispatcher.takenByWindow(id);
  await clock.advance(120_000);
  expect([outcomeOf('a'), outcomeOf('a@rule')]).toEqual(['in_app', 'failed']);
  expect(delivered.filter((id) => id === 'a')).toHaveLength(1);
});

test('a window may accept a notification during an attempt that fails', async () => {
  let fail: (error: Error) => void = () => undefined;
  deliver = () => new Promise((_, reject) => (fail = reject));
  intend('a');
  dispatcher.wake();
  await settle();
  dispatcher.takenByWindow('a');
  fail(new Error('gone'));
  await clock.advance(120_000);
  expect([delivered, outcomeOf('a')]).toEqual([['a'], 'in_app']);
});

test('an accepted notification is not given up, however long its outcome cannot be written', async () => {
  const { notifications } = ledger;
  let isFull = true;
  ledger.notifications = {
    ...notifications,
    record(...args) {
      if (isFull && args[1] !== 'dropped') throw new Error('disk full');
      return notifications.record(...args);
    },
  };
  intend('a');
  ledger.notifications.copyTo('rule', 'a', clock.now());
  dispatcher.wake();
  await clock.advance(1_000);
  clock.jump(DAY + 120_000);
  await clock.advance(10_000);
  isFull = false;
  await clock.advance(120_000);
  expect([outcomeOf('a'), outcomeOf('a@rule')]).toEqual(['shown', 'shown']);
});

test('an expired notification is given up; the desktop’s never expire', { tags: ['long'] }, async () => {
  deliver = refuse;
  intend('a');
  ledger.notifications.copyTo('rule', 'a', clock.now());
  dispatcher.wake();
  await clock.advance(DAY + 120_000);
  expect([outcomeOf('a'), outcomeOf('a@rule')]).toEqual(['failed', 'dropped']);
});

test('an alert that another notification names has the dispatch in its own trace, once, in order; a repeated failure adds nothing', async () => {
  const members = Array.from({ length: 300 }, (_, index) => index + 1);
  for (const ledgerId of members)
    ledger.notifications.write(
      ledgerId,
      {
        id: `n${ledgerId}`,
        kind: 'alert',
        rules: [],
        baseRate: null,
        outcome: 'batched',
        reason: plainMessage('x'),
        batch: 'burst',
      },
      clock.now(),
    );
  const ids = members.map((ledgerId) => `n${ledgerId}`);
  const [first = '', ...others] = ids;
  ledger.notifications.move(first, 'intent', plainMessage('x'), null, clock.now());
  ledger.notifications.join(others, first, clock.now());
  const traceOf = (ledgerId: number): string[] =>
    ledger.trace.of(ledgerId).map(({ step, detail }) => `${step} ${optionalText(detail)}`);
  const failed = ['dispatched to the desktop as n1', 'answered refused: Nobody is there. Retrying.'];
  deliver = refuse;
  dispatcher.wake();
  await settle();
  await clock.advance(5_000);
  expect(delivered.length).toBeGreaterThan(1);
  for (const ledgerId of members) expect(traceOf(ledgerId)).toEqual(failed);
  deliver = () => Promise.resolve(SHOWN);
  await clock.advance(60_000);
  for (const ledgerId of members)
    expect(traceOf(ledgerId)).toEqual([...failed, 'dispatched to the desktop as n1', 'answered shown: taken']);
  expect(traceOf(301)).toEqual([]);
});

test('while the disk is full, the outcome of an accepted notification is retried with growing delays', async () => {
  let attempts = 0;
  ledger.notifications = {
    ...ledger.notifications,
    record() {
      attempts += 1;
      throw new Error('disk full');
    },
  };
  intend('a');
  dispatcher.wake();
  await clock.advance(10 * 60_000);
  expect(delivered).toEqual(['a']);
  // One a minute, after the first few.
  expect(attempts).toBeGreaterThan(10);
  expect(attempts).toBeLessThan(20);
});

/** Joins a further event to `a`. */
const join = (id: string): void => {
  const alert = { id, kind: 'alert', rules: [], baseRate: null, outcome: 'batched', reason: null, batch: 'x' } as const;
  ledger.notifications.write(0, alert, clock.now());
  ledger.notifications.grow('a', [id], clock.now());
};
const revisions = (): number[] => ledger.notifications.pending(50).map(({ revision }) => revision);

test('a notification that grew is sent again at most every two seconds; a channel’s copy after five seconds, then once a minute', async () => {
  intend('a');
  ledger.notifications.copyTo('rule', 'a', clock.now());
  dispatcher.wake();
  await settle();
  for (let index = 0; index < 10; index += 1) {
    await clock.advance(400);
    join(`n${index}`);
    ledger.notifications.copyTo('rule', 'a', clock.now());
    dispatcher.wake();
  }
  await clock.advance(2_000);
  expect(delivered.filter((id) => id === 'a')).toHaveLength(4);
  expect([outcomeOf('a'), outcomeOf('a@rule')]).toEqual(['shown', 'shown']);
  expect(delivered.filter((id) => id === 'a@rule')).toHaveLength(2);
  join('late');
  ledger.notifications.copyTo('rule', 'a', clock.now());
  dispatcher.wake();
  await clock.advance(50_000);
  expect(delivered.filter((id) => id === 'a@rule')).toHaveLength(2);
  await clock.advance(10_000);
  expect(delivered.filter((id) => id === 'a@rule')).toHaveLength(3);
  expect(ledger.notifications.pending(50)).toEqual([]);
});

test('the outcome of an older revision does not cover events that joined later', async () => {
  let answer: (result: DeliveryResult) => void = () => undefined;
  deliver = () => new Promise((resolve) => (answer = resolve));
  intend('a');
  dispatcher.wake();
  await settle();
  join('b');
  answer(SHOWN);
  await settle();
  expect([outcomeOf('a'), revisions()]).toEqual(['intent', [2]]);
  deliver = () => Promise.resolve(SHOWN);
  await clock.advance(2_000);
  expect([delivered, outcomeOf('a')]).toEqual([['a', 'a'], 'shown']);
});

test('growth of a failed notification is sent at once; a window that showed the earlier revision did not show it', async () => {
  deliver = refuse;
  intend('a');
  dispatcher.wake();
  await clock.advance(10_000);
  const before = delivered.length;
  join('b');
  dispatcher.takenByWindow('a');
  dispatcher.wake();
  await settle();
  expect([delivered.length, outcomeOf('a')]).toEqual([before + 1, 'failed']);
  dispatcher.takenByWindow('a');
  expect(outcomeOf('a')).toBe('in_app');
});
