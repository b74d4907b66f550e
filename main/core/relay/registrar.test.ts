// Test: the checks of the subscription, request by request, against a service of a few lines.
import { describe, expect, test } from 'vitest';
import { problem } from '../../../client/problem.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { saying } from '../../../test/harness/saying.ts';
import { createGuard } from '../guard.ts';
import type { Subscription } from './own-subscription.ts';
import { createRegistrar, type RegistrarDeps } from './registrar.ts';

const URL_HERE = 'http://127.0.0.1:4781/in/path';
const SUBSCRIPTION = { id: 'sub_1', url: URL_HERE, status: 'active' } as const;

type Answer = Partial<Subscription> | Parameters<typeof problem>[0];

interface Given {
  /** The answers to the calls, by name; the last one repeats. */
  readonly answers?: Readonly<Record<string, readonly Answer[]>>;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly hasSecret?: boolean;
  readonly environment?: 'sandbox' | 'production';
}

const KNOWN = { subscription: 'sub_1', can_read: 'yes' };

function start({
  answers = {},
  metadata = KNOWN,
  url = URL_HERE,
  hasSecret = true,
  environment = 'sandbox',
}: Given = {}) {
  const clock = createManualClock();
  const calls: string[] = [];
  const stored = new Map<string, string>(Object.entries(metadata));
  const written: string[] = [];
  const left = new Map(Object.entries(answers).map(([name, list]) => [name, [...list]]));
  const read = async (name: string) => {
    calls.push(name);
    const list = left.get(name) ?? [];
    const [answer = {}] = list.length > 1 ? list.splice(0, 1) : list;
    if (typeof answer === 'string') return err(problem(answer, 'no'));
    return ok({ status: 200, value: { ...SUBSCRIPTION, ...answer } });
  };
  const registrar = createRegistrar({
    context: {
      guard: createGuard(clock, { debug() {}, info() {}, warn() {}, error() {} }),
      ports: { random: () => 0 } as RegistrarDeps['context']['ports'],
      profile: { environment } as RegistrarDeps['context']['profile'],
    },
    service: { client: { read } as unknown as RegistrarDeps['service']['client'], mayAsk: () => true },
    settings: { read: () => ({ on: true, port: 4781, publicUrl: null }) },
    secrets: {
      live: () => (hasSecret ? [{ generation: 'current', text: 'secret' }] : []),
      begin: async (secret) => void written.push(`secret ${secret}`),
      replace: async () => undefined,
    },
    store: {
      getMetadata: (name) => stored.get(name) ?? null,
      setMetadata(name, value) {
        written.push(`${name} ${value}`);
        if (value === null) stored.delete(name);
        else stored.set(name, value);
      },
    },
    listener: { listening: () => ({ port: 4781, isConfiguredPort: true }), url: () => url },
    changed: () => undefined,
  });
  return { registrar, clock, calls, written };
}

test('a correct subscription is read, and checked again after the interval', async () => {
  const { registrar, clock, calls } = start();
  await registrar.check();
  expect([calls, registrar.view().state]).toEqual([['subscription'], 'registered']);
  await clock.advance(10_000);
  expect(calls).toEqual(['subscription', 'subscription']);
});

test.each<[string, Given, readonly string[]]>([
  ['unknown to the service', { answers: { subscription: ['not_found'] } }, ['subscribe']],
  [
    'of another address',
    { answers: { subscription: [{ url: 'https://elsewhere.example/' }] } },
    ['deleteSubscription', 'subscribe'],
  ],
  [
    'without a secret here',
    { hasSecret: false, answers: { subscribe: ['network'] } },
    ['deleteSubscription', 'subscribe'],
  ],
  ['paused', { answers: { subscription: [{ status: 'paused' }] } }, ['resumeSubscription']],
])('a subscription %s is repaired', async (_, given, repair) => {
  const { registrar, calls } = start(given);
  await registrar.check();
  expect(calls).toEqual(['subscription', ...repair]);
});

test('a service that stores the address in its normal form delivers here', async () => {
  const answers = { subscription: [{ url: 'https://tunnel.example/in/path' }] };
  const { registrar, calls } = start({ url: 'https://Tunnel.Example:443/a b/../in/path', answers });
  await registrar.check();
  expect([calls, registrar.view().state]).toEqual([['subscription'], 'registered']);
});

