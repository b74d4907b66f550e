// Service, accounts: issues, lists, rotates and revokes keys, and changes the terms of accounts.
// Works on a store that a service has open: that service sees the change at its next request.
import type { Usage } from '../../shared/wire/account.ts';
import { type Environment, formKey, KEY_ENTROPY_BYTES } from '../../shared/wire/keys.ts';
import type { Contract, Plan } from '../../shared/wire/limits.ts';
import { monthOf } from '../limits/quota.ts';
import { monthNamed, readDefaultTerms, usageReport } from '../limits/usage-report.ts';
import type { ListedKey, NewAccount, NewKeyOptions, Scope } from '../store/api-key-store.ts';
import { type KeyDatabase, openKeyDatabase } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

export interface KeyRequest {
  readonly scope: Scope;
  /** null: a new account for this key. */
  readonly account: string | null;
  /** null: the default plan of the service, or the existing plan of the account. */
  readonly plan: Plan | null;
  readonly hardCap: boolean;
  readonly contract: Contract | null;
  /** Mail address of the account's owner. Default: the existing owner, if any. */
  readonly ownerEmail?: string;
  /** The request that the key is issued for, under its Idempotency-Key. */
  readonly request?: NewKeyOptions['request'];
}

export interface IssuedKey {
  readonly id: string;
  /** Shown once; it cannot be recovered. */
  readonly key: string;
}

/** Fields that are absent stay unchanged. */
export interface TermsChange {
  /** null: the default plan of the service. A contract belongs to its plan and ends with it. */
  readonly plan?: Plan | null;
  readonly hardCap?: boolean;
  readonly contract?: Contract;
  /** Applies to all live keys of the account. */
  readonly scope?: Scope;
  /** null: no owner; notices go to the operator of the service. */
  readonly ownerEmail?: string | null;
}

export type KeyStatus = 'live' | 'ended' | 'revoked';
export const keyStatus = ({ revokedAt, expiresAt }: ListedKey, now: number): KeyStatus =>
  revokedAt !== null ? 'revoked' : expiresAt !== null && expiresAt <= now ? 'ended' : 'live';

export interface KeyService {
  readonly environment: Environment;
  /** @throws StoreError when the account exists with other terms */
  issue(request: KeyRequest): IssuedKey;
  /** Oldest first. */
  list(): (ListedKey & { readonly status: KeyStatus })[];
  /**
   * Issues a key of the same account and scope; the old one ends `overlapMs` from now.
   * @throws StoreError unless `id` is a live key
   */
  rotate(id: string, overlapMs: number, request?: NewKeyOptions['request']): IssuedKey;
  /** @throws StoreError unless `id` is a key; revoking twice is no error */
  revoke(id: string): void;
  /**
   * @returns the account after the change
   * @throws StoreError for an unknown account, or for a contract on a plan without contracts
   */
  change(account: string, terms: TermsChange): NewAccount;
  /**
   * The calls of a month, as far as they are written.
   * @param account null: all accounts, by id
   * @param month 2026-03; null: the present one
   * @throws StoreError for an unknown account
   */
  usage(account: string | null, month: string | null): Usage[];
  close(): Promise<void>;
}

/** @throws StoreError for a file that is no store */
export function openKeyService(
  file: string,
  now: () => number,
  randomBytes: (count: number) => Uint8Array,
): KeyService {
  const database = openKeyDatabase(file);
  return { ...createKeyService(database, file, now, randomBytes), close: async () => database.close() };
}

/** @param file named in its errors */
export function createKeyService(
  database: Omit<KeyDatabase, 'close'>,
  file: string,
  now: () => number,
  randomBytes: (count: number) => Uint8Array,
): Omit<KeyService, 'close'> {
  const { environment, keys, transaction } = database;
  const statusOf = (key: ListedKey): KeyStatus => keyStatus(key, now());
  const find = (id: string): ListedKey => {
    const found = keys.list().find((one) => one.id === id);
    if (found === undefined) throw new StoreError(`There is no key ${id} in ${file}. "keys list" shows the ids.`);
    return found;
  };
  const findAccount = (id: string): NewAccount => {
    const found = keys.account(id);
    if (found === null) throw new StoreError(`There is no account ${id} in ${file}. "keys list" shows the accounts.`);
    return found;
  };
  const add = (of: NewKeyOptions): IssuedKey => {
    const key = formKey(environment, randomBytes(KEY_ENTROPY_BYTES));
    return { key, id: keys.add(key, now(), of) };
  };

  return {
    environment,
    issue: ({ scope, account, plan, hardCap, contract, ownerEmail, request }) =>
      transaction(() => {
        // An unnamed account takes its name from random bytes: the hash of the key exists only once the key
        // does.
        const id = account ?? `acct_${Buffer.from(randomBytes(9)).toString('base64url')}`;
        const there = keys.account(id);
        if (there === null) keys.addAccount({ id, plan, hardCap, contract, ownerEmail: ownerEmail ?? null }, now());
        else if (ownerEmail !== undefined && ownerEmail !== there.ownerEmail)
          throw new StoreError(
            `There is an account ${id} already, with ${there.ownerEmail === null ? 'no owner' : 'another owner'}. Change it with: keys change ${id} --owner ${ownerEmail}`,
          );
        else if ((plan !== null && plan !== there.plan) || (hardCap && !there.hardCap) || contract !== null) {
          throw new StoreError(
            `There is an account ${id} already, with ${there.plan ?? "the service's"} plan. Leave out --plan, --hard-cap and --contract, or give another --account.`,
          );
        }
        return add({ account: id, scope, ...(request === undefined ? {} : { request }) });
      }),
    list: () => keys.list().map((one) => ({ ...one, status: statusOf(one) })),
    rotate: (id, overlapMs, request) =>
      transaction(() => {
        const old = find(id);
        if (statusOf(old) !== 'live')
          throw new StoreError(
            `The key ${id} has ended. Issue a new one for its account: keys issue --account ${old.account}`,
          );
        const issued = add({
          account: old.account,
          scope: old.scope,
          ...(request === undefined ? {} : { request }),
        });
        keys.expire(id, now() + overlapMs);
        return issued;
      }),
    revoke: (id) =>
      transaction(() => {
        find(id);
        keys.revoke(id, now());
      }),
    change: (id, { plan, hardCap, contract, scope, ownerEmail }) =>
      transaction(() => {
        const there = findAccount(id);
        const next = {
          id,
          plan: plan === undefined ? there.plan : plan,
          hardCap: hardCap ?? there.hardCap,
          contract: contract ?? (plan === undefined || plan === there.plan ? there.contract : null),
          ownerEmail: ownerEmail === undefined ? there.ownerEmail : ownerEmail,
        };
        if (contract !== undefined && next.plan !== 'institutional') {
          throw new StoreError(
            `The account ${id} has ${next.plan ?? "the service's"} plan, which has no contract. Give --plan institutional too.`,
          );
        }
        keys.changeAccount(next);
        if (scope !== undefined) keys.setScope(id, scope, now());
        return next;
      }),
    usage(account, name) {
      const month = name === null ? monthOf(now()) : monthNamed(name);
      const terms = readDefaultTerms(database);
      const accounts = account === null ? keys.accounts() : [findAccount(account)];
      return accounts.map((one) => usageReport(one, month, database.usage.calls(one.id, month.name), terms));
    },
  };
}
