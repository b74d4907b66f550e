// Main, core: the window's calls about the archive.
import type { ArchiveChannels, BriefingDetail } from '../../../shared/channels/archive.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import { message } from '../../../shared/text/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import { briefingDetailOf } from './briefing-detail.ts';
import type { ArchiveFiles } from './files.ts';
import type { Filling } from './filling.ts';
import type { Indexing } from './indexing.ts';
import { listBriefings, listNews, unreadBriefings } from './lists.ts';
import type { Memory } from './memory.ts';
import type { Readers } from './readers.ts';
import type { Upkeep } from './upkeep.ts';
import type { ViewReader } from './view.ts';

export interface ArchiveHandlerDeps {
  readonly context: CoreContext;
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly memory: Pick<Memory, 'rows'>;
  readonly view: ViewReader;
  readonly files: ArchiveFiles;
  readonly filling: Filling;
  readonly indexing: Indexing;
  readonly readers: Readers;
  readonly upkeep: Upkeep;
}

export function createArchiveHandlers(deps: ArchiveHandlerDeps): Handlers<ArchiveChannels> {
  const { view, files, filling, indexing, readers, upkeep } = deps;
  const { events, ports } = deps.context;
  const { use } = files;
  return {
    'archive.read': view.read,
    async 'archive.search'(ask) {
      indexing.step();
      return { hits: await readers.ask('search', ask) };
    },
    'archive.retention'({ retention }) {
      ports.settings.change((now) => ({ ...now, archive: { retention } }));
      if (files.isAvailable) upkeep.prune();
      events.signal('archiveWritten');
      return {};
    },
    async 'archive.check'() {
      await upkeep.check();
      return {};
    },
    'briefings.list'(query) {
      return query.text === '' ? use(({ db }) => listBriefings(db, query)) : readers.ask('briefings', query);
    },
    'briefings.read': ({ id }) => readBriefing(id, deps),
    'briefings.flag'({ ids, ...given }) {
      const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      use(({ flags }) => flags.change(ids, change));
      events.signal('archiveWritten');
      return {};
    },
    'briefings.markAllRead'(query) {
      if (query.text !== '') indexing.step();
      const ids = use((store) => {
        const unread = unreadBriefings(store.db, query);
        store.flags.change(unread, { unread: false });
        return unread;
      });
      if (ids.length > 0) events.signal('archiveWritten');
      return { ids };
    },
    'news.list'(query) {
      const sources = use((store) => store.news.sources());
      filling.newsRequested();
      return query.text === ''
        ? use(({ db }) => listNews(db, query, sources))
        : readers.ask('news', { query, sources });
    },
  };
}

/** Fetches a missing text. @throws RefusedError with a message for the user when there is none */
async function readBriefing(
  id: string,
  { ledger, memory, files: { use }, filling }: ArchiveHandlerDeps,
): Promise<BriefingDetail> {
  const stored = use((store) => store.briefings.read(id));
  if (stored === null) throw refused(message('archive.briefing_unknown'));
  if (stored.text === null) {
    const fetched = await filling.fetchText(id);
    if (fetched === null) throw refused(message('archive.text_not_here_offline'));
    if (!fetched.ok) throw refused(message('archive.text_not_fetched', { why: fetched.error.message }));
    if (!fetched.value) throw refused(message('archive.text_gone'));
  }
  const found = use((store) => store.briefings.read(id));
  if (found === null || found.text === null) throw refused(message('archive.text_not_here'));
  return briefingDetailOf({ ...found, text: found.text }, ledger.entries, memory.rows, (...query) =>
    use(({ related }) => related(...query)),
  );
}
