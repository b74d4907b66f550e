// Service, store: the issued keys, as hashes only, and their accounts.
// Lookups are cached until any connection writes to the store, so a revocation applies at once, even from
// another process.
import { hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { type KeyScope, keyEnding } from '../../shared/wire/keys.ts';
import { type Contract, ContractSchema, type Plan } from '../../shared/wire/limits.ts';
import { keyIdOf } from '../../shared/wire/proof.ts';

export type Scope = KeyScope;

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
  /** Written some seconds late. */
  readonly lastUsedAt: number | null;
}

export interface NewAccount {
  readonly id: string;
  readonly plan: Plan | null;
  readonly hardCap: boolean;
  readonly contract: Contract | null;
  /** Mail address for notices; null: notices go to the operator of the service. */
  readonly ownerEmail: string | null;
}

export interface NewKeyOptions {
  readonly account?: string;
  readonly scope?: Scope;
  /** The request that the key is issued for, under its Idempotency-Key. */
  readonly request?: { readonly key: string; readonly text: string };
}

/** `now` is the wall clock's. */
export interface ApiKeyStore {
  /**
   * Stores a key's hash; an existing key stays unchanged. Without an existing account it gets its own.
   * @returns its id
   */
  add(key: string, createdAt: number, of?: NewKeyOptions): string;
  addAccount(account: NewAccount, createdAt: number): void;
  /** Changes the terms of an existing account. */
  changeAccount(account: NewAccount): void;
  /** Sets the scope of an account's live keys. @returns their number */
  setScope(account: string, scope: Scope, now: number): number;
  /** The plan and terms of an account, or null when there is none. */
  account(id: string): NewAccount | null;
  /** All accounts, by id. */
  accounts(): NewAccount[];
  /** The matching live key, or null. */
  find(key: string, now: number): StoredKey | null;
  /** The live key with this id, or null. */
  findId(id: string, now: number): StoredKey | null;
  /** The scope of the live key with this id, or null. */
  scopeOf(id: string, now: number): Scope | null;
  isLive(id: string, now: number): boolean;
  /** SHA-256 of the live key with this id, in hexadecimal, or null. */
  digestOf(id: string, now: number): string | null;
  /** Number of live keys, of one account or of all. */
  count(now: number, account?: string): number;
  /**
   * The operator's account: the account of the first key ever issued, whose name the store keeps. In an older
   * store without that name, the account of the earliest key. null: no key.
   */
  operator(): string | null;
  /** All keys ever issued, oldest first. */
  list(): ListedKey[];
  /** The keys of an account, newest first, below `below` (null: from the newest). */
  listOf(account: string, below: { createdAt: number; id: string } | null, limit: number): ListedKey[];
  /** A key of the account, whether live or not, or null. */
  ofAccount(account: string, id: string): ListedKey | null;
  /** The request and the key id that an Idempotency-Key of the account produced since `since`. */
  issuedFor(account: string, requestKey: string, since: number): { readonly id: string; readonly text: string } | null;
  setLastUsed(id: string, at: number): void;
  /** Ends the key at `at`, unless it ends before. */
  expire(id: string, at: number): void;
  revoke(id: string, at: number): void;
  /** Drops the cache, after another writer may have changed keys or accounts. */
  refresh(): void;
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
interface ListedRow extends Row {
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}
interface AccountRow extends Pick<Row, 'id' | 'plan' | 'hard_cap' | 'contract'> {
  readonly owner_email: string | null;
}

const hashOf = (key: string): string => hash('sha256', key);

const contractOf = (text: string | null): Contract | null =>
  text === null ? null : ContractSchema.parse(JSON.parse(text));
/** The order of the columns of an account in its statements. */
const termsOf = ({ plan, hardCap, contract, ownerEmail }: NewAccount): Terms => [
  plan,
  hardCap ? 1 : 0,
  contract === null ? null : JSON.stringify(contract),
  ownerEmail,
];
type Terms = [plan: Plan | null, hardCap: number, contract: string | null, owner: string | null];

const stored = ({ id, ending, account, scope, plan, hard_cap, contract }: Row): StoredKey => ({
  id,
  ending,
  account,
  scope,
  plan,
  hardCap: hard_cap === 1,
  contract: contractOf(contract),
});
const listed = (row: ListedRow): ListedKey => ({
  ...stored(row),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
});
const asAccount = ({ id, plan, hard_cap, contract, owner_email }: AccountRow): NewAccount => ({
  id,
  plan,
  hardCap: hard_cap === 1,
  contract: contractOf(contract),
  ownerEmail: owner_email,
});

const COLUMNS = 'keys.id, ending, account, scope, plan, hard_cap, contract';
const LIVE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)';

