// Main, core: fills the archive: list of briefings, texts and news, each a separate slow job.
import { type ProblemKind, problem, type ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Fetching, Walk } from './fetching.ts';
import { createJob, type JobOptions } from './job.ts';
import type { ArchiveStore } from './store.ts';

export interface Filling {
  /** Starts every due job: at the start, and when the connection returns. */
  wake(): void;
  /** A new archive begins: earlier fetches do not count. */
  restart(): void;
  /** A briefing was published. */
  published(): void;
  /** A window shows the news. */
  newsRequested(): void;
  /** Fetches one text now. ok(false): the service has none. */
  text(id: string): Promise<Result<boolean, ServiceProblem>>;
  stop(): void;
  /** True while texts are being fetched. */
  isFilling(): boolean;
  /** Why items are missing, as a message. */
  problem(): string | null;
}

export interface FillingOptions extends Pick<JobOptions, 'guard' | 'random' | 'mayAsk' | 'describeStorageError'> {
  readonly environment: 'sandbox' | 'production';
  readonly fetching: Fetching;
  readonly use: <Value>(work: (store: ArchiveStore) => Value) => Value;
  /** Items from before these instants are not kept, world ms; -Infinity: all are. */
  readonly horizon: () => { readonly briefings: number; readonly news: number };
  readonly worldNow: () => number;
  readonly onInvalid: (what: string, count: number) => void;
  readonly onChanged: () => void;
}

/** In production a call counts against the quota, ms. */
const CADENCE = {
  sandbox: { briefings: 300_000, newsWatched: 60_000, news: 600_000 },
  production: { briefings: 1_800_000, newsWatched: 300_000, news: HOUR_MS },
};
const TEXT_PAUSE = { sandbox: 20, production: 2_000 };
/** News are polled for this long after a window requested them, ms. */
const WATCHED = 600_000;
/** A list younger than this is not read again when the connection returns, ms. */
const AGAIN = 60_000;
/** Pages of a hundred in the first fetch of the news. */
const NEWS_PAGES = 20;
/** Interval of the full list, ms: it finds items published with an older date. */
const FULL = 7 * DAY_MS;
/** Items older than this when the archive begins count as read, ms. */
const FRESH = 7 * DAY_MS;
/** Most attempts to fetch an invalid text in one run. */
const MOST_TRIES = 3;
/** This many invalid texts in a row are the service's fault. */
const MOST_WRONG = 5;
/** Faults of one text; any other problem ends the round. */
const OF_THE_TEXT: ReadonlySet<ProblemKind> = new Set([
  'bad_request',
  'server',
  'too_large',
  'unreadable',
  'not_covered',
]);

