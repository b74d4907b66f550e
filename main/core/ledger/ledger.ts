// Main, core: the ledger of one profile: every event is durable before its notification is sent.
// Notifications are rows too. Every change is a transaction of the ledger, which is the only writer.
import type { Gap } from '../../../shared/channels/state.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { createMetadata } from '../files/metadata.ts';
import { isDamage } from '../files/sqlite-file.ts';
import { type AnnotationStore, createAnnotationStore } from './annotations.ts';
import type { Arrival, IngestResult } from './arrival.ts';
import { type Cursor, createCursorStore } from './cursor.ts';
import { openDatabase } from './database.ts';
import { createDeskActStore, type DeskActStore } from './desk-acts.ts';
import { createEntryStore, type EntryStore } from './entries.ts';
import { createEntryWriter } from './entry-writer.ts';
import type { LedgerEvidence } from './evidence.ts';
import { createGapStore, type GapKind } from './gaps.ts';
import { createIngest } from './ingest.ts';
import { clearLoss } from './loss.ts';
import type { MetadataKey, MetadataStore } from './metadata.ts';
import { createMuteStore, type MuteStore } from './mutes.ts';
import { createNotificationStore, type NotificationStore } from './notifications.ts';
import { createPriceStateStore, type PriceStateStore } from './price-states.ts';
import { createRemovedEventStore, type RemovedEventStore } from './removed-events.ts';
import { createFixedStorage, type LedgerStorage } from './storage.ts';
import { createSymbolNoteStore, type SymbolNoteStore } from './symbol-notes.ts';
import { createTraceStore, type TraceStore } from './trace.ts';

/** One instant by the world's clock and by this computer's, ms. */
export interface Instant {
  readonly world: number;
  readonly here: number;
}

export interface Ledger extends Pick<LedgerStorage, 'db' | 'loss' | 'fault' | 'unwritten' | 'close'> {
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
  deskActs: DeskActStore;
  readonly removed: RemovedEventStore;
}

/** @param stamp part of the name of a quarantined file */
export function openLedger(folder: string, stamp: string, evidence?: LedgerEvidence): Ledger {
  return createLedger(createFixedStorage(openDatabase(folder, stamp, evidence), stamp));
}

export function createLedger(storage: LedgerStorage): Ledger {
  const entries = createEntryStore(storage);
  const cursor = createCursorStore(storage);
  const gaps = createGapStore(storage);
  const notifications = createNotificationStore(storage);
  const mutes = createMuteStore(storage);
  const trace = createTraceStore(storage);
  const metadata = createMetadata<MetadataKey>(storage);
  const writer = createEntryWriter(storage);
  const removed = createRemovedEventStore(storage, metadata);
  for (const { reload } of [cursor, mutes, removed, writer]) storage.onReload(reload);

  const forgetCursor = (cause: Message, at: string): void => {
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
  };
  const caughtUp = (at: Instant, filled: number): { closed: boolean } => {
    const world = timestamp(at.world);
    metadata.set('caught_up', 'yes');
    metadata.set('connected_until', world);
    metadata.set('proven_until', world);
    metadata.set('proven_until_here', timestamp(at.here));
    clearLoss(metadata);
    return { closed: gaps.hasOpen() && gaps.closeAll(world, filled, storage.unwritten() !== null) };
  };
  const transact = storage.transaction((work: () => unknown) => work());

  return {
    ingest: storage.transaction(
      createIngest({ entries, writer, cursor, gaps, notifications, mutes, trace, metadata, removed }),
    ),
    cursor: cursor.current,
    cursorBefore: cursor.before,
    hasPending: cursor.hasPending,
    pendingIds: cursor.pendingIds,
    count: entries.count,
    size: () => Math.max(0, entries.count() - Number(metadata.get('removed_events') ?? 0)),
    newestTransition() {
      const second = entries.newestSecond();
      return second === null ? null : second * 1000;
    },
    forgetCursor: storage.transaction(forgetCursor),
    caughtUp: storage.transaction(caughtUp),
    openGap: gaps.open,
    gaps: gaps.newest,
    shownGaps: gaps.shown,
    transaction: (work) => transact(work) as ReturnType<typeof work>,
    notifications,
    mutes,
    trace,
    annotations: createAnnotationStore(storage),
    symbolNotes: createSymbolNoteStore(storage),
    entries,
    metadata,
    priceStates: createPriceStateStore(storage),
    deskActs: createDeskActStore(storage),
    removed,
    loss: storage.loss,
    fault: storage.fault,
    unwritten: storage.unwritten,
    db: storage.db,
    close: storage.close,
  };
}

/** Message for the user when a write failed. */
export function ledgerErrorMessage(error: unknown): Message {
  const why = messageOf(error);
  return isDamage(error) ? message('ledger.damaged', { why }) : message('ledger.unwritable', { why });
}
