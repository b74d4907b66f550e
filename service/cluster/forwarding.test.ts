// Service, cluster, test: a forwarded request is performed once, even if the database fails.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { IN_MEMORY, openStore, type Store } from '../store/store.ts';
import { createForwarding, type Forwarding } from './forwarding.ts';
import { JournalUnavailable } from './journal.ts';

let store: Store;
/** Whether writes fail. */
let isAway: boolean;
let asker: Forwarding;
let leader: Forwarding;
let performed: unknown[];

const perform = (body: unknown): unknown => {
  performed.push(body);
  return { done: body };
};

beforeEach(() => {
  const opened = openStore(IN_MEMORY, { environment: 'sandbox', seed: 7, clock: 'real' });
  store = {
    ...opened,
    transaction(work) {
      if (isAway) throw new JournalUnavailable('the database does not answer');
      return opened.transaction(work);
    },
  };
  [isAway, performed] = [false, []];
  const clock = createManualClock();
  [asker = leader, leader = asker] = ['asker', 'leader'].map((name) => createForwarding(name, () => store, clock));
});
afterEach(() => store.close());

test('a request whose answer could not be written is performed once, and answered when it can be', async () => {
  const reply = asker.ask('trigger');
  isAway = true;
  for (let times = 0; times < 3; times += 1) expect(() => leader.answer(perform)).toThrow(JournalUnavailable);
  isAway = false;
  leader.answer(perform);
  asker.answered();
  expect(await reply).toEqual({ done: 'trigger' });
  expect(performed).toEqual(['trigger']);
  expect(store.requests.all()).toEqual([]);
});

test('a new leader removes the requests to an earlier leader, answered or not', () => {
  store.transaction(() => {
    store.requests.ask('killed.1', '"answered"');
    store.requests.answer('killed.1', '{"reply":null}');
    store.requests.ask('killed.2', '"open"');
  });
  leader.dismiss();
  leader.answer(perform);
  expect(performed).toEqual([]);
  expect(store.requests.all()).toEqual([]);
});

test('a new leader that cannot remove those requests yet performs none of them', async () => {
  store.transaction(() => store.requests.ask('killed.1', '"before"'));
  leader.dismiss();
  isAway = true;
  expect(() => leader.answer(perform)).toThrow(JournalUnavailable);
  isAway = false;
  const reply = asker.ask('after');
  leader.answer(perform);
  asker.answered();
  expect(await reply).toEqual({ done: 'after' });
  expect(performed).toEqual(['after']);
  expect(store.requests.all()).toEqual([]);
});
