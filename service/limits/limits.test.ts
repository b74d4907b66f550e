// Service, limits, test: minutes, bursts, months and caps, their headers, and losses at a kill.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, constantFrom, nat, property, tuple } from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/lib/time.ts';
import { ERRORS } from '../../shared/wire/errors.ts';
import type { Plan } from '../../shared/wire/limits.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import type { Caller } from '../auth/authenticate.ts';
import { Refusal } from '../refusal.ts';
import { IN_MEMORY, openStore, type Store } from '../store/store.ts';
import { createLimits, type LimitHeaders, type LimitsDeps } from './limits.ts';

const START = Date.parse('2026-03-02T14:30:00.000Z');
const MONTH_END = Date.parse('2026-04-01T00:00:00.000Z');
const { snapshot, history, signal } = routes;
const archetypes: AnyRoute = { ...signal, path: '/api/archetypes/current' };

const opened: Store[] = [];
const open = (file = IN_MEMORY): Store => {
  const store = openStore(file, { environment: 'production', seed: null, clock: 'real' });
  opened.push(store);
  return store;
};
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

function rig({ enforced = true, store = open(), start = START } = {}) {
  const clock = createManualClock(start);
  const warnings: string[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_: object, text: string) => void warnings.push(text),
    error: () => undefined,
  };
  const limits = createLimits({ store, clock, logger, enforced } satisfies LimitsDeps);
  const caller = (name = 'one', more: Partial<Caller> = {}): Caller => {
    const account = more.account ?? `acct_${name}`;
    const made: Caller = {
      id: `key_${name}`,
      ending: '0000',
      account,
      scope: 'read',
      plan: 'pro',
      hardCap: false,
      contract: null,
      ...more,
    };
    store.keys.addAccount({ id: made.account, plan: null, hardCap: false, contract: null, ownerEmail: null }, start);
    return made;
  };
  /** Spends one call; returns the headers, and the refusal if there is one. */
  const spend = (who: Caller, route: AnyRoute): LimitHeaders & { refused?: string } => {
    try {
      return limits.spend(who, route);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect(ERRORS[error.kind].status).toBe(429);
      return { ...error.headers, refused: error.message };
    }
  };
  return { clock, store, limits, caller, spend, warnings };
}

/** A contract for `count` calls, so slow that no bucket is ever empty. */
const LARGE: Partial<Caller> = { plan: 'institutional', contract: { burst: 1_000_000, sustained: 1_000_000 } };

