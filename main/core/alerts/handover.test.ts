// Handing over, by itself: each intent once at a time, tried again in its own time, and never twice where only the writing failed.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock, type ManualClock, settle } from '../../../test/harness/manual-clock.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { type Answered, createHandover, type HandoverRoom } from './handover.ts';

const SHOWN: Answered = { outcome: 'shown', detail: 'taken' };
const DAY = 24 * 3_600_000;

let clock: ManualClock;
let ledger: Ledger;
let room: HandoverRoom;
let carried: string[];
let carry: (id: string) => Promise<Answered>;

beforeEach(() => {
  clock = createManualClock();
  ledger = openLedger(':memory:', 'now');
  carried = [];
  carry = () => Promise.resolve(SHOWN);
  room = createHandover({
    ledger,
    carry({ id }) {
      carried.push(id);
      return carry(id);
    },
    clock,
    random: () => 0.999,
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    onChanged: () => undefined,
  });
});
afterEach(async () => {
  const stopped = room.stop();
  await clock.advance(2_000);
  await stopped;
  ledger.close();
});
const refuse = (): Promise<Answered> => Promise.reject(new Error('Nobody is there.'));
const intend = (id: string): boolean =>
  ledger.tellings.write(
    0,
    { id, kind: 'notice', rules: [], baseRate: null, outcome: 'intent', reason: 'x', bin: null },
    clock.now(),
  );
const outcomeOf = (id: string): string | undefined => ledger.tellings.find(id)?.outcome;

test('one that failed is tried again in its own time: whatever else is to be told does not hasten it', async () => {
  carry = refuse;
  intend('a');
  room.kick();
  await settle();
  expect([carried, outcomeOf('a')]).toEqual([['a'], 'failed']);
  carry = () => Promise.resolve(SHOWN);
  intend('b');
  room.kick();
  await settle();
  expect(carried).toEqual(['a', 'b']);
  await clock.advance(1_000);
  expect([carried, outcomeOf('a')]).toEqual([['a', 'b', 'a'], 'shown']);
});

test('who does not answer is asked again; eight at most are under way', async () => {
  carry = () => new Promise(() => undefined);
  for (let index = 0; index < 10; index += 1) intend(`n${index}`);
  room.kick();
  room.kick();
  await settle();
  expect(carried).toHaveLength(8);
  await clock.advance(15_000);
  expect(outcomeOf('n0')).toBe('failed');
});

test('one that was taken and could not be written is written later, and not handed over again', async () => {
  const { tellings } = ledger;
  const { record } = tellings;
  let isFull = true;
  ledger.tellings = {
    ...tellings,
    record(...args) {
      if (isFull) throw new Error('disk full');
      return record(...args);
    },
  };
  intend('a');
  room.kick();
  await clock.advance(10_000);
  expect([carried, outcomeOf('a')]).toEqual([['a'], 'intent']);
  isFull = false;
  await clock.advance(120_000);
  expect([carried, outcomeOf('a')]).toEqual([['a'], 'shown']);
});

test('an outlet that took nothing for a day is given up; the desktop never is', async () => {
  carry = refuse;
  intend('a');
  ledger.tellings.copyTo('rule', 'a', clock.now());
  room.kick();
  await clock.advance(DAY + 120_000);
  expect([outcomeOf('a'), outcomeOf('a@rule')]).toEqual(['failed', 'dropped']);
});

test('what a digest names has the hand-over in its own story, once, in order; a failure that repeats adds nothing', async () => {
  const members = Array.from({ length: 300 }, (_, index) => index + 1);
  for (const ledgerId of members)
    ledger.tellings.write(
      ledgerId,
      { id: `n${ledgerId}`, kind: 'alert', rules: [], baseRate: null, outcome: 'gathered', reason: 'x', bin: 'burst' },
      clock.now(),
    );
  const ids = members.map((ledgerId) => `n${ledgerId}`);
  ledger.tellings.write(
    1,
    { id: 'd', kind: 'digest', rules: [], baseRate: null, outcome: 'intent', reason: 'x', bin: null },
    clock.now(),
  );
  ledger.tellings.join(ids, 'd', clock.now());
  const storyOf = (ledgerId: number): string[] =>
    ledger.trace.of(ledgerId).map(({ step, detail }) => `${step} ${detail}`);
  const failed = ['handed to the desktop as d', 'answered refused: Nobody is there. It is tried again.'];
  carry = refuse;
  room.kick();
  await settle();
  await clock.advance(5_000);
  expect(carried.length).toBeGreaterThan(1);
  for (const ledgerId of members) expect(storyOf(ledgerId)).toEqual(failed);
  carry = () => Promise.resolve(SHOWN);
  await clock.advance(60_000);
  for (const ledgerId of members)
    expect(storyOf(ledgerId)).toEqual([...failed, 'handed to the desktop as d', 'answered shown: taken']);
  expect(storyOf(301)).toEqual([]);
});
