// Main, core: decides whether an event is new or a repeat (docs/contract.md, "Identity").
import { createHash } from 'node:crypto';
import { isKnownName } from '../compat/event-names.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { Arrival } from './arrival.ts';
import type { CursorStore } from './cursor.ts';
import type { EntryIdentity, EntryStore } from './entries.ts';
import { type EntryWriter, hasNoId, LISTS } from './entry-writer.ts';
import { contentOf, type RemovedEvent, type RemovedEventStore } from './removed-events.ts';

export type EventIdentity =
  | { readonly kind: 'new'; readonly duplicateIndex: number }
  | { readonly kind: 'known'; readonly entry: EntryIdentity }
  /** Another event has its id; this one is recorded under an id of the core. */
  | { readonly kind: 'reused'; readonly eventId: string; readonly wasReadable: boolean }
  /** Unknown until the service's list brings the event again. */
  | { readonly kind: 'undecided' };

export interface EventIdentityDeps {
  readonly entries: Pick<EntryStore, 'findById'>;
  readonly writer: Pick<EntryWriter, 'findByAlias' | 'findDuplicates' | 'freeIndex' | 'isNumberTaken'>;
  readonly cursor: CursorStore;
}

/**
 * Restarts the cursor when the event's number shows that the service counts in another log.
 * @param counterpart the signal.* of this signal.created, or vice versa
 */
export function identify(
  event: ReceivedEvent,
  arrival: Arrival,
  counterpart: EntryIdentity | undefined,
  { entries, writer, cursor }: EventIdentityDeps,
): EventIdentity {
  const { log } = cursor.current();
  const same = entries.findById(event.eventId);
  if (same !== undefined) {
    if (isDifferentEvent(same, event))
      return { kind: 'reused', eventId: reusedIdOf(event), wasReadable: !isUnreadable(same) };
    if (event.seq !== null && same.seq !== null && same.log === log && same.seq !== event.seq) cursor.restart();
    return { kind: 'known', entry: same };
  }
  const further = writer.findByAlias(event.eventId);
  if (further !== undefined) return { kind: 'known', entry: further };
  // Every number up to the cursor is taken: a new id there belongs to another log.
  if (cursor.isBehind(event.seq)) cursor.restart();

  const duplicates = writer.findDuplicates(event);
  const listed = duplicates.length === 0 ? [] : alsoListed(event, arrival, { entries, writer });
  const candidates = duplicates.filter(({ ledger_id }) => !listed.includes(ledger_id));
  const present = cursor.current().log;
  const repeated = counterpart ?? candidates.find((known) => !areDistinct(known, event, present));
  if (repeated !== undefined) return { kind: 'known', entry: repeated };
  const [first] = candidates;
  // The cheap checks come first: isNumberTaken reads the whole ledger.
  const isTaken = (): boolean =>
    event.seq !== null && !cursor.isFree(event.seq) && writer.isNumberTaken(event, present);
  if (first !== undefined && isTaken()) {
    // Another event has its number: the numbers are of another log, and do not distinguish the two.
    cursor.restart();
    return { kind: 'known', entry: first };
  }
  return candidates.some((known) => mayBeOfAnotherLog(known, arrival, cursor))
    ? { kind: 'undecided' }
    : { kind: 'new', duplicateIndex: writer.freeIndex(event) };
}

/** Result of comparing an event with the removed events. */
export type RemovedEventIdentity =
  /** The event repeats a removed one; null: one whose identity was forgotten. */
  | { readonly kind: 'removed'; readonly known: RemovedEvent | null }
  | Extract<EventIdentity, { kind: 'reused' }>
  | { readonly kind: 'present' };

export interface RemovedEventIdentityDeps {
  readonly entries: Pick<EntryStore, 'findById'>;
  readonly writer: Pick<EntryWriter, 'findByAlias' | 'findDuplicates'>;
  readonly cursor: CursorStore;
  readonly removed: RemovedEventStore;
}