describe('the minute of an endpoint', () => {
  test('counts down, refuses with the seconds to wait, and is full again at the next minute', async () => {
    const { clock, caller, spend } = rig({ start: START + 15_400 });
    const who = caller('one', LARGE);
    expect(spend(who, history)).toMatchObject({
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-reset': String((START + 60_000) / 1000),
    });
    for (let call = 2; call <= 99; call += 1) spend(who, history);
    expect(spend(who, history)['x-ratelimit-remaining']).toBe('0');
    const refused = spend(who, history);
    expect(refused.refused).toContain('100 calls of this minute');
    expect(refused).toMatchObject({ 'retry-after': '45', 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0' });
    // Another endpoint and another key have their own minutes.
    expect(spend(who, signal).refused).toBeUndefined();
    expect(spend(caller('two', { ...LARGE, account: who.account }), history).refused).toBeUndefined();
    await clock.advance(44_599);
    expect(spend(who, history).refused).toBeDefined();
    await clock.advance(1);
    expect(spend(who, history)['x-ratelimit-remaining']).toBe('99');
  });

  test.each<[string, AnyRoute, Plan, number]>([
    ['/snapshot', snapshot, 'pro', 1000],
    ['/factors', { ...signal, path: '/factors' }, 'pro', 1000],
    ['/history', history, 'desk', 100],
    ['/signal', signal, 'desk', 100],
    ['archetypes', archetypes, 'pro', 100],
    ['archetypes', archetypes, 'desk', 500],
  ])('%s (%#) on %s', (_name, route, plan, limit) => {
    const { caller, spend } = rig();
    expect(spend(caller('one', { plan }), route)['x-ratelimit-limit']).toBe(String(limit));
  });

  test('the minute of Institutional archetypes follows its contract', () => {
    const { caller, spend } = rig();
    expect(
      spend(caller('one', { plan: 'institutional', contract: { archetypes: 7_000 } }), archetypes)['x-ratelimit-limit'],
    ).toBe('7000');
    // Only Institutional has a contract.
    expect(
      spend(caller('two', { plan: 'pro', contract: { archetypes: 7_000 } }), archetypes)['x-ratelimit-limit'],
    ).toBe('100');
  });
});

describe('the bucket of a plan', () => {
  test('nodes of a cluster take from one bucket, each within a report of the others', async () => {
    const [one, other] = [rig(), rig()];
    const totals = new Map<string, number>();
    const report = ({ limits }: typeof one): void => {
      const { minute, calls } = limits.takeCalls();
      for (const [name, count] of calls) totals.set(name, (totals.get(name) ?? 0) + count);
      limits.receiveCalls({ minute, calls: calls.map(([name]) => [name, totals.get(name) ?? 0]) });
    };
    const who = one.caller('one', { plan: 'pro' });
    const there = other.caller('one', { plan: 'pro' });
    for (let call = 1; call <= 8; call += 1) expect(one.spend(who, snapshot).refused).toBeUndefined();
    expect(other.spend(there, snapshot).refused).toBeUndefined();
    report(one);
    report(other);
    // Ten at once: eight there, one here, and one that is left.
    expect(other.spend(there, snapshot).refused).toBeUndefined();
    expect(other.spend(there, snapshot).refused).toContain('10 calls at once');
    await other.clock.advance(60);
    expect(other.spend(there, snapshot).refused).toBeUndefined();
  });

  test.each<[Plan, number, number]>([
    ['pro', 10, 1_000],
    ['desk', 50, 5_000],
  ])('%s: %i at once, then one per interval', async (plan, burst, sustained) => {
    const { clock, caller, spend } = rig();
    const who = caller('one', { plan });
    for (let call = 0; call < burst; call += 1) expect(spend(who, snapshot).refused).toBeUndefined();
    const refused = spend(who, snapshot);
    expect(refused.refused).toContain(`${burst} calls at once`);
    expect(refused).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-limit': String(sustained),
      'x-ratelimit-remaining': '0',
    });
    // All keys of the account share one bucket; another account's is full.
    expect(spend(caller('two', { plan, account: who.account }), signal).refused).toBeDefined();
    expect(spend(caller('three', { plan }), signal).refused).toBeUndefined();
    await clock.advance(60_000 / sustained - 1);
    expect(spend(who, snapshot).refused).toBeDefined();
    await clock.advance(1);
    expect([spend(who, snapshot).refused === undefined, spend(who, snapshot).refused === undefined]).toEqual([
      true,
      false,
    ]);
  });

  test('neither fills nor empties when the clock is set back', () => {
    const { clock, caller, spend } = rig();
    const who = caller();
    for (let call = 0; call < 9; call += 1) spend(who, snapshot);
    clock.jump(-HOUR_MS);
    expect([spend(who, snapshot).refused === undefined, spend(who, snapshot).refused === undefined]).toEqual([
      true,
      false,
    ]);
  });

  test('fills again from the time the clock was set back to, also when it was empty', async () => {
    const { clock, caller, spend } = rig();
    const who = caller();
    for (let call = 0; call < 10; call += 1) spend(who, snapshot);
    clock.jump(-HOUR_MS);
    expect(spend(who, snapshot).refused).toBeDefined();
    await clock.advance(60);
    expect([spend(who, snapshot).refused === undefined, spend(who, snapshot).refused === undefined]).toEqual([
      true,
      false,
    ]);
  });

  test('never admits more than burst plus inflow, and never refuses a caller below that', {
    tags: ['long'],
  }, async () => {
    await assert(
      property(
        array(tuple(nat(2_000), constantFrom(1, 1, 1, 5, 30)), { maxLength: 60 }),
        constantFrom<Plan>('pro', 'desk'),
        (steps, plan) => {
          const { clock, caller, limits } = rig();
          const who = caller('one', { plan });
          const [burst, perMs] = plan === 'pro' ? [10, 1_000 / 60_000] : [50, 5_000 / 60_000];
          let [passed, elapsed, own] = [0, 0, burst];
          for (const [wait, calls] of steps) {
            clock.jump(wait);
            elapsed += wait;
            own = Math.min(burst, own + wait * perMs);
            for (let call = 0; call < calls; call += 1) {
              let through = true;
              try {
                limits.spend(who, snapshot);
              } catch {
                through = false;
              }
              if (through) passed += 1;
              if (own >= 1 + 1e-9 && passed < 900) expect(through).toBe(true);
              if (through) own -= 1;
              expect(passed).toBeLessThanOrEqual(burst + elapsed * perMs + 1e-6);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the month', () => {
  const small = { plan: 'institutional', contract: { ...LARGE.contract, monthly: 3 } } as const;

  test('goes into overage by default, and reports by how much', async () => {
    const { caller, spend } = rig();
    const who = caller('one', small);
    const overage = [1, 2, 3, 4, 5].map(() => spend(who, snapshot)['x-ratelimit-overage']);
    expect(overage).toEqual([undefined, undefined, undefined, '1', '2']);
    expect(spend(who, snapshot).ratelimit).toContain('"month";r=0');
  });

  test('stops at a hard cap until the month ends, and does not count refused calls', async () => {
    const { clock, caller, spend } = rig();
    const who = caller('one', { ...small, hardCap: true });
    for (let call = 0; call < 3; call += 1) expect(spend(who, snapshot).refused).toBeUndefined();
    for (let call = 0; call < 5; call += 1) {
      const refused = spend(who, snapshot);
      expect(refused.refused).toContain('hard cap');
      expect(refused).toMatchObject({
        'x-ratelimit-limit': '3',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(MONTH_END / 1000),
        'retry-after': String((MONTH_END - START) / 1000),
      });
      expect(refused).not.toHaveProperty('x-ratelimit-overage');
    }
    clock.jump(MONTH_END - START - 1);
    expect(spend(who, snapshot).refused).toBeDefined();
    clock.jump(1);
    expect(spend(who, snapshot)).toMatchObject({ 'x-ratelimit-remaining': '999' });
  });

  test('lets an owner manage the account at a hard cap, uncounted, within its minute and its burst', async () => {
    const { clock, caller, limits, spend } = rig();
    const who = caller('one', {
      plan: 'institutional',
      contract: { monthly: 3, burst: 9, sustained: 60 },
      hardCap: true,
    });
    const { account, setHardCap, usage, keys, issueKey, rotateKey, revokeKey } = routes;
    for (let call = 0; call < 3; call += 1) expect(spend(who, snapshot).refused).toBeUndefined();
    for (const route of [account, setHardCap, keys, issueKey, rotateKey, revokeKey]) {
      const headers = spend(who, route);
      expect([route.path, headers.refused, headers['x-ratelimit-overage']]).toEqual([route.path, undefined, undefined]);
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99' });
      expect(headers.ratelimit).toContain('"month";r=0');
    }
    expect(spend(who, usage).refused).toContain('9 calls at once');
    clock.jump(9_000);
    expect(spend(who, usage).refused).toBeUndefined();
    expect(spend(who, snapshot).refused).toContain('hard cap');
    expect(limits.used(who.account)).toBe(3);
    // Without the cap they count as all others.
    expect(spend({ ...who, hardCap: false }, usage)['x-ratelimit-overage']).toBe('1');
    expect(limits.used(who.account)).toBe(4);
  });

  test('is shared by the whole account and survives a restart; a kill loses at most half a second of use', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'barograph-limits-'));
    try {
      const file = join(folder, 'service.db');
      const first = rig({ store: open(file) });
      const [one, two] = [first.caller('one', small), first.caller('two', { ...small, account: 'acct_one' })];
      first.spend(one, snapshot);
      first.spend(two, snapshot);
      await first.clock.advance(500);
      expect(first.store.usage.calls('acct_one', '2026-03')).toBe(2);
      first.spend(one, snapshot);
      // The state after a kill: the third call was not yet written.
      expect(first.store.usage.calls('acct_one', '2026-03')).toBe(2);
      opened.pop()?.close();
      const second = rig({ store: open(file) });
      second.spend(second.caller('one', small), snapshot);
      expect(second.spend(second.caller('one', small), snapshot)['x-ratelimit-overage']).toBe('1');
      second.limits.flush();
      expect(second.store.usage.calls('acct_one', '2026-03')).toBe(4);
    } finally {
      for (const store of opened.splice(0)) store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a month that ends between a call and its write includes the call', async () => {
    const { clock, caller, spend, store } = rig({ start: MONTH_END - 100 });
    const who = caller('one', small);
    spend(who, snapshot);
    await clock.advance(200);
    spend(who, snapshot);
    await clock.advance(500);
    expect([store.usage.calls(who.account, '2026-03'), store.usage.calls(who.account, '2026-04')]).toEqual([1, 1]);
  });

  test('the month is written later when a write fails', async () => {
    const store = open();
    let full = true;
    const failing: Store = {
      ...store,
      transaction: (work) => {
        if (full) throw new Error('the disk is full');
        return store.transaction(work);
      },
    };
    const { clock, caller, spend, warnings } = rig({ store: failing });
    spend(caller('one', small), snapshot);
    await clock.advance(1_600);
    expect(warnings).toHaveLength(3);
    full = false;
    await clock.advance(500);
    expect(store.usage.calls('acct_one', '2026-03')).toBe(1);
  });
});

test('the RateLimit fields list all limits in seconds from now, the endpoint first', () => {
  const { caller, spend } = rig();
  expect(spend(caller(), snapshot)).toEqual({
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '999',
    'x-ratelimit-reset': String(START / 1000 + 60),
    ratelimit: `"endpoint";r=999;t=60, "plan";r=9;t=1, "month";r=249999;t=${(MONTH_END - START) / 1000}`,
    'ratelimit-policy': '"endpoint";q=1000;w=60, "plan";q=1000;w=60;burst=10, "month";q=250000;w=2678400',
  });
});

test('callers without a key get headers and no refusal, and a flood of addresses uses no memory', () => {
  const { limits } = rig();
  expect(limits.anonymous('127.0.0.1', snapshot)).toMatchObject({
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '999',
  });
  for (let call = 0; call < 150; call += 1) limits.anonymous('127.0.0.1', undefined);
  expect(limits.anonymous('127.0.0.1', undefined)).toMatchObject({
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '0',
  });
  for (let address = 0; address < 20_000; address += 1)
    limits.anonymous(`10.0.${address >> 8}.${address & 255}`, undefined);
  // They share one count by now.
  expect(limits.anonymous('fresh', undefined)['x-ratelimit-remaining']).toBe('0');
});
