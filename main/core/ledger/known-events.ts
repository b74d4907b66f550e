// Main, core: looks up what the ledger knows of an event that arrives.
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { Arrival } from './arrival.ts';
import type { CursorStore } from './cursor.ts';
import type { EntryIdentity, EntryStore } from './entries.ts';
import { type EntryWriter, LISTS } from './entry-writer.ts';
import type { RemovedEvent, RemovedEventStore } from './removed-events.ts';

/** What the ledger knows of one event. The functions read more rows, and are seldom called. */
export interface Known {
  readonly byId: EntryIdentity | undefined;
  /** The entry into which an event of this id was merged; undefined where one has the id itself. */
  readonly byAlias: EntryIdentity | undefined;
  /** The signal.* of this signal.created, or vice versa; or the other one of two without a time. */
  readonly counterpart: EntryIdentity | undefined;
  /** The entries with the same symbol, state and second. */
  duplicates(): readonly EntryIdentity[];
  /** Ledger ids of those that the same list also names: they differ from this event, whichever log it is. */
  listedBeside(): ReadonlySet<number>;
  /** True when another event of this log has its number. Reads the whole ledger. */
  isNumberTaken(): boolean;
  readonly removed: RemovedEvent | undefined;
  /** True for an event of a list from a time whose identities were forgotten. */
  readonly mayBeForgotten: boolean;
  readonly cursor: { readonly log: number; readonly seq: number | null };
  /** True for the id of an event that arrives with it. */
  isArriving(eventId: string): boolean;
  /** It was delivered to the relay. */
  readonly isDelivery: boolean;
}

export interface KnownEventDeps {
  readonly entries: Pick<EntryStore, 'findById'>;
  readonly writer: EntryWriter;
  readonly cursor: CursorStore;
  readonly removed: RemovedEventStore;
}

/** What is known of removed events alone: most events need no other look-up. */
export function removedBefore(
  event: ReceivedEvent,
  source: ArrivalSource,
  removed: RemovedEventStore,
): Pick<Known, 'removed' | 'mayBeForgotten'> {
  if (!removed.hasAny()) return { removed: undefined, mayBeForgotten: false };
  return {
    removed: removed.find(event),
    mayBeForgotten: LISTS.includes(source) && event.occurredAt < removed.identityFrom() * 1000,
  };
}

export function lookUp(
  event: ReceivedEvent,
  { source, events }: Arrival,
  before: Pick<Known, 'removed' | 'mayBeForgotten' | 'counterpart'>,
  { entries, writer, cursor }: KnownEventDeps,
): Known {
  const find = (eventId: string): EntryIdentity | undefined => entries.findById(eventId) ?? writer.findByAlias(eventId);
  const { log, seq } = cursor.current();
  let duplicates: readonly EntryIdentity[] | null = null;
  const byId = entries.findById(event.eventId);
  return {
    ...before,
    byId,
    byAlias: byId === undefined ? writer.findByAlias(event.eventId) : undefined,
    duplicates() {
      duplicates ??= writer.findDuplicates(event);
      return duplicates;
    },
    listedBeside() {
      if (!LISTS.includes(source)) return new Set();
      const same = events.filter((other) => other !== event && haveSameKey(other, event));
      return new Set(same.flatMap(({ eventId }) => find(eventId)?.ledger_id ?? []));
    },
    isNumberTaken: () => event.seq !== null && !cursor.isFree(event.seq) && writer.isNumberTaken(event, log),
    cursor: { log, seq },
    isArriving: (eventId) => events.some((other) => other.eventId === eventId),
    isDelivery: source === 'relay',
  };
}

/** True for the same symbol, state entered and second. */
function haveSameKey(a: ReceivedEvent, b: ReceivedEvent): boolean {
  const isSameSecond = Math.floor(a.occurredAt / 1000) === Math.floor(b.occurredAt / 1000);
  return isSameSecond && a.symbol === b.symbol && a.transition?.to_state === b.transition?.to_state;
}