export function openApiKeyStore(database: Database): ApiKeyStore {
  const add = database.prepare<[string, string, string, number, string, Scope, string | null, string | null]>(
    'INSERT INTO keys (hash, id, ending, created_at, account, scope, request_key, request) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING',
  );
  const find = database.prepare<[string, number], Row & { expires_at: number | null }>(
    `SELECT ${COLUMNS}, expires_at FROM keys JOIN accounts ON accounts.id = account WHERE hash = ? AND ${LIVE}`,
  );
  const expire = database.prepare<[number, string]>(
    'UPDATE keys SET expires_at = min(?, ifnull(expires_at, 9e15)) WHERE id = ?',
  );
  const revoke = database.prepare<[number, string]>(
    'UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );
  const setScope = database.prepare<[Scope, string, number]>(`UPDATE keys SET scope = ? WHERE account = ? AND ${LIVE}`);
  const setLastUsed = database.prepare<[number, string]>('UPDATE keys SET last_used_at = ? WHERE id = ?');

  /** Changes when another connection commits. */
  const version = database.prepare<[], number>('PRAGMA data_version').pluck();
  let seen = version.get();
  /** Live keys by hash. Unknown keys are not cached, so that strangers use no memory. */
  const known = new Map<string, { readonly key: StoredKey; readonly expiresAt: number }>();
  const accounts = openAccounts(database);

  return {
    ...openKeyLists(database),
    account: accounts.find,
    accounts: accounts.list,
    addAccount: accounts.add,
    changeAccount(account) {
      accounts.change(account);
      known.clear();
    },
    add(key, createdAt, { account: given, scope = 'webhooks', request } = {}) {
      const digest = hashOf(key);
      const id = keyIdOf(digest);
      const own = id.replace('key_', 'acct_');
      if (given === undefined)
        accounts.add({ id: own, plan: null, hardCap: false, contract: null, ownerEmail: null }, createdAt);
      add.run(digest, id, keyEnding(key), createdAt, given ?? own, scope, request?.key ?? null, request?.text ?? null);
      return id;
    },
    setScope(id, scope, now) {
      known.clear();
      return setScope.run(scope, id, now).changes;
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
    expire(id, at) {
      expire.run(at, id);
      known.clear();
    },
    revoke(id, at) {
      revoke.run(at, id);
      known.clear();
    },
    setLastUsed: (id, at) => void setLastUsed.run(at, id),
    refresh: () => known.clear(),
  };
}

function openAccounts(database: Database) {
  const columns = 'id, plan, hard_cap, contract, owner_email';
  const add = database.prepare<[string, ...Terms, number]>(
    `INSERT INTO accounts (${columns}, created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const change = database.prepare<[...Terms, string]>(
    'UPDATE accounts SET plan = ?, hard_cap = ?, contract = ?, owner_email = ? WHERE id = ?',
  );
  const find = database.prepare<[string], AccountRow>(`SELECT ${columns} FROM accounts WHERE id = ?`);
  const list = database.prepare<[], AccountRow>(`SELECT ${columns} FROM accounts ORDER BY id`);
  return {
    add: (account: NewAccount, createdAt: number): void => void add.run(account.id, ...termsOf(account), createdAt),
    change: (account: NewAccount): void => void change.run(...termsOf(account), account.id),
    find(id: string): NewAccount | null {
      const row = find.get(id);
      return row === undefined ? null : asAccount(row);
    },
    list: (): NewAccount[] => list.all().map(asAccount),
  };
}

type KeyLists = Pick<
  ApiKeyStore,
  'findId' | 'scopeOf' | 'isLive' | 'digestOf' | 'count' | 'operator' | 'list' | 'listOf' | 'ofAccount' | 'issuedFor'
>;

/** Uncached reads of keys by id or account. */
function openKeyLists(database: Database): KeyLists {
  const listedRows = <Given extends unknown[]>(rest: string) =>
    database.prepare<Given, ListedRow>(
      `SELECT ${COLUMNS}, keys.created_at, expires_at, revoked_at, last_used_at FROM keys JOIN accounts ON accounts.id = account ${rest}`,
    );
  const findId = listedRows<[string, number]>(`WHERE keys.id = ? AND ${LIVE}`);
  const scopeOf = database.prepare<[string, number], Scope>(`SELECT scope FROM keys WHERE id = ? AND ${LIVE}`).pluck();
  const digest = database.prepare<[string, number], string>(`SELECT hash FROM keys WHERE id = ? AND ${LIVE}`).pluck();
  const operator = database
    .prepare<[], string | null>(
      `SELECT ifnull((SELECT value FROM meta WHERE name = 'operator'),
                     (SELECT account FROM keys ORDER BY created_at, id LIMIT 1))`,
    )
    .pluck();
  const count = database.prepare<[number], number>(`SELECT count(*) FROM keys WHERE ${LIVE}`).pluck();
  const countOf = database
    .prepare<[string, number], number>(`SELECT count(*) FROM keys WHERE account = ? AND ${LIVE}`)
    .pluck();
  const list = listedRows<[]>('ORDER BY keys.created_at, keys.id');
  const listOf = listedRows<[string, number, string, number]>(
    'WHERE account = ? AND (keys.created_at, keys.id) < (?, ?) ORDER BY keys.created_at DESC, keys.id DESC LIMIT ?',
  );
  const ofAccount = listedRows<[string, string]>('WHERE account = ? AND keys.id = ?');
  const issuedFor = database.prepare<[string, string, number], { id: string; text: string }>(
    'SELECT id, request AS text FROM keys WHERE account = ? AND request_key = ? AND created_at >= ?',
  );
  const scope = (id: string, now: number): Scope | null => scopeOf.get(id, now) ?? null;
  return {
    findId(id, now) {
      const row = findId.get(id, now);
      return row === undefined ? null : stored(row);
    },
    scopeOf: scope,
    isLive: (id, now) => scope(id, now) !== null,
    digestOf: (id, now) => digest.get(id, now) ?? null,
    count: (now, account) => (account === undefined ? count.get(now) : countOf.get(account, now)) ?? 0,
    operator: () => operator.get() ?? null,
    list: () => list.all().map(listed),
    listOf: (account, below, limit) =>
      listOf.all(account, below?.createdAt ?? Number.MAX_SAFE_INTEGER, below?.id ?? '', limit).map(listed),
    ofAccount(account, id) {
      const row = ofAccount.get(account, id);
      return row === undefined ? null : listed(row);
    },
    issuedFor: (account, requestKey, since) => issuedFor.get(account, requestKey, since) ?? null,
  };
}
