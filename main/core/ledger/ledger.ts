// Main, core: the ledger of one profile: every event is durable before its notification is sent.
// Notifications are rows too. Every change is a transaction of the ledger, which is the only writer.
import type { Database } from 'better-sqlite3';
import type { Gap } from '../../../shared/channels/state.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { createMetadata } from '../files/metadata.ts';
import { isDamage } from '../files/sqlite-file.ts';
import { type AnnotationStore, createAnnotationStore } from './annotations.ts';
import type { Arrival, IngestResult } from './arrival.ts';
import { type Cursor, createCursorStore } from './cursor.ts';
import { markDamaged, type OpenedDatabase, openDatabase } from './database.ts';
import { createEntryStore, type EntryStore } from './entries.ts';
import { createEntryWriter } from './entry-writer.ts';
import type { LedgerEvidence } from './evidence.ts';
import { createGapStore, type GapKind } from './gaps.ts';
import { createIngest } from './ingest.ts';
import { type LedgerFault, watchLedgerFile } from './ledger-file.ts';
import { clearLoss, type LedgerLoss } from './loss.ts';
import type { MetadataKey, MetadataStore } from './metadata.ts';
import { createMuteStore, type MuteStore } from './mutes.ts';
import { createNotificationStore, type NotificationStore } from './notifications.ts';
import { createPriceStateStore, type PriceStateStore } from './price-states.ts';
import { createRemovedEventStore, type RemovedEventStore } from './removed-events.ts';
import { createSymbolNoteStore, type SymbolNoteStore } from './symbol-notes.ts';
import { createTraceStore, type TraceStore } from './trace.ts';

/** One instant by the world's clock and by this computer's, ms. */
export interface Instant {
  readonly world: number;
  readonly here: number;
}

export interface Ledger {
  ingest(arrival: Arrival): IngestResult;
  cursor(): Cursor;
  /** The event of the cursor before its last step; null: none; undefined: no step in this run. */
  cursorBefore(): string | null | undefined;
  hasPending(): boolean;
  /** The events pending beyond a hole. */
  pendingIds(): readonly string[];
  /** The highest ledger id. */
  count(): number;
  /** Number of stored events, without those that retention removed. */
  size(): number;
  /** World time of the newest known transition, ms, to the second; null when there is none. */
  newestTransition(): number | null;
  /** The service no longer knows the cursor's event: its list is read from the oldest. `at`: world time. */
  forgetCursor(cause: Message, at: string): void;
  /**
   * The service's list was read to its end: nothing up to `at` is missing. Closes gaps and ends the baseline.
   */
  caughtUp(at: Instant, filled: number): { closed: boolean };
  openGap(kind: GapKind, from: string, to: string | null, cause: Message): boolean;
  gaps(limit: number, before?: number): Gap[];
  /** The gaps that windows show: all open ones that fit, and the newest. */
  shownGaps(limit: number): Gap[];
  /** Runs `work` atomically; a failure discards every in-memory change as well. */
  transaction<Value>(work: () => Value): Value;
  notifications: NotificationStore;
  mutes: MuteStore;
  trace: TraceStore;
  annotations: AnnotationStore;
  symbolNotes: SymbolNoteStore;
  entries: Omit<EntryStore, 'count'>;
  metadata: MetadataStore;
  priceStates: PriceStateStore;
  /**
   * Set when the ledger was lost before it was opened, and the service was not listed to its end until then.
   */
  readonly loss: LedgerLoss | null;
  /** The fault of the file since it was opened; null: none. */
  fault(): LedgerFault | null;
  /** Set while the ledger is in memory because its file cannot be written. */
  unwritten(): WriteFailure | null;
  /** Call after rows were written by other means: reads them again. */
  reload(): void;
  readonly removed: RemovedEventStore;
  readonly db: Database;
  /** Writes the ledger back where its file was removed, replaced or emptied. */
  close(): void;
}

/** Start and cause of a time in which the file cannot be written; `since`: this computer's clock, ms. */
export interface WriteFailure {
  readonly since: number;
  readonly cause: Message;
}

