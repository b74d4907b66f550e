// Service, store: the embedded store (SQLite) behind the service's storage interface.
// One service per store; besides it, only the command line writes to it, and only keys.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import { type ApiKeyStore, openApiKeyStore } from './api-key-store.ts';
import { type BriefingStore, openBriefings } from './briefings.ts';
import { type CurrentStateStore, openCurrentStates } from './current-states.ts';
import { type DeliveryStore, openDeliveries } from './deliveries.ts';
import { type DeskStore, openDesk } from './desk.ts';
import { type EpisodeStore, openEpisodes } from './episodes.ts';
import { type EventLog, openEventLog } from './event-log.ts';
import { lockStore } from './lock.ts';
import { isCurrent, migrate, versionOf } from './migrate.ts';
import { type NewsStore, openNews } from './news.ts';
import { StoreError } from './store-error.ts';
import { openSubscriptions, type SubscriptionStore } from './subscriptions.ts';

/** The combination under which the ids and the world time of a store are valid. */
export interface StoreBinding {
  readonly environment: Environment;
  /** null in production. */
  readonly seed: number | null;
  /** The --clock value in its canonical form, "real" without one. */
  readonly clock: string;
  /** Scenario of the sandbox's market; null for the ordinary one. */
  readonly scenario?: string | null;
}

/** Names of the single values in a store. */
type MetaName =
  | 'binding'
  | 'world_time'
  | 'decided_within'
  | 'cursor_key'
  | 'model_version'
  | 'briefing_archive'
  | 'log_from'
  | 'dashboard_sessions'
  | 'default_terms'
  | 'operator'
  // Of a cluster with a feed: the newest publication of prices, and what the leader says about the feed.
  | 'prices_used'
  | 'feed_status'
  | `follower:${string}`;

export interface Store {
  readonly log: EventLog;
  readonly episodes: EpisodeStore;
  readonly currentStates: CurrentStateStore;
  readonly keys: ApiKeyStore;
  readonly subscriptions: SubscriptionStore;
  readonly deliveries: DeliveryStore;
  readonly usage: UsageStore;
  readonly briefings: BriefingStore;
  readonly news: NewsStore;
  readonly lanes: LaneStore;
  readonly desk: DeskStore;
  readonly requests: RequestStore;
  meta(name: MetaName): string | null;
  setMeta(name: MetaName, value: string): void;
  /**
   * The only way to write. Atomic, and durable when it returns. On a cluster node `work` may run again when
   * another node wrote first, so it must change only the store.
   * @param isRepeatable false: `work` has other effects, so the transaction fails instead of running again
   */
  transaction<Value>(work: () => Value, isRepeatable?: boolean): Value;
  close(): void;
}

/** Keeps everything in memory; nothing survives. */
export const IN_MEMORY = ':memory:';

/**
 * Opens or creates the store.
 * @param file a path, or IN_MEMORY
 * @throws StoreError when the file is damaged, in use, newer, another program's, or bound to another
 *   combination
 */
export function openStore(file: string, binding: StoreBinding): Store {
  const unlock = takeLock(file);
  let database: Database | undefined;
  try {
    database = openDatabase(file, true);
    migrate(database, file);
    bind(database, file, binding);
    const opened = database;
    return {
      ...storesOf(opened),
      transaction: (work) => opened.transaction(work).immediate(),
      close: () => {
        opened.close();
        unlock();
      },
    };
  } catch (error) {
    database?.close();
    unlock();
    throw readableError(error, file);
  }
}

/** The tables and values of a store, without transactions. */
export function storesOf(database: Database): Omit<Store, 'transaction' | 'close'> {
  const write = database.prepare(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    log: openEventLog(database),
    episodes: openEpisodes(database),
    currentStates: openCurrentStates(database),
    keys: openApiKeyStore(database),
    subscriptions: openSubscriptions(database),
    deliveries: openDeliveries(database),
    usage: openUsage(database),
    briefings: openBriefings(database),
    news: openNews(database),
    lanes: openLanes(database),
    desk: openDesk(database),
    requests: openRequests(database),
    meta: readMeta(database),
    setMeta: (name, value) => void write.run(name, value),
  };
}

