// Service, auth, test: issues, rotates and revokes keys under a running service; checks scopes.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, property, string, uint8Array } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../shared/lib/time.ts';
import { checksumHolds, type Environment } from '../../shared/wire/keys.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { type KeyRequest, type KeyService, openKeyService } from '../accounts/key-service.ts';
import { storeDefaultTerms } from '../limits/usage-report.ts';
import { Refusal } from '../refusal.ts';
import { openStore, type Store } from '../store/store.ts';
import { type AccessRules, createAuthenticate } from './authenticate.ts';

const KEY_REQUEST: KeyRequest = { scope: 'webhooks', account: null, plan: null, hardCap: false, contract: null };

let folder: string;
let file: string;
let store: Store;
let service: KeyService;
let clock: ReturnType<typeof createManualClock>;
const opened = (environment: Environment = 'production') => openStore(file, { environment, seed: null, clock: 'real' });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-auth-'));
  file = join(folder, 'service.db');
  store = opened();
  clock = createManualClock();
  // Like the command line, while the service has the store open.
  service = openKeyService(file, clock.now, randomBytes);
});
afterEach(async () => {
  await service.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const rules: AccessRules = { environment: 'production', plan: 'pro', hardCap: false, metricsByApiKeyOnly: false };
const metrics: AnyRoute = { ...routes.signal, path: '/api/validation/metrics', spelling: 'capital' };
/** Returns the caller, or the kind of refusal. */
function ask(headers: Record<string, string>, route: AnyRoute = routes.snapshot, more: Partial<AccessRules> = {}) {
  try {
    return createAuthenticate(store.keys, clock, { ...rules, ...more })(headers, route);
  } catch (error) {
    if (error instanceof Refusal) return error.kind;
    throw error;
  }
}
const works = (key: string): boolean => typeof ask({ 'x-api-key': key }) === 'object';

describe('a key', () => {
  test('is issued once, is accepted at once by the running service, and appears nowhere in the store', () => {
    const { key, id } = service.issue(KEY_REQUEST);
    expect(key).toMatch(/^svc_live_[A-Za-z0-9]{38}$/);
    expect(checksumHolds(key)).toBe(true);
    expect(ask({ 'x-api-key': key })).toMatchObject({ id, plan: 'pro', scope: 'webhooks', hardCap: false });
    for (const ending of ['', '-wal']) expect(readFileSync(file + ending).includes(key.slice(9, 30))).toBe(false);
    expect(statSync(`${file}.lock`).mode & 0o077).toBe(0);
    expect(JSON.stringify(service.list())).not.toContain(key.slice(9, 30));
    expect(service.list()).toMatchObject([
      { id, ending: key.slice(-4), status: 'live', revokedAt: null, expiresAt: null },
    ]);
  });

  test('ends at once when revoked, also while the service runs; revoking twice is no error', () => {
    const { key, id } = service.issue(KEY_REQUEST);
    expect(works(key)).toBe(true);
    service.revoke(id);
    expect(works(key)).toBe(false);
    expect(store.keys.isLive(id, clock.now())).toBe(false);
    expect(store.keys.digestOf(id, clock.now())).toBeNull();
    const revokedAt = clock.now();
    clock.jump(DAY_MS);
    service.revoke(id);
    expect(service.list()).toMatchObject([{ status: 'revoked', revokedAt }]);
    expect(() => service.rotate(id, 0)).toThrow(/has ended/);
    expect(() => service.revoke('key_none')).toThrow(/There is no key key_none/);
  });

  test('overlaps with its successors when rotated any number of times, all in one account', () => {
    const first = service.issue({ ...KEY_REQUEST, plan: 'desk', scope: 'read' });
    const chain = [first];
    for (let turn = 0; turn < 12; turn += 1) chain.push(service.rotate((chain.at(-1) ?? first).id, DAY_MS));
    expect(chain.every(({ key }) => works(key))).toBe(true);
    expect(new Set(service.list().map(({ account }) => account)).size).toBe(1);
    expect(service.list().every(({ plan, scope }) => plan === 'desk' && scope === 'read')).toBe(true);
    clock.jump(DAY_MS - 1);
    // A second rotation does not extend the life of the old key.
    service.rotate(first.id, 30 * DAY_MS);
    expect(works(first.key)).toBe(true);
    clock.jump(1);
    expect(chain.map(({ key }) => works(key))).toEqual([...chain.slice(1).map(() => false), true]);
    expect(service.list().find(({ id }) => id === first.id)).toMatchObject({ status: 'ended' });
    expect(() => service.rotate(first.id, 0)).toThrow(/keys issue --account/);
    const last = chain.at(-1) ?? first;
    const { key } = service.rotate(last.id, 0);
    expect([works(last.key), works(key)]).toEqual([false, true]);
  });

  test('a key without an account gets its own; with an account name it joins, unless its terms differ', () => {
    const [one, two] = [service.issue(KEY_REQUEST), service.issue(KEY_REQUEST)];
    service.issue({ ...KEY_REQUEST, account: 'fund', plan: 'desk', hardCap: true });
    service.issue({ ...KEY_REQUEST, account: 'fund' });
    service.issue({ ...KEY_REQUEST, account: 'fund', plan: 'desk' });
    const accounts = new Map(service.list().map((key) => [key.id, key]));
    expect(accounts.get(one.id)?.account).not.toBe(accounts.get(two.id)?.account);
    expect(
      service.list().filter(({ account, plan, hardCap }) => account === 'fund' && plan === 'desk' && hardCap),
    ).toHaveLength(3);
    expect(() => service.issue({ ...KEY_REQUEST, account: 'fund', plan: 'pro' })).toThrow(
      /There is an account fund already, with desk plan/,
    );
    expect(service.list()).toHaveLength(5);
  });
});

describe('an account', () => {
  const callWith = (key: string) => ask({ 'x-api-key': key });

  test('gets other terms, which apply from the next request; unnamed terms stay', () => {
    const { key, id } = service.issue({ ...KEY_REQUEST, account: 'fund', plan: 'desk', scope: 'webhooks' });
    expect(callWith(key)).toMatchObject({ plan: 'desk', hardCap: false });
    expect(service.change('fund', { hardCap: true })).toEqual({
      id: 'fund',
      plan: 'desk',
      hardCap: true,
      contract: null,
      ownerEmail: null,
    });
    expect(callWith(key)).toMatchObject({ plan: 'desk', hardCap: true, scope: 'webhooks' });
    service.change('fund', { plan: 'institutional', contract: { monthly: 5 } });
    expect(callWith(key)).toMatchObject({ plan: 'institutional', hardCap: true, contract: { monthly: 5 } });
    service.change('fund', { plan: 'institutional', hardCap: false });
    expect(callWith(key)).toMatchObject({ hardCap: false, contract: { monthly: 5 } });
    service.change('fund', { plan: null });
    expect(callWith(key)).toMatchObject({ plan: 'pro', contract: null });
    service.change('fund', { scope: 'read' });
    expect(ask({ 'x-api-key': key }, routes.subscribe)).toBe('forbidden');
    expect(service.list().find((one) => one.id === id)).toMatchObject({ scope: 'read', plan: null });
  });

  test('has an owner, set with its first key or later; another key does not change it', () => {
    const owned = { ...KEY_REQUEST, account: 'fund', ownerEmail: 'ann@example.com' };
    service.issue(owned);
    service.issue(owned);
    service.issue({ ...KEY_REQUEST, account: 'fund' });
    expect(store.keys.account('fund')?.ownerEmail).toBe('ann@example.com');
    expect(() => service.issue({ ...owned, ownerEmail: 'eve@example.com' })).toThrow(
      'There is an account fund already, with another owner. Change it with: keys change fund --owner eve@example.com',
    );
    service.change('fund', { plan: 'desk' });
    expect(service.change('fund', { ownerEmail: 'bob@example.com' })).toMatchObject({
      plan: 'desk',
      ownerEmail: 'bob@example.com',
    });
    expect(service.change('fund', { ownerEmail: null }).ownerEmail).toBeNull();
  });

  test('reports the calls of a month by the terms of the last start; others of theirs', () => {
    for (const account of ['one', 'two']) service.issue({ ...KEY_REQUEST, account });
    service.change('two', { plan: 'institutional', contract: { monthly: 5 } });
    storeDefaultTerms(store, { plan: 'desk', hardCap: true, counted: true });
    const month = new Date(clock.now()).toISOString().slice(0, 7);
    store.usage.add('one', month, 1_000_003);
    store.usage.add('two', month, 4);
    store.usage.add('two', '2020-02', 9);
    expect(service.usage(null, null)).toMatchObject([
      { account: 'one', month, plan: 'desk', quota: 1_000_000, calls: 1_000_003, overage: 3, hard_cap: true },
      { account: 'two', month, plan: 'institutional', quota: 5, calls: 4, overage: 0 },
    ]);
    expect(service.usage('two', '2020-02')).toMatchObject([
      { calls: 9, overage: 4, from: '2020-02-01T00:00:00.000Z', to: '2020-03-01T00:00:00.000Z' },
    ]);
    expect(() => service.usage('three', null)).toThrow(/no account three/);
  });

  test('other accounts, ended keys and invalid requests change nothing', () => {
    const [one, other] = [
      service.issue({ ...KEY_REQUEST, account: 'one' }),
      service.issue({ ...KEY_REQUEST, account: 'other' }),
    ];
    const ended = service.issue({ ...KEY_REQUEST, account: 'one' });
    service.revoke(ended.id);
    service.change('one', { scope: 'read', plan: 'desk' });
    const scopes = new Map(service.list().map(({ id, scope }) => [id, scope]));
    expect([one, ended, other].map(({ id }) => scopes.get(id))).toEqual(['read', KEY_REQUEST.scope, KEY_REQUEST.scope]);
    expect(() => service.change('nobody', { hardCap: true })).toThrow(/no account nobody/);
    expect(() => service.change('one', { contract: { monthly: 5 } })).toThrow(/has desk plan, which has no contract/);
    expect(callWith(one.key)).toMatchObject({ plan: 'desk', contract: null });
  });
});

test('a file that is no store and a missing file are reported', () => {
  expect(() => openKeyService(join(folder, 'none.db'), clock.now, randomBytes)).toThrow(
    /There is no store at .*none\.db/,
  );
  expect(() => openKeyService(import.meta.filename, clock.now, randomBytes)).toThrow(/damaged or is no store/);
});

describe('a caller', () => {
  const key = (more: Partial<KeyRequest> = {}): string => service.issue({ ...KEY_REQUEST, ...more }).key;

  test('a caller may use either header, or both when they agree', () => {
    const one = key();
    for (const headers of [
      { 'x-api-key': one },
      { 'x-api-key': ` ${one} ` },
      { authorization: `Bearer ${one}` },
      { authorization: `bearer  ${one}` },
      { 'x-api-key': one, authorization: `Bearer ${one}` },
      { 'x-api-key': one, authorization: 'Basic c3ZjOnRlc3Q=' },
    ])
      expect(ask(headers)).toMatchObject({ ending: one.slice(-4) });
    expect(ask({ 'x-api-key': one, authorization: `Bearer ${key()}` })).toBe('invalid_request');
    expect(ask({})).toBe('unauthorized');
    expect(ask({ 'x-api-key': 'svc_test_0123456789abcdef' })).toBe('unauthorized');
    expect(ask({ 'x-api-key': `${one}, ${one}` })).toBe('unauthorized');
  });

  test('a caller may be limited to X-API-Key for metrics', () => {
    const one = key();
    const bearer = { authorization: `Bearer ${one}` };
    const strict = { metricsByApiKeyOnly: true };
    expect(ask(bearer, metrics)).toMatchObject({ plan: 'pro' });
    expect(ask(bearer, metrics, strict)).toBe('unauthorized');
    expect(ask({ ...bearer, 'x-api-key': one }, metrics, strict)).toMatchObject({ plan: 'pro' });
    expect(ask(bearer, routes.snapshot, strict)).toMatchObject({ plan: 'pro' });
  });

  test('has the plan and cap of its account before those of the service', () => {
    const [own, none] = [key({ plan: 'institutional', contract: { monthly: 5 } }), key()];
    expect(ask({ 'x-api-key': own }, routes.snapshot, { plan: 'desk' })).toMatchObject({
      plan: 'institutional',
      contract: { monthly: 5 },
    });
    expect(ask({ 'x-api-key': none }, routes.snapshot, { plan: 'desk', hardCap: true })).toMatchObject({
      plan: 'desk',
      hardCap: true,
    });
  });

  test('any headers give a caller or one of three refusals, and never a caller without the key', {
    tags: ['long'],
  }, async () => {
    const kinds = ['unauthorized', 'invalid_request'];
    await assert(
      property(
        string({ unit: 'binary', maxLength: 400 }),
        string({ maxLength: 400 }),
        uint8Array({ maxLength: 64 }),
        (a, b, bytes) => {
          for (const value of [a, b, Buffer.from(bytes).toString('latin1'), `svc_live_${b}`]) {
            expect(kinds).toContain(ask({ 'x-api-key': value, authorization: a }));
            expect(kinds).toContain(ask({ authorization: `Bearer ${value}` }));
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
