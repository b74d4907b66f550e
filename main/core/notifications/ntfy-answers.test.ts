// Test: alerts are answered from a phone, by the buttons of ntfy: they publish to a topic that the app follows.
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { calls, idOf, minutes, rule, stepsOf } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { type CoreRig, noVault } from '../../../test/harness/core-rig.ts';
import { silentLogger } from '../../../test/harness/silent-logger.ts';
import type { FetchLike } from '../ports.ts';
import { followAnswerTopic } from './ntfy-answers.ts';

const bench = setUpCoreBench();
const ANSWERS = 'https://ntfy.example/answers';
/** https://docs.ntfy.sh/publish/#publish-as-json, read 2026-11-30. */
const PublishedSchema = z.strictObject({
  topic: z.string(),
  title: z.string(),
  message: z.string(),
  priority: z.int().min(1).max(5),
  sequence_id: z.string().max(64),
  actions: z
    .array(
      z.strictObject({
        action: z.literal('http'),
        label: z.string(),
        url: z.url(),
        method: z.literal('POST'),
        body: z.string(),
        clear: z.boolean(),
      }),
    )
    .max(3)
    .optional(),
});
type Published = z.infer<typeof PublishedSchema>;

/** What the phone shows: the newest of each sequence. */
let shown: Map<string, Published>;
/** Every message of the topic of answers, which a server keeps. */
let kept: { readonly id: string; readonly event: 'message'; readonly message: string }[];
let followers: Set<ReadableStreamDefaultController<Uint8Array>>;
let requests: { readonly url: string; readonly authorization: string | null }[];
let isAway: boolean;
let rig: CoreRig;
let following: AbortController;

const lineOf = (value: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);
const fetch: FetchLike = async (url, init = {}) => {
  const { host, pathname, searchParams } = new URL(url);
  if (host !== 'ntfy.example') return bench.service.fetch(url, init);
  requests.push({ url, authorization: new Headers(init.headers).get('authorization') });
  if (isAway) throw new TypeError('fetch failed');
  if (pathname === '/') {
    const published = PublishedSchema.parse(JSON.parse(String(init.body)));
    shown.set(published.sequence_id, published);
    return Response.json({ id: 'x' });
  }
  const since = kept.findIndex(({ id }) => id === searchParams.get('since')) + 1;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      followers.add(controller);
      controller.enqueue(lineOf({ id: 'o', event: 'open' }));
      for (const message of kept.slice(since)) controller.enqueue(lineOf(message));
      init.signal?.addEventListener(
        'abort',
        () => followers.delete(controller) && controller.error(init.signal?.reason),
      );
    },
  });
  return new Response(body);
};
const publish = (message: string): void => {
  const published = { id: `m${kept.length + 1}`, event: 'message', message } as const;
  kept.push(published);
  for (const controller of followers) controller.enqueue(lineOf(published));
};
/** The phone publishes what the button of that label says. */
const press = (label: string): void =>
  publish([...shown.values()].at(-1)?.actions?.find((action) => action.label === label)?.body ?? 'no button');
const follow = (): void => {
  following = new AbortController();
  void followAnswerTopic(
    { url: ANSWERS, token: 'tk_1', channels: [{ id: 'phone', name: 'Phone' }] },
    {
      fetch,
      clock: bench.clock,
      random: () => 0.5,
      logger: silentLogger,
      onPress: (one) => rig.core.channelAnswers.answer(one),
    },
    following.signal,
  );
};
const settle = () => bench.clock.advance(5_000);

beforeEach(async () => {
  [shown, kept, followers, requests, isAway] = [new Map(), [], new Set(), [], false];
  rig = await bench.up({ ports: { fetch, vault: { ...noVault, getPassword: async () => 'tk_1' } } });
  const destination = { kind: 'ntfy', url: 'https://ntfy.example/desk', answers: ANSWERS } as const;
  await calls(rig)['channels.save']({ channel: { id: 'phone', name: 'Phone', destination } });
  await calls(rig)['rules.save']({ rule: rule({ channels: ['phone'] }) });
  follow();
  return () => following.abort();
});

test('a button acknowledges; the phone then shows what became of it, without buttons', async () => {
  const event = bench.service.emit('SPY', 2);
  await settle();
  expect([...shown.values()][0]?.actions?.map(({ label }) => label)).toEqual([
    'Acknowledge',
    'Snooze 1 h',
    'Until the close',
  ]);
  await bench.clock.advance(minutes(2));
  press('Acknowledge');
  await settle();
  expect(await stepsOf(rig, event.event_id)).toContain('acknowledged by Phone, after 2 min');
  expect([...shown.values()]).toMatchObject([
    { title: '[SANDBOX] SPY is High Risk', message: '✓ Acknowledged by Phone, after 2 min', priority: 1 },
  ]);
  expect([...shown.values()][0]?.actions).toBeUndefined();
});

test('the access token goes to the server, and not to the phone', async () => {
  bench.service.emit('SPY', 2);
  await settle();
  expect(requests.every(({ authorization }) => authorization === 'Bearer tk_1')).toBe(true);
  expect(JSON.stringify([...shown.values()])).not.toContain('tk_1');
});

test('a press that the server brings again after a restart, a forged one and other messages change nothing', async () => {
  const event = bench.service.emit('SPY', 2);
  await settle();
  press('Acknowledge');
  await settle();
  await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, event.event_id)], acknowledged: false });
  following.abort();
  follow();
  publish(`0:${'A'.repeat(22)}`);
  publish('hello');
  publish('x'.repeat(100_000));
  await settle();
  expect(rig.snapshot().alerts[0]?.acked_at).toBeNull();
  expect((await stepsOf(rig, event.event_id)).filter((step) => step.includes('Phone'))).toHaveLength(1);
});

test('a press while the server could not be reached is read later', async () => {
  const event = bench.service.emit('SPY', 2);
  await settle();
  isAway = true;
  for (const controller of followers) controller.error(new TypeError('terminated'));
  followers.clear();
  await bench.clock.advance(minutes(5));
  press('Acknowledge');
  isAway = false;
  await bench.clock.advance(minutes(2));
  expect(await stepsOf(rig, event.event_id)).toContainEqual(expect.stringMatching(/^acknowledged by Phone/));
});

test('a connection on which nothing comes for longer than a server is silent is opened again', async () => {
  const opened = () => requests.filter(({ url }) => url.startsWith(ANSWERS)).length;
  await settle();
  expect(opened()).toBe(1);
  await bench.clock.advance(minutes(3));
  expect(opened()).toBeGreaterThan(1);
});
