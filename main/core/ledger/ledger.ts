// Main, core: the ledger of one profile: every event is durable before its notification is sent.
// Notifications are rows too. The ledger is the only writer: every change is one of its transactions.
import type { Gap } from '../../../shared/channels/state.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import { isDamage } from '../files/sqlite-file.ts';
import { type Cursor, createCursorStore } from './cursor.ts';
import { markDamaged, type OpenedDatabase, openDatabase, type Quarantine } from './database.ts';
import { createEntryStore, type EntryIdentity, type EntryStore, hasNoId } from './entries.ts';
import { createGapStore, type GapKind } from './gaps.ts';
import { createMetadataStore, type MetadataStore } from './metadata.ts';
import { createMuteStore, type MuteStore } from './mutes.ts';
import { createNotificationStore, type NewNotification, type NotificationStore } from './notifications.ts';
import { type AnnotationStore, createAnnotationStore, createTraceStore, type TraceStore } from './trace.ts';

/** The decision of the rules about a new event. */
export interface Decision {
  /** Code of the decision: "matched:high-risk". null for an event without a state that no rule selects. */
  readonly reason: string | null;
  /** Explanation, kept in the trace; null: the code is enough. */
  readonly why: string | null;
  readonly notification: NewNotification | null;
  /** Rules with a channel besides the desktop; used when the notification is dispatched at once. */
  readonly channels: readonly string[];
  /** Mutes that it ends. */
  readonly ends: readonly { readonly id: number; readonly why: string }[];
}
export type Evaluator = (event: ReceivedEvent, source: ArrivalSource) => Decision;

export interface Arrival {
  readonly source: ArrivalSource;
  readonly events: readonly ReceivedEvent[];
  /** This computer's clock, ms. */
  readonly receivedAt: number;
  readonly evaluate: Evaluator;
  /** Proof of authenticity, as text: "signature verified". */
  readonly proof?: string;
  /**
   * Set for a page of the service's list: the event that the page follows directly; null: it begins with the
   * oldest.
   */
  readonly after?: string | null;
}

export interface IngestResult {
  readonly added: readonly { readonly ledgerId: number; readonly event: ReceivedEvent }[];
  /** Ledger ids of known events that a further source repeated. */
  readonly merged: readonly number[];
  /** An event arrived beyond a hole: back-fill is due. */
  readonly hasPending: boolean;
  /** The log contradicts what is known of it: it is another log now. */
  readonly replaced: boolean;
  /** A gap row was written. */
  readonly gaps: boolean;
  /** Notifications to dispatch now. */
  readonly intents: number;
  /** Notifications that are queued, or were and may be dispatched now. */
  readonly waits: boolean;
}

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
  count(): number;
  /** World time of the newest known transition, ms, to the second; null when there is none. */
  newestTransition(): number | null;
  /** The service no longer knows the cursor's event: read again from its oldest. `at`: world time. */
  forgetCursor(cause: string, at: string): void;
  /**
   * The service was listed to its end: nothing up to `at` is missing. Closes the gaps and ends the baseline.
   */
  caughtUp(at: Instant, filled: number): { closed: boolean };
  openGap(kind: GapKind, from: string, to: string | null, cause: string): boolean;
  gaps(limit: number): Gap[];
  /** Runs `work` atomically; a failure discards every in-memory change as well. */
  transaction<Value>(work: () => Value): Value;
  notifications: NotificationStore;
  mutes: MuteStore;
  trace: TraceStore;
  annotations: AnnotationStore;
  entries: Pick<
    EntryStore,
    | 'findById'
    | 'byLedgerIds'
    | 'after'
    | 'newestSignals'
    | 'signalsOf'
    | 'signalsWithin'
    | 'countWithin'
    | 'signalsBetween'
    | 'signalBefore'
    | 'signalsBefore'
    | 'othersSince'
    | 'occurredAt'
  >;
  metadata: MetadataStore;
  /** Set when opening quarantined a damaged ledger. */
  readonly quarantined: Quarantine | null;
  close(): void;
}

/** @param stamp names a quarantined file */
export function openLedger(folder: string, stamp: string): Ledger {
  return createLedger(openDatabase(folder, stamp));
}

interface WriteResult {
  readonly ledgerId: number;
  readonly isNew: boolean;
  readonly isNotified: boolean;
  readonly waits: boolean;
  /** Known already; a further source or another number was added. */
  readonly isChanged: boolean;
  /** Neither written nor merged: its identity is still unknown. The service's list will bring it again. */
  readonly isDeferred?: boolean;
}

