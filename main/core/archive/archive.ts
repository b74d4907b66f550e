// Main, core: the offline archive of a profile: briefings and news kept whole on this computer, one search over everything, and its upkeep.
// Nothing in it is needed by the ledger: whatever befalls it, no alert is missed, and a new one is filled from the service.

import type { Client } from '../../../client/client.ts';
import {
  type ArchiveChannels,
  type ArchiveFace,
  type BriefingReading,
  DEFAULT_RETENTION,
  type Retention,
} from '../../../shared/channels/archive.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { Guard } from '../guard.ts';
import { isDamage } from '../ledger/database.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ingested, Ledger } from '../ledger/ledger.ts';
import { FutureLedgerError } from '../ledger/migrations.ts';
import type { Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { emptyFace, tallyOf } from './face.ts';
import { createFetching } from './fetching.ts';
import { type ArchiveFilesOptions, createArchiveFiles } from './files.ts';
import { createFilling } from './filling.ts';
import { createIndexing } from './indexing.ts';
import { listBriefings, listNews } from './lists.ts';
import { createMemory, type Memory } from './memory.ts';
import { createReaders } from './readers.ts';
import { readingOf } from './reading.ts';
import type { ArchiveStore } from './store.ts';
import { createUpkeep } from './upkeep.ts';

export interface Archive {
  readonly handlers: Handlers<ArchiveChannels>;
  /** What windows read of the service. */
  readonly memory: Memory;
  /** Everything was fetched and the service may be asked: what is due begins. */
  sighted(): void;
  /** The stream broke: the next `sighted` begins anew. */
  unsighted(): void;
  /** The ledger has grown. */
  heard(ingested: Pick<Ingested, 'added'>): void;
  /** The user wrote a note on an alert. */
  noted(ledgerId: number, note: string): void;
  stop(): Promise<void>;
}

export interface ArchiveOptions extends Pick<Ports, 'random' | 'logger' | 'settings' | 'folder'> {
  /** Reads away from the core's thread. null: this program keeps no archive. */
  readonly startReader: Ports['archive'] | null;
  readonly guard: Guard;
  readonly profile: Profile;
  readonly client: Pick<Client, 'page' | 'read'>;
  readonly ledger: Pick<Ledger, 'entries' | 'marks' | 'count'>;
  /** Events by their place in the ledger, beyond one of them. */
  readonly entries: (after: number, limit: number) => EntryRow[];
  readonly world: { now(): number };
  readonly mayAsk: () => boolean;
  readonly onChanged: (face: ArchiveFace) => void;
  /** How the files are opened; a test of full disks passes its own. */
  readonly openStore?: ArchiveFilesOptions['open'];
}

/** Changes within this time are shown at once, ms. */
const GATHER = 250;
/** The first fetching waits so long after the service was found, so that a window is painted first, ms. */
const FIRST_WAIT = 500;
/** Between two pages of a list, ms. */
const PAGE_PAUSE = { sandbox: 20, production: 1_000 };
const NONE = 'This program keeps no archive.';
const DAY = 86_400_000;

const refuse = (message: string): RefusedError => new RefusedError({ code: 'refused', message });

export function createArchive(options: ArchiveOptions): Archive {
  const { guard, random, logger, settings, folder, profile, client, ledger, world, mayAsk, onChanged } = options;
  const { clock } = guard;
  const startReader = folder === ':memory:' ? null : (options.startReader ?? null);
  const hasArchive = startReader !== null;
  let version = 1;
  let cancelPush: Cancel | null = null;
  let cancelStart: Cancel | null = null;
  let isSighted = false;
  let isBegun = false;
  let isStopped = false;
  /** Of the last face: counting is only worth it when something changed. */
  let counted: { readonly version: number; readonly tally: ArchiveFace['briefings']; readonly news: number } | null = null;

  const changed = (): void => {
    version += 1;
    cancelPush ??= clock.after(GATHER, () => {
      cancelPush = null;
      if (!isStopped) onChanged(face());
    });
  };
  const files = createArchiveFiles({
    folder,
    clock,
    logger,
    ...(options.openStore === undefined ? {} : { open: options.openStore }),
    onReplaced() {
      counted = null;
      guard.go(readers.release());
      changed();
      filling.anew();
    },
  });
  const { use } = files;
  const retention = (): Retention => settings.read().archive?.retention ?? DEFAULT_RETENTION;
  const horizonOf = (days: number | null): number => (days === null ? Number.NEGATIVE_INFINITY : world.now() - days * DAY);
  const horizon = () => {
    const { briefings, news } = retention();
    return { briefings: horizonOf(briefings), news: horizonOf(news) };
  };

  const fetching = createFetching({
    client,
    clock,
    pause: PAGE_PAUSE[profile.environment],
    path: {
      get: () => use((store) => store.fact('briefings_path')),
      set: (path) => use((store) => store.setFact('briefings_path', path)),
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
    keepingWords: archiveWords,
    onUnfit: (what, count) => logger.warn({ what, count }, `rows of the service's ${what} could not be read`),
    onChanged: changed,
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
    ask: readers.askAside,
    release: readers.release,
    horizon,
    worldNow: world.now,
    onChanged: changed,
  });

  const face = (): ArchiveFace => {
    if (!hasArchive) return emptyFace(NONE, retention(), version);
    try {
      return use((store) => faceOf(store));
    } catch (thrown) {
      return emptyFace(archiveWords(thrown), retention(), version);
    }
  };
  const faceOf = (store: ArchiveStore): ArchiveFace => {
    if (counted?.version !== version)
      counted = { version, tally: tallyOf(store.briefings.tallies(), store.briefings.countTextless()), news: store.news.count() };
    const wanted = store.briefings.countWanted();
    const all = counted.tally.all;
    return {
      briefings: counted.tally,
      news: counted.news,
      version,
      filling: filling.isFilling() && wanted > 0 ? { done: all - wanted, of: all } : null,
      complete: wanted === 0 && store.fact('briefings_walked') === 'yes',
      problem: filling.problem() ?? upkeep.problem() ?? files.problem(),
      bytes: store.bytes(),
      retention: retention(),
      ...upkeep.face(),
    };
  };

  const read = async (id: string): Promise<BriefingReading> => {
    if (!hasArchive) throw refuse(NONE);
    const stored = use((store) => store.briefings.read(id));
    if (stored === null) throw refuse('There is no such briefing in the archive.');
    if (stored.text === null) {
      const why = mayAsk() ? await filling.text(id) : null;
      if (why?.ok === false) throw refuse(`The text of this briefing is not on this computer, and cannot be fetched. ${why.error.message}`);
      if (why?.value === false) throw refuse('The service lists this briefing, but has no text of it any more.');
      if (why === null) throw refuse('The text of this briefing is not on this computer yet. Barograph is not connected.');
    }
    return use((store) => {
      const found = store.briefings.read(id);
      if (found === null || found.text === null) throw refuse('The text of this briefing is not on this computer yet.');
      return readingOf({ ...found, text: found.text }, ledger.entries, store.briefings.near);
    });
  };

  const memory = createMemory({
    kept: hasArchive ? (work) => use(({ readings }) => work(readings)) : null,
    clock,
    onFailure(thrown) {
      // What was asked before the end is still answered after it, and only not kept.
      if (!isStopped) logger.warn({ problem: messageOf(thrown) }, 'what was read could not be remembered');
    },
  });

  return {
    memory,
    handlers: {
      'archive.read': face,
      async 'archive.search'(ask) {
        if (!hasArchive) throw refuse(NONE);
        indexing.step();
        return { hits: await readers.ask('search', ask) };
      },
      'archive.retention'({ retention: wanted }) {
        settings.write({ ...settings.read(), archive: { retention: wanted } });
        if (hasArchive) upkeep.prune();
        changed();
        return {};
      },
      async 'archive.check'() {
        if (!hasArchive) throw refuse(NONE);
        await upkeep.check();
        return {};
      },
      'briefings.list'(query) {
        if (!hasArchive) throw refuse(NONE);
        return query.text === '' ? use(({ db }) => listBriefings(db, query)) : readers.ask('briefings', query);
      },
      'briefings.read': ({ id }) => read(id),
      'briefings.mark'({ ids, ...given }) {
        if (!hasArchive) throw refuse(NONE);
        const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        use((store) => store.briefings.mark(ids, change, clock.now()));
        changed();
        return {};
      },
      'news.list'(query) {
        if (!hasArchive) throw refuse(NONE);
        filling.newsAsked();
        const sources = use((store) => store.news.sources());
        return query.text === '' ? use(({ db }) => listNews(db, query, sources)) : readers.ask('news', { query, sources });
      },
    },
    sighted() {
      if (!hasArchive || isSighted || isStopped) return;
      isSighted = true;
      cancelStart?.();
      cancelStart = clock.after(FIRST_WAIT, () => {
        if (!isBegun) upkeep.start();
        isBegun = true;
        filling.kick();
        indexing.kick();
      });
    },
    unsighted() {
      isSighted = false;
    },
    heard({ added }) {
      if (!hasArchive || !isBegun || added.length === 0) return;
      if (added.some(({ event }) => event.event === 'briefing.published')) filling.published();
      indexing.kick();
    },
    noted(ledgerId, note) {
      if (hasArchive && isBegun) guard.run(() => use(({ alerts }) => alerts.note(ledgerId, note)));
    },
    async stop() {
      isStopped = true;
      filling.stop();
      indexing.stop();
      upkeep.stop();
      cancelStart?.();
      cancelPush?.();
      await readers.close();
      files.close();
    },
  };
}

/** For the user, when something cannot be written or read here. */
function archiveWords(thrown: unknown): string {
  if (thrown instanceof RefusedError || thrown instanceof FutureLedgerError) return thrown.message;
  const what = `The archive cannot be used (${messageOf(thrown)}). Alerts do not need it.`;
  return isDamage(thrown) ? what : `${what} Make room on the disk, or check its rights.`;
}
