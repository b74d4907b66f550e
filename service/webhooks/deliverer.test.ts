// Service, webhooks, test: deliveries, retries, pauses and restarts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, infiniteStream, nat, oneof, record } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_ATTEMPTS } from '../../shared/lib/retry-ladder.ts';
import { casesOf } from '../../test/harness/run-length.ts';
import { BAD, flip, GOOD, HOUR, OWNER, pass, rig, SECOND, START } from '../../test/harness/webhook-rig.ts';
import type { DeliveryRequest, Receipt } from './post.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('deliveries', () => {
  test('contain events after the subscription, once, in order, with the bytes of the log', async () => {
    const { webhooks, store, subscribe, happen, ids, sent, stop } = rig();
    happen(3);
    await subscribe();
    const after = happen(120);
    await pass(SECOND);
    expect(ids()).toEqual(after);
    expect(sent[0]?.body).toBe(store.log.after(3, 1, 0)[0]?.json);
    await pass(HOUR);
    expect(sent).toHaveLength(120);
    expect(webhooks.list(OWNER, null, 10)).toHaveLength(1);
    stop();
  });

  test('contain only the subscribed events', async () => {
    const { subscribe, happen, ids, stop } = rig();
    await subscribe('/flips', ['regime.flip']);
    await subscribe('/models', ['model.version']);
    const models = happen(600);
    const flips = happen(2, flip);
    await pass(SECOND);
    expect(ids('/flips')).toEqual(flips);
    expect(ids('/models')).toEqual(models);
    stop();
  });

  test('deliveries to one subscription are at most four at a time, and one that hangs delays no other subscription', async () => {
    const hanging: (() => void)[] = [];
    const { subscribe, happen, ids, stop } = rig({
      answer: ({ url }) => (url.endsWith('/slow') ? new Promise((resolve) => hanging.push(() => resolve(GOOD))) : GOOD),
    });
    await subscribe('/slow');
    await subscribe('/quick');
    const all = happen(40);
    await pass(SECOND);
    expect(ids('/quick')).toEqual(all);
    expect(ids('/slow')).toEqual(all.slice(0, 4));
    for (const land of hanging.splice(0)) land();
    await pass(SECOND);
    expect(ids('/slow')).toEqual(all.slice(0, 8));
    stop();
  });

  test('deliveries to a deleted subscription stop', async () => {
    const { webhooks, subscribe, happen, sent, stop } = rig({ answer: () => BAD });
    const { id } = await subscribe();
    happen();
    await pass(SECOND);
    webhooks.remove(OWNER, id);
    await pass(HOUR);
    expect(sent).toHaveLength(1);
    stop();
  });
});

