// Service, webhooks, test: events that are announced late, with an old date, after a resume.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { timestamp } from '../../shared/wire/primitives.ts';
import { BAD, GOOD, HOUR, OWNER, pass, rig, SECOND, START } from '../../test/harness/webhook-rig.ts';
import type { EventDraft } from '../store/event-log.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A change of the model that is announced so many ms late. */
const datedBack =
  (ms: number) =>
  (event_id: string): EventDraft => ({
    event_id,
    event: 'model.version',
    timestamp: timestamp(Date.now() - ms),
    data: { version: event_id, previous: null, effective_at: timestamp(Date.now() - ms) },
  });

test('a resumed subscription gets an event that is announced after the resume, however old its date', {
  tags: ['long'],
}, async () => {
  const { webhooks, subscribe, happen, ids, behaviour, sent, stop } = rig({ answer: () => BAD });
  const { id } = await subscribe();
  const missed = happen(600, datedBack(2 * HOUR));
  await pass(30 * HOUR);
  sent.length = 0;
  behaviour.answer = () => GOOD;
  webhooks.resume(OWNER, id, Date.now() - HOUR);
  await pass(HOUR);
  expect(missed.filter((one) => ids().includes(one))).toEqual([]);
  const late = happen(1, datedBack(40 * HOUR));
  await pass(SECOND);
  expect(ids()).toEqual(late);
  stop();
});