test('a subscription with another address is not deleted before its replacement may be requested', async () => {
  const answers = { subscription: [{ url: 'https://elsewhere.example/' }] };
  const { registrar, calls } = start({ metadata: { can_read: 'yes' }, answers });
  await registrar.check();
  await registrar.check();
  expect(calls).toEqual(['subscribe', 'subscription']);
  expect(registrar.view()).toMatchObject({ state: 'waiting', message: saying(/did not last/) });
});

test('a check requested while one is running follows it; none follows the stop', async () => {
  const first = start();
  await Promise.all([first.registrar.check(), first.registrar.check()]);
  expect(first.calls).toHaveLength(2);
  const second = start();
  const checks = [second.registrar.check(), second.registrar.check()];
  second.registrar.stop();
  await Promise.all(checks);
  await second.registrar.check();
  await second.clock.advance(60_000);
  expect(second.calls).toHaveLength(1);
});

test('failures delay the next check; a refusal that only the user can resolve says so', async () => {
  const { registrar, clock, calls } = start({ answers: { subscription: ['network', 'forbidden'] } });
  await registrar.check();
  expect(registrar.view().state).toBe('waiting');
  await clock.advance(1_000);
  expect([calls.length, registrar.view()]).toMatchObject([2, { state: 'refused', message: saying('no') }]);
});

test('a service that never shows a secret is asked for a new subscription once, not for ever', async () => {
  const { registrar, calls } = start({ metadata: { can_read: 'yes' }, hasSecret: false });
  await registrar.check();
  expect([calls, registrar.view().state]).toEqual([['subscribe', 'deleteSubscription', 'subscribe'], 'refused']);
});

describe('a service that shows no subscription', () => {
  test('keeps the one that it made', async () => {
    const { registrar, calls } = start({ metadata: {}, answers: { subscription: ['not_found'] } });
    await registrar.check();
    expect(calls).toEqual(['subscribe', 'subscription']);
    expect(registrar.view()).toMatchObject({ state: 'registered', message: saying(/not checked/) });
    await registrar.check();
    expect(calls).toEqual(['subscribe', 'subscription', 'subscription']);
  });

  test('and gives it no id: it is made once', async () => {
    const answers = { subscribe: [{ id: null, signing_secret: 'new' }] };
    const { registrar, calls } = start({ metadata: {}, answers });
    await registrar.check();
    await registrar.check();
    expect([calls, registrar.view().state]).toEqual([['subscribe'], 'registered']);
  });
});

test.each<[string, Given]>([
  ['cannot be read', { answers: { subscribe: ['unreadable'] } }],
  ['has no id', { hasSecret: false, answers: { subscribe: [{ id: null }] } }],
  ['has no secret', { hasSecret: false, answers: { deleteSubscription: ['not_found'] } }],
  ['is lost every time', { answers: { subscription: ['not_found'] } }],
  ['breaks off', { answers: { subscribe: ['network'] } }],
  ['fails', { answers: { subscribe: ['server'] } }],
])('a registration whose answer %s is requested at most seven times in nine minutes, and said', async (_, given) => {
  const { registrar, clock, calls } = start({ metadata: { can_read: 'yes' }, ...given });
  await registrar.check();
  await clock.advance(540_000);
  expect(calls.filter((name) => name === 'subscribe').length).toBeLessThanOrEqual(7);
  expect(registrar.view().state).not.toBe('registered');
});

test('the secret is stored before the id: a crash between never leaves a subscription with an older secret', async () => {
  const answers = { subscribe: [{ signing_secret: 'new' }] };
  const { registrar, written } = start({ metadata: { can_read: 'yes' }, answers });
  await registrar.check();
  expect(written.filter((line) => /^(secret|subscription) /.test(line))).toEqual(['secret new', 'subscription sub_1']);
  // The idempotency key is kept until then: the same request after a crash makes no second subscription.
  expect([written[0], written.at(-1)]).toEqual([expect.stringMatching(/^subscribe_key .{36}$/), 'subscribe_key null']);
});

test('a pause between two requests for a subscription leaves the retries short in production', async () => {
  const { registrar, clock, calls } = start({
    answers: { subscribe: ['server'] },
    metadata: {},
    environment: 'production',
  });
  await registrar.check();
  await clock.advance(60_000);
  // After 2, 6 and 18 s, with the pauses of the retries between.
  expect(calls.filter((name) => name === 'subscribe').length).toBeGreaterThan(3);
});
