// Test: a service's formats and costs: headers and bodies, rate of calls, slowed polling.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitItems, resetForm } from '../../../client/limit-headers.ts';
import type { AnyRoute } from '../../../shared/wire/route.ts';
import { routes } from '../../../shared/wire/routes.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createCalls } from './calls.ts';
import { createQuotaStore, slowing } from './quota.ts';
import { createServiceObserver } from './service-observer.ts';
import { createSkew } from './skew.ts';

const HOUR = 3_600_000;
const as = (route: unknown): AnyRoute => route as AnyRoute;
const headersOf = (fields: Record<string, string>): Headers => new Headers(fields);

describe('calls', () => {
  test('are counted by cause; the hourly rate covers the last ten minutes; open endpoints cost nothing', async () => {
    const clock = createManualClock();
    const calls = createCalls(clock);
    for (let minute = 0; minute < 5; minute += 1) {
      calls.count(as(routes.snapshot));
      calls.count(as(routes.snapshot));
      calls.count(as(routes.factors));
      calls.count(as(routes.root));
      clock.jump(60_000);
    }
    expect(calls.perHour()).toEqual([
      { cause: 'signals', made: 10, per_hour: 120 },
      { cause: 'factors', made: 5, per_hour: 60 },
    ]);
    // The calls of the start are included: the rate is not representative.
    expect(calls.countedFor()).toEqual({ ms: 300_000, enough: false });
    expect(calls.lastMinute()).toBe(0);
    calls.count(as(routes.validation));
    expect(calls.lastMinute()).toBe(1);
    clock.jump(HOUR);
    expect(calls.perHour()).toEqual([]);
    expect(calls.countedFor().enough).toBe(true);
  });
});

describe('quota', () => {
  test.each([
    ['17', 'seconds'],
    ['1795198658', 'epoch_seconds'],
    ['1795198658000', 'epoch_ms'],
    ['', null],
    [null, null],
    ['soon', null],
    ['-4', null],
  ])('a reset of %s is %s', (value, form) => {
    expect(resetForm(value)).toBe(form);
  });
  test('the fields of RateLimit are read by name, among any others', () => {
    const items = limitItems('"endpoint";r=99;t=40, "month";r=7;t=100;x=a, nonsense, "plan";r=3');
    expect(items.get('month')).toEqual({ r: 7, t: 100 });
    expect(items.get('plan')).toEqual({ r: 3 });
    fc.assert(fc.property(fc.string(), (any) => void limitItems(any)));
  });
  const respond = (left: number, more: Record<string, string> = {}, status = 200) => {
    const clock = createManualClock();
    const quotaStore = createQuotaStore(clock);
    quotaStore.onResponse(
      status,
      headersOf({
        'x-ratelimit-limit': '100',
        ratelimit: `"endpoint";r=9;t=30, "plan";r=47;t=1, "month";r=${left};t=7200`,
        'ratelimit-policy': '"endpoint";q=10;w=60, "plan";q=5000;w=60;burst=50, "month";q=1000;w=2592000',
        ...more,
      }),
    );
    return { quotaStore, clock };
  };
  test('month, burst and minute; a service without limits has no counts', () => {
    expect(respond(600).quotaStore.summary(12)).toEqual({
      month: { limit: 1000, used: 400, left_ms: 7_200_000 },
      burst: { limit: 50, used: 3 },
      minute: { limit: 5000, used: 12 },
      overage: 0,
      capped_until: null,
      counted: true,
    });
    expect(respond(1000).quotaStore.summary(0).counted).toBe(false);
    expect(createQuotaStore(createManualClock()).summary(0)).toMatchObject({
      month: null,
      burst: null,
      counted: false,
    });
  });
  test('use beyond the quota is shown, and the hard cap is detected by its far reset alone', () => {
    expect(respond(0, { 'x-ratelimit-overage': '12' }).quotaStore.summary(0)).toMatchObject({
      overage: 12,
      month: { used: 1012 },
    });
    expect(respond(0, { 'x-ratelimit-reset': '40' }, 429).quotaStore.summary(0).capped_until).toBeNull();
    const { quotaStore, clock } = respond(0, { 'x-ratelimit-reset': '90000' }, 429);
    expect(quotaStore.summary(0).capped_until).toBe(new Date(clock.now() + 90_000_000).toISOString());
    quotaStore.onResponse(200, headersOf({}));
    expect(quotaStore.summary(0).capped_until).toBeNull();
  });
});

