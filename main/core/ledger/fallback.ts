// Main, core: the ledger that continues in memory while its file cannot be written.
// It begins with the newest rows of the file. The rest of the core works as before. Changes are written into
// the file as soon as possible.
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EventBus } from '../events.ts';
import { createMetadata } from '../files/metadata.ts';
import { BUSY_TIMEOUT, isUnwritable } from '../files/sqlite-file.ts';
import type { Logger } from '../ports.ts';
import type { WorldClock } from '../time/world-clock.ts';
import { setBaseline } from './baseline.ts';
import { type openDatabase, refuseLocked } from './database.ts';
import {
  allowMoreGrowth,
  copyRows,
  dropUnnotifiedEvents,
  endOf,
  type LedgerEnd,
  readCopy,
  trackChanges,
  writeChanges,
  writeNewRows,
} from './fallback-rows.ts';
import { createGapStore } from './gaps.ts';
import { type LedgerFile, watchLedgerFile } from './ledger-file.ts';
import { type LedgerLoss, lossMessage, storedLoss } from './loss.ts';
import type { MetadataKey } from './metadata.ts';
import { createRows, type LedgerStorage, type WriteFailure } from './storage.ts';

export interface FallbackOptions {
  readonly open: typeof openDatabase;
  /** Folder of the profile; ":memory:" keeps everything in memory. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly world: Pick<WorldClock, 'at'>;
  readonly events: Pick<EventBus, 'emit' | 'signal'>;
  readonly logger: Logger;
}

/** Its rows are in the file, or in memory while the file cannot be written. */
export interface FallbackStorage extends LedgerStorage {
  /** From now on, emits when the ledger leaves its file and when it returns. */
  start(): void;
  /** Tries to write the file a last time, and closes it. */
  close(): void;
}

interface Opened extends LedgerFile {
  readonly db: Database.Database;
  readonly loss: LedgerLoss | null;
}

/** The ledger in memory. */
interface Memory extends WriteFailure {
  readonly db: Database.Database;
  /** End of the rows that were copied from the file. */
  readonly end: LedgerEnd;
  /**
   * Loss recorded in the file when its rows were copied: the rows are of the ledger that replaced the lost
   * one.
   */
  readonly loss: LedgerLoss | null;
  /** True after events without a notification were deleted: the file's cursor must not pass them. */
  isThinned: boolean;
}

const RETRY = { base: 2_000, cap: 60_000 };
const SOONEST = 1_000;
/** Time without an error after which retries begin with the shortest delay, ms. */
const STABLE = 10 * 60_000;

const isDiskError = (error: unknown): boolean => error instanceof Database.SqliteError && isUnwritable(error);

/** Decides where the rows are: the one place that does. */
interface Switch {
  db(): Database.Database;
  file(): Opened | null;
  memory(): Memory | null;
  /** Continues in memory, and retries the file with growing delays. */
  toMemory(error: unknown): void;
  /** Calls the listener, the only one, when the rows are in the file again. `isRenumbered`: some got new ids. */
  onReturn(listener: (isRenumbered: boolean) => void): void;
  close(): void;
}

function createSwitch(options: FallbackOptions): Switch {
  const { folder, clock, random, logger } = options;
  /** The file, except while it cannot be opened. */
  let file: Opened | null = null;
  let memory: Memory | null = null;
  let attempts = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => undefined;
  let returned: (isRenumbered: boolean) => void = () => undefined;

  const openFile = (): Opened => {
    const stamp = timestamp(clock.now());
    const opened = options.open(folder, stamp);
    return { ...opened, ...watchLedgerFile(opened.db, stamp) };
  };
  const closeFile = (): void => {
    try {
      file?.close();
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the file of the ledger did not close');
    }
    file = null;
  };
  const toMemory = (error: unknown): void => {
    logger.error({ problem: messageOf(error) }, 'the ledger cannot be written; it goes on in memory');
    const { db } = options.open(':memory:', timestamp(clock.now()));
    if (file === null || !copyInto(file.db, db, logger)) {
      closeFile();
      copyInto(folder, db, logger);
    }
    file?.db.pragma('busy_timeout = 0');
    memory = begin(db, messageOf(error), options);
    if (memory.since - writtenAt > STABLE) attempts = 0;
    retryLater();
  };
  /** Tries to write the changes into the file and to continue there. */
  const writeBack = (): void => {
    if (memory === null) return;
    const { db } = memory;
    let isRenumbered: boolean;
    try {
      if (file === null && folder !== ':memory:') refuseLocked(folder);
      file ??= openFile();
      isRenumbered = writeInto(file.db, memory);
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the ledger still cannot be written');
      // After a full disk or a lock, the open file stays usable; after any other error it is opened again.
      if (!(error instanceof Database.SqliteError && /^SQLITE_(FULL|BUSY)/.test(error.code))) closeFile();
      return;
    }
    file.db.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
    memory = null;
    writtenAt = clock.now();
    db.close();
    logger.info({}, 'the ledger is written again');
    returned(isRenumbered);
  };
  const retryLater = (): void => {
    cancel = clock.after(backoffDelay(attempts, RETRY, random, SOONEST), () => {
      writeBack();
      if (memory !== null) retryLater();
    });
    attempts += 1;
  };

  try {
    file = openFile();
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    toMemory(error);
  }
  return {
    db() {
      const db = memory?.db ?? file?.db;
      if (db === undefined) throw new Error('the ledger is closed');
      return db;
    },
    file: () => file,
    memory: () => memory,
    toMemory,
    onReturn(listener) {
      returned = listener;
    },
    close() {
      cancel();
      writeBack();
      closeFile();
      memory?.db.close();
    },
  };
}

/** @throws FutureFileError, and errors of another kind than a file that cannot be written or opened */
export function createFallbackStorage(options: FallbackOptions): FallbackStorage {
  const { events } = options;
  let isStarted = false;
  /** The time in memory that was announced; null: none. */
  let announced: Memory | null = null;
  const { db, file, memory, toMemory, onReturn, close } = createSwitch(options);
  const announce = (): void => {
    const now = memory();
    if (!isStarted || now === null || now === announced) return;
    announced = now;
    events.signal('ledgerUnwritten');
  };
  const rows = createRows({
    db,
    recover(error) {
      const inMemory = memory();
      if (inMemory === null) file()?.noteDamage(error);
      if (!isDiskError(error)) return false;
      if (inMemory === null) toMemory(error);
      else if (dropUnnotifiedEvents(inMemory.db)) inMemory.isThinned = true;
      else return allowMoreGrowth(inMemory.db);
      return true;
    },
    recovered: announce,
  });
  onReturn((isRenumbered) => {
    rows.reload();
    if (isStarted) events.emit('ledgerWritten', { isRenumbered });
  });
  return {
    ...rows,
    db,
    loss: () => (memory() === null ? (file()?.loss ?? null) : null),
    // A check that fails goes the way of every statement that fails: into memory, with its alarm.
    fault: () => rows.run(() => (memory() === null ? (file()?.fault() ?? null) : null)),
    unwritten: memory,
    start() {
      isStarted = true;
      announce();
    },
    close() {
      isStarted = false;
      close();
    },
  };
}

/**
 * Copies rows into the ledger in memory.
 * @param source an open ledger, or the folder of its file
 * @returns false when the rows cannot be read
 */
function copyInto(source: Database.Database | string, memory: Database.Database, logger: Logger): boolean {
  try {
    const rows = typeof source === 'string' ? readCopy(source) : source;
    try {
      copyRows(rows, memory);
    } finally {
      if (rows !== source) rows.close();
    }
    return true;
  } catch (error) {
    logger.warn({ problem: messageOf(error) }, 'the ledger could not be read into memory');
    return false;
  }
}

function begin(db: Database.Database, why: string, { clock, world }: FallbackOptions): Memory {
  const end = endOf(db);
  trackChanges(db);
  const since = clock.now();
  // It stays open until the file is written again.
  createGapStore(db).open('unwritten', timestamp(world.at(since)), null, message('gap.unwritten', { why }));
  const loss = storedLoss(createMetadata<MetadataKey>(db));
  return { db, since, cause: message('ledger.in_memory', { why }), end, loss, isThinned: false };
}

/** @returns true when rows in memory got new ids in the file */
function writeInto(file: Database.Database, memory: Memory): boolean {
  const metadata = createMetadata<MetadataKey>(file);
  const kept = storedLoss(metadata);
  const loss = isDeepStrictEqual(kept, memory.loss) ? null : kept;
  const isContinued = !memory.isThinned && isDeepStrictEqual(endOf(file), memory.end);
  const write = (): void => {
    if (isContinued) {
      writeChanges(memory.db, file);
      return;
    }
    const baseline = loss?.settledUntil ?? createMetadata<MetadataKey>(memory.db).get('baseline');
    if (baseline !== null) setBaseline(metadata, baseline);
    if (loss !== null) createGapStore(file).open('downtime', loss.connectedUntil, null, lossMessage(loss));
    writeNewRows(memory.db, file, loss === null ? memory.end : null);
  };
  file.transaction(write).immediate();
  return !isContinued;
}
