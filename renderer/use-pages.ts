// Renderer: reads a long list page by page, as far as it is wanted. What was read before stays visible until the new rows are there.
import { useEffect, useRef, useState } from 'react';
import type { Channels } from '../shared/channels/channels.ts';
import type { InputOf, OutputOf } from '../shared/channels/ends.ts';
import { queryKey } from './link/query-client.ts';
import { useServices } from './services.ts';
import { type Chain, chainOf } from './store/page-chain.ts';
import type { QueryResult } from './store/state.ts';
import { useApp } from './store/store.ts';
import { useRefetch } from './use-refetch.ts';

type ListName = 'briefings.list' | 'news.list';
type Page<Name extends ListName> = OutputOf<Channels[Name]>;
type Row<Name extends ListName> = Page<Name>['rows'][number];
export type ListQuery<Name extends ListName> = Omit<InputOf<Channels[Name]>, 'after' | 'limit'>;

/** Rows a page. */
const PAGE = 200;

export interface Pages<Name extends ListName>
  extends Pick<Chain<Row<Name>, Page<Name>>, 'next' | 'status' | 'problem'> {
  /** Each once, in their order. */
  readonly rows: readonly Row<Name>[];
  /** What the first page says of all of them; null before it is there. */
  readonly first: Page<Name> | null;
  /** The rows are those of the question as it stands. */
  readonly current: boolean;
  /** How long the answer to the question took, ms; null until it is there. */
  readonly took: number | null;
  readonly retry: () => void;
}

/**
 * @param reason changes whenever the rows may have become others
 * @param minRows how many rows are to be read at least
 */
export function usePages<Name extends ListName>(
  name: Name,
  query: ListQuery<Name>,
  reason: string | number,
  minRows: number,
): Pages<Name> {
  const { queryClient } = useServices();
  const queryCache = useApp((state) => state.queryCache.calls);
  const [retries, setRetries] = useState(0);
  const inputAt = (after: string | null) => ({ ...query, after, limit: PAGE }) as InputOf<Channels[Name]>;
  const keyAt = (after: string | null): string => queryKey(name, inputAt(after));
  const chain = chainOf<Row<Name>, Page<Name>>(
    (after) => queryCache[keyAt(after)] as QueryResult<Page<Name>> | undefined,
    minRows,
  );
  const firstKey = keyAt(null);

  // Each page is asked for once for each reason.
  const requested = useRef(new Map<string, string>());
  const round = `${reason} ${retries}`;
  useEffect(() => {
    for (const begin of chain.begins) {
      const key = keyAt(begin);
      if (requested.current.get(key) === round) continue;
      requested.current.set(key, round);
      queryClient.read(name, inputAt(begin));
    }
  });

  const retry = (): void => setRetries((count) => count + 1);
  useRefetch(firstKey, chain.status, retry);

  const took = useTook(firstKey, queryCache[firstKey]?.status === 'ready');
  const last = useRef(chain);
  const current = chain.pages.length > 0;
  // The rows of the question before are shown until those of this one are there: nothing jumps.
  if (current) last.current = chain;
  const { pages } = last.current;
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [row.id, row as Row<Name>] as const)));
  return {
    rows: [...rows.values()],
    first: pages[0] ?? null,
    next: last.current.next,
    status: chain.status,
    problem: chain.problem,
    current,
    took,
    retry,
  };
}

/** From the first drawing with this key until it is ready, ms. */
function useTook(key: string, ready: boolean): number | null {
  const { clock } = useServices();
  const [took, setTook] = useState<{ readonly key: string; readonly ms: number } | null>(null);
  const begun = useRef<{ readonly key: string; readonly at: number } | null>(null);
  useEffect(() => {
    if (begun.current?.key !== key) begun.current = { key, at: clock.now() };
    const { at } = begun.current;
    if (ready) setTook((before) => (before?.key === key ? before : { key, ms: clock.now() - at }));
  }, [clock, key, ready]);
  return took?.key === key ? took.ms : null;
}
