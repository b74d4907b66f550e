// Main, core: enqueues the events of the ledger for one target, from the target's position on.
import type { EntryRow, EntryStore } from '../ledger/entries.ts';
import type { CoreContext } from '../module.ts';
import type { RelayDeps } from './deps.ts';
import { RETENTION, type StoredTarget } from './forward-queue.ts';
import { SELF_TEST_EVENT } from './self-delivery.ts';
import type { RelayStore } from './store.ts';
import { passes } from './target.ts';

export interface TargetFeed {
  /**
   * @throws when the ledger cannot be read or the relay's file not written; a later call reads the same
   * events again
   */
  enqueue(): void;
  /** The ledger in memory was written back to its file; `isRenumbered`: under other ids. */
  ledgerWritten(isRenumbered: boolean): void;
}

export interface TargetFeedDeps {
  readonly context: CoreContext;
  readonly store: Pick<RelayStore, 'queue'>;
  readonly ledger: Pick<RelayDeps['ledger'], 'count' | 'unwritten'> & { readonly entries: Pick<EntryStore, 'after'> };
}

/** Entries read from the ledger at once. */
const CHUNK = 200;

export function createTargetFeed(target: StoredTarget, { context, store, ledger }: TargetFeedDeps): TargetFeed {
  const { guard, world } = context;
  let { position } = target;
  /** The stored position in the ledger's file while the ledger is in memory; null: it is not in memory. */
  let inFile: number | null = null;

  /** An event older than the retention of forwards may have been forwarded before. */
  const isOld = ({ occurred_s }: EntryRow): boolean =>
    world.isKnown() && world.now() - occurred_s * 1000 > RETENTION * Math.max(1, world.view().speed);
  const next = (): readonly EntryRow[] => ledger.entries.after(position, CHUNK);
  return {
    enqueue() {
      if (inFile === null && ledger.unwritten() !== null) {
        inFile = position;
        // The ledger in memory began without the rows of its file.
        if (position > ledger.count()) position = 0;
      }
      for (let entries = next(); entries.length > 0; entries = next()) {
        const matches = entries.filter((entry) => isMatch(target, entry) && !isOld(entry));
        const end = entries.at(-1)?.ledger_id ?? position;
        const events = matches.map(({ event_id, body }) => ({ eventId: event_id, body }));
        store.queue.enqueue(target.id, inFile ?? end, events, guard.clock.now());
        // After the write: events that could not be written are read again.
        position = end;
      }
    },
    ledgerWritten(isRenumbered) {
      // The queue knows the ids of events that were forwarded from memory.
      if (isRenumbered && inFile !== null) position = inFile > ledger.count() ? 0 : inFile;
      inFile = null;
    },
  };
}

/** Excludes events from before the target was added: back-fill brings old events too. */
function isMatch({ filter, since }: StoredTarget, entry: EntryRow): boolean {
  if (entry.occurred_s < since || entry.event === SELF_TEST_EVENT) return false;
  const { event, symbol, transition, attributes } = entry;
  if ((transition === null && attributes === null) || entry.assumptions?.includes('unreadable') === true) return false;
  return passes(filter, { event, symbol, state: transition?.to_state ?? null });
}
