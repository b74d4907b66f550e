// Service, cluster: the store of a node: a replica in SQLite of what the journal has.
// A transaction enters the journal before the replica; entries of other nodes are applied in order.
import type { Database } from 'better-sqlite3';
import { type Store, storesOf } from '../store/store.ts';
import { isLast, type Journal, type JournalEntry, JournalUnavailable } from './journal.ts';
import { type RowChange, type RowRecorder, recordRows } from './row-changes.ts';

/** An entry of another node that the replica has applied. */
export interface AppliedEntry {
  readonly position: number;
  readonly changes: readonly RowChange[];
}

export interface ReplicatedStore extends Store {
  /** For tables that are no store's: writes to it belong within a transaction of this store. */
  readonly database: Database;
  /** Position of the last entry that the replica has, and its id. */
  position(): number;
  entry(): string;
  /** Applies an entry of the journal; ignores an entry that the replica already has. @throws JournalGap */
  apply(entry: JournalEntry): void;
  /** Applies all newer entries of the journal. @throws JournalUnavailable, JournalGap */
  catchUp(): void;
}

export interface ReplicatedStoreDeps {
  /** A migrated store, with the position and id of its last journal entry; 0 and empty before the first. */
  readonly database: Database;
  readonly position: number;
  readonly entry: string;
  readonly journal: Journal;
  /** Unique in the cluster, for the ids of entries. */
  readonly node: string;
  /** The term of this node while it leads; else null. */
  readonly term: () => number | null;
  /** Called synchronously after an entry of another node was applied. */
  readonly applied: (entry: AppliedEntry) => void;
  /**
   * This store cannot continue: another node leads, so the log lacks the later evaluations of this node; or
   * the journal has another history.
   */
  readonly lost: (why: string) => void;
}

/** An entry between replica and journal is missing: the replica must be rebuilt. */
export class JournalGap extends Error {}

const OTHER_HISTORY = 'the journal has another history than this replica';
const READ_ENTRIES = 200;
/** Other nodes write a few entries a second; more conflicts than this have another cause. */
const MAX_ROUNDS = 50;

export function openReplicatedStore(deps: ReplicatedStoreDeps): ReplicatedStore {
  const { database, lost } = deps;
  const stores = storesOf(database);
  const rows = recordRows(database);
  const replica = new Replica(deps, rows, stores.keys);

  /** Another entry has the position, or the journal has another history. */
  const catchUpWithOthers = (): void => {
    const before = replica.position;
    try {
      replica.catchUp();
      if (replica.position === before) throw new JournalGap(OTHER_HISTORY);
    } catch (error) {
      if (!(error instanceof JournalGap)) throw error;
      lost(error.message);
      throw new JournalUnavailable(error.message);
    }
  };

  return {
    ...stores,
    database,
    transaction(work, isRepeatable = true) {
      if (database.inTransaction) return rows.nested(() => database.transaction(work)());
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const done = replica.attempt(work);
        if (done !== null) return done.value;
        catchUpWithOthers();
        if (!isRepeatable) throw new JournalUnavailable('another node wrote meanwhile');
      }
      throw new JournalUnavailable('other nodes were always first');
    },
    close: () => void database.close(),
    position: () => replica.position,
    entry: () => replica.entry,
    apply: (entry) => replica.apply(entry),
    catchUp: () => replica.catchUp(),
  };
}

/** The database of this node, and its last journal entry. */
class Replica {
  position: number;
  entry: string;
  readonly #deps: ReplicatedStoreDeps;
  readonly #rows: RowRecorder;
  readonly #keys: Pick<Store['keys'], 'refresh'>;
  /** Transactions of this node so far, for the ids of its entries. */
  #written = 0;

  constructor(deps: ReplicatedStoreDeps, rows: RowRecorder, keys: Pick<Store['keys'], 'refresh'>) {
    this.position = deps.position;
    this.entry = deps.entry;
    this.#deps = deps;
    this.#rows = rows;
    this.#keys = keys;
  }

  apply(entry: JournalEntry): void {
    if (entry.position <= this.position) return;
    if (entry.position !== this.position + 1)
      throw new JournalGap(`the journal goes on at ${entry.position}, and this replica ends at ${this.position}`);
    if (entry.previous !== this.entry) throw new JournalGap(OTHER_HISTORY);
    const changes = JSON.parse(entry.body) as readonly RowChange[];
    this.#deps.database.transaction(() => this.#rows.apply(changes)).immediate();
    this.position = entry.position;
    this.entry = entry.id;
    this.#keys.refresh();
    this.#deps.applied({ position: this.position, changes });
  }

  catchUp(): void {
    for (;;) {
      const entries = this.#deps.journal.after(this.position, READ_ENTRIES);
      for (const entry of entries) this.apply(entry);
      if (isLast(entries, READ_ENTRIES)) return;
    }
  }

  /** Runs a transaction, and commits it once the journal has it. @returns null if it must run again */
  attempt<Value>(work: () => Value): { readonly value: Value } | null {
    const { database, node } = this.#deps;
    database.exec('BEGIN IMMEDIATE');
    try {
      const { value, changes } = this.#rows.record(work);
      this.#written += 1;
      const id = `${node}.${this.#written}`;
      if (changes.length > 0 && !this.#append(id, changes)) {
        database.exec('ROLLBACK');
        this.#keys.refresh();
        return null;
      }
      database.exec('COMMIT');
      if (changes.length > 0) {
        this.position += 1;
        this.entry = id;
      }
      return { value };
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      this.#keys.refresh();
      throw error;
    }
  }

  /** @returns false if another entry came first; then nothing is written */
  #append(id: string, changes: readonly RowChange[]): boolean {
    const { journal, term, lost } = this.#deps;
    const result = journal.append({
      id,
      after: this.position,
      previous: this.entry,
      epoch: term(),
      body: JSON.stringify(changes),
      worldTime: worldTimeOf(changes),
    });
    if (result === 'appended') return true;
    if (result === 'behind') return false;
    lost('another node leads');
    throw new JournalUnavailable('another node leads now');
  }
}

/** The world time that a transaction of the leader writes; null: none. */
export function worldTimeOf(changes: readonly RowChange[]): number | null {
  for (const [table, row] of changes.toReversed())
    if (table === 'meta' && row?.name === 'world_time') return Number(row.value);
  return null;
}