export function createLedger({ db, quarantined }: OpenedDatabase): Ledger {
  const entries = createEntryStore(db);
  const cursor = createCursorStore(db);
  const gaps = createGapStore(db);
  const notifications = createNotificationStore(db);
  const mutes = createMuteStore(db);
  const trace = createTraceStore(db);
  const annotations = createAnnotationStore(db);
  const metadata = createMetadataStore(db);

  /** Writes a new event with its decision and its notification; null when its id or second key is taken. */
  const write = (event: ReceivedEvent, arrival: Arrival, log: number, duplicateIndex: number): WriteResult | null => {
    const { reason, why, notification, channels, ends } = arrival.evaluate(event, arrival.source);
    const ledgerId = entries.insert(event, arrival, log, reason, duplicateIndex);
    if (ledgerId === null) return null;
    const at = arrival.receivedAt;
    if (arrival.proof !== undefined) trace.note(ledgerId, 'verified', arrival.proof, at);
    if (why !== null) trace.note(ledgerId, 'evaluated', why, at);
    for (const end of ends) mutes.end(end.id, timestamp(event.occurredAt), end.why);
    if (notification !== null) notifications.write(ledgerId, notification, at);
    const isNotified = notification?.outcome === 'intent';
    if (isNotified) for (const rule of channels) notifications.copyTo(rule, notification.id, at);
    const waits = ends.length > 0 || (notification !== null && !isNotified && notification.outcome !== 'dropped');
    return { ledgerId, isNew: true, isNotified, waits, isChanged: false };
  };
  const merge = (known: EntryIdentity, event: ReceivedEvent, arrival: Arrival, log: number): WriteResult => {
    const isChanged = entries.merge(known, event, log, arrival.source);
    if (isChanged) trace.note(known.ledger_id, 'repeated', repeatMessage(event, arrival), arrival.receivedAt);
    return { ledgerId: known.ledger_id, isNew: false, isNotified: false, waits: false, isChanged };
  };
  /**
   * True for a known event that only a stream or a delivery places in this log: its number may be of the log
   * before.
   */
  const mayBeOfAnotherLog = (known: EntryIdentity, { source, events }: Arrival): boolean => {
    // A delivery reports a new event, and may be the only source that works; a copied log is never delivered
    // again.
    if (source === 'relay') return false;
    const at = cursor.current();
    const isJoined = at.seq !== null && known.seq !== null && known.seq <= at.seq;
    const isListed = known.sources.split(',').some((source) => LISTS.includes(source as ArrivalSource));
    return !isJoined && !isListed && !events.some(({ eventId }) => eventId === known.event_id);
  };
  /** Known events that the same page lists too: they differ from this one, whichever log that is. */
  const listedToo = (event: ReceivedEvent, { after, events }: Arrival): Set<number | undefined> => {
    const others = after === undefined ? [] : events.filter((other) => other !== event && haveSameKey(other, event));
    return new Set(others.map(({ eventId }) => (entries.findById(eventId) ?? entries.findByAlias(eventId))?.ledger_id));
  };
  /** The cheap check comes first: most numbers are the next one and free. */
  const isNumberTaken = (event: ReceivedEvent, log: number): boolean =>
    event.seq !== null && !cursor.isFree(event.seq) && entries.isNumberTaken(event, log);
  /** Writes a new event, or merges it with the event that it repeats. */
  const writeOrMerge = (event: ReceivedEvent, arrival: Arrival, restart: () => void): WriteResult => {
    const repeats = entries.findCounterpart(event);
    const at = cursor.current();
    const isBehind = event.seq !== null && at.seq !== null && event.seq <= at.seq;
    if (repeats === undefined && !isBehind) {
      const placed = write(event, arrival, at.log, 0);
      if (placed !== null) return placed;
    }
    const same = entries.findById(event.eventId);
    if (same !== undefined) {
      if (event.seq !== null && same.seq !== null && same.log === at.log && same.seq !== event.seq) restart();
      return merge(same, event, arrival, cursor.current().log);
    }
    const further = entries.findByAlias(event.eventId);
    if (further !== undefined) return merge(further, event, arrival, at.log);
    // Every number up to the cursor is taken: a new id there means that the numbers are of another log.
    if (isBehind) restart();
    const log = cursor.current().log;
    const duplicates = entries.findDuplicates(event);
    const others = duplicates.length === 0 ? new Set() : listedToo(event, arrival);
    const candidates = duplicates.filter(({ ledger_id }) => !others.has(ledger_id));
    const duplicate = repeats ?? candidates.find((known) => !areTwo(known, event, log));
    if (duplicate !== undefined) return merge(duplicate, event, arrival, log);
    const [first] = candidates;
    if (first !== undefined && isNumberTaken(event, log)) {
      // Another event has its number: these are numbers of another log, and do not tell whether the two are
      // one.
      restart();
      return merge(first, event, arrival, cursor.current().log);
    }
    const undecided = candidates.find((known) => mayBeOfAnotherLog(known, arrival));
    if (undecided !== undefined)
      return {
        ledgerId: undecided.ledger_id,
        isNew: false,
        isNotified: false,
        waits: false,
        isChanged: false,
        isDeferred: true,
      };
    const placed = write(event, arrival, log, duplicates.length);
    if (placed === null) throw new Error(`event ${event.eventId} can neither be written nor found`);
    return placed;
  };

  const ingest = db.transaction((arrival: Arrival): IngestResult => {
    const added: { ledgerId: number; event: ReceivedEvent }[] = [];
    const merged: number[] = [];
    let replaced = false;
    let gapsWritten = false;
    let intents = 0;
    let waits = false;
    const restart = (): void => {
      replaced = true;
      cursor.restart(cursor.current().eventId);
    };
    const isPage = arrival.after !== undefined;
    let previous: string | null = arrival.after ?? null;
    for (const event of arrival.events) {
      const placed = writeOrMerge(event, arrival, restart);
      if (placed.isNew) added.push({ ledgerId: placed.ledgerId, event });
      else if (placed.isChanged) merged.push(placed.ledgerId);
      if (placed.isNotified) intents += 1;
      if (placed.waits) waits = true;
      if (placed.isDeferred === true) {
        previous = event.eventId;
        continue;
      }

      const isNext = isPage && cursor.current().eventId === previous;
      if (event.seq === null) {
        if (isNext) cursor.follow(event.eventId);
      } else {
        const at = cursor.current();
        if (isPage && at.seq === null && at.eventId === event.eventId) {
          cursor.learn(event.seq);
          previous = event.eventId;
          continue;
        }
        if (isNext && at.seq !== null && event.seq <= at.seq) restart();
        if (isNext && event.seq !== (cursor.current().seq ?? Number.NaN) + 1) {
          if (at.seq !== null && event.seq > at.seq + 1) {
            const from = (at.eventId === null ? undefined : entries.occurredAt(at.eventId)) ?? event.occurredAt;
            const message = lostMessage(at.seq + 1, event.seq - 1);
            gapsWritten = gaps.open('lost', timestamp(from), timestamp(event.occurredAt), message) || gapsWritten;
          }
          cursor.skipTo(event.seq);
        }
        if (!cursor.note(event.seq, event.eventId)) {
          restart();
          cursor.note(event.seq, event.eventId);
        }
      }
      previous = event.eventId;
    }
    cursor.save();
    return { added, merged, hasPending: cursor.hasPending(), replaced, gaps: gapsWritten, intents, waits };
  });

  const inTransaction = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      if (isDamage(error)) markDamaged(db);
      else {
        cursor.reload();
        mutes.reload();
      }
      throw error;
    }
  };

  const forgetCursor = db.transaction((cause: string, at: string) => {
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
    return { closed: gaps.hasOpen() && gaps.closeAll(world, filled) };
  });

  return {
    ingest: (arrival) => inTransaction(() => ingest(arrival)),
    cursor: () => cursor.current(),
    cursorBefore: () => cursor.before(),
    hasPending: () => cursor.hasPending(),
    pendingIds: () => cursor.pendingIds(),
    count: () => entries.count(),
    newestTransition() {
      const [newest] = entries.newestSignals(1);
      return newest === undefined ? null : newest.occurred_s * 1000;
    },
    forgetCursor: (cause, at) => inTransaction(() => forgetCursor(cause, at)),
    caughtUp,
    openGap: (kind, from, to, cause) => gaps.open(kind, from, to, cause),
    gaps: (limit) => gaps.newest(limit),
    transaction: (work) => inTransaction(() => transact(work)) as ReturnType<typeof work>,
    notifications,
    mutes,
    trace,
    annotations,
    entries,
    metadata,
    quarantined,
    close: () => db.close(),
  };
}