describe('slowed polling', () => {
  const month = (left: number, hours: number) => ({
    month: { limit: 10_000, used: 10_000 - left, left_ms: hours * HOUR },
    counted: true,
  });
  test('polling is not slowed while the quota suffices, nor where there is none', () => {
    expect(slowing(month(9_000, 24), 100, 120)).toBe(1);
    expect(slowing({ ...month(1, 24), counted: false }, 100, 120)).toBe(1);
    expect(slowing({ month: null, counted: true }, 100, 120)).toBe(1);
  });
  test('polling is slowed by the necessary factor, at most twenty', () => {
    expect(slowing(month(1_000, 10), 50, 120)).toBe(3);
    expect(slowing(month(0, 100), 0, 120)).toBe(20);
    expect(slowing(month(1_000, 10), 500, 120)).toBe(20);
  });
  test('so that the quota lasts, wherever a factor of twenty is enough', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999 }),
        fc.integer({ min: 1, max: 700 }),
        fc.integer({ min: 0, max: 300 }),
        (left, hours, others) => {
          const paces = slowing(month(left, hours), others, 120);
          expect(Number.isInteger(paces) && paces >= 1 && paces <= 20).toBe(true);
          if (paces < 20) expect((others + 120 / paces) * hours).toBeLessThanOrEqual(left);
        },
      ),
    );
  });
});

describe('clocks', () => {
  test('whole seconds of many answers measure the difference to much less than a second', () => {
    const skew = createSkew();
    const offset = 120;
    let at = 1_000_000;
    for (let index = 0; index < 200; index += 1) {
      at += 1_337;
      const there = at + 10 - offset;
      skew.onDate(new Date(Math.floor(there / 1000) * 1000).toUTCString(), at, at + 20);
    }
    const { ms, within } = skew.estimate() ?? { ms: Number.NaN, within: 0 };
    expect(Math.abs(ms - offset)).toBeLessThanOrEqual(within);
    expect(within).toBeLessThan(60);
  });
  test('a clock that was set is measured again; invalid dates are ignored', () => {
    const skew = createSkew();
    expect(skew.estimate()).toBeNull();
    skew.onDate(null, 0, 10);
    skew.onDate('yesterday', 0, 10);
    expect(skew.estimate()).toBeNull();
    skew.onDate(new Date(100_000).toUTCString(), 100_000, 100_100);
    skew.onDate(new Date(100_000).toUTCString(), 500_000, 500_100);
    expect(skew.estimate()?.ms).toBeGreaterThan(390_000);
  });
});

test('a service is identified by its answers', () => {
  const { interceptor, compatibility, quota } = createServiceObserver(createManualClock(), () => 120);
  expect(compatibility()).toMatchObject({
    factors: null,
    reset: null,
    list_key: null,
    service: null,
    lower_codes: [],
    upper_codes: [],
  });
  interceptor.body(as(routes.root), 200, { service: 'Risk', version: '3.1' });
  interceptor.body(as(routes.factors), 200, { powers: { clarity: 0.4 }, dimensions: [] });
  interceptor.body(as(routes.snapshot), 200, { items: [], next_cursor: null });
  interceptor.body(as(routes.history), 404, { code: 'symbol_not_covered' });
  interceptor.body(as(routes.validation), 401, { code: 'UNAUTHORIZED' });
  interceptor.body(as(routes.marketNews), 500, '<html>');
  interceptor.head(
    as(routes.snapshot),
    new Response('', { headers: { 'x-ratelimit-reset': '30', 'x-service-version': 'v1' } }),
    0,
    1,
  );
  expect(compatibility()).toEqual({
    factors: 'map_and_rows',
    reset: 'seconds',
    lower_codes: ['/history'],
    upper_codes: ['/api/validation/metrics'],
    list_key: 'items',
    cursor_key: 'next_cursor',
    service: 'Risk 3.1',
    interface: 'v1',
  });
  interceptor.body(as(routes.factors), 200, [{ code: 'D-01', power: 0.4 }]);
  interceptor.body(as(routes.events), 200, []);
  expect(compatibility()).toMatchObject({ factors: 'rows', list_key: '' });
  expect(quota().slowed).toBe(1);
});

test('the calls of the start slow nothing; the same calls as a rate do', () => {
  const clock = createManualClock();
  const { interceptor, slowed } = createServiceObserver(clock, () => 120);
  const head = {
    'x-ratelimit-limit': '100',
    ratelimit: '"month";r=60000;t=1296000',
    'ratelimit-policy': '"month";q=100000;w=2592000',
  };
  const answered = (): void => interceptor.head(as(routes.regime), new Response('', { headers: head }), 0, 1);
  for (let call = 0; call < 90; call += 1) answered();
  clock.jump(60_000);
  expect(slowed()).toBe(1);
  for (let minute = 0; minute < 12; minute += 1) {
    for (let call = 0; call < 90; call += 1) answered();
    clock.jump(60_000);
  }
  expect(slowed()).toBeGreaterThan(1);
});
