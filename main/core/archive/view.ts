// Main, core: the archive as windows see it: counted after writes, and emitted in batches.
import type { ArchiveView, Retention } from '../../../shared/channels/archive.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { Message } from '../../../shared/text/message.ts';
import type { CoreContext } from '../module.ts';
import type { TallyRow } from './briefings.ts';
import type { ArchiveFiles } from './files.ts';
import type { Filling } from './filling.ts';
import { archiveErrorMessage } from './problems.ts';
import type { RetentionPolicy } from './retention.ts';
import type { ArchiveStore } from './store.ts';
import type { Upkeep } from './upkeep.ts';

type Briefings = ArchiveView['briefings'];

export interface ViewReader {
  read(): ArchiveView;
  /** The archive was written: emits the new view soon. */
  touch(): void;
  stop(): void;
}

export interface ViewSources {
  readonly files: Pick<ArchiveFiles, 'use' | 'problem'>;
  readonly retention: RetentionPolicy;
  readonly filling: Pick<Filling, 'isFilling' | 'newsProblem' | 'problem'>;
  readonly upkeep: Pick<Upkeep, 'problem' | 'view'>;
}

/** Writes within this time are shown together, ms. */
const BATCH_DELAY = 250;

export function createViewReader(
  { guard, events }: Pick<CoreContext, 'guard' | 'events'>,
  { files, retention, filling, upkeep }: ViewSources,
): ViewReader {
  let version = 1;
  let cancelPush: Cancel | null = null;
  let isStopped = false;
  /** Counts of the last view; only a write changes them. */
  let counted: { readonly version: number; readonly tally: Briefings; readonly news: number } | null = null;

  const viewOf = (store: ArchiveStore): ArchiveView => {
    if (counted?.version !== version)
      counted = {
        version,
        tally: tallyOf(store.briefings.tallies(), store.briefings.countTextless()),
        news: store.news.count(),
      };
    const pending = store.briefings.countPendingTexts();
    const all = counted.tally.all;
    const own = upkeep.problem() ?? files.problem();
    return {
      briefings: counted.tally,
      news: counted.news,
      version,
      filling: filling.isFilling() && pending > 0 ? { done: all - pending, of: all } : null,
      complete: pending === 0 && store.metadata.get('briefings_walked') === 'yes',
      problem: filling.problem() ?? own,
      news_problem: filling.newsProblem() ?? own,
      bytes: store.bytes(),
      retention: retention.read(),
      ...upkeep.view(),
    };
  };
  const read = (): ArchiveView => {
    try {
      return files.use(viewOf);
    } catch (error) {
      return emptyView(archiveErrorMessage(error), retention.read(), version);
    }
  };
  return {
    read,
    touch() {
      version += 1;
      if (isStopped) return;
      cancelPush ??= guard.clock.after(BATCH_DELAY, () => {
        cancelPush = null;
        events.emit('archiveChanged', read());
      });
    },
    stop() {
      isStopped = true;
      cancelPush?.();
    },
  };
}

/** Sums one row per type, author and flags; types and authors are in order of name. */
function tallyOf(rows: readonly TallyRow[], textless: number): Briefings {
  const sum = (matches: (row: TallyRow) => boolean): number =>
    rows.reduce((total, row) => (matches(row) ? total + row.count : total), 0);
  const by = (name: 'type' | 'author'): Briefings['types'] =>
    [...new Set(rows.map((row) => row[name]))]
      .sort((a, b) => a.localeCompare(b))
      .map((value) => ({
        name: value,
        all: sum((row) => row[name] === value),
        unread: sum((row) => row[name] === value && row.unread),
      }));
  return {
    all: sum(() => true),
    textless,
    unread: sum((row) => row.unread),
    starred: sum((row) => row.starred),
    later: sum((row) => row.later),
    types: by('type'),
    authors: by('author'),
  };
}

const emptyView = (problem: Message | null, retention: Retention, version: number): ArchiveView => ({
  briefings: tallyOf([], 0),
  news: 0,
  version,
  filling: null,
  complete: false,
  problem,
  news_problem: problem,
  bytes: 0,
  retention,
  checked: null,
  backup: null,
});
