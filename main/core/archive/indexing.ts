// Main, core: indexes the text of the ledger's alerts, a batch at a time, after they were recorded.
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { Guard } from '../guard.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transitionOf } from '../ledger/transition.ts';
import type { ArchiveStore } from './store.ts';

export interface Indexing {
  /** The ledger may have grown. */
  wake(): void;
  /** Indexes one batch. @returns true when the index is up to date */
  step(): boolean;
  stop(): void;
}

export interface IndexingOptions {
  readonly guard: Guard;
  readonly use: <Value>(work: (store: ArchiveStore) => Value) => Value;
  readonly ledger: Pick<Ledger, 'entries' | 'annotations'>;
  /** Entries after a position in the ledger. */
  readonly entries: (after: number, limit: number) => EntryRow[];
}

/** Entries per batch: a few milliseconds of the core's thread. */
const BATCH_SIZE = 200;
/** Delay of the indexing, ms: nobody searches for an alert that has just arrived. */
const INDEX_DELAY = 1_000;
const BETWEEN = 10;

export function createIndexing({ guard, use, ledger, entries }: IndexingOptions): Indexing {
  const { clock } = guard;
  let cancel: Cancel | null = null;
  let isStopped = false;

  const step = (): boolean =>
    use(({ alerts }) => {
      const last = alerts.last();
      const isOther = last.ledgerId > 0 && ledger.entries.byLedgerIds([last.ledgerId])[0]?.event_id !== last.eventId;
      if (isOther) alerts.clear();
      const rows = entries(isOther ? 0 : last.ledgerId, BATCH_SIZE);
      const end = rows.at(-1);
      if (end === undefined) return true;
      alerts.put(
        rows.flatMap((row) => {
          const transition = transitionOf(row);
          return transition === null
            ? []
            : [{ ledgerId: row.ledger_id, transition, note: ledger.annotations.of(row.ledger_id).note }];
        }),
        { ledgerId: end.ledger_id, eventId: end.event_id },
      );
      return rows.length < BATCH_SIZE;
    });
  const later = (ms: number): void => {
    if (isStopped) return;
    cancel ??= clock.after(ms, () => {
      cancel = null;
      if (!step()) later(BETWEEN);
    });
  };
  return {
    wake: () => later(INDEX_DELAY),
    step,
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
