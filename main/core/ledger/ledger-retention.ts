// Main, core: removes old events to keep the ledger within its age and size.
// It removes a few at a time, in quiet moments.
import { statSync } from 'node:fs';
import type { Handlers } from '../../../shared/channels/ends.ts';
import {
  DEFAULT_LEDGER_RETENTION,
  GAPS_PAGE,
  type LedgerChannels,
  type LedgerDetails,
  type LedgerRetention,
} from '../../../shared/channels/ledger.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { BUSY_TIMEOUT, isUnwritable, pagesOf } from '../files/sqlite-file.ts';
import type { CoreContext, CoreModule } from '../module.ts';
import type { Ledger } from './ledger.ts';
import { type PruningLimits, type PruningStep, pruneLedger } from './pruning.ts';

export interface LedgerRetentionDeps {
  readonly context: CoreContext;
  readonly ledger: Pick<Ledger, 'db' | 'size' | 'gaps' | 'metadata' | 'removed' | 'unwritten' | 'hasPending'>;
  /** How many of the newest events stay. Absent: as many as retention keeps. */
  readonly keptEvents?: number | undefined;
}

const MEGABYTE = 1024 * 1024;
/** Delay of the first run, ms, so that it does not slow the start. */
const FIRST_RUN = 2 * 60_000;
/** Interval of the size check, and of runs by age, ms. */
const SIZE_INTERVAL = 60_000;
const AGE_INTERVAL = 12 * HOUR_MS;
/** Pause after a failed write, or after a run that did not free enough, ms. */
const ERROR_PAUSE = HOUR_MS;
/** Pause after a step in a quiet moment, and otherwise, ms. */
const STEP_PAUSE = 100;
const BUSY_PAUSE = 2_000;
/** Time without arrivals that makes a quiet moment, ms. */
const QUIET = 2_000;
/** Rows of a step: fewer where a step takes longer than half a frame, ms. */
const BATCH = { least: 10, most: 40, slow: 8, fast: 4 };
/**
 * Shortest time for which identities are kept: ids of deliveries are unique for as long (docs/contract.md
 * 28).
 */
const IDENTITY_KEPT = 30 * DAY_MS;

/**
 * A step does not wait for the lock of another program. A power cut may undo removals, which are then
 * repeated. Small checkpoints keep a step short, because the hashes of removed events lie far apart.
 */
const STEP_SETTINGS = ['busy_timeout = 0', 'synchronous = NORMAL', 'wal_autocheckpoint = 100'];
const OWN_SETTINGS = [`busy_timeout = ${BUSY_TIMEOUT}`, 'synchronous = FULL', 'wal_autocheckpoint = 1000'];

interface Run {
  readonly db: ReturnType<Ledger['db']>;
  readonly steps: Generator<PruningStep, void>;
  removed: number;
}

/** Runs one pruning at a time, step by step. */
interface Runner {
  isRunning(): boolean;
  begin(limits: PruningLimits): void;
  /** Call when events arrived: the moment is not quiet. */
  recordArrival(): void;
  stop(): void;
}

/** @param ended called with the pause before the next run, ms */
function createRunner({ context, ledger, keptEvents }: LedgerRetentionDeps, ended: (rest: number) => void): Runner {
  const { guard, ports, events } = context;
  const { clock } = guard;
  let batch = BATCH.most;
  let run: Run | null = null;
  let receivedAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => undefined;

  const isQuiet = (): boolean => {
    const since = clock.now() - receivedAt;
    return (since >= QUIET || since < 0) && !ledger.hasPending();
  };
  const later = (ms: number): void => {
    cancel();
    cancel = clock.after(ms, step);
  };
  const end = (rest: number): void => {
    const removed = run?.removed ?? 0;
    run = null;
    if (removed > 0) ports.logger.info({ removed }, 'retention removed events from the ledger');
    ended(rest);
  };
  /** @returns null when the file cannot be written */
  const take = ({ db, steps }: Run): IteratorResult<PruningStep, void> | null => {
    for (const setting of STEP_SETTINGS) db.pragma(setting);
    try {
      return steps.next();
    } catch (error) {
      end(ERROR_PAUSE);
      if (!isUnwritable(error)) throw error;
      ports.logger.warn({ problem: messageOf(error) }, 'retention could not write the ledger');
      return null;
    } finally {
      for (const setting of OWN_SETTINGS) db.pragma(setting);
    }
  };
  /** Takes one step; afterwards the next is due, or the run is over. */
  const step = (): void => {
    if (run === null) return;
    // The ledger continues in memory, or was opened again.
    if (run.db !== ledger.db() || ledger.unwritten() !== null) {
      end(ERROR_PAUSE);
      return;
    }
    const began = clock.now();
    const taken = take(run);
    // Also after a failed step: the ledger must know removed events before the next arrival.
    ledger.removed.reload();
    if (taken === null) return;
    batch = nextBatch(batch, clock.now() - began);
    if (taken.done === true) {
      end(0);
      return;
    }
    const { removed, isUrgent } = taken.value;
    if (removed > 0) {
      run.removed += removed;
      events.signal('ledgerPruned');
    }
    later(isUrgent || isQuiet() ? STEP_PAUSE : BUSY_PAUSE);
  };
  return {
    isRunning: () => run !== null,
    begin(limits) {
      const db = ledger.db();
      run = { db, steps: pruneLedger(db, limits, () => batch, keptEvents), removed: 0 };
      later(STEP_PAUSE);
    },
    recordArrival() {
      receivedAt = clock.now();
    },
    stop() {
      cancel();
      run = null;
    },
  };
}

