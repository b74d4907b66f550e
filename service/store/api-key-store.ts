// Service, store: the issued keys, as hashes only, and their accounts.
// Lookups are cached until any connection writes to the store, so a revocation applies at once, also one by
// another process.
import { hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { keyEnding } from '../../shared/wire/keys.ts';
import { type Contract, ContractSchema, type Plan } from '../../shared/wire/limits.ts';

/** The rights of a key; `webhooks` includes `read`. */
export type Scope = 'read' | 'webhooks';

export interface StoredKey {
  readonly id: string;
  /** Last four characters, for people. */
  readonly ending: string;
  /** Owner of everything made with the key, and the account of its calls. */
  readonly account: string;
  readonly scope: Scope;
  /** null: the default plan of the service. */
  readonly plan: Plan | null;
  readonly hardCap: boolean;
  readonly contract: Contract | null;
}

/** Times are wall ms. */
export interface ListedKey extends StoredKey {
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export interface NewAccount {
  readonly id: string;
  readonly plan: Plan | null;
  readonly hardCap: boolean;
  readonly contract: Contract | null;
}

/** `now` is the wall clock's. */
export interface ApiKeyStore {
  /**
   * Stores a key's hash; an existing key stays unchanged. Without an existing account it gets its own.
   * @returns its id
   */
  add(key: string, createdAt: number, of?: { readonly account?: string; readonly scope?: Scope }): string;
  addAccount(account: NewAccount, createdAt: number): void;
  /** Changes the terms of an existing account. */
  changeAccount(account: NewAccount): void;
  /** Sets the scope of an account's live keys. @returns their number */
  setScope(account: string, scope: Scope, now: number): number;
  /** The plan and terms of an account, or null when there is none. */
  account(id: string): NewAccount | null;
  /** The matching live key, or null. */
  find(key: string, now: number): StoredKey | null;
  isLive(id: string, now: number): boolean;
  /** Number of live keys. */
  count(now: number): number;
  /** All keys ever issued, oldest first. */
  list(): ListedKey[];
  /** Ends the key at `at`, unless it ends before. */
  expire(id: string, at: number): void;
  revoke(id: string, at: number): void;
}

interface Row {
  readonly id: string;
  readonly ending: string;
  readonly account: string;
  readonly scope: Scope;
  readonly plan: Plan | null;
  readonly hard_cap: number;
  readonly contract: string | null;
}

const hashOf = (key: string): string => hash('sha256', key);

const stored = ({ id, ending, account, scope, plan, hard_cap, contract }: Row): StoredKey => ({
  id,
  ending,
  account,
  scope,
  plan,
  hardCap: hard_cap === 1,
  contract: contract === null ? null : ContractSchema.parse(JSON.parse(contract)),
});

const COLUMNS = 'keys.id, ending, account, scope, plan, hard_cap, contract';
const LIVE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

export function openApiKeyStore(database: Database): ApiKeyStore {
  const add = database.prepare<[string, string, string, number, string, Scope]>(
    'INSERT INTO keys (hash, id, ending, created_at, account, scope) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING',
  );
  const addAccount = database.prepare<[string, Plan | null, number, string | null, number]>(
    'INSERT INTO accounts (id, plan, hard_cap, contract, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const changeAccount = database.prepare<[Plan | null, number, string | null, string]>(
    'UPDATE accounts SET plan = ?, hard_cap = ?, contract = ? WHERE id = ?',
  );
  const setScope = database.prepare<[Scope, string, number]>(`UPDATE keys SET scope = ? WHERE account = ? AND ${LIVE}`);
  const account = database.prepare<[string], Omit<Row, 'id'>>(
    'SELECT plan, hard_cap, contract FROM accounts WHERE id = ?',
  );
  const find = database.prepare<[string, number], Row & { expires_at: number | null }>(
    `SELECT ${COLUMNS}, expires_at FROM keys JOIN accounts ON accounts.id = account WHERE hash = ? AND ${LIVE}`,
  );
  const live = database.prepare<[string, number], number>(`SELECT 1 FROM keys WHERE id = ? AND ${LIVE}`).pluck();
  const count = database.prepare<[number], number>(`SELECT count(*) FROM keys WHERE ${LIVE}`).pluck();
  const list = database.prepare<[], Row & { created_at: number; expires_at: number | null; revoked_at: number | null }>(
    `SELECT ${COLUMNS}, keys.created_at, expires_at, revoked_at FROM keys JOIN accounts ON accounts.id = account ORDER BY keys.created_at, keys.id`,
  );
  const expire = database.prepare<[number, string]>(
    'UPDATE keys SET expires_at = min(?, ifnull(expires_at, 9e15)) WHERE id = ?',
  );
  const revoke = database.prepare<[number, string]>(
    'UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );

  /** Changes when another connection commits. */
  const version = database.prepare<[], number>('PRAGMA data_version').pluck();
  let seen = version.get();
  /** Live keys by hash. Unknown keys are not cached, so that strangers use no memory. */
  const known = new Map<string, { readonly key: StoredKey; readonly expiresAt: number }>();

  const buffer: ApiKeyStore = {
    add(key, createdAt, { account: given, scope = 'webhooks' } = {}) {
      const digest = hashOf(key);
      const name = digest.slice(0, 12);
      if (given === undefined)
        buffer.addAccount({ id: `acct_${name}`, plan: null, hardCap: false, contract: null }, createdAt);
      add.run(digest, `key_${name}`, keyEnding(key), createdAt, given ?? `acct_${name}`, scope);
      return `key_${name}`;
    },
    addAccount: ({ id, plan, hardCap, contract }, createdAt) =>
      void addAccount.run(id, plan, hardCap ? 1 : 0, contract === null ? null : JSON.stringify(contract), createdAt),
    changeAccount({ id, plan, hardCap, contract }) {
      changeAccount.run(plan, hardCap ? 1 : 0, contract === null ? null : JSON.stringify(contract), id);
      known.clear();
    },
    setScope(id, scope, now) {
      known.clear();
      return setScope.run(scope, id, now).changes;
    },
    account(id) {
      const row = account.get(id);
      if (row === undefined) return null;
      return {
        id,
        plan: row.plan,
        hardCap: row.hard_cap === 1,
        contract: row.contract === null ? null : ContractSchema.parse(JSON.parse(row.contract)),
      };
    },
    find(key, now) {
      const digest = hashOf(key);
      const current = version.get();
      if (current !== seen) known.clear();
      seen = current;
      const cached = known.get(digest);
      if (cached !== undefined) return cached.expiresAt > now ? cached.key : null;
      const row = find.get(digest, now);
      if (row === undefined) return null;
      const found = stored(row);
      known.set(digest, { key: found, expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY });
      return found;
    },
    isLive: (id, now) => live.get(id, now) === 1,
    count: (now) => count.get(now) ?? 0,
    list: () =>
      list.all().map((row) => ({
        ...stored(row),
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        revokedAt: row.revoked_at,
      })),
    expire(id, at) {
      expire.run(at, id);
      known.clear();
    },
    revoke(id, at) {
      revoke.run(at, id);
      known.clear();
    },
  };
  return buffer;
}
