// Main, core: records the events of an arrival with notifications, cursor and gaps, atomically.
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Arrival, IngestResult } from './arrival.ts';
import { baselineAt } from './baseline.ts';
import type { CursorStore } from './cursor.ts';
import type { EntryStore } from './entries.ts';
import type { EntryWriter } from './entry-writer.ts';
import { type Resolution, resolve } from './event-identity.ts';
import type { GapStore } from './gaps.ts';
import { lookUp, removedBefore } from './known-events.ts';
import type { MetadataStore } from './metadata.ts';
import type { MuteStore } from './mutes.ts';
import type { NotificationStore } from './notifications.ts';
import type { RemovedEventStore } from './removed-events.ts';
import type { TraceStore } from './trace.ts';

/** The tables of the ledger. */
export interface LedgerStores {
  readonly entries: EntryStore;
  readonly writer: EntryWriter;
  readonly cursor: CursorStore;
  readonly gaps: GapStore;
  readonly notifications: NotificationStore;
  readonly mutes: MuteStore;
  readonly trace: TraceStore;
  readonly metadata: MetadataStore;
  readonly removed: RemovedEventStore;
}

type Outcome =
  | {
      readonly kind: 'added';
      readonly ledgerId: number;
      /** As it was written. */
      readonly event: ReceivedEvent;
      readonly waits: boolean;
    }
  /** Known already. `isChanged`: a further source or another number was added. */
  | { readonly kind: 'merged'; readonly ledgerId: number; readonly isChanged: boolean }
  /** Retention removed it; nothing is written. */
  | { readonly kind: 'removed' }
  | { readonly kind: 'undecided' };

/** @returns the ingest; run it inside a transaction */
export function createIngest(stores: LedgerStores): (arrival: Arrival) => IngestResult {
  const { cursor, metadata } = stores;
  return (arrival) => {
    const before = cursor.current();
    // During the first reading of the log, the stream is ahead of it, and nothing is missing.
    const mayHaveHole = arrival.source === 'stream' && before.seq !== null && baselineAt(metadata) === null;
    const added: { ledgerId: number; event: ReceivedEvent }[] = [];
    const merged: number[] = [];
    let [waits, hasGap] = [false, false];
    let previous = arrival.after ?? null;
    for (const event of arrival.events) {
      const outcome = record(event, arrival, stores);
      if (outcome.kind === 'added') {
        added.push({ ledgerId: outcome.ledgerId, event: outcome.event });
        if (outcome.event.problem !== undefined) hasGap = true;
        if (outcome.waits) waits = true;
      } else if (outcome.kind === 'merged' && outcome.isChanged) merged.push(outcome.ledgerId);
      if (outcome.kind !== 'undecided' && moveCursor(event, arrival.after === undefined ? undefined : previous, stores))
        hasGap = true;
      previous = event.eventId;
    }
    cursor.save();
    const replaced = cursor.current().log !== before.log;
    if (mayHaveHole && !replaced && cursor.hasPending() && openHole(arrival.receivedAt, stores)) hasGap = true;
    return { added, merged, hasPending: cursor.hasPending(), replaced, gaps: hasGap, waits };
  };
}

function record(event: ReceivedEvent, arrival: Arrival, stores: LedgerStores): Outcome {
  const outcome = recordAs(event, arrival, stores);
  if (outcome.kind !== 'quarantine') return outcome;
  const own = recordAs(underOwnId(event, outcome), arrival, stores);
  if (own.kind === 'quarantine') throw new Error(`event ${event.eventId} has no id of its own`);
  return own;
}

/** Resolves an event, and applies what follows: the cursor, a new entry, or a repeat of a known one. */
function recordAs(
  event: ReceivedEvent,
  arrival: Arrival,
  stores: LedgerStores,
): Outcome | Extract<Resolution, { kind: 'quarantine' }> {
  const { writer, cursor, trace, removed } = stores;
  const gone = removedBefore(event, arrival.source, removed);
  const counterpart = writer.findCounterpart(event) ?? writer.findUntimed(event, arrival.source);
  // The stated date identifies an event, also where it cannot be.
  const dated = arrival.checkDate?.(event) ?? event;
  const isNewByDate = dated === event && !writer.hasStatedDate(event);
  const isKnown = counterpart !== undefined || gone.removed !== undefined || gone.mayBeForgotten;
  // Nearly all events are new: writing one costs less than looking it up, and fails where it is known.
  if (!isKnown && isNewByDate && !cursor.isBehind(event.seq)) {
    const written = write(event, arrival, 0, stores);
    if (written !== null) return written;
  }
  const resolution = resolve(lookUp(event, arrival, { ...gone, counterpart }, stores), event);
  if (resolution.kind === 'quarantine') return resolution;
  if (resolution.restarts) cursor.restart();
  const { log } = cursor.current();
  switch (resolution.kind) {
    case 'undecided':
      return { kind: 'undecided' };
    case 'removed':
      if (resolution.of !== null && event.seq !== null) removed.move(resolution.of, log, event.seq);
      return { kind: 'removed' };
    case 'new': {
      const written = write(dated, arrival, writer.freeIndex(dated), stores);
      if (written === null) throw new Error(`event ${event.eventId} can neither be written nor found`);
      if (dated !== event) writer.recordStatedDate(event, written.ledgerId);
      return written;
    }
    case 'repeat': {
      const { ledger_id: ledgerId } = resolution.of;
      const isChanged = writer.merge(resolution.of, event, log, arrival.source);
      if (isChanged) trace.append(ledgerId, 'repeated', repeatedBy(event, arrival), arrival.receivedAt);
      return { kind: 'merged', ledgerId, isChanged };
    }
  }
}

