// Main, core: stores the identities of removed events, so that repeats are not notified again.
import { createHash } from 'node:crypto';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Connection } from '../files/connection.ts';
import type { EntryIdentity } from './entries.ts';
import { isDateStated, statedDate } from './entry-writer.ts';
import type { MetadataStore } from './metadata.ts';

/** A removed event that a received one may repeat. */
export interface RemovedEvent {
  readonly hash: number;
  /** True: found by its id; false: by symbol, state and second. */
  readonly isSameId: boolean;
  readonly log: number;
  readonly seq: number | null;
  /** Hash of symbol and state; null: unknown. */
  readonly content: number | null;
}

export interface RemovedEventStore {
  /** False until the first event is removed: no other method needs a call then. */
  hasAny(): boolean;
  find(event: ReceivedEvent): RemovedEvent | undefined;
  has(eventId: string): boolean;
  /** World time, seconds, before which identities of removed events were forgotten. */
  identityFrom(): number;
  /** Records the number of a repeat in the current log. */
  move(known: RemovedEvent, log: number, seq: number | null): void;
  /** Stores the identity of events before their removal. Returns the number of rows. */
  keep(events: readonly EntryIdentity[], aliases: readonly { eventId: string; ledgerId: number }[]): number;
  /** Call after rows were written by other means: reads them again. */
  reload(): void;
}

/** 53 bits: the largest integers that JavaScript counts exactly. */
const hashOf = (text: string): number => Number(createHash('sha256').update(text).digest().readBigUInt64BE(0) >> 11n);
export const idHash = (eventId: string): number => hashOf(`id ${eventId}`);
const keyHash = (symbol: string | null, state: number | null, second: number): number =>
  hashOf(`key ${symbol} ${state} ${second}`);
/** Hash of the content of an event; null: unknown. */
export function contentOf(symbol: string | null, state: number | null, isUnreadable: boolean): number | null {
  return isUnreadable || state === null ? null : hashOf(`content ${symbol} ${state}`);
}

export function createRemovedEventStore(db: Connection, metadata: Pick<MetadataStore, 'get'>): RemovedEventStore {
  type Row = Omit<RemovedEvent, 'isSameId'>;
  const byHash = db.prepare<[number], Row>('SELECT hash, log, seq, content FROM removed_events WHERE hash = ?');
  const any = db.prepare('SELECT 1 FROM removed_events LIMIT 1');
  const put = db.prepare(
    'INSERT INTO removed_events (hash, log, seq, content, occurred_s) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const setPosition = db.prepare('UPDATE removed_events SET log = ?, seq = ? WHERE hash = ?');
  let isAny = false;
  let identityFrom = Number.NEGATIVE_INFINITY;
  const reload = (): void => {
    const from = metadata.get('identity_from');
    identityFrom = from === null ? Number.NEGATIVE_INFINITY : Number(from);
    // All identities may have been forgotten.
    isAny = from !== null || any.get() !== undefined;
  };
  reload();
  return {
    hasAny: () => isAny,
    identityFrom: () => identityFrom,
    find(event) {
      const { transition } = event;
      const own = byHash.get(idHash(event.eventId));
      if (own !== undefined) return { ...own, isSameId: true };
      if (transition === null) return undefined;
      const second = Math.floor(event.occurredAt / 1000);
      const like =
        byHash.get(keyHash(transition.symbol, transition.to_state, second)) ?? byHash.get(idHash(statedDate(event)));
      return like === undefined ? undefined : { ...like, isSameId: false };
    },
    has: (eventId) => isAny && byHash.get(idHash(eventId)) !== undefined,
    move({ hash, isSameId }, log, seq) {
      setPosition.run(log, isSameId ? seq : null, hash);
    },
    keep(events, aliases) {
      const before = new Map(events.map((event) => [event.ledger_id, event]));
      let rows = 0;
      for (const { event_id, log, seq, symbol, to_state, occurred_s, assumptions } of events) {
        const isUnreadable = assumptions?.split(',').includes('unreadable') === true;
        rows += put.run(idHash(event_id), log, seq, contentOf(symbol, to_state, isUnreadable), occurred_s).changes;
        if (to_state !== null && isDateStated({ assumptions }))
          rows += put.run(keyHash(symbol, to_state, occurred_s), log, null, null, occurred_s).changes;
      }
      for (const { eventId, ledgerId } of aliases) {
        const of = before.get(ledgerId);
        if (of !== undefined) rows += put.run(idHash(eventId), of.log, null, null, of.occurred_s).changes;
      }
      if (rows > 0) isAny = true;
      return rows;
    },
    reload,
  };
}
