// Main, core: the offline archive of a profile: briefings and news, search, and upkeep.
// The ledger does not depend on it: no fault in it loses an alert, and a new one is filled from the service.

import type { Client } from '../../../client/client.ts';
import type { ArchiveChannels } from '../../../shared/channels/archive.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import { createFetching } from './fetching.ts';
import { createArchiveFiles } from './files.ts';
import { createFilling } from './filling.ts';
import { createArchiveHandlers } from './handlers.ts';
import { createIndexing } from './indexing.ts';
import { createMemory, type Memory } from './memory.ts';
import { noArchive } from './problems.ts';
import { createReaders } from './readers.ts';
import { createRetentionPolicy } from './retention.ts';
import type { openStore } from './store.ts';
import { createUpkeep } from './upkeep.ts';
import { createViewReader } from './view.ts';

export interface Archive {
  readonly handlers: Handlers<ArchiveChannels>;
  /** The window's cached queries. */
  readonly memory: Memory;
  readonly on: Required<
    Pick<
      Followers,
      | 'recorded'
      | 'ledgerPruned'
      | 'ledgerWritten'
      | 'caughtUp'
      | 'streamBroken'
      | 'noteWritten'
      | 'symbolNotesChanged'
      | 'signalsPolled'
      | 'archiveWritten'
      | 'archiveReplaced'
    >
  >;
  /** Upkeep does not wait for the service: the ledger is backed up without it. */
  start(): void;
  stop(): Promise<void>;
}

export interface ArchiveOptions {
  readonly context: CoreContext;
  readonly client: Pick<Client, 'page' | 'read'>;
  readonly ledger: Pick<Ledger, 'entries' | 'annotations' | 'symbolNotes' | 'unwritten'>;
  readonly mayAsk: () => boolean;
  /** Opens the file; a test of full disks passes its own. */
  readonly openStore?: typeof openStore;
}

/** Delay of the first fetch after the service was found, ms: the window is painted first. */
const FIRST_WAIT = 500;

export function createArchive({ context, client, ledger, mayAsk, openStore }: ArchiveOptions): Archive {
  const { guard, ports, folder } = context;
  const openReader = ports.host?.archive;
  let cancelStart: Cancel | null = null;
  let isConnected = false;
  let isBegun = false;
  let isStopped = false;

  const retention = createRetentionPolicy(context);
  const files = createArchiveFiles(context, openStore);
  const memory = createMemory(context, files);
  const fetching = createFetching({ context, client, files });
  const filling = createFilling({ context, mayAsk, fetching, files, retention });
  const readers = createReaders({
    start() {
      if (openReader === undefined) throw noArchive();
      return openReader(folder);
    },
    files,
  });
  const indexing = createIndexing({ guard, files, ledger });
  const upkeep = createUpkeep({ context, files, readers, retention });
  const view = createViewReader(context, { files, retention, filling, upkeep });

  return {
    memory,
    handlers: createArchiveHandlers({ context, ledger, memory, view, files, filling, indexing, readers, upkeep }),
    on: {
      archiveWritten: view.touch,
      archiveReplaced() {
        guard.go(readers.release());
        view.touch();
        indexing.notesChanged();
        indexing.wake();
        filling.restart();
      },
      /** Starts due jobs, once per connection: the log has been read, and requests may be sent. */
      caughtUp() {
        if (!files.isAvailable || isConnected || isStopped) return;
        isConnected = true;
        cancelStart?.();
        cancelStart = guard.clock.after(FIRST_WAIT, () => {
          isBegun = true;
          // The daily round may have run before the service's time was known, and deleted nothing.
          guard.run(upkeep.removeExpired);
          filling.wake();
          indexing.wake();
          // The previous run may have ended before the removal.
          indexing.pruned();
        });
      },
      streamBroken() {
        isConnected = false;
      },
      recorded({ added }) {
        if (!isBegun || added.length === 0) return;
        if (added.some(({ event }) => event.event === 'briefing.published')) filling.published();
        indexing.wake();
      },
      ledgerPruned() {
        if (isBegun) indexing.pruned();
      },
      ledgerWritten(event) {
        if (isBegun) indexing.written(event);
      },
      symbolNotesChanged: indexing.notesChanged,
      signalsPolled: ({ rows }) => memory.keepRows(rows),
      noteWritten({ ledgerId, note }) {
        // Also before indexing begins, because it skips alerts that an earlier run has indexed.
        if (files.isAvailable) files.use(({ alerts }) => alerts.note(ledgerId, note));
      },
    },
    start() {
      if (files.isAvailable) upkeep.start();
    },
    async stop() {
      isStopped = true;
      filling.stop();
      indexing.stop();
      upkeep.stop();
      cancelStart?.();
      view.stop();
      await readers.close();
      files.close();
    },
  };
}
