// Main, core: keeps the archive full: the list of briefings, their texts and the news, each a job of its own, gently.
import { type ProblemKind, problem, type ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Fetching, Walk } from './fetching.ts';
import { createJob, type JobOptions } from './job.ts';
import type { ArchiveStore } from './store.ts';

export interface Filling {
  /** Everything that is due: at the start, and when the connection returns. */
  wake(): void;
  /** A new archive begins: nothing that was fetched before counts. */
  restart(): void;
  /** A briefing was published. */
  published(): void;
  /** A window shows the news. */
  newsRequested(): void;
  /** Fetches one text now. ok(false): the service gave none. */
  text(id: string): Promise<Result<boolean, ServiceProblem>>;
  stop(): void;
  /** Texts are being fetched. */
  isFilling(): boolean;
  /** Why something is missing, as a message. */
  problem(): string | null;
}

export interface FillingOptions extends Pick<JobOptions, 'guard' | 'random' | 'mayAsk' | 'describeStorageError'> {
  readonly environment: 'sandbox' | 'production';
  readonly fetching: Fetching;
  readonly use: <Value>(work: (store: ArchiveStore) => Value) => Value;
  /** Instants before which nothing is kept, world ms; -Infinity: everything is. */
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
/** News are polled as long as a window asked for them within this time, ms. */
const WATCHED = 600_000;
/** What was listed within this time is not listed again because the connection returned, ms. */
const AGAIN = 60_000;
/** The first fetch of the news goes back so many pages of a hundred. */
const NEWS_PAGES = 20;
/** The whole list is read again this often: what was published with an older date is found, ms. */
const FULL = 7 * DAY_MS;
/** What is older than this when the archive begins counts as read, ms. */
const FRESH = 7 * DAY_MS;
/** A text that the service gives wrongly is asked for so often in one run of this program. */
const MOST_TRIES = 3;
/** So many wrong texts in a row are the service's error, not the text's. */
const MOST_WRONG = 5;
/** The text itself is at fault; everything else ends the round. */
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

  /** How a list is written down page by page; a fetch that breaks off starts over, however much of it is known. */
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
      // It was listed and is gone.
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
    // A stream that breaks every few seconds must not cost a list each time.
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
