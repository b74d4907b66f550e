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
import { BUSY_TIMEOUT, isDamage, isUnwritable } from '../files/sqlite-file.ts';
import type { Logger } from '../ports.ts';
import type { WorldClock } from '../world-clock.ts';
import { setBaseline } from './baseline.ts';
import { markDamaged, refuseLocked } from './database.ts';
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
import type { Ledger, openLedger, WriteFailure } from './ledger.ts';
import { type LedgerLoss, lossMessage, storedLoss } from './loss.ts';

export interface FallbackOptions {
  readonly open: typeof openLedger;
  /** Folder of the profile; ":memory:" keeps everything in memory. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly world: Pick<WorldClock, 'at'>;
  readonly events: Pick<EventBus, 'emit' | 'signal'>;
  readonly logger: Logger;
}

export interface FallbackLedger {
  readonly ledger: Ledger;
  /** From now on, emits when the ledger leaves its file and when it returns. */
  start(): void;
  /** Tries to write the file a last time, and closes it. */
  close(): void;
}

/** The ledger in memory. */
interface Memory extends WriteFailure {
  readonly ledger: Ledger;
  /** End of the rows that were copied from the file. */
  readonly end: LedgerEnd;
  /** Id of a gap that stays open until the file is written again. */
  readonly gap: number | null;
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

/** Selects the current ledger: the one in the file, or the one in memory. */
interface Switch {
  current(): Ledger;
  memory(): Memory | null;
  /** Continues in memory, and retries the file with growing delays. */
  switchToMemory(error: unknown): void;
  close(): void;
}

/**
 * @param isStarted whether events are emitted
 * @throws FutureFileError, and errors of another kind than a file that cannot be written or opened
 */
function createSwitch(options: FallbackOptions, isStarted: () => boolean): Switch {
  const { open, folder, clock, random, events, logger } = options;
  let current: Ledger | null = null;
  let memory: Memory | null = null;
  /** The ledger in the file while the one in memory replaces it; null: not open. */
  let file: Ledger | null = null;
  let attempts = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => undefined;

  const closeFile = (): void => {
    try {
      file?.close();
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the file of the ledger did not close');
    }
    file = null;
  };
  const switchToMemory = (error: unknown): void => {
    logger.error({ problem: messageOf(error) }, 'the ledger cannot be written; it goes on in memory');
    const ledger = open(':memory:', timestamp(clock.now()));
    file = current;
    if (file === null || !copyInto(file.db, ledger, logger)) {
      closeFile();
      copyInto(folder, ledger, logger);
    }
    file?.db.pragma('busy_timeout = 0');
    memory = begin(ledger, messageOf(error), options);
    current = ledger;
    if (memory.since - writtenAt > STABLE) attempts = 0;
    retryLater();
  };
  /** Tries to write the changes into the file and to continue there. */
  const writeBack = (): void => {
    if (memory === null) return;
    const { ledger } = memory;
    let isRenumbered: boolean;
    try {
      if (file === null && folder !== ':memory:') refuseLocked(folder);
      file ??= open(folder, timestamp(clock.now()));
      isRenumbered = writeInto(file, memory);
      file.reload();
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the ledger still cannot be written');
      // After a full disk or a lock, the open file stays usable; after any other error it is opened again.
      if (!(error instanceof Database.SqliteError && /^SQLITE_(FULL|BUSY)/.test(error.code))) closeFile();
      return;
    }
    file.db.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
    current = file;
    file = null;
    memory = null;
    writtenAt = clock.now();
    ledger.close();
    logger.info({}, 'the ledger is written again');
    if (isStarted()) events.emit('ledgerWritten', { isRenumbered });
  };
  const retryLater = (): void => {
    cancel = clock.after(backoffDelay(attempts, RETRY, random, SOONEST), () => {
      writeBack();
      if (memory !== null) retryLater();
    });
    attempts += 1;
  };

  try {
    current = open(folder, timestamp(clock.now()));
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    switchToMemory(error);
  }
  return {
    current: () => current as Ledger,
    memory: () => memory,
    switchToMemory,
    close() {
      cancel();
      writeBack();
      closeFile();
      current?.close();
    },
  };
}

/** @throws FutureFileError, and errors of another kind than a file that cannot be written or opened */
export function createFallbackLedger(options: FallbackOptions): FallbackLedger {
  const { events } = options;
  let isStarted = false;
  let depth = 0;
  const { current, memory, switchToMemory, close } = createSwitch(options, () => isStarted);

  /** Repeats the call in memory when the file cannot be written, and when a full memory gets room. */
  const attempt = <Value>(call: () => Value): Value => {
    for (;;)
      try {
        return call();
      } catch (error) {
        // A read found damage: the next opening quarantines the file and restores a backup.
        if (isDamage(error)) markDamaged(current().db);
        if (!isDiskError(error)) throw error;
        const inMemory = memory();
        if (inMemory === null) switchToMemory(error);
        else if (dropUnnotifiedEvents(inMemory.ledger.db)) inMemory.isThinned = true;
        else if (!allowMoreGrowth(inMemory.ledger.db)) throw error;
      }
  };
  const run = <Value>(call: () => Value): Value => {
    // Within a transaction: the outermost call repeats all of it.
    if (depth > 0) return call();
    const wasWritten = memory() === null;
    depth += 1;
    try {
      return attempt(call);
    } finally {
      depth -= 1;
      if (wasWritten && memory() !== null && isStarted) events.signal('ledgerUnwritten');
    }
  };
  const ledger = forwardTo(current, run);
  return {
    ledger: {
      ...ledger,
      caughtUp: (at, filled) => {
        const done = ledger.caughtUp(at, filled);
        const { gap, ledger: inMemory } = memory() ?? {};
        if (inMemory !== undefined && gap != null) reopenGap(inMemory, gap);
        return done;
      },
      unwritten: memory,
      get loss() {
        return current().loss;
      },
      get db() {
        return current().db;
      },
    },
    start() {
      isStarted = true;
      if (memory() !== null) events.signal('ledgerUnwritten');
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
function copyInto(source: Database.Database | string, ledger: Ledger, logger: Logger): boolean {
  try {
    const rows = typeof source === 'string' ? readCopy(source) : source;
    try {
      copyRows(rows, ledger.db);
    } finally {
      if (rows !== source) rows.close();
    }
    return true;
  } catch (error) {
    logger.warn({ problem: messageOf(error) }, 'the ledger could not be read into memory');
    return false;
  }
}

function begin(ledger: Ledger, why: string, { clock, world }: FallbackOptions): Memory {
  const end = endOf(ledger.db);
  trackChanges(ledger.db);
  ledger.reload();
  const since = clock.now();
  ledger.openGap('unwritten', timestamp(world.at(since)), null, message('gap.unwritten', { why }));
  const gap = ledger.db.prepare<[], number>("SELECT max(id) FROM gaps WHERE kind = 'unwritten' AND closed = 0").pluck();
  return {
    ledger,
    since,
    cause: message('ledger.in_memory', { why }),
    end,
    gap: gap.get() ?? null,
    loss: storedLoss(ledger.metadata),
    isThinned: false,
  };
}

const reopenGap = ({ db }: Ledger, id: number): void =>
  void db.prepare('UPDATE gaps SET closed = 0, to_at = NULL WHERE id = ?').run(id);

/** @returns true when rows in memory got new ids in the file */
function writeInto(file: Ledger, memory: Memory): boolean {
  const { db, metadata } = file;
  const kept = storedLoss(metadata);
  const loss = isDeepStrictEqual(kept, memory.loss) ? null : kept;
  const isContinued = !memory.isThinned && isDeepStrictEqual(endOf(db), memory.end);
  const write = (): void => {
    if (isContinued) {
      writeChanges(memory.ledger.db, db);
      return;
    }
    const baseline = loss?.settledUntil ?? memory.ledger.metadata.get('baseline');
    if (baseline !== null) setBaseline(metadata, baseline);
    if (loss !== null) file.openGap('downtime', loss.connectedUntil, null, lossMessage(loss));
    writeNewRows(memory.ledger.db, db, loss === null ? memory.end : null);
  };
  db.transaction(write).immediate();
  return !isContinued;
}

/** A ledger that forwards every call to the current one, through `run`. */
function forwardTo(current: () => Ledger, run: <Value>(call: () => Value) => Value): Ledger {
  const forward = <Part extends object>(part: (ledger: Ledger) => Part): Part => {
    const own = part(current());
    const names = Object.keys(own).filter((name) => typeof own[name as keyof Part] === 'function');
    const call = (name: string, given: unknown[]): unknown =>
      (part(current()) as Record<string, (...given: unknown[]) => unknown>)[name]?.(...given);
    return Object.fromEntries(
      names.map((name) => [name, (...given: unknown[]) => run(() => call(name, given))]),
    ) as Part;
  };
  return {
    ...forward((ledger) => ledger),
    notifications: forward(({ notifications }) => notifications),
    mutes: forward(({ mutes }) => mutes),
    trace: forward(({ trace }) => trace),
    annotations: forward(({ annotations }) => annotations),
    symbolNotes: forward(({ symbolNotes }) => symbolNotes),
    entries: forward(({ entries }) => entries),
    metadata: forward(({ metadata }) => metadata),
    priceStates: forward(({ priceStates }) => priceStates),
    removed: forward(({ removed }) => removed),
  };
}
