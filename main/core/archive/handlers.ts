// Main, core: the window's calls about the archive.
import type { ArchiveChannels, BriefingDetail } from '../../../shared/channels/archive.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SettingsStore } from '../ports.ts';
import { briefingDetailOf } from './briefing-detail.ts';
import type { ArchiveFiles } from './files.ts';
import type { Filling } from './filling.ts';
import type { Indexing } from './indexing.ts';
import { listBriefings, listNews } from './lists.ts';
import type { Readers } from './readers.ts';
import type { Upkeep } from './upkeep.ts';
import type { ViewReader } from './view.ts';

export interface ArchiveHandlerDeps {
  /** Why this program has no archive, as a message; null: it has one. */
  readonly unavailableReason: string | null;
  readonly clock: Clock;
  readonly settings: SettingsStore;
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly mayAsk: () => boolean;
  readonly view: ViewReader;
  readonly files: Pick<ArchiveFiles, 'use'>;
  readonly filling: Pick<Filling, 'text' | 'newsRequested'>;
  readonly indexing: Pick<Indexing, 'step'>;
  readonly readers: Pick<Readers, 'ask'>;
  readonly upkeep: Pick<Upkeep, 'prune' | 'check'>;
}

export const refuse = (message: string): RefusedError => new RefusedError({ code: 'refused', message });

export function createArchiveHandlers(deps: ArchiveHandlerDeps): Handlers<ArchiveChannels> {
  const { unavailableReason, clock, settings, view, filling, indexing, readers, upkeep } = deps;
  const { use } = deps.files;
  const assertThere = (): void => {
    if (unavailableReason !== null) throw refuse(unavailableReason);
  };
  return {
    'archive.read': view.read,
    async 'archive.search'(ask) {
      assertThere();
      indexing.step();
      return { hits: await readers.ask('search', ask) };
    },
    'archive.retention'({ retention }) {
      settings.write({ ...settings.read(), archive: { retention } });
      if (unavailableReason === null) upkeep.prune();
      view.changed();
      return {};
    },
    async 'archive.check'() {
      assertThere();
      await upkeep.check();
      return {};
    },
    'briefings.list'(query) {
      assertThere();
      return query.text === '' ? use(({ db }) => listBriefings(db, query)) : readers.ask('briefings', query);
    },
    async 'briefings.read'({ id }) {
      assertThere();
      return readBriefing(id, deps);
    },
    'briefings.flag'({ ids, ...given }) {
      assertThere();
      const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      use((store) => store.briefings.flag(ids, change, clock.now()));
      view.changed();
      return {};
    },
    'news.list'(query) {
      assertThere();
      filling.newsRequested();
      const sources = use((store) => store.news.sources());
      return query.text === ''
        ? use(({ db }) => listNews(db, query, sources))
        : readers.ask('news', { query, sources });
    },
  };
}

/** Fetches a missing text. @throws RefusedError with a message for the user when there is none */
async function readBriefing(
  id: string,
  { ledger, mayAsk, files: { use }, filling }: ArchiveHandlerDeps,
): Promise<BriefingDetail> {
  const stored = use((store) => store.briefings.read(id));
  if (stored === null) throw refuse('There is no such briefing in the archive.');
  if (stored.text === null) {
    const fetched = mayAsk() ? await filling.text(id) : null;
    if (fetched === null)
      throw refuse('The text of this briefing is not on this computer yet. Barograph is not connected.');
    if (!fetched.ok)
      throw refuse(
        `The text of this briefing is not on this computer, and cannot be fetched. ${fetched.error.message}`,
      );
    if (!fetched.value) throw refuse('The service lists this briefing, but has no text of it any more.');
  }
  return use((store) => {
    const found = store.briefings.read(id);
    if (found === null || found.text === null) throw refuse('The text of this briefing is not on this computer yet.');
    return briefingDetailOf({ ...found, text: found.text }, ledger.entries, store.briefings.near);
  });
}
