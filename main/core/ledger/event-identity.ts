// Main, core: decides whether an event is new or a repeat (docs/contract.md, "Identity"). Pure.
import { createHash } from 'node:crypto';
import { isKnownName } from '../compat/event-names.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { EntryIdentity } from './entries.ts';
import { hasNoId, LISTS } from './entry-writer.ts';
import type { Known } from './known-events.ts';
import { contentOf, type RemovedEvent } from './removed-events.ts';

/** `restarts`: the event's number shows that the service counts in another log. */
export type Resolution = { readonly restarts: boolean } & (
  | { readonly kind: 'new' }
  | { readonly kind: 'repeat'; readonly of: EntryIdentity }
  /** It repeats an event that retention removed; null: one whose identity was forgotten. */
  | { readonly kind: 'removed'; readonly of: RemovedEvent | null }
  /** Another event has its id; this one is recorded under an id of the core. */
  | { readonly kind: 'quarantine'; readonly eventId: string; readonly wasReadable: boolean }
  /** Unknown until the service's list brings the event again. */
  | { readonly kind: 'undecided' }
);

export function resolve(known: Known, event: ReceivedEvent): Resolution {
  const { byId, byAlias, cursor } = known;
  const removed = resolveRemoved(known, event);
  if (removed !== null) return removed;
  if (byId !== undefined)
    return isDifferentEvent(byId, event)
      ? { kind: 'quarantine', eventId: reusedIdOf(event), wasReadable: !isUnreadable(byId), restarts: false }
      : { kind: 'repeat', of: byId, restarts: isRenumbered(byId, event, cursor.log) };
  if (byAlias !== undefined) return { kind: 'repeat', of: byAlias, restarts: false };

  // Every number up to the cursor is taken: a new id there belongs to another log.
  const restarts = isPassed(event.seq, known);
  const log = restarts ? cursor.log + 1 : cursor.log;
  const candidates = known.duplicates().filter(({ ledger_id }) => !known.listedBeside().has(ledger_id));
  const repeated = known.counterpart ?? candidates.find((candidate) => !areDistinct(candidate, event, log));
  if (repeated !== undefined) return { kind: 'repeat', of: repeated, restarts };
  const [first] = candidates;
  // Another event has its number: the numbers are of another log, and do not distinguish the two.
  if (first !== undefined && !restarts && known.isNumberTaken()) return { kind: 'repeat', of: first, restarts: true };
  const isOpen = candidates.some((candidate) => mayBeOfAnotherLog(candidate, known, restarts));
  return { kind: isOpen ? 'undecided' : 'new', restarts };
}

/** Compares an event with the removed ones; null: it repeats none of them. */
function resolveRemoved(known: Known, event: ReceivedEvent): Resolution | null {
  const { removed, cursor } = known;
  const isPresent = known.byId !== undefined || known.byAlias !== undefined;
  // An event this old is new only if it was pushed; a list may repeat a removed event.
  if (removed === undefined)
    return known.mayBeForgotten && !isPresent && known.duplicates().length === 0
      ? { kind: 'removed', of: null, restarts: false }
      : null;
  if (removed.isSameId) {
    const { transition, symbol, assumptions } = event;
    const content = contentOf(symbol, transition?.to_state ?? null, assumptions.includes('unreadable'));
    const hasOtherContent = removed.content !== null && content !== null && removed.content !== content;
    if (hasOtherContent && !assumptions.includes('reused'))
      return { kind: 'quarantine', eventId: reusedIdOf(event), wasReadable: true, restarts: false };
    return { kind: 'removed', of: removed, restarts: isRenumbered(removed, event, cursor.log) };
  }
  if (isPresent) return null;
  const restarts = isPassed(event.seq, known);
  // Removed events are behind the cursor, so an event ahead of it in the same log is different.
  const isNext = event.seq !== null && !restarts && removed.log === cursor.log && !event.assumptions.includes('id');
  return isNext ? null : { kind: 'removed', of: removed, restarts };
}

const isPassed = (seq: number | null, { cursor }: Known): boolean =>
  seq !== null && cursor.seq !== null && seq <= cursor.seq;
const isRenumbered = (known: Pick<EntryIdentity, 'seq' | 'log'>, { seq }: ReceivedEvent, log: number): boolean =>
  seq !== null && known.seq !== null && known.log === log && known.seq !== seq;

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

/** True for a known event that no list has shown in this log: its number may be of the previous log. */
function mayBeOfAnotherLog(candidate: EntryIdentity, known: Known, restarts: boolean): boolean {
  // A delivery reports a new event, and may be the only working source; a copied log is never delivered
  // again.
  if (known.isDelivery) return false;
  const isBehind = !restarts && isPassed(candidate.seq, known);
  return !isBehind && !isListed(candidate) && !known.isArriving(candidate.event_id);
}

const isListed = ({ sources }: EntryIdentity): boolean =>
  sources.split(',').some((one) => LISTS.includes(one as ArrivalSource));

/** True when one log has both under different ids and numbers: the service itself distinguishes them. */
function areDistinct(known: EntryIdentity, event: ReceivedEvent, log: number): boolean {
  const haveIds = !hasNoId(known.assumptions) && !event.assumptions.includes('id');
  return haveIds && known.log === log && known.seq !== null && event.seq !== null && known.seq !== event.seq;
}
