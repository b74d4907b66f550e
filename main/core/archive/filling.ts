// Main, core: fills the archive: list of briefings, texts and news, each a separate slow job.
import type { Message } from '../../../shared/text/message.ts';
import type { JobContext } from './job.ts';
import { createBriefingJob, createNewsJob, type NewsJob } from './list-jobs.ts';
import { createTextQueue, type TextQueue } from './text-queue.ts';

export interface Filling {
  /** Starts every due job: at the start, and when the connection returns. */
  wake(): void;
  /** A new archive begins: earlier fetches do not count. */
  restart(): void;
  /** A briefing was published. */
  published(): void;
  readonly newsRequested: NewsJob['requested'];
  readonly fetchText: TextQueue['fetch'];
  stop(): void;
  /** True while texts are being fetched. */
  readonly isFilling: TextQueue['isFetching'];
  /** Why briefings or their texts are missing. */
  problem(): Message | null;
  /** Why news are missing. */
  newsProblem(): Message | null;
}

/** A list younger than this is not read again when the connection returns, ms. */
const AGAIN = 60_000;

export function createFilling(options: JobContext): Filling {
  const { clock } = options.context.guard;
  const texts = createTextQueue(options);
  const briefings = createBriefingJob(options, texts);
  const news = createNewsJob(options);
  const wake = (): void => {
    // A stream that breaks every few seconds must not fetch a list each time.
    for (const list of [briefings, news]) if (clock.now() - list.readAt() >= AGAIN) list.wake();
    texts.wake();
  };
  return {
    wake,
    restart() {
      for (const job of [briefings, news, texts]) job.restart();
      wake();
    },
    published: briefings.wake,
    newsRequested: news.requested,
    fetchText: texts.fetch,
    stop() {
      for (const job of [briefings, texts, news]) job.stop();
    },
    isFilling: texts.isFetching,
    problem: () => briefings.problem() ?? texts.problem(),
    newsProblem: news.problem,
  };
}