/** @param stamp part of the name of a quarantined file */
export function openLedger(folder: string, stamp: string, evidence?: LedgerEvidence): Ledger {
  return createLedger(openDatabase(folder, stamp, evidence), stamp);
}

export function createLedger({ db, loss }: OpenedDatabase, stamp = 'run'): Ledger {
  const entries = createEntryStore(db);
  const cursor = createCursorStore(db);
  const gaps = createGapStore(db);
  const notifications = createNotificationStore(db);
  const mutes = createMuteStore(db);
  const trace = createTraceStore(db);
  const metadata = createMetadata<MetadataKey>(db);
  const writer = createEntryWriter(db);
  const removed = createRemovedEventStore(db, metadata);
  const file = watchLedgerFile(db, removed.has);
  const ingest = db.transaction(
    createIngest({ entries, writer, cursor, gaps, notifications, mutes, trace, metadata, removed }),
  );

  const damage = watchDamage(db, file);
  const inTransaction = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      if (!damage.isCausedBy(error)) {
        cursor.reload();
        mutes.reload();
      }
      throw error;
    }
  };

  const forgetCursor = db.transaction((cause: Message, at: string) => {
    const last = cursor.current().eventId;
    const lastAt = last === null ? undefined : entries.occurredAt(last);
    gaps.open(
      'downtime',
      metadata.get('connected_until') ?? (lastAt === undefined ? at : timestamp(lastAt)),
      null,
      cause,
    );
    cursor.restart(null);
    cursor.save();
  });

  const transact = db.transaction((work: () => unknown) => work());

  const caughtUp = db.transaction((at: Instant, filled: number) => {
    const world = timestamp(at.world);
    metadata.set('caught_up', 'yes');
    metadata.set('connected_until', world);
    metadata.set('proven_until', world);
    metadata.set('proven_until_here', timestamp(at.here));
    clearLoss(metadata);
    return { closed: gaps.hasOpen() && gaps.closeAll(world, filled) };
  });

  return {
    ingest: (arrival) => inTransaction(() => ingest(arrival)),
    cursor: () => cursor.current(),
    cursorBefore: () => cursor.before(),
    hasPending: () => cursor.hasPending(),
    pendingIds: () => cursor.pendingIds(),
    count: () => entries.count(),
    size: () => Math.max(0, entries.count() - Number(metadata.get('removed_events') ?? 0)),
    newestTransition() {
      const second = entries.newestSecond();
      return second === null ? null : second * 1000;
    },
    forgetCursor: (cause, at) => inTransaction(() => forgetCursor(cause, at)),
    caughtUp,
    openGap: (kind, from, to, cause) => gaps.open(kind, from, to, cause),
    gaps: (limit, before) => gaps.newest(limit, before),
    shownGaps: gaps.shown,
    transaction: (work) => inTransaction(() => transact(work)) as ReturnType<typeof work>,
    notifications,
    mutes,
    trace,
    annotations: createAnnotationStore(db),
    symbolNotes: createSymbolNoteStore(db),
    entries,
    metadata,
    priceStates: createPriceStateStore(db),
    loss,
    fault: damage.fault,
    unwritten: () => null,
    reload() {
      cursor.reload();
      mutes.reload();
      removed.reload();
      writer.reload();
    },
    removed,
    db,
    close: () => file.close(stamp),
  };
}

/** Records damage, and marks the file so that the next start quarantines it. */
function watchDamage(db: Database, file: ReturnType<typeof watchLedgerFile>) {
  let isDamaged = false;
  return {
    isCausedBy(error: unknown): boolean {
      if (!isDamage(error)) return false;
      isDamaged = true;
      markDamaged(db);
      return true;
    },
    fault(): LedgerFault | null {
      try {
        const fault = file.fault() ?? (isDamaged ? 'damaged' : null);
        if (fault === 'spoiled') markDamaged(db);
        return fault;
      } catch (error) {
        if (!isDamage(error)) throw error;
        markDamaged(db);
        return 'damaged';
      }
    },
  };
}

/** Message for the user when a write failed. */
export function ledgerErrorMessage(error: unknown): Message {
  const why = messageOf(error);
  return isDamage(error) ? message('ledger.damaged', { why }) : message('ledger.unwritable', { why });
}
