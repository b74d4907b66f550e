// Main, core: the ledger that goes on in memory while its file cannot be written.
// It begins with the newest rows of the file. Everything else of the core works as before; what changed is
// written into the file, as it was, as soon as that is possible.
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
  type End,
  endOf,
  giveRoom,
  makeRoom,
  readCopy,
  takeRows,
  trackChanges,
  writeChanges,
  writeNews,
} from './fallback-rows.ts';
import type { Ledger, openLedger, WriteFailure } from './ledger.ts';
import { type LedgerLoss, lossMessage, storedLoss } from './loss.ts';

export interface FallbackOptions {
  readonly open: typeof openLedger;
  /** Of the profile; ":memory:" keeps everything in memory. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly world: Pick<WorldClock, 'at'>;
  readonly events: Pick<EventBus, 'emit' | 'signal'>;
  readonly logger: Logger;
}

export interface FallbackLedger {
  readonly ledger: Ledger;
  /** Emits from now on when the ledger leaves its file, and returns to it. */
  start(): void;
  /** Tries the file a last time, and closes it. */
  close(): void;
}

/** The ledger in memory. */
interface Memory extends WriteFailure {
  readonly ledger: Ledger;
  /** Where the rows that it began with end. */
  readonly end: End;
  /** Stays open until the file is written again. */
  readonly gap: number | null;
  /** The loss that the file had when its rows were taken: they are of the ledger that replaced the lost one. */
  readonly loss: LedgerLoss | null;
  /** Events without a notification were deleted: the file's cursor must not pass them. */
  isThinned: boolean;
}

const RETRY = { base: 2_000, cap: 60_000 };
const SOONEST = 1_000;
/** After this long without an error, the next retry comes soon again, ms. */
const STABLE = 10 * 60_000;

const isDiskError = (error: unknown): boolean => error instanceof Database.SqliteError && isUnwritable(error);

/** Which ledger is the current one: that of the file, or the one in memory. */
interface Switch {
  current(): Ledger;
  memory(): Memory | null;
  /** From now on in memory; tries the file again with growing pauses. */
  standIn(error: unknown): void;
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
  /** The file while the memory stands in for it, where it is open. */
  let file: Ledger | null = null;
  let attempts = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => undefined;

  const letGo = (): void => {
    try {
      file?.close();
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the file of the ledger did not close');
    }
    file = null;
  };
  const standIn = (error: unknown): void => {
    logger.error({ problem: messageOf(error) }, 'the ledger cannot be written; it goes on in memory');
    const ledger = open(':memory:', timestamp(clock.now()));
    file = current;
    if (file === null || !take(file.db, ledger, logger)) {
      letGo();
      take(folder, ledger, logger);
    }
    file?.db.pragma('busy_timeout = 0');
    memory = begin(ledger, messageOf(error), options);
    current = ledger;
    if (memory.since - writtenAt > STABLE) attempts = 0;
    retryLater();
  };
  /** Tries to make the file the ledger again. */
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
      // After a full disk or a lock, the open file can be used; after any other error it is opened again.
      if (!(error instanceof Database.SqliteError && /^SQLITE_(FULL|BUSY)/.test(error.code))) letGo();
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
    standIn(error);
  }
  return {
    current: () => current as Ledger,
    memory: () => memory,
    standIn,
    close() {
      cancel();
      writeBack();
      letGo();
      current?.close();
    },
  };
}

/** @throws FutureFileError, and errors of another kind than a file that cannot be written or opened */
export function createFallbackLedger(options: FallbackOptions): FallbackLedger {
  const { events } = options;
  let isStarted = false;
  let depth = 0;
  const { current, memory, standIn, close } = createSwitch(options, () => isStarted);

  /** Where the file cannot be written, calls again in memory; where that is full, as often as it gets room. */
  const attempt = <Value>(call: () => Value): Value => {
    for (;;)
      try {
        return call();
      } catch (error) {
        // Found by a read: the next opening sets the file aside and restores it.
        if (isDamage(error)) markDamaged(current().db);
        if (!isDiskError(error)) throw error;
        const inMemory = memory();
        if (inMemory === null) standIn(error);
        else if (makeRoom(inMemory.ledger.db)) inMemory.isThinned = true;
        else if (!giveRoom(inMemory.ledger.db)) throw error;
      }
  };
  const run = <Value>(call: () => Value): Value => {
    // Within a transaction: all of it is called again.
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
 * @returns false where they cannot be read
 */
function take(source: Database.Database | string, ledger: Ledger, logger: Logger): boolean {
  try {
    const rows = typeof source === 'string' ? readCopy(source) : source;
    try {
      takeRows(rows, ledger.db);
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

/** @returns whether the rows in memory got new ids in the file */
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
    writeNews(memory.ledger.db, db, loss === null ? memory.end : null);
  };
  db.transaction(write).immediate();
  return !isContinued;
}

/** The ledger that `run` and `current` choose at every call. */
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
