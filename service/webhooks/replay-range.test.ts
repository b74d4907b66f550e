// Service, webhooks, test: replays of a range of events, their order and bytes, and refusals.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flip, OWNER, pass, rig, SECOND, START } from '../../test/harness/webhook-rig.ts';

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

const at = (ms: number): string => new Date(START + ms).toISOString();

test('subscribed events within the range are sent again, in order, with the same ids and bytes', async () => {
  const { webhooks, happen, subscribe, sent, ids, log, stop } = rig();
  const { id } = await subscribe('/a', ['model.version']);
  const happened: string[] = [];
  for (let second = 0; second < 6; second += 1) {
    happened.push(...happen());
    happen(1, flip);
    await pass(SECOND);
  }
  expect(ids()).toEqual(happened);
  const first = new Map(sent.map((request) => [request.id, request.body]));
  sent.length = 0;
  const replayed = webhooks.replayRange(OWNER, id, { from: at(2 * SECOND), to: at(4 * SECOND) });
  expect(replayed).toEqual({ subscription_id: id, queued: 3, last_event_id: expect.any(String), has_more: false });
  await pass(SECOND);
  expect(ids()).toEqual(happened.slice(2, 5));
  for (const request of sent) expect(request.body).toBe(first.get(request.id));
  expect(log(id).filter(({ kind }) => kind === 'replay')).toHaveLength(3);
  // Both ends belong to the range, to the millisecond.
  const queued = (from: number, to: number): number =>
    webhooks.replayRange(OWNER, id, { from: at(from), to: at(to) }).queued;
  expect([
    queued(2 * SECOND, 4 * SECOND - 1),
    queued(2 * SECOND + 1, 4 * SECOND),
    queued(2 * SECOND, 2 * SECOND),
  ]).toEqual([2, 2, 1]);
  stop();
});

test('more than a thousand take several requests that join without a gap or a duplicate', async () => {
  const { webhooks, happen, subscribe, ids, sent, stop } = rig();
  const { id } = await subscribe('/a', ['model.version']);
  const happened = happen(2_345);
  await pass(10 * SECOND);
  expect(ids()).toHaveLength(2_345);
  sent.length = 0;
  const range = { from: at(0) };
  const queued: number[] = [];
  let after: string | null = null;
  for (let more = true; more; ) {
    const answer = webhooks.replayRange(OWNER, id, after === null ? range : { ...range, after });
    queued.push(answer.queued);
    after = answer.last_event_id;
    more = answer.has_more;
  }
  expect(queued).toEqual([1_000, 1_000, 345]);
  await pass(10 * SECOND);
  expect(ids()).toEqual(happened);
  stop();
});

test('an empty range queues nothing; an invalid one is refused', async () => {
  const { webhooks, subscribe, stop } = rig();
  const { id } = await subscribe();
  const empty = { subscription_id: id, queued: 0, last_event_id: null, has_more: false };
  expect(webhooks.replayRange(OWNER, id, { from: at(SECOND) })).toEqual(empty);
  expect(() => webhooks.replayRange(OWNER, id, { from: at(SECOND), to: at(0) })).toThrow(/from: must not be after to/);
  expect(() => webhooks.replayRange(OWNER, id, { from: at(0), after: 'evt_nobody' })).toThrow(/after: is no event_id/);
  expect(() => webhooks.replayRange('key_b', id, { from: at(0) })).toThrow(/no subscription with this id/);
  stop();
});