function nextBatch(batch: number, took: number): number {
  if (took > BATCH.slow) return Math.max(BATCH.least, Math.floor(batch / 2));
  return took < BATCH.fast ? Math.min(BATCH.most, batch + 10) : batch;
}

export function createLedgerRetention(
  deps: LedgerRetentionDeps,
): CoreModule & { readonly handlers: Omit<Handlers<LedgerChannels>, 'ledger.follow'> } {
  const { ledger } = deps;
  const { guard, ports, world } = deps.context;
  const { clock } = guard;
  let agedAt: number | null = null;
  let restUntil = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => undefined;

  const policy = (): LedgerRetention => ports.settings.read().ledger?.retention ?? DEFAULT_LEDGER_RETENTION;
  const isTooLarge = (): boolean => pagesOf(ledger.db()).bytes > policy().megabytes * MEGABYTE;
  const runner = createRunner(deps, (rest) => {
    const isStillLarge = ledger.unwritten() === null && isTooLarge();
    if (isStillLarge) ports.logger.warn({}, 'the ledger is larger than its limit: all that is left is still needed');
    restUntil = clock.now() + (isStillLarge ? ERROR_PAUSE : rest);
  });
  const checkSize = (): void => {
    const now = clock.now();
    // A clock that was set back must not lengthen a pause.
    const isResting = now < restUntil && restUntil - now <= ERROR_PAUSE;
    if (runner.isRunning() || ledger.unwritten() !== null || isResting) return;
    const isByAge = agedAt === null || Math.abs(now - agedAt) >= AGE_INTERVAL;
    if (!isByAge && !isTooLarge()) return;
    const { days, megabytes } = policy();
    const ago = (days ?? 0) * DAY_MS;
    // Without world time, a change of the local clock could make every event old.
    const isAged = isByAge && days !== null && world.isKnown();
    if (isAged || days === null) agedAt = now;
    runner.begin({
      here: isAged ? now - ago : Number.NEGATIVE_INFINITY,
      world: isAged ? world.now() - ago : Number.NEGATIVE_INFINITY,
      bytes: megabytes * MEGABYTE,
      identity: world.now() - IDENTITY_KEPT,
    });
  };

  return {
    handlers: {
      'ledger.read': () => detailsOf(ledger, policy()),
      'ledger.retention': ({ retention }) => {
        ports.settings.change((now) => ({ ...now, ledger: { retention } }));
        runner.stop();
        agedAt = null;
        restUntil = Number.NEGATIVE_INFINITY;
        guard.run(checkSize);
        return {};
      },
      'gaps.list': ({ before }) => {
        const rows = ledger.gaps(GAPS_PAGE + 1, before ?? undefined);
        const gaps = rows.slice(0, GAPS_PAGE);
        return { gaps, next: rows.length > GAPS_PAGE ? (gaps.at(-1)?.id ?? null) : null };
      },
    },
    on: { recorded: runner.recordArrival },
    start() {
      cancel = clock.after(FIRST_RUN, () => {
        cancel = every(clock, SIZE_INTERVAL, checkSize);
        checkSize();
      });
    },
    stop() {
      cancel();
      runner.stop();
    },
  };
}

function detailsOf(ledger: Pick<Ledger, 'db' | 'size' | 'metadata'>, retention: LedgerRetention): LedgerDetails {
  const { metadata } = ledger;
  const db = ledger.db();
  const oldest = db.prepare<[], number>('SELECT received_ms FROM events ORDER BY ledger_id LIMIT 1').pluck().get();
  return {
    bytes: db.memory ? pagesOf(db).bytes : bytesOf(db.name),
    events: ledger.size(),
    removed: Number(metadata.get('removed_events') ?? 0),
    oldest: oldest === undefined ? null : timestamp(oldest),
    retention,
  };
}

/** Size of the file with WAL and SHM. */
const bytesOf = (path: string): number =>
  ['', '-wal', '-shm'].reduce(
    (sum, ending) => sum + (statSync(path + ending, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