/** Sources by which the service itself lists its log. */
const LISTS: readonly ArrivalSource[] = ['backfill', 'poll'];

/** True when one log lists both under their own ids and numbers: the service itself distinguishes them. */
function areTwo(known: EntryIdentity, event: ReceivedEvent, log: number): boolean {
  const haveIds = !hasNoId(known.assumptions) && !event.assumptions.includes('id');
  return haveIds && known.log === log && known.seq !== null && event.seq !== null && known.seq !== event.seq;
}

/** Symbol, state entered, second. */
function haveSameKey(a: ReceivedEvent, b: ReceivedEvent): boolean {
  const isSameSecond = Math.floor(a.occurredAt / 1000) === Math.floor(b.occurredAt / 1000);
  return isSameSecond && a.symbol === b.symbol && a.transition?.to_state === b.transition?.to_state;
}

function repeatMessage(event: ReceivedEvent, { source, proof }: Arrival): string {
  return `by ${source}, as ${event.eventId}${proof === undefined ? '' : `, ${proof}`}`;
}

function lostMessage(from: number, to: number): string {
  const which = from === to ? `event ${from}` : `events ${from} to ${to}`;
  return `The service has no record of ${which}. This gap stays open.`;
}

/** Message for the user when a write failed. */
export function ledgerErrorMessage(error: unknown): string {
  const what = `The ledger cannot be written (${messageOf(error)}). Nothing is told before it is written down.`;
  return isDamage(error)
    ? `${what} Quit Barograph and start it again: it sets the damaged ledger aside and fills a new one.`
    : `${what} Make room on the disk, or check its rights.`;
}

/** Message for the user when a damaged ledger was quarantined. */
export function quarantineMessage({ name, restored }: Quarantine): string {
  const rest =
    restored === null
      ? 'It is filled again from the service.'
      : `${restored} stands in its place; what came since is filled again from the service.`;
  return `The ledger was damaged and is set aside as ${name}. ${rest}`;
}
