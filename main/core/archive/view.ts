// Main, core: the archive's view for the windows: counted after changes, and pushed in batches.
import type { ArchiveView, Retention } from '../../../shared/channels/archive.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { TallyRow } from './briefings.ts';
import type { ArchiveFiles } from './files.ts';
import type { Filling } from './filling.ts';
import type { ArchiveStore } from './store.ts';
import type { Upkeep } from './upkeep.ts';

type Briefings = ArchiveView['briefings'];

export interface ViewReader {
  read(): ArchiveView;
  /** The view has changed. */
  changed(): void;
  stop(): void;
}

export interface ViewOptions {
  readonly clock: Clock;
  /** Why this program has no archive, as a message; null: it has one. */
  readonly unavailableReason: string | null;
  readonly retention: () => Retention;
  /** Called late: filling and upkeep report changes themselves. */
  readonly deps: () => {
    readonly files: Pick<ArchiveFiles, 'use' | 'problem'>;
    readonly filling: Pick<Filling, 'isFilling' | 'problem'>;
    readonly upkeep: Pick<Upkeep, 'problem' | 'view'>;
  };
  /** The message for an error of the files. */
  readonly messageFor: (error: unknown) => string;
  readonly onChanged: (view: ArchiveView) => void;
}

/** Changes within this time are pushed together, ms. */
const BATCH_DELAY = 250;

export function createViewReader({
  clock,
  unavailableReason,
  retention,
  deps,
  messageFor,
  onChanged,
}: ViewOptions): ViewReader {
  let version = 1;
  let cancelPush: Cancel | null = null;
  let isStopped = false;
  /** Of the last view: counts again only after a change. */
  let counted: { readonly version: number; readonly tally: Briefings; readonly news: number } | null = null;

  const viewOf = (store: ArchiveStore): ArchiveView => {
    const { files, filling, upkeep } = deps();
    if (counted?.version !== version)
      counted = {
        version,
        tally: tallyOf(store.briefings.tallies(), store.briefings.countTextless()),
        news: store.news.count(),
      };
    const pending = store.briefings.countPendingTexts();
    const all = counted.tally.all;
    return {
      briefings: counted.tally,
      news: counted.news,
      version,
      filling: filling.isFilling() && pending > 0 ? { done: all - pending, of: all } : null,
      complete: pending === 0 && store.getMetadata('briefings_walked') === 'yes',
      problem: filling.problem() ?? upkeep.problem() ?? files.problem(),
      bytes: store.bytes(),
      retention: retention(),
      ...upkeep.view(),
    };
  };
  const read = (): ArchiveView => {
    if (unavailableReason !== null) return emptyView(unavailableReason, retention(), version);
    try {
      return deps().files.use(viewOf);
    } catch (error) {
      return emptyView(messageFor(error), retention(), version);
    }
  };
  return {
    read,
    changed() {
      version += 1;
      cancelPush ??= clock.after(BATCH_DELAY, () => {
        cancelPush = null;
        if (!isStopped) onChanged(read());
      });
    },
    stop() {
      isStopped = true;
      cancelPush?.();
    },
  };
}

/** From one row per type, author and flags. Types and authors by name. */
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

const emptyView = (problem: string | null, retention: Retention, version: number): ArchiveView => ({
  briefings: tallyOf([], 0),
  news: 0,
  version,
  filling: null,
  complete: false,
  problem,
  bytes: 0,
  retention,
  checked: null,
  backup: null,
});
