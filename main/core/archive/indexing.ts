// Main, core: indexes the text of the ledger's alerts, a batch at a time, and of all notes.
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { CoreEvents } from '../events.ts';
import type { Guard } from '../guard.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { alertToIndex } from './alert-index.ts';
import type { ArchiveFiles } from './files.ts';

export interface Indexing {
  /** The ledger may have grown. */
  wake(): void;
  /** Retention removed events of the ledger: their texts are removed too. */
  pruned(): void;
  /** The ledger in memory was written back to its file. */
  written(event: CoreEvents['ledgerWritten']): void;
  /** The notes on symbols changed, or the archive was replaced. */
  notesChanged(): void;
  /** Indexes the notes, and one batch of alerts. @returns true when the index is up to date */
  step(): boolean;
  stop(): void;
}

export interface IndexingOptions {
  readonly guard: Guard;
  readonly files: ArchiveFiles;
  readonly ledger: Pick<Ledger, 'entries' | 'annotations' | 'symbolNotes' | 'unwritten'>;
}

/** Entries per batch: a few milliseconds of the core's thread. */
const BATCH_SIZE = 200;
/** Delay of the indexing, ms: nobody searches for an alert that has just arrived. */
const INDEX_DELAY = 1_000;
const BETWEEN = 10;
/** Delay of the removal, ms: a run of retention removes a few at a time. */
const REMOVE_DELAY = 30_000;
/** Ids compared with the ledger at once. */
const REMOVE_BATCH = 500;

export function createIndexing({ guard, files, ledger }: IndexingOptions): Indexing {
  const { clock } = guard;
  let cancel: Cancel | null = null;
  let cancelRemoval: Cancel | null = null;
  let isStopped = false;
  let areNotesStale = true;

  // Reads the ledger outside of `files.use`, which checks the whole archive when the work reports damage.
  const step = (): boolean => {
    const notes = areNotesStale ? ledger.symbolNotes.all() : null;
    const last = files.use(({ alerts }) => {
      if (notes !== null) {
        alerts.replaceSymbolNotes(notes);
        areNotesStale = false;
      }
      return alerts.last();
    });
    const isOther = last.ledgerId > 0 && ledger.entries.byLedgerIds([last.ledgerId])[0]?.event_id !== last.eventId;
    const rows = ledger.entries.after(isOther ? 0 : last.ledgerId, BATCH_SIZE);
    const end = rows.at(-1);
    const batch = rows.flatMap((row) => alertToIndex(row, ledger.annotations.of(row.ledger_id).note) ?? []);
    return files.use(({ alerts }) => {
      // A new archive, which replaced a damaged one, is filled from the first entry.
      if (alerts.last().ledgerId !== last.ledgerId) return false;
      if (isOther) alerts.clear();
      if (end !== undefined) alerts.put(batch, { ledgerId: end.ledger_id, eventId: end.event_id });
      return rows.length < BATCH_SIZE;
    });
  };
  const later = (ms: number): void => {
    if (isStopped) return;
    cancel ??= clock.after(ms, () => {
      cancel = null;
      if (!step()) later(BETWEEN);
    });
  };
  /** Removes the texts of events that the ledger no longer has, a batch at a time. */
  const removeLater = (after: number, ms: number): void => {
    if (isStopped) return;
    cancelRemoval = clock.after(ms, () => {
      cancelRemoval = null;
      // The ledger in memory has the newest events only.
      if (ledger.unwritten() !== null) return;
      const ids = files.use(({ alerts }) => alerts.ids(after, REMOVE_BATCH));
      const present = ledger.entries.present(ids);
      files.use(({ alerts }) => alerts.remove(ids.filter((id) => !present.has(id))));
      const last = ids.at(-1);
      if (last !== undefined && ids.length === REMOVE_BATCH) removeLater(last, BETWEEN);
    });
  };
  const pruned = (): void => {
    cancelRemoval?.();
    removeLater(0, REMOVE_DELAY);
  };
  return {
    pruned,
    written({ isRenumbered }) {
      if (isRenumbered) files.use(({ alerts }) => alerts.clear());
      later(INDEX_DELAY);
      pruned();
    },
    wake: () => later(INDEX_DELAY),
    notesChanged() {
      areNotesStale = true;
    },
    step,
    stop() {
      isStopped = true;
      cancel?.();
      cancelRemoval?.();
    },
  };
}
