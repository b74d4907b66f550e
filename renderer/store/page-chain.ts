// Renderer, pure: a long list as far as its pages are there: each page says where the next one begins.
import type { QueryResult } from './state.ts';

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface Chain<Row, Page extends ListPage<Row>> {
  /** Where each page begins that is there or is to be asked for; null: the first. */
  readonly begins: readonly (string | null)[];
  readonly pages: readonly Page[];
  /** Whether rows follow: none, more that can be asked for, or more than is ever asked for. */
  readonly next: 'none' | 'more' | 'beyond';
  /** Of the first page that is not ready, else ready. */
  readonly status: QueryResult<unknown>['status'];
  readonly problem: string | null;
}

/** No further: whoever looks for an older row narrows the filters. */
export const MOST_PAGES = 40;

/** @param minRows how many rows are to be there at least */
export function chainOf<Row, Page extends ListPage<Row>>(
  resultAt: (begin: string | null) => QueryResult<Page> | undefined,
  minRows: number,
): Chain<Row, Page> {
  const begins: (string | null)[] = [];
  const results: (QueryResult<Page> | undefined)[] = [];
  const pages: Page[] = [];
  let rows = 0;
  let next: Chain<Row, Page>['next'] = 'none';
  for (let begin: string | null = null; ; ) {
    begins.push(begin);
    const result = resultAt(begin);
    results.push(result);
    const page = result?.value ?? null;
    if (page === null) break;
    pages.push(page);
    rows += page.rows.length;
    if (page.next === null) break;
    // A page that begins where one before it began leads round in a circle.
    next = begins.length >= MOST_PAGES || begins.includes(page.next) ? 'beyond' : 'more';
    if (next === 'beyond' || rows >= minRows) break;
    begin = page.next;
    next = 'none';
  }
  const open = results.find((result) => result?.status !== 'ready');
  const allReady = results.every((result) => result?.status === 'ready');
  return {
    begins,
    pages,
    next,
    status: allReady ? 'ready' : (open?.status ?? 'loading'),
    problem: open?.problem ?? null,
  };
}
