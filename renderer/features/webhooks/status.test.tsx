// Test: the status of subscriptions, deliveries and targets as text, and the fields of a filter.

import { describe, expect, test } from 'vitest';
import type { Target } from '../../../shared/channels/relay.ts';
import type { DeliveryView, SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { message } from '../../../shared/text/message.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { symbolsSchema } from './filter-fields.tsx';
import {
  deliveryStats,
  deliveryStatus,
  eventsLabel,
  filterLabel,
  pausesAt,
  subscriptionStatus,
  targetStatus,
} from './status.ts';

const attempt = { number: 1, at: iso(T0), status: 200, latency_ms: 12, error: null, response: null };
const delivery = (more: Partial<DeliveryView> = {}): DeliveryView => ({
  id: 'dlv_1',
  event_id: 'evt_1',
  event: 'signal.high_risk',
  symbol: 'SPY',
  kind: 'event',
  status: 'delivered',
  created_at: iso(T0),
  next_attempt_at: null,
  settled_at: iso(T0),
  body: '{}',
  attempts: [attempt],
  ...more,
});
const of = (more: Partial<DeliveryView>) => {
  const { state, text } = deliveryStatus(delivery(more), 'utc', T0);
  return [state, text];
};

describe('a delivery', () => {
  test.each<[string, Partial<DeliveryView>, [string, string]]>([
    ['at first', {}, ['ok', 'delivered']],
    ['at the second', { attempts: [attempt, attempt] }, ['ok', 'delivered at 2nd']],
    ['at the eleventh', { attempts: Array.from({ length: 11 }, () => attempt) }, ['ok', 'delivered at 11th']],
    ['at the twenty-third', { attempts: Array.from({ length: 23 }, () => attempt) }, ['ok', 'delivered at 23rd']],
    ['a test', { kind: 'test' }, ['ok', 'test, by you']],
    ['sent again', { kind: 'replay' }, ['ok', 'sent again']],
    ['under way', { status: 'pending', next_attempt_at: iso(T0 + 60_000) }, ['degraded', 'retrying, next 19:38']],
    ['not begun', { status: 'pending', attempts: [] }, ['degraded', 'not sent yet']],
    ['given up', { status: 'failed' }, ['down', 'given up']],
  ])('%s', (_, more, expected) => {
    expect(of(more)).toEqual(expected);
  });
  test('of many: how many succeeded, and the median time', () => {
    const took = (latency_ms: number) => delivery({ attempts: [{ ...attempt, latency_ms }] });
    expect(deliveryStats([took(9), took(1), took(300), delivery({ status: 'failed' })])).toEqual({
      delivered: 3,
      median: 9,
    });
    expect(deliveryStats([])).toEqual({ delivered: 0, median: null });
  });
});

test('a subscription: active, failing, paused; it pauses a day after the first failure', () => {
  const subscription = { status: 'active', failing_since: null, paused_at: null } as SubscriptionView;
  const said = (more: Partial<SubscriptionView>) => subscriptionStatus({ ...subscription, ...more }, 'utc', T0).text;
  expect([
    said({}),
    said({ failing_since: iso(T0) }),
    said({ status: 'paused', paused_at: iso(T0) }),
    said({ status: 'unknown' }),
  ]).toEqual(['Active', 'Failing since 19:37', 'Paused 19:37', 'Not provided']);
  expect(pausesAt({ failing_since: iso(T0) })).toBe(T0 + 86_400_000);
});

test('a target: waits, delivers, keeps what is refused', () => {
  const target = { queue: 0, next_at: null, last: null, delivered: 0 } as Target;
  const said = (more: Partial<Target>) => targetStatus({ ...target, ...more }, T0);
  const bad = { at: iso(T0), event_id: 'e', status: 503, error: message('target.answered', { status: 503 }) };
  expect(said({}).text).toBe('Waiting for the first event');
  expect(said({ delivered: 3, last: { ...bad, status: 200, error: null } }).text).toBe('Delivering');
  expect(said({ queue: 14, last: bad, next_at: iso(T0 + 40_000) })).toEqual({
    state: 'degraded',
    text: 'answered 503, next attempt in 40\u00a0s',
  });
  expect(said({ queue: 1, next_at: iso(T0) })).toEqual({ state: 'ok', text: 'Being sent' });
});

test('filters as text, and symbols as they are typed', () => {
  expect(filterLabel({ events: null, symbols: null, states: null })).toBe('everything');
  expect(filterLabel({ events: ['regime.flip'], symbols: ['SPY'], states: [2] })).toBe('regime.flip · High Risk · SPY');
  expect(eventsLabel(null)).toBe('all six');
  expect(symbolsSchema.parse(' spy, qqq;SPY\nbrk.b ')).toEqual(['SPY', 'QQQ', 'BRK.B']);
  expect(symbolsSchema.parse('')).toBeNull();
  expect(symbolsSchema.safeParse('SPY, ü').error?.issues[0]?.message).toBe('Not a symbol: ü.');
});
