// Main, core: the jobs that copy the service's lists of briefings and news into the archive.

import type { KeptBriefing, KeptNews } from '../../../shared/channels/archive.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Walk } from './fetching.ts';
import { createJob, type Job, type JobContext } from './job.ts';
import type { FillingProblem } from './problems.ts';
import type { ArchiveStore } from './store.ts';

export interface ListJob extends Job {
  /** When the list was last read, this computer's clock, ms; -Infinity: not in this run. */
  readAt(): number;
  /** A new archive begins: earlier reads do not count. */
  restart(): void;
}

export interface NewsJob extends ListJob {
  /** A window shows the news. */
  requested(): void;
}

/** Intervals of the reads, ms: in production a call counts against the quota. */
const CADENCE = {
  sandbox: { briefings: 300_000, newsWatched: 60_000, news: 600_000 },
  production: { briefings: 1_800_000, newsWatched: 300_000, news: HOUR_MS },
};
/** News are polled for this long after a window requested them, ms. */
const WATCHED = 600_000;
/** Pages of a hundred in the first fetch of the news. */
const NEWS_PAGES = 20;
/** Interval of the full list, ms: it finds items published with an older date. */
const FULL = 7 * DAY_MS;
/** Items older than this when the archive begins count as read, ms. */
const FRESH = 7 * DAY_MS;

/** @param texts woken after each complete read */
export function createBriefingJob(options: JobContext, texts: Pick<Job, 'wake'>): ListJob {
  const { context, fetching, retention } = options;
  const { clock } = context.guard;
  const { use } = options.files;
  const list = createListCopy<KeptBriefing>(options, 'briefings', {
    publishedAt: ({ date }) => Date.parse(date),
    put: (store, head) => store.briefings.put(head),
  });
  const run = async (): Promise<Result<unknown, FillingProblem>> => {
    const isFull = clock.now() - Number(use(({ metadata }) => metadata.get('briefings_full')) ?? 0) > FULL;
    use(({ metadata }) => {
      if (metadata.get('read_before') === null) metadata.set('read_before', timestamp(context.world.now() - FRESH));
    });
    const outcome = await fetching.walkBriefings(list.walk(retention.horizon().briefings, isFull));
    if (!outcome.ok) return outcome;
    list.complete();
    if (isFull) use(({ metadata }) => metadata.set('briefings_full', String(clock.now())));
    context.events.signal('archiveWritten');
    texts.wake();
    return outcome;
  };
  const cadence = (): number => CADENCE[context.profile.environment].briefings;
  return { ...createJob({ ...options, cadence, run }), readAt: list.readAt, restart: list.restart };
}

export function createNewsJob(options: JobContext): NewsJob {
  const { context, fetching, retention } = options;
  const { clock } = context.guard;
  const cadence = CADENCE[context.profile.environment];
  let requestedAt = Number.NEGATIVE_INFINITY;
  const list = createListCopy<KeptNews>(options, 'news', {
    publishedAt: ({ published_at }) => (published_at === null ? null : Date.parse(published_at)),
    put: (store, news) => store.news.put(news, context.world.now()),
  });
  const job = createJob({
    ...options,
    cadence: () => (clock.now() - requestedAt < WATCHED ? cadence.newsWatched : cadence.news),
    async run() {
      const walk = list.walk(retention.horizon().news, false);
      const outcome = await fetching.walkNews({ ...walk, mostPages: NEWS_PAGES });
      if (outcome.ok) list.complete();
      return outcome;
    },
  });
  return {
    ...job,
    readAt: list.readAt,
    restart: list.restart,
    requested() {
      requestedAt = clock.now();
      if (requestedAt - list.readAt() >= cadence.newsWatched) job.wake();
    },
  };
}

interface RowWriter<Row> {
  /** ms; null: not known. */
  readonly publishedAt: (row: Row) => number | null;
  /** `false`: it was stored already, unchanged. */
  readonly put: (store: ArchiveStore, row: Row) => boolean;
}

/** Writes a list page by page. After an interrupted read, known rows do not end the next one. */
function createListCopy<Row>(
  { context, files }: Pick<JobContext, 'context' | 'files'>,
  name: 'briefings' | 'news',
  { publishedAt, put }: RowWriter<Row>,
) {
  const { events, guard, ports } = context;
  const key = `${name}_walked` as const;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    readAt: (): number => readAt,
    restart(): void {
      readAt = Number.NEGATIVE_INFINITY;
    },
    complete(): void {
      readAt = guard.clock.now();
      files.use(({ metadata }) => metadata.set(key, 'yes'));
    },
    /** @param horizon older rows are not kept, ms. @param isFull reads on after a page of known rows */
    walk(horizon: number, isFull: boolean): Walk<Row> {
      const wasWhole = !isFull && files.use(({ metadata }) => metadata.get(key)) === 'yes';
      return {
        take(rows) {
          const fresh = rows.filter((row) => (publishedAt(row) ?? horizon) >= horizon);
          const added = files.use((store) =>
            store.transaction(() => {
              const many = fresh.filter((row) => put(store, row)).length;
              if (many > 0) store.metadata.set(key, 'no');
              return many;
            }),
          );
          if (added > 0) events.signal('archiveWritten');
          return fresh.length < rows.length || (wasWhole && added < fresh.length);
        },
        onInvalid: (count) =>
          ports.logger.warn({ what: name, count }, `rows of the service's ${name} could not be read`),
      };
    },
  };
}
