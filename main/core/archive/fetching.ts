// Main, core: the archive's requests to the service: lists, texts, and news.
// A list is read page by page until it reaches known items, news since the newest known item.
import type { CallInput, Client, Page } from '../../../client/client.ts';
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { BriefingRecord } from '../../../shared/wire/briefings.ts';
import type { NewsRecord } from '../../../shared/wire/news.ts';
import { type BriefingContent, readBriefing, readBriefingText, readNews } from '../compat/read-articles.ts';

/** Rows per page: the service's maximum. */
const PAGE_ROWS = 100;
/** A list that does not end by then is invalid. */
const MOST_PAGES = 2_000;
/** Paths of other services (docs/contract.md 48); the one that answered is remembered. */
const BRIEFING_PATHS = ['/api/briefings', '/briefings'] as const;

export interface Walk<Row> {
  /**
   * Writes the rows of a page. @returns true where all further rows are known, or older than the retention
   */
  readonly take: (rows: readonly Row[]) => boolean;
  /** Number of unreadable rows in a page. */
  readonly onInvalid: (count: number) => void;
  readonly mostPages?: number;
}

export interface Fetching {
  /** Newest first. ok(true): the list was read to its end. */
  walkBriefings(walk: Walk<BriefingRecord>): Promise<Result<boolean, ServiceProblem>>;
  walkNews(walk: Walk<NewsRecord>): Promise<Result<boolean, ServiceProblem>>;
  /** ok(null): the answer is no briefing of this id. */
  readText(id: string): Promise<Result<BriefingContent | null, ServiceProblem>>;
}

export interface FetchingOptions {
  readonly client: Pick<Client, 'page' | 'read'>;
  readonly clock: Clock;
  /** Pause between two calls of one list, ms. */
  readonly pause: number;
  /** The path that this service answers. */
  readonly path: { get(): string | null; set(path: string): void };
}

export function createFetching({ client, clock, pause, path }: FetchingOptions): Fetching {
  const wait = (): Promise<void> => new Promise((resolve) => void clock.after(pause, resolve));

  const walkPages = async <Row>(
    ask: (after: string | null) => Promise<Result<Page, ServiceProblem>>,
    read: (row: unknown) => Row | null,
    { take, onInvalid, mostPages = MOST_PAGES }: Walk<Row>,
  ): Promise<Result<boolean, ServiceProblem>> => {
    const seen = new Set<string>();
    let after: string | null = null;
    for (let pages = 0; pages < mostPages; pages += 1) {
      const page = await ask(after);
      if (!page.ok) return page;
      const rows = page.value.rows.flatMap((row) => read(row) ?? []);
      if (rows.length < page.value.rows.length) onInvalid(page.value.rows.length - rows.length);
      // A page of unreadable rows tells nothing about later pages.
      const isKnown = take(rows) && rows.length > 0;
      const { hasMore, nextCursor } = page.value;
      if (!hasMore || nextCursor === null) return ok(true);
      if (isKnown) return ok(false);
      if (seen.has(nextCursor))
        return err(problem('unreadable', 'The service gave the same cursor twice: its list goes in a circle.', 200));
      seen.add(nextCursor);
      after = nextCursor;
      await wait();
    }
    return mostPages < MOST_PAGES
      ? ok(false)
      : err(problem('unreadable', `The list did not end within ${MOST_PAGES} pages.`, 200));
  };

  /** The first path that the service knows. */
  const onPath = async <Value>(
    ask: (base: string) => Promise<Result<Value, ServiceProblem>>,
  ): Promise<Result<Value, ServiceProblem>> => {
    const known = path.get();
    if (known !== null) {
      const answer = await ask(known);
      if (answer.ok || answer.error.kind !== 'not_found') return answer;
    }
    let last: Result<Value, ServiceProblem> = err(problem('not_found', ''));
    for (const base of BRIEFING_PATHS) {
      last = await ask(base);
      if (last.ok) path.set(base);
      if (last.ok || last.error.kind !== 'not_found') return last;
    }
    return err({
      ...(last.ok ? problem('not_found', '') : last.error),
      message: 'This service keeps no archive of briefings.',
    });
  };

  return {
    walkBriefings: (walk) =>
      walkPages(
        (after) => {
          const query = { limit: PAGE_ROWS, ...(after === null ? {} : { after }) };
          return onPath((base) => client.page('briefings', { query, path: base } as CallInput<'briefings'>));
        },
        readBriefing,
        walk,
      ),
    walkNews: (walk) =>
      walkPages(
        async (after) => {
          const answer = await client.page('marketNews', {
            query: { limit: PAGE_ROWS, ...(after === null ? {} : { after }) },
          });
          if (answer.ok || answer.error.kind !== 'not_found') return answer;
          return err({ ...answer.error, message: 'This service has no news.' });
        },
        readNews,
        walk,
      ),
    async readText(id) {
      const answer = await client.read('briefing', { params: { id }, path: `${path.get() ?? BRIEFING_PATHS[0]}/:id` });
      if (!answer.ok) return answer;
      const text = readBriefingText(answer.value.value);
      return ok(text === null || text.head.id !== id ? null : text);
    },
  };
}
