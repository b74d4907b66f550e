// Main, core: the archive's requests to the service: lists, texts, and news.
// A list is read page by page until it reaches known items, news since the newest known item.
import type { CallInput, Client, Page } from '../../../client/client.ts';
import type { KeptBriefing, KeptNews } from '../../../shared/channels/archive.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { message } from '../../../shared/text/message.ts';
import { type BriefingContent, readBriefing, readBriefingText, readNews } from '../compat/read-articles.ts';
import type { CoreContext } from '../module.ts';
import type { ArchiveFiles } from './files.ts';
import { asFillingProblem, type FillingProblem, fillingProblem } from './problems.ts';

/** Rows per page: the service's maximum. */
const PAGE_ROWS = 100;
/** A list that does not end by then is invalid. */
const MAX_PAGES = 2_000;
/** Paths of other services (docs/contract.md 48); the archive stores the path that answered. */
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
  walkBriefings(walk: Walk<KeptBriefing>): Promise<Result<boolean, FillingProblem>>;
  walkNews(walk: Walk<KeptNews>): Promise<Result<boolean, FillingProblem>>;
  /** ok(null): the answer is no briefing of this id. */
  readText(id: string): Promise<Result<BriefingContent | null, FillingProblem>>;
}

export interface FetchingOptions {
  readonly context: CoreContext;
  readonly client: Pick<Client, 'page' | 'read'>;
  readonly files: ArchiveFiles;
}

/** A pause after a request, ms: of another computer's service, where a request counts against a quota, it is longer. */
export const pauseOf = (
  { environment, baseUrl }: Pick<CoreContext['profile'], 'environment' | 'baseUrl'>,
  pauses: { readonly free: number; readonly counted: number },
): number => (environment === 'production' && baseUrl !== null ? pauses.counted : pauses.free);

/** Between two pages of a list. */
const PAGE_PAUSE = { free: 20, counted: 1_000 };

export function createFetching({ context, client, files }: FetchingOptions): Fetching {
  const pause = pauseOf(context.profile, PAGE_PAUSE);
  const wait = (): Promise<void> => new Promise((resolve) => void context.guard.clock.after(pause, resolve));
  /** The path that this service answers. */
  const knownPath = (): string | null => files.use(({ metadata }) => metadata.get('briefings_path'));

  const walkPages = async <Row>(
    ask: (after: string | null) => Promise<Result<Page, FillingProblem>>,
    read: (row: unknown) => Row | null,
    { take, onInvalid, mostPages = MAX_PAGES }: Walk<Row>,
  ): Promise<Result<boolean, FillingProblem>> => {
    const seen = new Set<string>();
    let after: string | null = null;
    for (let pages = 0; pages < mostPages; pages += 1) {
      const page = await ask(after);
      if (!page.ok) return page;
      const rows = page.value.rows.flatMap((row) => read(row) ?? []);
      if (rows.length < page.value.rows.length) onInvalid(page.value.rows.length - rows.length);
      // A page without a readable row does not show whether later rows are known.
      const isKnown = take(rows) && rows.length > 0;
      const { hasMore, nextCursor } = page.value;
      if (!hasMore || nextCursor === null) return ok(true);
      if (isKnown) return ok(false);
      if (seen.has(nextCursor)) return err(fillingProblem('unreadable', message('archive.list_circular')));
      seen.add(nextCursor);
      after = nextCursor;
      await wait();
    }
    return mostPages < MAX_PAGES
      ? ok(false)
      : err(fillingProblem('unreadable', message('archive.list_endless', { pages: MAX_PAGES })));
  };

  const askPage = async (base: string, after: string | null): Promise<Result<Page, FillingProblem>> => {
    const query = { limit: PAGE_ROWS, ...(after === null ? {} : { after }) };
    const page = await client.page('briefings', { query, path: base } as CallInput<'briefings'>);
    return page.ok ? page : err(asFillingProblem(page.error));
  };
  /** Requests a page from the first path that the service knows. */
  const askBriefings = async (after: string | null): Promise<Result<Page, FillingProblem>> => {
    const known = knownPath();
    if (known !== null) {
      const page = await askPage(known, after);
      if (page.ok || page.error.kind !== 'not_found') return page;
    }
    let found = fillingProblem('not_found', message('archive.no_briefings'));
    for (const base of BRIEFING_PATHS) {
      const page = await askPage(base, after);
      if (page.ok) files.use(({ metadata }) => metadata.set('briefings_path', base));
      if (page.ok || page.error.kind !== 'not_found') return page;
      found = { ...page.error, message: found.message };
    }
    return err(found);
  };

  return {
    walkBriefings: (walk) => walkPages(askBriefings, readBriefing, walk),
    walkNews: (walk) =>
      walkPages(
        async (after) => {
          const page = await client.page('marketNews', {
            query: { limit: PAGE_ROWS, ...(after === null ? {} : { after }) },
          });
          if (page.ok) return page;
          const found = asFillingProblem(page.error);
          return err(found.kind === 'not_found' ? { ...found, message: message('archive.no_news') } : found);
        },
        readNews,
        walk,
      ),
    async readText(id) {
      const answer = await client.read('briefing', { params: { id }, path: `${knownPath() ?? BRIEFING_PATHS[0]}/:id` });
      if (!answer.ok) return err(asFillingProblem(answer.error));
      return ok(readBriefingText(answer.value.value, id));
    },
  };
}
