// Main, core: where the rows of the ledger are: the port between its tables and a database.
// The database is the file, or one in memory while the file cannot be written (fallback.ts).
import type { Database } from 'better-sqlite3';
import type { Message } from '../../../shared/text/message.ts';
import type { Connection, Statement } from '../files/connection.ts';
import { isDamage } from '../files/sqlite-file.ts';
import type { OpenedDatabase } from './database.ts';
import { type LedgerFault, watchLedgerFile } from './ledger-file.ts';
import type { LedgerLoss } from './loss.ts';

export interface LedgerStorage extends Connection {
  /** Runs `work` atomically. */
  transaction<Given extends unknown[], Value>(work: (...given: Given) => Value): (...given: Given) => Value;
  /** From now on, calls it when the rows are others than those that a cache was read from. */
  onReload(reload: () => void): void;
  /** The present database: it may be another one later. */
  db(): Database;
  /**
   * Set when the ledger was lost before it was opened, and the service was not listed to its end until then.
   */
  loss(): LedgerLoss | null;
  /** The fault of the file since it was opened; null: none. */
  fault(): LedgerFault | null;
  /** Set while the rows are in memory because the file cannot be written. */
  unwritten(): WriteFailure | null;
  /** Writes the ledger back where its file was removed, replaced or emptied. */
  close(): void;
}

/** Start and cause of a time in which the file cannot be written; `since`: this computer's clock, ms. */
export interface WriteFailure {
  readonly since: number;
  readonly cause: Message;
}

export interface RowsOptions {
  readonly db: () => Database;
  /** A call failed. @returns whether to repeat it: the error is gone, or the rows are in another database */
  readonly recover: (error: unknown) => boolean;
  /** A call has ended that was repeated. */
  readonly recovered: () => void;
}

export interface Rows extends Pick<LedgerStorage, 'prepare' | 'transaction' | 'onReload'> {
  /** Runs a call over the database, and repeats it where `recover` says so. */
  run<Value>(call: () => Value): Value;
  /** The rows are others now. */
  reload(): void;
}

/** Statements and transactions over a database that may be replaced by another with the same tables. */
export function createRows({ db, recover, recovered }: RowsOptions): Rows {
  const caches: (() => void)[] = [];
  let isRunning = false;
  const reload = (): void => {
    for (const read of caches) read();
  };
  const run = <Value>(call: () => Value): Value => {
    // Within a transaction: the outermost call repeats all of it.
    if (isRunning) return call();
    let isRepeated = false;
    isRunning = true;
    try {
      for (;;)
        try {
          return call();
        } catch (error) {
          if (!recover(error)) throw error;
          isRepeated = true;
          reload();
        }
    } finally {
      isRunning = false;
      if (isRepeated) {
        // A single statement may have failed between a change of a cache and that of its row.
        reload();
        recovered();
      }
    }
  };
  /** Made again when the database is another one. */
  const perDatabase = <Made>(make: (of: Database) => Made): (() => Made) => {
    let last: { readonly of: Database; readonly made: Made } | null = null;
    return () => {
      const of = db();
      if (last?.of !== of) last = { of, made: make(of) };
      return last.made;
    };
  };
  return {
    prepare(sql: string) {
      let isPlucked = false;
      const prepared = perDatabase((of) => {
        const made = of.prepare<unknown[], unknown>(sql);
        return isPlucked ? made.pluck() : made;
      });
      const statement: Statement<unknown[], unknown> = {
        run: (...given) => run(() => prepared().run(...given)),
        get: (...given) => run(() => prepared().get(...given)),
        all: (...given) => run(() => prepared().all(...given)),
        pluck() {
          isPlucked = true;
          return statement;
        },
      };
      return statement as ReturnType<Rows['prepare']>;
    },
    transaction<Given extends unknown[], Value>(work: (...given: Given) => Value) {
      const prepared = perDatabase((of) => of.transaction(work));
      return (...given: Given): Value =>
        run(() => {
          try {
            return prepared()(...given);
          } catch (error) {
            // Discards what the failed transaction changed in caches.
            if (!isDamage(error)) reload();
            throw error;
          }
        });
    },
    onReload: (read) => void caches.push(read),
    run,
    reload,
  } as Rows;
}

/** The rows of one database, without a replacement. @param stamp part of the name of a quarantined file */
export function createFixedStorage(opened: OpenedDatabase, stamp = 'run'): LedgerStorage {
  const file = watchLedgerFile(opened.db, stamp);
  return {
    ...createRows({
      db: () => opened.db,
      recover(error) {
        file.noteDamage(error);
        return false;
      },
      recovered: () => undefined,
    }),
    db: () => opened.db,
    loss: () => opened.loss,
    fault: file.fault,
    unwritten: () => null,
    close: file.close,
  };
}