/** Compares an event with the removed events. `present`: it repeats none of them, and `identify` decides. */
export function identifyRemoved(
  event: ReceivedEvent,
  { source }: Pick<Arrival, 'source'>,
  { entries, writer, cursor, removed }: RemovedEventIdentityDeps,
): RemovedEventIdentity {
  const isPresent = (): boolean =>
    entries.findById(event.eventId) !== undefined || writer.findByAlias(event.eventId) !== undefined;
  const known = removed.find(event);
  if (known === undefined) {
    // An event this old is new only if it was pushed; a list may repeat a removed event.
    const mayBeForgotten = LISTS.includes(source) && event.occurredAt < removed.identityFrom() * 1000;
    if (!mayBeForgotten || isPresent() || writer.findDuplicates(event).length > 0) return { kind: 'present' };
    return { kind: 'removed', known: null };
  }
  const { log } = cursor.current();
  if (known.isSameId) {
    const { transition, symbol, assumptions } = event;
    const content = contentOf(symbol, transition?.to_state ?? null, assumptions.includes('unreadable'));
    const hasOtherContent = known.content !== null && content !== null && known.content !== content;
    if (hasOtherContent && !assumptions.includes('reused'))
      return { kind: 'reused', eventId: reusedIdOf(event), wasReadable: true };
    const isRenumbered = event.seq !== null && known.seq !== null && known.log === log && known.seq !== event.seq;
    if (isRenumbered) cursor.restart();
    return { kind: 'removed', known };
  }
  if (isPresent()) return { kind: 'present' };
  if (cursor.isBehind(event.seq)) cursor.restart();
  // Removed events are behind the cursor, so an event ahead of it in the same log is different.
  const isNext = event.seq !== null && known.log === cursor.current().log && !event.assumptions.includes('id');
  return isNext ? { kind: 'present' } : { kind: 'removed', known };
}

/** Longest time that a delivery is repeated, seconds; farther apart, the symbol entered the state twice. */
const LONGEST_REPEAT = 25 * 3600;

const isUnreadable = ({ assumptions }: EntryIdentity): boolean =>
  assumptions?.split(',').includes('unreadable') === true;

/**
 * True when the id belongs to an event with other content. An unreadable repeat of a known event adds
 * nothing.
 */
function isDifferentEvent(known: EntryIdentity, event: ReceivedEvent): boolean {
  const { transition, assumptions } = event;
  if (assumptions.includes('reused')) return false;
  if (transition === null) {
    const isEitherUnreadable = assumptions.includes('unreadable') || isUnreadable(known);
    return !isEitherUnreadable && isKnownName(event.event) && isKnownName(known.event) && known.event !== event.event;
  }
  if (known.symbol !== transition.symbol || known.to_state !== transition.to_state) return true;
  const haveTimes = !assumptions.includes('time') && !/\b(time|date)\b/.test(known.assumptions ?? '');
  return haveTimes && Math.abs(known.occurred_s - event.occurredAt / 1000) > LONGEST_REPEAT;
}

/** An id made from the content, the same for every repeat. */
function reusedIdOf({ eventId, event, symbol, transition, occurredAt, assumptions }: ReceivedEvent): string {
  const second = assumptions.includes('time') ? null : Math.floor(occurredAt / 1000);
  const content = JSON.stringify([eventId, event, symbol, transition?.to_state, second]);
  return `reused:${createHash('sha256').update(content).digest('hex')}`;
}

/** Known events that the same list also names: they differ from this one, whichever log it is. */
function alsoListed(
  event: ReceivedEvent,
  { source, events }: Arrival,
  { entries, writer }: Pick<EventIdentityDeps, 'entries'> & { readonly writer: Pick<EntryWriter, 'findByAlias'> },
): readonly (number | undefined)[] {
  if (!LISTS.includes(source)) return [];
  return events
    .filter((other) => other !== event && haveSameKey(other, event))
    .map(({ eventId }) => (entries.findById(eventId) ?? writer.findByAlias(eventId))?.ledger_id);
}

/** True for a known event that no list has shown in this log: its number may be of the previous log. */
function mayBeOfAnotherLog(known: EntryIdentity, { source, events }: Arrival, cursor: CursorStore): boolean {
  // A delivery reports a new event, and may be the only working source; a copied log is never delivered
  // again.
  if (source === 'relay') return false;
  const isListed = known.sources.split(',').some((one) => LISTS.includes(one as ArrivalSource));
  return !cursor.isBehind(known.seq) && !isListed && !events.some(({ eventId }) => eventId === known.event_id);
}

/** True when one log has both under different ids and numbers: the service itself distinguishes them. */
function areDistinct(known: EntryIdentity, event: ReceivedEvent, log: number): boolean {
  const haveIds = !hasNoId(known.assumptions) && !event.assumptions.includes('id');
  return haveIds && known.log === log && known.seq !== null && event.seq !== null && known.seq !== event.seq;
}

/** True for the same symbol, state entered and second. */
function haveSameKey(a: ReceivedEvent, b: ReceivedEvent): boolean {
  const isSameSecond = Math.floor(a.occurredAt / 1000) === Math.floor(b.occurredAt / 1000);
  return isSameSecond && a.symbol === b.symbol && a.transition?.to_state === b.transition?.to_state;
}
