// Main, core: the offline archive of a profile: briefings and news, search, and upkeep.
// The ledger does not depend on it: no fault in it loses an alert, and a new one is filled from the service.

import type { Client } from '../../../client/client.ts';
import {
  type ArchiveChannels,
  type ArchiveView,
  DEFAULT_RETENTION,
  type Retention,
} from '../../../shared/channels/archive.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Followers } from '../events.ts';
import { FutureFileError } from '../files/migrate.ts';
import { isDamage } from '../files/sqlite-file.ts';
import type { Guard } from '../guard.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { createFetching } from './fetching.ts';
import { type ArchiveFilesOptions, createArchiveFiles } from './files.ts';
import { createFilling } from './filling.ts';
import { createArchiveHandlers, refuse } from './handlers.ts';
import { createIndexing } from './indexing.ts';
import { createMemory, type Memory } from './memory.ts';
import { createReaders } from './readers.ts';
import { createUpkeep } from './upkeep.ts';
import { createViewReader } from './view.ts';

export interface Archive {
  readonly handlers: Handlers<ArchiveChannels>;
  /** The window's cached queries. */
  readonly memory: Memory;
  readonly on: Required<Pick<Followers, 'recorded' | 'caughtUp' | 'streamBroken' | 'noteWritten' | 'signalsPolled'>>;
  stop(): Promise<void>;
}

export interface ArchiveOptions extends Pick<Ports, 'random' | 'logger' | 'settings' | 'folder'> {
  /** Reads off the core's thread. null: this program has no archive. */
  readonly startReader: Ports['archive'] | null;
  readonly guard: Guard;
  readonly profile: Profile;
  readonly client: Pick<Client, 'page' | 'read'>;
  readonly ledger: Pick<Ledger, 'entries' | 'annotations' | 'count'>;
  /** Events after a position in the ledger. */
  readonly entries: (after: number, limit: number) => EntryRow[];
  readonly world: { now(): number };
  readonly mayAsk: () => boolean;
  readonly onChanged: (view: ArchiveView) => void;
  /** Opens the files; a test of full disks passes its own. */
  readonly openStore?: ArchiveFilesOptions['open'];
}

/** Delay of the first fetch after the service was found, ms: the window is painted first. */
const FIRST_WAIT = 500;
/** Pause between two pages of a list, ms. */
const PAGE_PAUSE = { sandbox: 20, production: 1_000 };
const NONE = 'This program keeps no archive.';

export function createArchive(options: ArchiveOptions): Archive {
  const { guard, random, logger, settings, folder, profile, client, ledger, world, mayAsk } = options;
  const { clock } = guard;
  const startReader = folder === ':memory:' ? null : (options.startReader ?? null);
  const hasArchive = startReader !== null;
  let cancelStart: Cancel | null = null;
  let isConnected = false;
  let isBegun = false;
  let isStopped = false;
  const retention = (): Retention => settings.read().archive?.retention ?? DEFAULT_RETENTION;
  const view = createViewReader({
    clock,
    unavailableReason: hasArchive ? null : NONE,
    retention,
    deps: () => ({ files, filling, upkeep }),
    messageFor: archiveErrorMessage,
    onChanged: options.onChanged,
  });
  const files = createArchiveFiles({
    folder,
    clock,
    logger,
    ...(options.openStore === undefined ? {} : { open: options.openStore }),
    onReplaced() {
      guard.go(readers.release());
      view.changed();
      filling.restart();
    },
  });
  const { use } = files;
  const horizonOf = (days: number | null): number =>
    days === null ? Number.NEGATIVE_INFINITY : world.now() - days * DAY_MS;
  const horizon = () => {
    const { briefings, news } = retention();
    return { briefings: horizonOf(briefings), news: horizonOf(news) };
  };

  const fetching = createFetching({
    client,
    clock,
    pause: PAGE_PAUSE[profile.environment],
    path: {
      get: () => use((store) => store.getMetadata('briefings_path')),
      set: (path) => use((store) => store.setMetadata('briefings_path', path)),
    },
  });
  const filling = createFilling({
    guard,
    random,
    mayAsk: () => hasArchive && mayAsk(),
    environment: profile.environment,
    fetching,
    use,
    horizon,
    worldNow: world.now,
    describeStorageError: archiveErrorMessage,
    onInvalid: (what, count) => logger.warn({ what, count }, `rows of the service's ${what} could not be read`),
    onChanged: view.changed,
  });
  const readers = createReaders({
    start() {
      if (startReader === null) throw refuse(NONE);
      return startReader(folder);
    },
    open: () => use(() => undefined),
    replace: files.replace,
  });
  const indexing = createIndexing({ guard, use, ledger, entries: options.entries });
  const upkeep = createUpkeep({
    guard,
    files,
    ask: readers.askDedicated,
    release: readers.release,
    horizon,
    worldNow: world.now,
    onChanged: view.changed,
  });

  const memory = createMemory({
    withCache: hasArchive ? (work) => use(({ queryCache }) => work(queryCache)) : null,
    clock,
    onFailure(error) {
      // Requests from before the stop are still answered, but not stored.
      if (!isStopped) logger.warn({ problem: messageOf(error) }, 'what was read could not be remembered');
    },
  });

  return {
    memory,
    handlers: createArchiveHandlers({
      unavailableReason: hasArchive ? null : NONE,
      clock,
      settings,
      ledger,
      mayAsk,
      view,
      files,
      filling,
      indexing,
      readers,
      upkeep,
    }),
    on: {
      /** The log was read and the service may be asked: starts due jobs, once per connection. */
      caughtUp() {
        if (!hasArchive || isConnected || isStopped) return;
        isConnected = true;
        cancelStart?.();
        cancelStart = clock.after(FIRST_WAIT, () => {
          if (!isBegun) upkeep.start();
          isBegun = true;
          filling.wake();
          indexing.wake();
        });
      },
      streamBroken() {
        isConnected = false;
      },
      recorded({ added }) {
        if (!hasArchive || !isBegun || added.length === 0) return;
        if (added.some(({ event }) => event.event === 'briefing.published')) filling.published();
        indexing.wake();
      },
      signalsPolled: ({ rows }) => memory.keepRows(rows),
      noteWritten({ ledgerId, note }) {
        if (hasArchive && isBegun) use(({ alerts }) => alerts.note(ledgerId, note));
      },
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

/** Message for the user when a read or write fails. */
function archiveErrorMessage(error: unknown): string {
  if (error instanceof RefusedError || error instanceof FutureFileError) return error.message;
  const what = `The archive cannot be used (${messageOf(error)}). Alerts do not need it.`;
  return isDamage(error) ? what : `${what} Make room on the disk, or check its rights.`;
}