export function createFilling(options: FillingOptions): Filling {
  const { guard, environment, fetching, use, horizon, worldNow, onInvalid, onChanged } = options;
  const { clock } = guard;
  const cadence = CADENCE[environment];
  const tries = new Map<string, number>();
  let isStopped = false;
  let isFilling = false;
  let requestedAt = Number.NEGATIVE_INFINITY;
  let newsAt = Number.NEGATIVE_INFINITY;
  let listedAt = Number.NEGATIVE_INFINITY;

  /** A list that is written page by page; an interrupted fetch starts over, however much of it is known. */
  const walkOf = <Row>(
    key: 'briefings_walked' | 'news_walked',
    put: (store: ArchiveStore, row: Row) => boolean,
    isOld: (row: Row) => boolean,
    wasWhole: boolean,
  ): Walk<Row> => ({
    take(rows) {
      const fresh = rows.filter((row) => !isOld(row));
      const added = use((store) =>
        store.transaction(() => {
          const many = fresh.filter((row) => put(store, row)).length;
          if (many > 0) store.setMetadata(key, 'no');
          return many;
        }),
      );
      if (added > 0) onChanged();
      return fresh.length < rows.length || (wasWhole && added < fresh.length);
    },
    onInvalid: (count) => onInvalid(key === 'news_walked' ? 'news' : 'briefings', count),
  });
  const walked = (key: 'briefings_walked' | 'news_walked'): boolean => use((store) => store.getMetadata(key)) === 'yes';

  const listBriefings = async (): Promise<Result<unknown, ServiceProblem>> => {
    const isFull = clock.now() - Number(use((store) => store.getMetadata('briefings_full')) ?? 0) > FULL;
    use(({ flags }) => {
      if (flags.getMetadata('read_before') === null) flags.setMetadata('read_before', timestamp(worldNow() - FRESH));
    });
    const old = horizon().briefings;
    const outcome = await fetching.walkBriefings(
      walkOf(
        'briefings_walked',
        (store, head) => store.briefings.put(head),
        (head) => Date.parse(head.date) < old,
        walked('briefings_walked') && !isFull,
      ),
    );
    if (!outcome.ok || isStopped) return outcome;
    listedAt = clock.now();
    use((store) => {
      store.setMetadata('briefings_walked', 'yes');
      if (isFull) store.setMetadata('briefings_full', String(clock.now()));
    });
    onChanged();
    texts.wake();
    return outcome;
  };

  const listNews = async (): Promise<Result<unknown, ServiceProblem>> => {
    const old = horizon().news;
    const walk = walkOf(
      'news_walked',
      (store: ArchiveStore, news: Parameters<ArchiveStore['news']['put']>[0]) => store.news.put(news),
      (news) => Date.parse(news.published_at) < old,
      walked('news_walked'),
    );
    const outcome = await fetching.walkNews({ ...walk, mostPages: NEWS_PAGES });
    if (!outcome.ok || isStopped) return outcome;
    newsAt = clock.now();
    use((store) => store.setMetadata('news_walked', 'yes'));
    return outcome;
  };

  const fetchText = async (id: string): Promise<Result<boolean, ServiceProblem>> => {
    const answer = await fetching.readText(id);
    if (isStopped) return ok(false);
    if (!answer.ok) {
      if (answer.error.kind !== 'not_found') return answer;
      // It was listed and is deleted now.
      use((store) => store.briefings.giveUp(id));
      onChanged();
      return ok(false);
    }
    if (answer.value === null)
      return err(problem('unreadable', `What the service gives as the text of ${id} is none.`, 200));
    const text = answer.value;
    use((store) => store.briefings.putText(text));
    tries.delete(id);
    onChanged();
    return ok(true);
  };
  const nextText = (): string | undefined => {
    const given = [...tries].filter(([, count]) => count >= MOST_TRIES).length;
    return use((store) => store.briefings.pendingTexts(given + 1)).find((id) => (tries.get(id) ?? 0) < MOST_TRIES);
  };
  const fetchTexts = async (): Promise<Result<unknown, ServiceProblem>> => {
    isFilling = true;
    let wrong = 0;
    try {
      for (let id = nextText(); id !== undefined && !isStopped; id = nextText()) {
        const outcome = await fetchText(id);
        if (!outcome.ok) {
          if (!OF_THE_TEXT.has(outcome.error.kind)) return outcome;
          tries.set(id, (tries.get(id) ?? 0) + 1);
          wrong += 1;
          if (wrong >= MOST_WRONG)
            return err({ ...outcome.error, message: `Texts of briefings cannot be fetched. ${outcome.error.message}` });
        } else wrong = 0;
        await new Promise<void>((resolve) => void clock.after(TEXT_PAUSE[environment], resolve));
      }
      const left = isStopped ? 0 : use((store) => store.briefings.countPendingTexts());
      return left === 0
        ? ok(true)
        : err(problem('unreadable', `The service gives no readable text of ${left} briefing${left === 1 ? '' : 's'}.`));
    } finally {
      isFilling = false;
      onChanged();
    }
  };

  const common = { ...options, onChanged };
  const briefings = createJob({ ...common, cadence: () => cadence.briefings, run: listBriefings });
  const texts = createJob({ ...common, cadence: () => null, run: fetchTexts });
  const news = createJob({
    ...common,
    cadence: () => (clock.now() - requestedAt < WATCHED ? cadence.newsWatched : cadence.news),
    run: listNews,
  });

  const wake = (): void => {
    // A stream that breaks every few seconds must not fetch a list each time.
    if (clock.now() - listedAt >= AGAIN) briefings.wake();
    if (clock.now() - newsAt >= AGAIN) news.wake();
    texts.wake();
  };

  return {
    wake,
    restart() {
      listedAt = Number.NEGATIVE_INFINITY;
      newsAt = Number.NEGATIVE_INFINITY;
      tries.clear();
      wake();
    },
    published: briefings.wake,
    newsRequested() {
      requestedAt = clock.now();
      if (requestedAt - newsAt >= cadence.newsWatched) news.wake();
    },
    text: fetchText,
    stop() {
      isStopped = true;
      for (const job of [briefings, texts, news]) job.stop();
    },
    isFilling: () => isFilling,
    problem: () => briefings.problem() ?? texts.problem() ?? news.problem(),
  };
}
