// Test: the self-test in a whole core on a manual clock: each method, each failure, a restart.

import { beforeEach, expect, test } from 'vitest';
import { type SelfTestView, SelfTestViewSchema } from '../../../shared/channels/self-test.ts';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { optionalText, plainMessage } from '../../../shared/text/message.ts';
import type { EventEnvelope } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { encodeEvent } from '../../../shared/wire/sse.ts';
import { notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import {
  createSubscriptionServer,
  type RelayRig,
  type RelayRigOptions,
  relayRig,
  type SubscriptionServer,
} from '../../../test/harness/relay-bench.ts';
import type { WireRequest } from '../../../test/harness/wire-service.ts';
import { createSessionVault } from '../keys/session-vault.ts';

const bench = setUpCoreBench();
let subscriptionService: SubscriptionServer;
/** Test events that the service made on request. */
let made: EventEnvelope[];
/** The sources by which the service sends them. */
let sources: { stream: boolean; webhook: boolean };
let current: RelayRig;

beforeEach(() => {
  subscriptionService = createSubscriptionServer();
  made = [];
  sources = { stream: true, webhook: true };
  bench.service.fault = answer;
});

const answer = (request: WireRequest): ReturnType<NonNullable<typeof bench.service.fault>> => {
  if (request.path !== '/sandbox/trigger') return subscriptionService.answer(request);
  const { event, symbol } = JSON.parse(request.body);
  const envelope: EventEnvelope = {
    event_id: `evt_test_${made.length + 1}`,
    seq: bench.service.log.length + 1,
    event,
    timestamp: timestamp(bench.clock.now()),
    data: { symbol, state: 2, state_name: 'high_risk', confidence: 40, note: 'Test' },
  };
  made.push(envelope);
  bench.service.log.push(envelope);
  if (sources.stream) bench.service.write(encodeEvent(envelope));
  if (sources.webhook) void current.deliver(JSON.stringify(envelope), subscriptionService.only().secret);
  return Response.json({ data: [envelope] });
};

async function up(options: RelayRigOptions = {}): Promise<RelayRig> {
  current = relayRig(bench, options);
  await current.core.start();
  await bench.clock.until(() => current.snapshot().connection.indicators.open.state === 'ok');
  await bench.clock.advance(1_000);
  return current;
}
const view = (rig: RelayRig): SelfTestView => SelfTestViewSchema.parse(rig.core.handlers['selfTest.read']({}));
const outcomes = (rig: RelayRig): Record<string, string> =>
  Object.fromEntries(view(rig).last?.steps.map(({ step, outcome }) => [step, outcome]) ?? []);
const detail = (rig: RelayRig, name: string): string =>
  optionalText(view(rig).last?.steps.find(({ step }) => step === name)?.detail ?? null);
const message = (rig: RelayRig): string => optionalText(view(rig).last?.message ?? null);
const selfTestIds = (rig: RelayRig): string[] => shownIds(rig).filter((id) => id.startsWith('barograph:self-test:'));
async function run(rig: RelayRig, ms = 2_000): Promise<void> {
  rig.core.handlers['selfTest.run']({});
  await bench.clock.advance(ms);
}

test('the full path: service, stream, webhook, ledger, rules, desktop, acknowledgement', async () => {
  const rig = await up();
  expect(view(rig)).toEqual({ last: null, reason: null });
  await run(rig);
  expect(made).toMatchObject([{ event: 'signal.created', data: { symbol: 'SPY' } }]);
  expect(message(rig)).toBe('The notification is shown. Acknowledge it.');
  expect(rig.shown).toMatchObject([{ title: '[SANDBOX] Self-test: this is only a test', silent: true, symbol: null }]);
  expect(() => rig.core.handlers['selfTest.run']({})).toThrow('A self-test is already running.');

  rig.core.handlers['selfTest.acknowledge']({});
  const { last, reason } = view(rig);
  expect(reason).toBeNull();
  expect(outcomes(rig)).toEqual({
    sent: 'passed',
    stream: 'passed',
    webhook: 'passed',
    written: 'passed',
    matched: 'passed',
    dispatched: 'passed',
    shown: 'passed',
    acknowledged: 'passed',
  });
  expect(last).toMatchObject({ event_id: made[0]?.event_id, message: { code: 'self_test.passed' } });
  expect(last?.steps.every(({ after }) => after !== null && after < 2_500)).toBe(true);
  // The event's row says that it was a test; nothing about the market changed.
  const { steps } = await rig.core.handlers['alerts.trace']({ ledger_id: 1 });
  expect(steps.map(({ detail }) => detail)).toContainEqual({ code: 'decision.self_test' });
  expect(rig.snapshot().alerts).toEqual([]);
  const page = await rig.core.handlers['alerts.read']({ filter: 'all', symbol: null, before: null, limit: 50 });
  expect(page.rows).toEqual([]);
});

test('a click on the notification acknowledges; each self-test has its own id, and a real alert keeps its id', async () => {
  const rig = await up();
  await run(rig);
  rig.core.handlers['alerts.clicked']({ notification_id: selfTestIds(rig)[0] ?? '' });
  expect(outcomes(rig).acknowledged).toBe('passed');
  const event = bench.service.emit('SPY', 2);
  await run(rig);
  expect(new Set(selfTestIds(rig)).size).toBe(2);
  expect(selfTestIds(rig)).toHaveLength(2);
  expect(shownIds(rig).filter((id) => !id.startsWith('barograph:self-test:'))).toEqual(notificationIds(event));
});

test('a missing source is named: the stream, the webhook, or both', async () => {
  const rig = await up();
  sources = { stream: false, webhook: true };
  await run(rig, 20_000);
  expect(outcomes(rig)).toMatchObject({ stream: 'failed', webhook: 'passed', written: 'passed', shown: 'passed' });
  rig.core.handlers['selfTest.acknowledge']({});
  expect(message(rig)).toBe('You would have been notified. The stream did not deliver it.');

  sources = { stream: true, webhook: false };
  await run(rig, 20_000);
  expect(outcomes(rig)).toMatchObject({ stream: 'passed', webhook: 'failed' });
  rig.core.handlers['selfTest.acknowledge']({});
  expect(message(rig)).toBe('You would have been notified. The webhook did not deliver it.');

  sources = { stream: false, webhook: false };
  await run(rig, 40_000);
  expect(outcomes(rig)).toMatchObject({ stream: 'failed', webhook: 'failed' });
  // Back-fill fetched the event.
  if (outcomes(rig).written === 'passed') expect(detail(rig, 'stream')).toMatch(/back-fill|polling|15 s/);
  else expect(message(rig)).toBe('You would not have been notified. Nothing brought the test event to this computer.');
});

test('a service that does not answer: it stops at once, and gives the reason', async () => {
  const rig = await up();
  bench.service.fault = () => 'unreachable';
  await run(rig, 30_000);
  expect(outcomes(rig)).toMatchObject({ sent: 'failed', stream: 'skipped', shown: 'skipped', acknowledged: 'skipped' });
  expect(message(rig)).toMatch(/^You would not have been notified\. .+/);
  expect(selfTestIds(rig)).toEqual([]);
});

test.each([
  [
    'a rule that is switched off',
    { enabled: false },
    /^You would not have been notified\. No rule matches a High Risk alert for SPY now/,
  ],
] as const)('the rules: %s', async (_, change, expected) => {
  const rig = await up();
  const { rules } = await rig.core.handlers['alerting.read']({});
  for (const { rule } of rules)
    if (rule !== null) await rig.core.handlers['rules.save']({ rule: { ...rule, ...change } });
  await run(rig);
  expect(outcomes(rig)).toMatchObject({ written: 'passed', matched: 'failed', dispatched: 'skipped' });
  expect(message(rig)).toMatch(expected);
});

test('a silence mutes it, and is named', async () => {
  const rig = await up();
  const until = timestamp(bench.clock.now() + 3_600_000);
  await rig.core.handlers['silences.add']({ matchers: symbolMatchers(['SPY']), from: null, until, comment: 'lunch' });
  await run(rig);
  expect(message(rig)).toBe(
    'You would not have been notified. A High Risk alert for SPY would be suppressed now: silenced: lunch.',
  );
});

test('no desktop: it would be notified, but not shown; nobody present: that is reported too', async () => {
  const rig = await up({
    show: async () => ({ tier: 'in_app', detail: plainMessage('There is no notification service.') }),
  });
  await run(rig);
  expect(outcomes(rig)).toMatchObject({ dispatched: 'passed', shown: 'failed', acknowledged: 'waits' });
  expect(message(rig)).toBe('The desktop shows no notification. Acknowledge it here.');
  await bench.clock.advance(5 * 60_000);
  expect(message(rig)).toBe(
    'You would have been notified. The notification would not have been shown. Nobody acknowledged it.',
  );
  expect(view(rig).reason).toBeNull();
});

test('a desktop that never answers: it stops there, and the notification is not retried', async () => {
  let showCount = 0;
  const rig = await up({
    show: () => {
      showCount += 1;
      return new Promise(() => undefined);
    },
  });
  await run(rig, 30_000);
  expect(outcomes(rig)).toMatchObject({ matched: 'passed', dispatched: 'failed', shown: 'skipped' });
  const then = showCount;
  await bench.clock.advance(10 * 60_000);
  expect(showCount).toBe(then);
});

test('in production no test event is requested', async () => {
  bench.service.environment = 'production';
  bench.service.accepts = () => true;
  bench.service.fault = (request) =>
    request.path.endsWith('/test') ? Response.json({}, { status: 404 }) : answer(request);
  const rig = await up({ profile: { name: 'desk', environment: 'production' }, key: 'svc_live_0123456789abcdef' });
  await run(rig);
  expect(outcomes(rig).sent).toBe('passed');
  expect(bench.service.requests.filter(({ path }) => path === '/sandbox/trigger')).toEqual([]);
});

test('a service without test events repeats its newest by webhook; the real event is notified once', async () => {
  const service = subscriptionService.answer;
  subscriptionService = {
    ...subscriptionService,
    answer(request) {
      if (!request.path.endsWith('/test')) return service(request);
      const newest = bench.service.log.at(-1);
      void current.deliver(JSON.stringify(newest), subscriptionService.only().secret);
      return Response.json({ event_id: newest?.event_id, attempts: [{ status: 200, error: null }] });
    },
  };
  bench.service.fault = (request) =>
    request.path === '/sandbox/trigger' ? Response.json({}, { status: 404 }) : subscriptionService.answer(request);
  const rig = await up();
  const event = bench.service.emit('SPY', 2);
  await bench.clock.advance(1_000);
  await run(rig);
  expect(outcomes(rig)).toMatchObject({ stream: 'skipped', webhook: 'passed', written: 'passed', shown: 'passed' });
  rig.core.handlers['selfTest.acknowledge']({});
  expect(message(rig)).toBe(
    'You would have been notified. The stream was not tested: this service can repeat an event by webhook only.',
  );
  expect(shownIds(rig).filter((id) => !id.startsWith('barograph:self-test:'))).toEqual(notificationIds(event));
});

test('a service without either: our own relay receives a signed event through its port; without a relay, that is reported', async () => {
  bench.service.fault = (request) =>
    request.path === '/sandbox/trigger' || request.path.endsWith('/test')
      ? Response.json({}, { status: 404 })
      : subscriptionService.answer(request);
  const rig = await up();
  rig.server.reply = async (delivery) => {
    const { status } = (await rig.server.listening?.receive(delivery.headers, Buffer.from(delivery.body))) ?? {
      status: 404,
    };
    return { status, error: status === 200 ? null : plainMessage(`answered ${status}`) };
  };
  await run(rig);
  expect(outcomes(rig)).toMatchObject({ stream: 'skipped', webhook: 'passed', written: 'passed', shown: 'passed' });
  // The spelling of the service's signature is still unknown, and no target received the event.
  expect(rig.view()).toMatchObject({
    form: null,
    arrivals: [{ event: 'barograph.self_test', symbol: null, result: 'stored' }],
  });
  expect(rig.snapshot().alerts).toEqual([]);
  rig.core.handlers['selfTest.acknowledge']({});
  expect(message(rig)).toBe(
    'You would have been notified. The connection between the service and this computer was not tested.',
  );

  await rig.core.handlers['relay.switch']({ on: false });
  await run(rig);
  rig.core.handlers['selfTest.acknowledge']({});
  expect(outcomes(rig)).toMatchObject({ stream: 'skipped', webhook: 'skipped', written: 'skipped', shown: 'passed' });
  expect(message(rig)).toBe('You would have been notified. Neither stream nor webhook was tested.');
});

test('a restart during the test: it continues under the same id, and an old one ends', async () => {
  const vault = createSessionVault();
  const first = await up({ vault, show: () => new Promise(() => undefined) });
  await run(first);
  expect(outcomes(first).dispatched).toBe('waits');
  const [id] = selfTestIds(first);
  await bench.down(first);
  const second = await up({ vault });
  expect(selfTestIds(second)).toEqual([id]);
  second.core.handlers['selfTest.acknowledge']({});
  expect(message(second)).toBe('You would have been notified.');

  await run(second);
  await bench.down(second);
  bench.clock.jump(60 * 60_000);
  const third = await up({ vault });
  expect(outcomes(third).acknowledged).toBe('failed');
  expect(detail(third, 'acknowledged')).toBe('Barograph was restarted meanwhile. Run the self-test again.');
  expect(selfTestIds(third)).toEqual([]);
});

test('a ledger that cannot be written: it stops there, as text', async () => {
  let isFull = false;
  const rig = await up({
    ledger: {
      change(ledger) {
        const set: typeof ledger.metadata.set = (name, value) => {
          if (isFull && name === 'self_test') throw new Error('database or disk is full');
          ledger.metadata.set(name, value);
        };
        return { ...ledger, metadata: { ...ledger.metadata, set } };
      },
    },
  });
  isFull = true;
  await run(rig);
  expect(message(rig)).toMatch(
    /^You would not have been notified\. The ledger cannot be written \(database or disk is full\)/,
  );
});