describe('a failure', () => {
  test('is retried 28 times with the same bytes: 0, 5 s, 35 s, 2:35, 12:35, 1:12:35, then hourly up to 23:12:35', async () => {
    const { webhooks, subscribe, happen, sent, log, stop } = rig({ answer: () => BAD });
    const { id } = await subscribe();
    happen();
    await pass(24 * HOUR - 1);
    const minutes = sent.map(({ at }) => new Date(at).toISOString().slice(11, 19));
    expect(minutes.slice(0, 7)).toEqual([
      '00:00:00',
      '00:00:05',
      '00:00:35',
      '00:02:35',
      '00:12:35',
      '01:12:35',
      '02:12:35',
    ]);
    expect(minutes).toHaveLength(MAX_ATTEMPTS);
    expect(minutes.at(-1)).toBe('23:12:35');
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    const [record] = log(id);
    expect(record).toMatchObject({ status: 'failed', next_attempt_at: null, kind: 'event' });
    expect(record?.attempts).toHaveLength(MAX_ATTEMPTS);
    expect(record?.attempts[0]).toMatchObject({
      number: 1,
      status: 500,
      error: 'answered 500',
      response: 'oh',
      latency_ms: 1,
    });
    expect(webhooks.find(OWNER, id)).toMatchObject({ status: 'active' });
    stop();
  });

  test('without a success for 24 h pauses the subscription and notifies the owner once', async () => {
    const { webhooks, subscribe, happen, sent, letters, stop } = rig({ answer: () => BAD });
    const { id } = await subscribe();
    happen();
    await pass(24 * HOUR - SECOND);
    expect(webhooks.find(OWNER, id).status).toBe('active');
    expect(letters).toHaveLength(0);
    await pass(2 * SECOND);
    expect(webhooks.find(OWNER, id)).toMatchObject({
      status: 'paused',
      paused_reason: 'No delivery has succeeded for 24 hours. The last one: answered 500.',
    });
    await pass(48 * HOUR);
    happen(3);
    await pass(48 * HOUR);
    expect(sent).toHaveLength(MAX_ATTEMPTS);
    expect(letters).toHaveLength(1);
    expect(letters[0]?.text).toContain(`/signals/subscriptions/${id}/resume`);
    stop();
  });

  test('with a success in between does not pause: the 24 h start again', async () => {
    const { webhooks, subscribe, happen, behaviour, stop } = rig({ answer: () => BAD });
    const { id } = await subscribe();
    happen();
    await pass(20 * HOUR);
    behaviour.answer = () => GOOD;
    happen();
    await pass(HOUR);
    expect(webhooks.find(OWNER, id).failing_since).toBeNull();
    behaviour.answer = () => BAD;
    happen();
    await pass(20 * HOUR);
    expect(webhooks.find(OWNER, id).status).toBe('active');
    await pass(5 * HOUR);
    expect(webhooks.find(OWNER, id).status).toBe('paused');
    stop();
  });

  test('does not pause while an attempt that may succeed is in flight', async () => {
    const { webhooks, subscribe, happen, behaviour, letters, stop } = rig({ answer: () => BAD });
    const { id } = await subscribe();
    happen();
    await pass(24 * HOUR - 4 * SECOND);
    behaviour.answer = () => new Promise((resolve) => setTimeout(() => resolve(GOOD), 9 * SECOND));
    happen();
    await pass(6 * SECOND);
    expect(webhooks.find(OWNER, id)).toMatchObject({ status: 'active', failing_since: expect.any(String) });
    await pass(HOUR);
    expect(webhooks.find(OWNER, id)).toMatchObject({ status: 'active', failing_since: null });
    expect(letters).toEqual([]);
    stop();
  });

  test('also pauses while new events keep arriving', async () => {
    const { webhooks, subscribe, happen, stop } = rig({ answer: () => BAD });
    const { id } = await subscribe();
    for (let hour = 0; hour < 25; hour++) {
      happen();
      await pass(HOUR);
    }
    expect(webhooks.find(OWNER, id).status).toBe('paused');
    stop();
  });

  test('a notice goes to the owner of the account as it is then, and without one to the operator', async () => {
    const { store, subscribe, happen, letters, behaviour, stop } = rig({ answer: () => BAD });
    const account = { id: OWNER, plan: null, hardCap: false, contract: null, ownerEmail: 'ann@example.com' };
    store.keys.addAccount(account, 0);
    const { id } = await subscribe();
    happen();
    behaviour.mailed = false;
    await pass(25 * HOUR);
    store.keys.changeAccount({ ...account, ownerEmail: 'bob@example.com' });
    behaviour.mailed = true;
    await pass(HOUR);
    expect(letters.map(({ to, subject }) => [to, subject])).toEqual([
      ['bob@example.com', `Webhook subscription ${id} is paused`],
    ]);
    expect(letters[0]?.text).toContain(`of the account ${OWNER}`);
    store.keys.changeAccount({ ...account, ownerEmail: null });
    await subscribe('/b');
    happen();
    await pass(25 * HOUR);
    expect(letters.at(-1)?.to).toBeNull();
    stop();
  });

  test("a failure of an owner's notice is retried", async () => {
    const { subscribe, happen, letters, behaviour, stop } = rig({ answer: () => BAD });
    behaviour.mailed = false;
    await subscribe();
    happen();
    await pass(25 * HOUR);
    expect(letters).toHaveLength(0);
    behaviour.mailed = true;
    await pass(HOUR);
    expect(letters).toHaveLength(1);
    stop();
  });
});

test('a store that fails for a while loses no delivery and repeats none', async () => {
  const { store, subscribe, happen, ids, stop } = rig();
  await subscribe();
  const all = happen(3);
  const { transaction } = store;
  let broken = true;
  Object.assign(store, {
    transaction: (work: () => unknown) => {
      if (broken) throw new Error('disk full');
      return transaction(work);
    },
  });
  await pass(10 * SECOND);
  expect(ids()).toEqual([]);
  broken = false;
  await pass(2 * SECOND);
  expect(ids()).toEqual(all);
  all.push(...happen(2));
  await Promise.resolve();
  broken = true;
  await pass(10 * SECOND);
  broken = false;
  await pass(2 * SECOND);
  expect(ids()).toEqual(all);
  stop();
});

test('a delivery of an event that the log no longer has gives up, and does not count against the endpoint', async () => {
  const { webhooks, store, subscribe, happen, sent, behaviour, log, stop } = rig({ answer: () => BAD });
  const { id } = await subscribe();
  happen();
  await pass(SECOND);
  behaviour.answer = () => GOOD;
  await pass(HOUR);
  const [old] = log(id);
  expect(old?.status).toBe('delivered');
  behaviour.answer = () => BAD;
  happen(2);
  await pass(SECOND);
  store.log.prune(Date.now() + HOUR, 100);
  behaviour.answer = () => GOOD;
  sent.length = 0;
  await pass(HOUR);
  // The log always retains its newest event.
  expect(sent).toHaveLength(1);
  expect(log(id).map(({ status, request }) => [status, request.body === null])).toEqual([
    ['delivered', false],
    ['failed', true],
    ['delivered', true],
  ]);
  expect(webhooks.find(OWNER, id).failing_since).toBeNull();
  stop();
});

