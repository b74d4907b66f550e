// Test: the interval at which signals are polled: normal, stretched by a short quota, or at once.
import { expect, test } from 'vitest';
import { ok } from '../../../shared/lib/result.ts';
import { createTestContext } from '../../../test/harness/core-context.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createPoll, pollCost } from './polling.ts';
import { createRowTable } from './rows.ts';

const CADENCE = 30_000;

test('whole intervals are skipped while the quota is short, and no longer', async () => {
  const clock = createManualClock();
  const rows = createRowTable();
  rows.keep(['SPY']);
  let calls = 0;
  let paces = 1;
  const poll = createPoll({
    context: createTestContext(clock, 'production'),
    client: {
      page: async () => {
        calls += 1;
        return ok({ rows: [], hasMore: false, nextCursor: null, took: 1 });
      },
      read: async () => ok({ value: {}, headers: new Headers(), took: 1 }),
    },
    slowed: () => paces,
    rows,
    mayAsk: () => true,
  });
  const within = async (ms: number): Promise<number> => {
    const before = calls;
    await clock.advance(ms);
    return calls - before;
  };
  poll.start();
  expect(calls).toBe(1);
  expect(await within(10 * CADENCE)).toBe(10);
  paces = 5;
  expect(await within(20 * CADENCE)).toBe(4);
  poll.now();
  expect(calls).toBe(16);
  paces = 1;
  expect(await within(10 * CADENCE)).toBe(10);
  poll.stop();
  expect(await within(10 * CADENCE)).toBe(0);
});

test('calls per hour: one for every hundred symbols and poll', () => {
  expect([pollCost(1, CADENCE), pollCost(100, CADENCE), pollCost(101, CADENCE), pollCost(0, CADENCE)]).toEqual([
    120, 120, 240, 0,
  ]);
});
