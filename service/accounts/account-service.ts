// Service, accounts: an owner's operations on an account: keys, hard cap, use.
// An account cannot see other accounts.
import type { Clock } from '../../shared/lib/clock.ts';
import type { Account, IssuedKeyRecord, KeyRecord, Usage } from '../../shared/wire/account.ts';
import { type Environment, KEY_PREFIXES, type KeyScope } from '../../shared/wire/keys.ts';
import { termsOf } from '../../shared/wire/limits.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { LastUse } from '../auth/last-use.ts';
import { ANSWER_RETENTION_MS, usedOtherwise } from '../idempotency.ts';
import type { Limits } from '../limits/limits.ts';
import { monthOf } from '../limits/quota.ts';
import { type DefaultTerms, monthNamed, usageReport } from '../limits/usage-report.ts';
import { Refusal } from '../refusal.ts';
import type { ListedKey, NewAccount, NewKeyOptions } from '../store/api-key-store.ts';
import type { Store } from '../store/store.ts';
import { createKeyService, type IssuedKey, keyStatus } from './key-service.ts';

/** Live keys of an account at which no more are issued. The first rotation of a key passes: that key ends for it. */
const MAX_KEYS = 100;

/** The answer to a request for a key. */
export interface KeyAnswer {
  /** False for a repeated request: the record is without the key. */
  readonly created: boolean;
  readonly key: IssuedKeyRecord;
}

/** Every method takes the caller's account, and answers about that account only. */
export interface AccountService {
  find(account: string): Account;
  /** @throws Refusal forbidden where the service caps all accounts */
  setHardCap(account: string, hardCap: boolean): Account;
  /** @param month 2026-03; undefined: the present month. @throws Refusal for a future month */
  usage(account: string, month: string | undefined): Usage;
  /** Newest first. */
  keys(account: string, below: { createdAt: number; id: string } | null, limit: number): ListedKey[];
  record(key: ListedKey): KeyRecord;
  issue(account: string, scope: KeyScope, idempotencyKey: string | undefined): KeyAnswer;
  /** @throws Refusal not_found for a key of another account, invalid_request for an ended key */
  rotate(account: string, id: string, overlapMs: number, idempotencyKey: string | undefined): KeyAnswer;
  /** @throws Refusal not_found for a key of another account; revoking twice is no error */
  revoke(account: string, id: string): KeyRecord;
}

export interface AccountDeps {
  readonly store: Store;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Buffer;
  readonly terms: DefaultTerms;
  readonly limits: Pick<Limits, 'used'>;
  readonly lastUse: Pick<LastUse, 'tryFlush'>;
}

export function createAccountService(deps: AccountDeps): AccountService {
  const { store, environment, clock, terms, limits, lastUse } = deps;
  const { keys } = store;
  const service = createKeyService({ ...store, environment }, 'this service', clock.now, deps.randomBytes);
  const row = (id: string): NewAccount => {
    const found = keys.account(id);
    if (found === null) throw new Refusal('not_found', 'There is no such account.');
    return found;
  };
  const key = (account: string, id: string): ListedKey => {
    const found = keys.ofAccount(account, id);
    if (found === null) throw new Refusal('not_found', 'There is no key with this id.');
    return found;
  };
  const record = (one: ListedKey): KeyRecord => recordOf(one, environment, clock.now());
  const find = (id: string): Account => accountOf(row(id), terms);

  /** Issues once for an Idempotency-Key; without one, each time. */
  const once = (
    account: string,
    request: readonly unknown[],
    idempotencyKey: string | undefined,
    issue: (request: Pick<NewKeyOptions, 'request'>) => IssuedKey,
  ): KeyAnswer =>
    store.transaction(() => {
      const text = JSON.stringify(request);
      if (idempotencyKey !== undefined) {
        const before = keys.issuedFor(account, idempotencyKey, clock.now() - ANSWER_RETENTION_MS);
        if (before !== null && before.text !== text) throw usedOtherwise();
        if (before !== null) return { created: false, key: record(key(account, before.id)) };
      }
      const issued = issue(idempotencyKey === undefined ? {} : { request: { key: idempotencyKey, text } });
      return { created: true, key: { ...record(key(account, issued.id)), key: issued.key } };
    });

  const checkCount = (account: string): void => {
    if (keys.count(clock.now(), account) >= MAX_KEYS)
      throw new Refusal('invalid_request', `There are ${MAX_KEYS} keys, which is the most. Revoke one first.`);
  };

  return {
    find,
    setHardCap(id, hardCap) {
      row(id);
      if (terms.hardCap && !hardCap)
        throw new Refusal('forbidden', 'This service is started with --hard-cap: every account stops at its quota.');
      store.transaction(() => {
        const account = row(id);
        if (account.hardCap !== hardCap) keys.changeAccount({ ...account, hardCap });
      });
      return find(id);
    },
    usage(id, name) {
      const present = monthOf(clock.now());
      const month = name === undefined ? present : monthNamed(name);
      if (month.begin > present.begin) throw new Refusal('invalid_request', 'month: has not begun');
      const calls = month.name === present.name ? limits.used(id) : store.usage.calls(id, month.name);
      return usageReport(row(id), month, calls, terms);
    },
    keys(account, below, limit) {
      lastUse.tryFlush();
      return keys.listOf(account, below, limit);
    },
    record,
    issue: (account, scope, idempotencyKey) =>
      once(account, ['issue', scope], idempotencyKey, (request) => {
        checkCount(account);
        return service.issue({
          ...request,
          account: row(account).id,
          scope,
          plan: null,
          hardCap: false,
          contract: null,
        });
      }),
    rotate: (account, id, overlapMs, idempotencyKey) =>
      once(account, ['rotate', id, overlapMs], idempotencyKey, ({ request }) => {
        const rotated = key(account, id);
        if (keyStatus(rotated, clock.now()) !== 'live')
          throw new Refusal('invalid_request', 'This key has ended. Issue a new one.');
        // It was rotated before: another key would be one more.
        if (rotated.expiresAt !== null) checkCount(account);
        return service.rotate(id, overlapMs, request);
      }),
    revoke: (account, id) =>
      store.transaction(() => {
        key(account, id);
        service.revoke(id);
        return record(key(account, id));
      }),
  };
}

function accountOf({ id, plan, hardCap, contract, ownerEmail }: NewAccount, terms: DefaultTerms): Account {
  const present = plan ?? terms.plan;
  const { monthly, burst, sustained } = termsOf(present, contract);
  const hard_cap = hardCap || terms.hardCap;
  return { id, owner_email: ownerEmail, plan: present, quota: monthly, burst, sustained, hard_cap };
}

function recordOf(key: ListedKey, environment: Environment, now: number): KeyRecord {
  const at = (instant: number | null): string | null => (instant === null ? null : timestamp(instant));
  return {
    id: key.id,
    prefix: KEY_PREFIXES[environment],
    ending: key.ending,
    scope: key.scope,
    status: keyStatus(key, now),
    created_at: timestamp(key.createdAt),
    last_used_at: at(key.lastUsedAt),
    expires_at: at(key.expiresAt),
    revoked_at: at(key.revokedAt),
  };
}