describe('a resumed subscription', () => {
  test('gets all events missed within 7 days, each once, and all later ones', async () => {
    const { webhooks, subscribe, happen, ids, behaviour, sent, status, stop } = rig({ answer: () => BAD });
    const { id } = await subscribe();
    const tooOld = happen(2);
    await pass(3 * 24 * HOUR);
    expect(status(id)).toBe('paused');
    const lateButRetained = happen(3);
    await pass(4.5 * 24 * HOUR);
    const recent = happen(2);
    sent.length = 0;
    behaviour.answer = () => GOOD;
    expect(webhooks.resume(OWNER, id, null)).toMatchObject({
      status: 'active',
      paused_at: null,
      paused_reason: null,
      failing_since: null,
    });
    await pass(HOUR);
    const live = happen();
    await pass(HOUR);
    expect(ids()).toEqual([...lateButRetained, ...recent, ...live]);
    expect(ids()).not.toContain(tooOld[0]);
    stop();
  });

  test('can resume from a later instant', async () => {
    const { webhooks, subscribe, happen, ids, behaviour, sent, stop } = rig({ answer: () => BAD });
    const { id } = await subscribe();
    happen(2);
    await pass(30 * HOUR);
    happen(2);
    await pass(2 * HOUR);
    const subscribed = happen(2);
    sent.length = 0;
    behaviour.answer = () => GOOD;
    webhooks.resume(OWNER, id, Date.now() - HOUR);
    await pass(HOUR);
    expect(ids()).toEqual(subscribed);
    stop();
  });
});

describe('clocks', () => {
  test('retries follow a world that runs 600 times as fast', async () => {
    const { subscribe, happen, sent, stop } = rig({ time: { start: START, speed: 600 }, answer: () => BAD });
    await subscribe();
    happen();
    await pass(HOUR / 600);
    // 0, 5, 35, 155, 755 s of the world; a wait shorter than a tick of the timer takes one tick.
    expect(sent).toHaveLength(5);
    stop();
  });

  test('retries follow the wall clock when the world is frozen', async () => {
    const { subscribe, happen, sent, stop } = rig({ time: { start: START, speed: 0 }, answer: () => BAD });
    await subscribe();
    happen();
    await pass(36 * SECOND);
    expect(sent.map(({ at }) => Math.round(at / SECOND))).toEqual([0, 5, 35]);
    stop();
  });
});

test('every event arrives under any sequence of events, failures, waits and restarts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-any-'));
  const step = oneof(
    record({ kind: constantFrom('happen' as const), count: nat(60) }),
    record({ kind: constantFrom('wait' as const), seconds: nat(4 * 3600) }),
    record({ kind: constantFrom('restart' as const) }),
    record({ kind: constantFrom('resume' as const) }),
  );
  let runs = 0;
  await assert(
    asyncProperty(array(step, { maxLength: 12 }), infiniteStream(nat(9)), async (steps, lots) => {
      const file = join(folder, `${++runs}.db`);
      const arrived = new Set<string>();
      const answer = async ({ headers }: DeliveryRequest): Promise<Receipt> => {
        const lot = lots.next().value ?? 0;
        if (lot < 4) return BAD;
        arrived.add(headers['webhook-id'] ?? '');
        // Arrived, but the answer was lost or is late.
        if (lot === 4) return { status: null, error: 'socket hang up', latencyMs: 1, response: null };
        if (lot === 5) await new Promise((resolve) => setTimeout(resolve, 9 * SECOND));
        return GOOD;
      };
      const expected: string[] = [];
      let current = rig({ file, answer });
      const { id } = await current.subscribe();
      for (const one of steps) {
        if (one.kind === 'happen') expected.push(...current.happen(one.count));
        else if (one.kind === 'wait') await pass(one.seconds * SECOND);
        else if (one.kind === 'resume') current.webhooks.resume(OWNER, id, null);
        else {
          current.stop();
          current = rig({ file, answer });
        }
      }
      await pass(30 * HOUR);
      expect(current.status(id)).toBe('active');
      expect(current.store.deliveries.list(id, 'pending', null, 100)).toEqual([]);
      expect(expected.filter((event) => !arrived.has(event))).toEqual([]);
      current.stop();
    }),
    { numRuns: casesOf(10, 3) },
  );
  rmSync(folder, { recursive: true, force: true });
});

test('without permission this computer is no target, in any spelling', async () => {
  const { webhooks, stop } = rig({ allowLoopback: false });
  for (const url of ['http://127.0.0.1:1/', 'https://localhost/', 'https://[::1]/', 'https://2130706433/']) {
    await expect(webhooks.subscribe(OWNER, { url }, undefined)).rejects.toMatchObject({ kind: 'invalid_request' });
  }
  stop();
});

test('a delivery is replayed to its own subscription only', async () => {
  const { webhooks, subscribe, happen, log, sent, stop } = rig();
  const [models, flips] = [await subscribe('/models', ['model.version']), await subscribe('/flips', ['regime.flip'])];
  happen();
  await pass(SECOND);
  const name = log(models.id)[0]?.id ?? '';
  expect(() => webhooks.replay(OWNER, flips.id, name)).toThrow(/no delivery with this id/);
  expect(() => webhooks.replay('key_b', models.id, name)).toThrow(/no subscription with this id/);
  await pass(SECOND);
  expect(sent).toHaveLength(1);
  stop();
});
