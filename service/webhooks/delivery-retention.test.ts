// Service, webhooks, test: how long the log of deliveries keeps its rows.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR, pass, rig, SECOND, START } from '../../test/harness/webhook-rig.ts';

const MINUTE = 60 * SECOND;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the log of deliveries deletes rows settled more than 7 days ago', async () => {
  const { subscribe, happen, log, stop } = rig();
  const { id } = await subscribe();
  happen();
  await pass(8 * 24 * HOUR);
  happen();
  await pass(SECOND);
  happen();
  await pass(2 * 60 * SECOND);
  expect(log(id)).toHaveLength(2);
  stop();
});

test('the log of deliveries does not wait a minute after each batch of deleted rows', async () => {
  const { store, subscribe, happen, stop } = rig();
  const { id } = await subscribe();
  happen();
  await pass(SECOND);
  const [logged] = store.log.after(0, 1, 0);
  if (logged === undefined) throw new Error('the log is empty');
  const { deliveries } = store;
  store.transaction(() => {
    for (let row = 0; row < 2_500; row += 1)
      deliveries.settle(deliveries.add(id, logged.envelope, 'test', Date.now()), 'delivered', Date.now());
  });
  const rows = () => deliveries.list(id, null, null, 5_000).length;
  await pass(7 * 24 * HOUR - MINUTE);
  happen(2);
  await pass(SECOND);
  expect(rows()).toBe(2_503);
  await pass(2 * MINUTE);
  happen(5);
  await pass(SECOND);
  expect(rows()).toBe(7);
  stop();
});