/**
 * Opens the replica of a node, without a lock, with the contents of `snapshot`. It is in a file that has no name
 * any more, because the prices of a feed take hundreds of megabytes. (Not in one that SQLite names itself: every
 * commit to such a one begins a copy anew.)
 * @param snapshot a SQLite file; null: an empty store
 * @throws StoreError when a newer version wrote the snapshot
 */
export function openReplica(snapshot: Buffer | null): Database {
  const database = openNameless(snapshot);
  migrate(database, 'The snapshot in the database');
  return database;
}

function openNameless(contents: Buffer | null): Database {
  // Windows deletes no open file; there the replica is in memory.
  if (process.platform === 'win32') return new SQLite(contents ?? IN_MEMORY);
  const folder = mkdtempSync(join(tmpdir(), 'barograph-replica-'));
  try {
    const file = join(folder, 'replica.db');
    if (contents !== null) writeFileSync(file, contents);
    const database = new SQLite(file);
    database.pragma('journal_mode = MEMORY');
    database.pragma('synchronous = OFF');
    return database;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface KeyDatabase extends Pick<Store, 'keys' | 'usage'> {
  readonly environment: Environment;
  readonly meta: Store['meta'];
  /** Atomic, and durable when it returns. */
  transaction<Value>(work: () => Value): Value;
  close(): void;
}

/**
 * Opens the keys of an existing store, also while a service runs on it.
 * @throws StoreError when the file is no store, damaged, newer, or older while a service has it
 */
export function openKeyDatabase(file: string): KeyDatabase {
  if (!existsSync(file))
    throw new StoreError(`There is no store at ${file}. Start the service on it once, and it is made.`);
  let database: Database | undefined;
  try {
    const opened = openDatabase(file, false);
    database = opened;
    if (!isCurrent(opened)) {
      const unlock = takeLock(file);
      try {
        migrate(opened, file);
      } finally {
        unlock();
      }
    }
    const bound = boundTo(opened);
    if (bound === undefined) throw new StoreError(`${file} belongs to no service yet. Start the service on it once.`);
    return {
      environment: (JSON.parse(bound) as [Environment])[0],
      keys: openApiKeyStore(opened),
      usage: openUsage(opened),
      meta: readMeta(opened),
      transaction: (work) => opened.transaction(work).immediate(),
      close: () => void opened.close(),
    };
  } catch (error) {
    database?.close();
    throw readableError(error, file);
  }
}

function takeLock(file: string): Cancel {
  if (file === IN_MEMORY) return () => undefined;
  try {
    return lockStore(file);
  } catch (error) {
    throw readableError(error, file);
  }
}

/** @param check reads the whole file to detect damage */
function openDatabase(file: string, check: boolean): Database {
  let database: Database | undefined;
  try {
    database = new SQLite(file, { timeout: 2_000 });
    if (file !== IN_MEMORY) {
      versionOf(database, file);
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      const result = check ? database.pragma('quick_check(1)', { simple: true }) : 'ok';
      if (result !== 'ok') throw new StoreError(damaged(file, String(result)));
    }
    return database;
  } catch (error) {
    database?.close();
    throw readableError(error, file);
  }
}

const damaged = (file: string, why: string): string =>
  `${file} is damaged or is no store of Barograph (${why}). Move it away, and the service starts a new one.`;

function readableError(error: unknown, file: string): Error {
  if (error instanceof StoreError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_BUSY'))
    return new StoreError(`${file} is in use by another service. Stop that one, or give another file with --db.`, true);
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT'))
    return new StoreError(damaged(file, messageOf(error)));
  return new StoreError(`${file} cannot be opened as a store: ${messageOf(error)}`, PASSING.test(code));
}

/** SQLite and system error codes that do not depend on the contents of the file. */
const PASSING = /^(SQLITE_(FULL|IOERR|CANTOPEN|NOMEM)|ENOSPC|EDQUOT|EMFILE|ENFILE|EIO|ENOMEM)/;

function readMeta(database: Database): Store['meta'] {
  const read = database.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck();
  return (name) => read.get(name) ?? null;
}

const boundTo = (database: Database): string | undefined =>
  database.prepare<[], string>("SELECT value FROM meta WHERE name = 'binding'").pluck().get();

function bind(database: Database, file: string, binding: StoreBinding): void {
  const text = bindingText(binding);
  const bound = boundTo(database);
  if (bound === undefined) {
    database.prepare("INSERT INTO meta (name, value) VALUES ('binding', ?)").run(text);
  } else if (bound !== text) {
    throw new StoreError(
      `${file} belongs to ${inFlags(bound)}, not to ${inFlags(text)}. Start it as before, or give another file with --db.`,
    );
  }
}

function bindingText({ environment, seed, clock, scenario = null }: StoreBinding): string {
  return JSON.stringify([environment, seed, clock, ...(scenario === null ? [] : [scenario])]);
}

/** The combination as command-line flags. */
export const flagsOf = (binding: StoreBinding): string => inFlags(bindingText(binding));

/** The environment that such flags select. */
export const environmentIn = (flags: string): Environment =>
  flags.startsWith('--env production') ? 'production' : 'sandbox';

function inFlags(text: string): string {
  const [environment, seed, clock, scenario] = JSON.parse(text) as [
    Environment,
    number | null,
    string,
    string | undefined,
  ];
  return [
    `--env ${environment}`,
    ...(seed === null ? [] : [`--seed ${seed}`]),
    ...(scenario === undefined ? [] : [`--scenario ${scenario}`]),
    clock === 'real' ? 'the real clock' : `--clock ${clock}`,
  ].join(', ');
}

interface LaneStore {
  /** Node that holds the lane, or null. */
  holder(lane: number): string | null;
  take(lane: number, node: string): void;
}

function openLanes(database: Database): LaneStore {
  const holder = database.prepare<[number], string>('SELECT holder FROM lanes WHERE lane = ?').pluck();
  const take = database.prepare<[number, string]>(
    'INSERT INTO lanes (lane, holder) VALUES (?, ?) ON CONFLICT (lane) DO UPDATE SET holder = excluded.holder',
  );
  return {
    holder: (lane) => holder.get(lane) ?? null,
    take: (lane, node) => void take.run(lane, node),
  };
}

/** `month` as 2026-03, UTC. */
interface UsageStore {
  calls(account: string, month: string): number;
  add(account: string, month: string, calls: number): void;
}

function openUsage(database: Database): UsageStore {
  const calls = database
    .prepare<[string, string], number>('SELECT calls FROM usage WHERE account = ? AND month = ?')
    .pluck();
  const add = database.prepare<[string, string, number]>(
    'INSERT INTO usage (account, month, calls) VALUES (?, ?, ?) ON CONFLICT (account, month) DO UPDATE SET calls = calls + excluded.calls',
  );
  return {
    calls: (account, month) => calls.get(account, month) ?? 0,
    add: (account, month, count) => void add.run(account, month, count),
  };
}

interface RequestStore {
  ask(id: string, body: string): void;
  answer(id: string, answer: string): void;
  answerOf(id: string): string | null;
  /** Requests without an answer, by id. */
  open(): { readonly id: string; readonly body: string }[];
  /** Ids of all requests, answered or not. */
  all(): string[];
  remove(id: string): void;
}

function openRequests(database: Database): RequestStore {
  const ask = database.prepare<[string, string]>('INSERT INTO requests (id, body) VALUES (?, ?)');
  const answer = database.prepare<[string, string]>('UPDATE requests SET answer = ? WHERE id = ?');
  const answerOf = database.prepare<[string], string | null>('SELECT answer FROM requests WHERE id = ?').pluck();
  const open = database.prepare<[], { id: string; body: string }>(
    'SELECT id, body FROM requests WHERE answer IS NULL ORDER BY id',
  );
  const all = database.prepare<[], string>('SELECT id FROM requests ORDER BY id').pluck();
  const remove = database.prepare<[string]>('DELETE FROM requests WHERE id = ?');
  return {
    ask: (id, body) => void ask.run(id, body),
    answer: (id, text) => void answer.run(text, id),
    answerOf: (id) => answerOf.get(id) ?? null,
    open: () => open.all(),
    all: () => all.all(),
    remove: (id) => void remove.run(id),
  };
}
