// Test: the machine of the registration, without requests and timers.
import { expect, test } from 'vitest';
import { problem } from '../../../client/problem.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { saying } from '../../../test/harness/saying.ts';
import type { Subscription } from './own-subscription.ts';
import {
  beginRegistration,
  type CheckEvent,
  type Circumstances,
  next,
  type RegistrationEvent,
  type RegistrationState,
} from './registration-machine.ts';

const URL_HERE = 'http://127.0.0.1:4781/in/path';
const HERE: Circumstances = { now: 0, random: () => 0, interval: 10_000, hasSecret: true, canRead: true };
const CHECK: CheckEvent = { kind: 'check', relay: 'ready', url: URL_HERE, mayAsk: true, id: 'sub_1', unnamed: null };
const SUBSCRIPTION: Subscription = { id: 'sub_1', url: URL_HERE, status: 'active' };
const answered = (subscription: Partial<Subscription> = {}): RegistrationEvent => ({
  kind: 'answered',
  answer: ok({ ...SUBSCRIPTION, ...subscription }),
});
const refused = (kind: Parameters<typeof problem>[0]): RegistrationEvent => ({
  kind: 'answered',
  answer: err(problem(kind, 'no')),
});

/** The effects of each event in turn, and the state after the last one. */
function run(circumstances: Circumstances, ...events: RegistrationEvent[]): [string[], RegistrationState] {
  let state = beginRegistration(0);
  const seen = events.map((event) => {
    const [after, effects] = next(state, event, circumstances);
    state = after;
    return effects.map(({ kind }) => kind).join(' ');
  });
  return [seen, state];
}

test('a correct subscription is read, and checked again after the interval', () => {
  const [effects, { registration, step }] = run(HERE, CHECK, answered());
  expect([effects, registration.state, step.name]).toEqual([['read', 'wait'], 'registered', 'idle']);
});

test.each([
  ['unknown to the service', HERE, refused('not_found'), ['read', 'subscribe']],
  ['of another address', HERE, answered({ url: 'https://elsewhere.example/' }), ['read', 'remove']],
  ['without a secret here', { ...HERE, hasSecret: false }, answered(), ['read', 'remove']],
  ['paused', HERE, answered({ status: 'paused' }), ['read', 'resume']],
])('a subscription %s is repaired', (_, circumstances, event, effects) => {
  expect(run(circumstances, CHECK, event)[0]).toEqual(effects);
});

test('a service that stores the address in its normal form delivers here', () => {
  const typed = { ...CHECK, url: 'https://Tunnel.Example:443/a b/../in/path' };
  const [effects, { registration }] = run(HERE, typed, answered({ url: 'https://tunnel.example/in/path' }));
  expect([effects, registration.state]).toEqual([['read', 'wait'], 'registered']);
});

test('a subscription with another address is not deleted before its replacement may be requested', () => {
  const elsewhere = answered({ url: 'https://elsewhere.example/' });
  const [effects, { registration }] = run(HERE, { ...CHECK, id: null }, answered(), CHECK, elsewhere);
  expect([effects, registration]).toMatchObject([
    ['subscribe', 'wait', 'read', 'wait'],
    { state: 'waiting', message: saying(/did not last/) },
  ]);
});

test('a check requested while one is running follows it; none follows the stop', () => {
  expect(run(HERE, CHECK, CHECK, answered())[0]).toEqual(['read', '', 'check']);
  expect(run(HERE, CHECK, { kind: 'stop' }, CHECK, answered())[0]).toEqual(['read', '', '', '']);
});

test('failures delay the next check; a refusal that only the user can resolve says so', () => {
  const [, after] = run(HERE, CHECK, refused('network'), CHECK, refused('forbidden'));
  expect([after.failures, after.registration]).toMatchObject([2, { state: 'refused', message: saying('no') }]);
});

test('a service that never shows a secret is asked for a new subscription once, not for ever', () => {
  const removed: RegistrationEvent = { kind: 'removed', answer: ok({}) };
  const check = { ...CHECK, id: null };
  const [effects, { registration }] = run({ ...HERE, hasSecret: false }, check, answered(), removed, answered());
  expect([effects, registration.state]).toEqual([['subscribe', 'remove', 'subscribe', 'wait'], 'refused']);
});

test('a service that shows no subscription keeps the one that it made', () => {
  const foreign = { ...HERE, canRead: false };
  const [effects, { registration }] = run(foreign, { ...CHECK, id: null }, answered(), refused('not_found'));
  expect([effects, registration]).toMatchObject([
    ['subscribe', 'read', 'wait'],
    { state: 'registered', message: saying(/not checked/) },
  ]);
  expect(run(foreign, CHECK, refused('not_found'))[0]).toEqual(['read', 'wait']);
  const unnamed = { ...CHECK, id: null, unnamed: URL_HERE };
  expect(run(foreign, { ...CHECK, id: null }, answered({ id: null }), unnamed)[0]).toEqual([
    'subscribe',
    'wait',
    'wait',
  ]);
});

test.each<[string, Partial<Circumstances>, readonly RegistrationEvent[]]>([
  ['cannot be read', {}, [refused('unreadable')]],
  ['has no id', { hasSecret: false }, [answered({ id: null })]],
  ['has no secret', { hasSecret: false }, [answered(), refused('not_found')]],
  ['is lost every time', {}, [answered(), refused('not_found')]],
  ['breaks off', {}, [refused('network')]],
  ['fails', {}, [refused('server')]],
])('a registration whose answer %s is requested at most seven times in nine minutes, and said', (_, more, events) => {
  let state = beginRegistration(0);
  let requests = 0;
  for (let now = 0; now < 540_000; now += 1_000)
    for (const event of [{ ...CHECK, id: null }, ...events]) {
      const [after, effects] = next(state, event, { ...HERE, ...more, now });
      state = after;
      requests += effects.filter(({ kind }) => kind === 'subscribe').length;
    }
  expect(requests).toBeLessThanOrEqual(7);
  expect(state.registration.state).not.toBe('registered');
});
