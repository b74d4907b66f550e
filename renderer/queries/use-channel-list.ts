// Renderer: a long list of the archive, read as far as needed; old rows stay until new ones arrive.
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../services.ts';
import type { ListInput, PagedInput, QueryOutput } from './policies.ts';
import { useChannelPages } from './use-channel-query.ts';

type ListName = 'briefings.list' | 'news.list';
type Page<Name extends ListName> = QueryOutput<Name>;
type Row<Name extends ListName> = Page<Name>['rows'][number];

const PAGE_ROWS = 200;

export interface ChannelList<Name extends ListName> {
  /** The rows in order, without duplicates. */
  readonly rows: readonly Row<Name>[];
  /** The first page, with totals of the whole list; null before it is loaded. */
  readonly first: Page<Name> | null;
  /** The rows match the current input. */
  readonly isCurrent: boolean;
  /** All requested rows are loaded and fresh. */
  readonly isDone: boolean;
  readonly isFetching: boolean;
  /**
   * What follows the rows. none: the end; more: pages that are not read yet; beyond: rows beyond the limit.
   */
  readonly next: 'none' | 'more' | 'beyond';
  readonly error: Error | null;
  /** The current input could not be read: the rows are those of an earlier one. */
  readonly hasFailed: boolean;
  /** How long the first page took, ms; null until it is loaded. */
  readonly tookMs: number | null;
  readonly retry: () => void;
}

/** @param minRows minimum of rows to read */
export function useChannelList<Name extends ListName>(
  name: Name,
  input: ListInput<Name>,
  minRows: number,
): ChannelList<Name> {
  const query = useChannelPages(name, { ...input, limit: PAGE_ROWS } as unknown as PagedInput<Name>, {
    wants: (read) => rowCount(read) < minRows,
  });
  const isCurrent = query.pages.length > 0;
  const shown = useRef<readonly Page<Name>[]>([]);
  if (isCurrent) shown.current = query.pages;
  const pages = shown.current;
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [row.id, row as Row<Name>] as const)));
  return {
    rows: [...rows.values()],
    first: pages[0] ?? null,
    isCurrent,
    isDone: query.isDone,
    isFetching: query.isFetching,
    next: pages.at(-1)?.next == null ? 'none' : query.hasNextPage ? 'more' : 'beyond',
    error: query.error,
    hasFailed: query.error !== null && !isCurrent && !query.isFetching,
    tookMs: useTook(JSON.stringify(input), isCurrent),
    retry: query.retry,
  };
}

const rowCount = (pages: readonly { readonly rows: readonly unknown[] }[]): number =>
  pages.reduce((sum, { rows }) => sum + rows.length, 0);

/** Time from the first render with this key until it is ready, ms. */
function useTook(key: string, isReady: boolean): number | null {
  const { clock } = useServices();
  const [took, setTook] = useState<{ readonly key: string; readonly ms: number } | null>(null);
  const begun = useRef<{ readonly key: string; readonly at: number } | null>(null);
  useEffect(() => {
    if (begun.current?.key !== key) begun.current = { key, at: clock.now() };
    const { at } = begun.current;
    if (isReady) setTook((before) => (before?.key === key ? before : { key, ms: clock.now() - at }));
  }, [clock, key, isReady]);
  return took?.key === key ? took.ms : null;
}
