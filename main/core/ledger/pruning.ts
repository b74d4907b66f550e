// Main, core: removes old events in one run of small steps, by age and size, and shrinks the file.
import type { Database } from 'better-sqlite3';
import { createMetadata } from '../files/metadata.ts';
import { canShrink, pagesOf } from '../files/sqlite-file.ts';
import type { MetadataKey } from './metadata.ts';
import { type Candidate, createRemoval, KEPT_EVENTS, type Removal } from './removal.ts';
import { createRemovedEventStore } from './removed-events.ts';

export interface PruningLimits {
  /**
   * Events older than this by both clocks are removed: this computer's and the world's, ms. -Infinity: by
   * size only.
   */
  readonly here: number;
  readonly world: number;
  /** Largest content of the file, bytes. */
  readonly bytes: number;
  /** World time, ms: identities of later events are always kept. */
  readonly identity: number;
}

/** Result of a step; the next step may follow at once, or much later. */
export interface PruningStep {
  readonly removed: number;
  /** The file exceeds its limit: do not wait for a quiet moment. */
  readonly isUrgent: boolean;
}

/** Rows of a step; the caller measures how long steps take. */
export type BatchSize = () => number;

/** A run by size ends at this part of the limit, so that the next run is not due at once. */
const TARGET = 0.9;
/** Largest part of the file for identities of removed events. */
const HASHES_SHARE = 1 / 4;
/** Bytes of a row of `removed_events` in its tree. */
const HASH_BYTES = 45;

/**
 * Every step runs its own transaction. Between two steps anything may be written.
 * @param keptEvents how many of the newest events stay
 */
export function* pruneLedger(
  db: Database,
  limits: PruningLimits,
  batch: BatchSize,
  keptEvents = KEPT_EVENTS,
): Generator<PruningStep, void> {
  const metadata = createMetadata<MetadataKey>(db);
  const removal = createRemoval({ db, removed: createRemovedEventStore(db, metadata), metadata, keptEvents });
  const isBySize = pagesOf(db).bytes > limits.bytes;
  if (isBySize || isOldestDue(removal, limits)) yield* removeEvents({ db, removal, limits, batch });
  if (limits.here > Number.NEGATIVE_INFINITY)
    while (db.transaction(() => removal.removeOthers(limits, batch())).immediate() > 0)
      yield { removed: 0, isUrgent: false };
  yield* forget(db, limits, batch);
  yield* shrink(db, batch);
}

interface Run {
  readonly db: Database;
  readonly removal: Removal;
  readonly limits: PruningLimits;
  readonly batch: BatchSize;
}

function* removeEvents({ db, removal, limits, batch }: Run): Generator<PruningStep, void> {
  const last = removal.last();
  const unacknowledgedFrom = removal.firstKeptUnacknowledged();
  let after = 0;
  // A run by size continues until the content is below the target.
  let isLarge = pagesOf(db).bytes > limits.bytes;
  for (;;) {
    const rows = removal.candidates(after, last, batch());
    const end = rows.at(-1);
    if (end === undefined) return;
    const isOld = (row: Candidate): boolean => row.received_ms < limits.here && row.occurred_s * 1000 < limits.world;
    const due = isLarge ? rows : rows.filter(isOld);
    // Rows are in the order of their arrival: none after these is old.
    if (!isLarge && due.length === 0 && !rows.some(({ received_ms }) => received_ms < limits.here)) return;
    const remove = db.transaction(() => {
      const needed = removal.neededOf(due, unacknowledgedFrom);
      const gone = due.filter(({ ledger_id }) => !needed.has(ledger_id));
      removal.remove(gone);
      return gone.length;
    });
    const removed = remove.immediate();
    after = end.ledger_id;
    if (isLarge) isLarge = pagesOf(db).bytes > limits.bytes * TARGET;
    yield { removed, isUrgent: isLarge };
  }
}

/** True when the oldest event is old enough: only then are events that earlier runs kept checked again. */
function isOldestDue(removal: Removal, { here }: PruningLimits): boolean {
  const [oldest] = removal.candidates(0, removal.last(), 1);
  return oldest !== undefined && oldest.received_ms < here;
}

/**
 * Forgets the oldest identities where there are too many. From then on, what a list of the service dates
 * before them counts as removed. Hashes are evenly spread, so that the first of the tree are a random sample.
 */
function* forget(db: Database, limits: PruningLimits, batch: BatchSize): Generator<PruningStep, void> {
  const metadata = createMetadata<MetadataKey>(db);
  const count = (): number => Number(metadata.get('removed_hashes') ?? 0);
  if (count() <= (limits.bytes * HASHES_SHARE) / HASH_BYTES) return;
  const sample = db
    .prepare<[number], number>('SELECT occurred_s FROM removed_events LIMIT ?')
    .pluck()
    .all(1_000)
    .sort((a, b) => a - b);
  const oldest = Math.max(sample[Math.floor(sample.length / 5)] ?? 0, (sample[0] ?? 0) + 1);
  const before = Math.min(oldest, Math.floor(limits.identity / 1000));
  if (before <= Number(metadata.get('identity_from') ?? Number.NEGATIVE_INFINITY)) return;
  metadata.set('identity_from', String(before));
  const page = db.prepare<[number, number], { hash: number; at: number }>(
    'SELECT hash, occurred_s AS at FROM removed_events WHERE hash > ? ORDER BY hash LIMIT ?',
  );
  const drop = db.prepare<[string]>('DELETE FROM removed_events WHERE hash IN (SELECT value FROM json_each(?))');
  for (let after = -1; ; ) {
    const rows = page.all(after, batch() * 2);
    const end = rows.at(-1);
    if (end === undefined) return;
    after = end.hash;
    const old = rows.filter(({ at }) => at < before).map(({ hash }) => hash);
    const forgetThese = db.transaction(() => {
      const { changes } = drop.run(JSON.stringify(old));
      metadata.set('removed_hashes', String(Math.max(0, count() - changes)));
    });
    forgetThese.immediate();
    yield { removed: 0, isUrgent: false };
  }
}

function* shrink(db: Database, batch: BatchSize): Generator<PruningStep, void> {
  if (db.memory || !canShrink(db)) return;
  for (let { free } = pagesOf(db); free > 0; ) {
    db.pragma(`incremental_vacuum(${batch() * 2})`);
    const left = pagesOf(db).free;
    // Another connection may use the pages.
    if (left >= free) return;
    free = left;
    yield { removed: 0, isUrgent: false };
  }
}
