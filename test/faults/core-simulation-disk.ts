// Faults: the disk of a simulated life: a ledger that is full, read-only or locked.
// A kill of the program may come in the middle of a write.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { LEDGER_NAME } from '../../main/core/ledger/database.ts';
import type { Ledger } from '../../main/core/ledger/ledger.ts';
import type { LedgerOptions } from '../../main/core/monitor.ts';
import { folderInMemory } from '../harness/folders.ts';
import { type Incarnation, KilledError } from './core-simulation-lifeline.ts';
import type { Mutation } from './core-simulation-mutants.ts';

/** full: no more pages. read-only: it cannot be opened for writing. locked: by another program. */
export type DiskFault = 'full' | 'read-only' | 'locked';
export const DISK_FAULTS: readonly [DiskFault, ...DiskFault[]] = ['full', 'read-only', 'locked'];

export interface SimulatedDisk {
  readonly folder: string;
  /** The file of the present or the last incarnation; null before the first. */
  opened(): Database.Database | null;
  /** The ledger of the present or the last incarnation. */
  ledger(): Ledger | null;
  /** The ledger in memory has no file, and no faults. */
  optionsOf(life: Incarnation): Required<Pick<LedgerOptions, 'open' | 'change'>>;
  fault: DiskFault | null;
  /** Closes what the last incarnation left open. */
  close(): void;
  remove(): void;
}

const ROOM = 1_000_000;

export function createDisk(mutation: Mutation): SimulatedDisk {
  const folder = folderInMemory();
  let opened: Database.Database | null = null;
  let ledger: Ledger | null = null;
  let fault: DiskFault | null = null;
  let other: Database.Database | null = null;
  const apply = (): void => {
    if (opened === null || !opened.open) return;
    try {
      const pages = Number(opened.pragma('page_count', { simple: true }));
      opened.pragma(`max_page_count = ${fault === 'full' ? pages : ROOM}`);
      opened.pragma(`query_only = ${fault === 'read-only' ? 1 : 0}`);
      opened.pragma('busy_timeout = 0');
    } catch (error) {
      // It was truncated while it was open: the next start replaces it.
      if (!(error instanceof Database.SqliteError && error.code === 'SQLITE_CORRUPT')) throw error;
    }
  };
  const release = (): void => {
    other?.close();
    other = null;
  };
  const lock = (): void => {
    other = new Database(join(folder.path, LEDGER_NAME), { timeout: 0 });
    other.exec('BEGIN IMMEDIATE');
  };
  return {
    folder: folder.path,
    opened: () => opened,
    ledger: () => ledger,
    optionsOf: (life) => ({
      open(path, stamp, evidence) {
        if (path === ':memory:') return mutation.open(path, stamp);
        if (fault === 'read-only') throw new Database.SqliteError('unable to open database file', 'SQLITE_CANTOPEN');
        const file = mutation.open(path, stamp, evidence);
        opened = file.db;
        withoutWaits(opened);
        apply();
        return file;
      },
      change(made) {
        ledger = mutation.change(made);
        return mortalLedger(ledger, life);
      },
    }),
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
      release();
      apply();
      if (fault === 'locked') lock();
    },
    close: () => void opened?.close(),
    remove() {
      release();
      folder.remove();
    },
  };
}

/** A wait for the lock would be in this computer's time; retention sets one after each of its steps. */
function withoutWaits(db: Database.Database): void {
  const pragma = db.pragma.bind(db);
  db.pragma = (source, options) => pragma(source.replace(/^(busy_timeout = ).*/, '$10'), options);
}

/** The program may be killed in the middle of a write. */
function mortalLedger(ledger: Ledger, life: Incarnation): Ledger {
  // A killed core writes nothing more, even where its own code caught the error.
  const ifAlive = <Args extends unknown[], Value>(write: (...args: Args) => Value) => {
    return (...args: Args): Value => {
      if (!life.isAlive()) throw new KilledError('dead');
      return write(...args);
    };
  };
  return {
    ...ledger,
    ingest: ifAlive((arrival: Parameters<Ledger['ingest']>[0]) =>
      ledger.ingest({
        ...arrival,
        evaluate(event, source) {
          life.call();
          return arrival.evaluate(event, source);
        },
      }),
    ),
    transaction: ifAlive(ledger.transaction) as Ledger['transaction'],
    caughtUp: ifAlive(ledger.caughtUp),
    openGap: ifAlive(ledger.openGap),
    forgetCursor: ifAlive(ledger.forgetCursor),
    // Only a program that ends by itself writes a removed file back.
    close: () => (life.isAlive() ? ledger.close() : undefined),
    metadata: { ...ledger.metadata, set: ifAlive(ledger.metadata.set) },
  };
}