/** The event whose id was another one's before, or its own when it could not be read. */
const underOwnId = (
  { problem: _said, ...event }: ReceivedEvent,
  { eventId, wasReadable }: Extract<Resolution, { kind: 'quarantine' }>,
): ReceivedEvent => ({
  ...event,
  eventId,
  transition: event.transition === null ? null : { ...event.transition, event_id: eventId },
  assumptions: [...event.assumptions, 'reused'],
  ...(wasReadable ? { problem: message('event.reused', { id: event.eventId }) } : {}),
});

/** Writes a new event with its decision and its notification; null when its id or second key is taken. */
function write(
  event: ReceivedEvent,
  arrival: Arrival,
  duplicateIndex: number,
  stores: LedgerStores,
): Extract<Outcome, { kind: 'added' }> | null {
  const { writer, cursor, gaps, notifications, mutes, trace } = stores;
  const { reason, why, notification, ends } = arrival.evaluate(event, arrival.source);
  const ledgerId = writer.insert(event, arrival, cursor.current().log, reason, duplicateIndex);
  if (ledgerId === null) return null;
  const at = arrival.receivedAt;
  if (arrival.proof !== undefined) trace.append(ledgerId, 'verified', plainMessage(arrival.proof), at);
  if (event.problem !== undefined) {
    trace.append(ledgerId, 'evaluated', event.problem, at);
    gaps.recordProblem(
      event.assumptions.includes('unreadable') ? 'unreadable' : 'odd',
      timestamp(event.occurredAt),
      event.problem,
    );
  }
  if (why !== null) trace.append(ledgerId, 'evaluated', why, at);
  for (const end of ends) mutes.end(end.id, timestamp(event.occurredAt), end.why);
  if (notification !== null) notifications.write(ledgerId, notification, at);
  const isQueued = notification !== null && !['dropped', 'shown'].includes(notification.outcome);
  return { kind: 'added', ledgerId, event, waits: ends.length > 0 || isQueued };
}

/**
 * Moves the cursor over an event that was written or merged.
 * @param previous of a page of the service's list: the event before it; null: none; undefined: no page
 * @returns whether a gap was written
 */
function moveCursor(
  { seq, eventId, occurredAt }: ReceivedEvent,
  previous: string | null | undefined,
  { cursor, gaps, entries }: LedgerStores,
): boolean {
  const at = cursor.current();
  const isNext = at.eventId === previous;
  if (seq === null) {
    if (isNext) cursor.follow(eventId);
    return false;
  }
  if (previous !== undefined && at.seq === null && at.eventId === eventId) {
    cursor.learn(seq);
    return false;
  }
  let isLost = false;
  if (isNext) {
    if (cursor.isBehind(seq)) cursor.restart();
    if (seq !== (cursor.current().seq ?? Number.NaN) + 1) {
      if (at.seq !== null && seq > at.seq + 1) {
        const from = (at.eventId === null ? undefined : entries.occurredAt(at.eventId)) ?? occurredAt;
        const lost = message('gap.lost', { from: at.seq + 1, to: seq - 1 });
        isLost = gaps.open('lost', timestamp(from), timestamp(occurredAt), lost);
      }
      cursor.skipTo(seq);
    }
  }
  if (!cursor.record(seq, eventId)) {
    cursor.restart();
    cursor.record(seq, eventId);
  }
  return isLost;
}

/** The hole begins at the cursor. */
function openHole(otherwise: number, { cursor, entries, gaps }: LedgerStores): boolean {
  const { seq, eventId } = cursor.current();
  const from = (eventId === null ? undefined : entries.occurredAt(eventId)) ?? otherwise;
  return gaps.open('hole', timestamp(from), null, message('gap.hole', { seq }));
}

const repeatedBy = ({ eventId: id }: ReceivedEvent, { source, proof }: Arrival): Message =>
  message('trace.repeated', { source, id, proof: proof ?? null });
