// Test: keys in a store: issued once, hashes only, rotated with overlap, revoked under a running service; who may do what.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, property, string, uint8Array } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checksumHolds, type Environment } from '../../shared/wire/keys.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { Refusal } from '../routes/refusal.ts';
import { openStore, type Store } from '../store/store.ts';
import { type AccessRules, createAuthenticate } from './authenticate.ts';
import { type KeyDesk, type KeyWish, openKeyDesk } from './key-desk.ts';

const DAY = 86_400_000;
const WISH: KeyWish = { scope: 'webhooks', account: null, plan: null, hardCap: false, contract: null };

let folder: string;
let file: string;
let store: Store;
let desk: KeyDesk;
let clock: ReturnType<typeof createManualClock>;
const opened = (environment: Environment = 'production') => openStore(file, { environment, seed: null, clock: 'real' });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-auth-'));
  file = join(folder, 'service.db');
  store = opened();
  clock = createManualClock();
  // As the command line has it: the service has the store open and goes on.
  desk = openKeyDesk(file, clock.now, randomBytes);
});
afterEach(() => {
  desk.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const rules: AccessRules = { environment: 'production', plan: 'pro', hardCap: false, metricsByApiKeyOnly: false };
const metrics: AnyRoute = { ...routes.signal, path: '/api/validation/metrics', spelling: 'capital' };
/** The caller, or the kind of refusal. */
function ask(headers: Record<string, string>, route: AnyRoute = routes.snapshot, more: Partial<AccessRules> = {}) {
  try {
    return createAuthenticate(store.keys, clock, { ...rules, ...more })(headers, route);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.kind;
    throw thrown;
  }
}
const works = (key: string): boolean => typeof ask({ 'x-api-key': key }) === 'object';

describe('a key', () => {
  test('is issued once, works at once in the running service, and is nowhere in the store', () => {
    const { key, id } = desk.issue(WISH);
    expect(key).toMatch(/^svc_live_[A-Za-z0-9]{38}$/);
    expect(checksumHolds(key)).toBe(true);
    expect(ask({ 'x-api-key': key })).toMatchObject({ id, plan: 'pro', scope: 'webhooks', hardCap: false });
    for (const ending of ['', '-wal']) expect(readFileSync(file + ending).includes(key.slice(9, 30))).toBe(false);
    expect(statSync(`${file}.lock`).mode & 0o077).toBe(0);
    expect(JSON.stringify(desk.list())).not.toContain(key.slice(9, 30));
    expect(desk.list()).toMatchObject([
      { id, ending: key.slice(-4), standing: 'live', revokedAt: null, expiresAt: null },
    ]);
  });

  test('is of the environment of its store', () => {
    desk.close();
    store.close();
    rmSync(file);
    store = openStore(file, { environment: 'sandbox', seed: 7, clock: 'real' });
    desk = openKeyDesk(file, clock.now, randomBytes);
    expect(desk.issue(WISH).key).toMatch(/^svc_test_/);
  });

  test('that is revoked ends at once, also while the service runs, and twice is no error', () => {
    const { key, id } = desk.issue(WISH);
    expect(works(key)).toBe(true);
    desk.revoke(id);
    expect(works(key)).toBe(false);
    expect(store.keys.isLive(id, clock.now())).toBe(false);
    const revokedAt = clock.now();
    clock.jump(DAY);
    desk.revoke(id);
    expect(desk.list()).toMatchObject([{ standing: 'revoked', revokedAt }]);
    expect(() => desk.rotate(id, 0)).toThrow(/has ended/);
    expect(() => desk.revoke('key_none')).toThrow(/There is no key key_none/);
  });

  test('that is rotated overlaps with its successors, any number of times, all of one account', () => {
    const first = desk.issue({ ...WISH, plan: 'desk', scope: 'read' });
    const chain = [first];
    for (let turn = 0; turn < 12; turn += 1) chain.push(desk.rotate((chain.at(-1) ?? first).id, DAY));
    expect(chain.every(({ key }) => works(key))).toBe(true);
    expect(new Set(desk.list().map(({ account }) => account)).size).toBe(1);
    expect(desk.list().every(({ plan, scope }) => plan === 'desk' && scope === 'read')).toBe(true);
    clock.jump(DAY - 1);
    // A second rotation does not make the old one last longer.
    desk.rotate(first.id, 30 * DAY);
    expect(works(first.key)).toBe(true);
    clock.jump(1);
    expect(chain.map(({ key }) => works(key))).toEqual([...chain.slice(1).map(() => false), true]);
    expect(desk.list().find(({ id }) => id === first.id)).toMatchObject({ standing: 'ended' });
    expect(() => desk.rotate(first.id, 0)).toThrow(/keys issue --account/);
    const last = chain.at(-1) ?? first;
    const { key } = desk.rotate(last.id, 0);
    expect([works(last.key), works(key)]).toEqual([false, true]);
  });

  test('without an account is one of its own; with a name it joins, unless its terms differ', () => {
    const [one, two] = [desk.issue(WISH), desk.issue(WISH)];
    desk.issue({ ...WISH, account: 'fund', plan: 'desk', hardCap: true });
    desk.issue({ ...WISH, account: 'fund' });
    desk.issue({ ...WISH, account: 'fund', plan: 'desk' });
    const accounts = new Map(desk.list().map((key) => [key.id, key]));
    expect(accounts.get(one.id)?.account).not.toBe(accounts.get(two.id)?.account);
    expect(
      desk.list().filter(({ account, plan, hardCap }) => account === 'fund' && plan === 'desk' && hardCap),
    ).toHaveLength(3);
    expect(() => desk.issue({ ...WISH, account: 'fund', plan: 'pro' })).toThrow(
      /There is an account fund already, with desk plan/,
    );
    expect(desk.list()).toHaveLength(5);
  });
});

describe('an account', () => {
  const asking = (key: string) => ask({ 'x-api-key': key });

  test('gets other terms, which count from the next request on; what is not named stays', () => {
    const { key, id } = desk.issue({ ...WISH, account: 'fund', plan: 'desk', scope: 'webhooks' });
    expect(asking(key)).toMatchObject({ plan: 'desk', hardCap: false });
    expect(desk.change('fund', { hardCap: true })).toEqual({ id: 'fund', plan: 'desk', hardCap: true, contract: null });
    expect(asking(key)).toMatchObject({ plan: 'desk', hardCap: true, scope: 'webhooks' });
    desk.change('fund', { plan: 'institutional', contract: { monthly: 5 } });
    expect(asking(key)).toMatchObject({ plan: 'institutional', hardCap: true, contract: { monthly: 5 } });
    desk.change('fund', { plan: 'institutional', hardCap: false });
    expect(asking(key)).toMatchObject({ hardCap: false, contract: { monthly: 5 } });
    desk.change('fund', { plan: null });
    expect(asking(key)).toMatchObject({ plan: 'pro', contract: null });
    desk.change('fund', { scope: 'read' });
    expect(ask({ 'x-api-key': key }, routes.subscribe)).toBe('forbidden');
    expect(desk.list().find((one) => one.id === id)).toMatchObject({ scope: 'read', plan: null });
  });

  test('another account, a key that has ended, and wrong wishes are left alone', () => {
    const [one, other] = [desk.issue({ ...WISH, account: 'one' }), desk.issue({ ...WISH, account: 'other' })];
    const ended = desk.issue({ ...WISH, account: 'one' });
    desk.revoke(ended.id);
    desk.change('one', { scope: 'read', plan: 'desk' });
    const scopes = new Map(desk.list().map(({ id, scope }) => [id, scope]));
    expect([one, ended, other].map(({ id }) => scopes.get(id))).toEqual(['read', WISH.scope, WISH.scope]);
    expect(() => desk.change('nobody', { hardCap: true })).toThrow(/no account nobody/);
    expect(() => desk.change('one', { contract: { monthly: 5 } })).toThrow(/has desk plan, which has no contract/);
    expect(asking(one.key)).toMatchObject({ plan: 'desk', contract: null });
  });
});

test('a file that is no store, and one that is not there, are said', () => {
  expect(() => openKeyDesk(join(folder, 'none.db'), clock.now, randomBytes)).toThrow(/There is no store at .*none\.db/);
  expect(() => openKeyDesk(import.meta.filename, clock.now, randomBytes)).toThrow(/damaged or is no store/);
});

describe('who asks', () => {
  const key = (more: Partial<KeyWish> = {}): string => desk.issue({ ...WISH, ...more }).key;

  test('either header, and both when they agree', () => {
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

  test('a reading key may not touch subscriptions; a webhook key may read', () => {
    const [read, webhooks] = [key({ scope: 'read' }), key()];
    expect(ask({ 'x-api-key': read }, routes.subscribe)).toBe('forbidden');
    expect(ask({ 'x-api-key': read }, routes.deliveries)).toBe('forbidden');
    expect(ask({ 'x-api-key': read })).toMatchObject({ scope: 'read' });
    for (const route of [routes.subscribe, routes.snapshot])
      expect(ask({ 'x-api-key': webhooks }, route)).toMatchObject({ scope: 'webhooks' });
    // Who has no key at all is not told of scopes.
    expect(ask({ 'x-api-key': 'svc_live_0123456789abcdef' }, routes.subscribe)).toBe('unauthorized');
  });

  test('metrics can be held to X-API-Key', () => {
    const one = key();
    const bearer = { authorization: `Bearer ${one}` };
    const strict = { metricsByApiKeyOnly: true };
    expect(ask(bearer, metrics)).toMatchObject({ plan: 'pro' });
    expect(ask(bearer, metrics, strict)).toBe('unauthorized');
    expect(ask({ ...bearer, 'x-api-key': one }, metrics, strict)).toMatchObject({ plan: 'pro' });
    expect(ask(bearer, routes.snapshot, strict)).toMatchObject({ plan: 'pro' });
  });

  test("an account's own plan and cap go before the service's", () => {
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

  test('whatever the headers hold, it is a caller or one of three refusals, and never a caller without the key', () => {
    const kinds = ['unauthorized', 'invalid_request'];
    assert(
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
      { numRuns: 1_250 },
    );
  });
});
