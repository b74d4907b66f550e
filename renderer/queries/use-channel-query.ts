// Renderer: the hooks that read the core: a query, its pages, and a series read to its end.
import {
  type QueryKey,
  skipToken,
  type UseQueryResult,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../services.ts';
import { useIsOffline } from '../store/connection-status.ts';
import {
  type PagedInput,
  type PagedName,
  POLICIES,
  type QueryInput,
  type QueryName,
  type QueryOutput,
} from './policies.ts';

interface QueryHookOptions {
  /** false: shows the cached result, and reads nothing. */
  readonly enabled?: boolean;
  /** A change reads the result again; for triggers that only the component knows. */
  readonly version?: string | number | null;
}

type QueryState = { readonly state: { readonly dataUpdateCount: number; readonly errorUpdateCount: number } };

/** The result of a query, as fresh as its policy says (policies.ts). @param input null: reads nothing */
export function useChannelQuery<Name extends QueryName>(
  name: Name,
  input: QueryInput<Name> | null,
  { enabled = true, version = null }: QueryHookOptions = {},
): UseQueryResult<QueryOutput<Name>> {
  const { queries } = useServices();
  const options = queries.options(name, input ?? ({} as QueryInput<Name>));
  const isAllowed = useAllowed(name);
  useVersion(input === null ? null : options.queryKey, version);
  const result = useQuery(
    input === null
      ? { ...options, queryKey: [name, null], queryFn: skipToken }
      : { ...options, enabled: enabled && isAllowed },
    queries.client,
  );
  return result as UseQueryResult<QueryOutput<Name>>;
}

/** The cached results of a query for several inputs; reads nothing. */
export function useKnownResults<Name extends QueryName>(
  name: Name,
  inputs: readonly QueryInput<Name>[],
): readonly (QueryOutput<Name> | undefined)[] {
  const { queries } = useServices();
  return useQueries(
    { queries: inputs.map((input) => ({ ...queries.options(name, input), enabled: false })) },
    queries.client,
  ).map(({ data }) => data as QueryOutput<Name> | undefined);
}

interface PagesOptions<Name extends PagedName> extends QueryHookOptions {
  /** Whether to read the next page. */
  readonly wants: (pages: readonly QueryOutput<Name>[]) => boolean;
}

/** The pages of a query, read one after the other while `wants` returns true. */
export function useChannelPages<Name extends PagedName>(
  name: Name,
  input: PagedInput<Name> | null,
  { wants, enabled = true, version = null }: PagesOptions<Name>,
) {
  const { queries } = useServices();
  const options = queries.pages(name, input ?? ({} as PagedInput<Name>));
  const isAllowed = useAllowed(name);
  const key = JSON.stringify(options.queryKey);
  /** Key of the query that the user stopped. */
  const [stopped, setStopped] = useState<string | null>(null);
  const isStopped = stopped === key;
  useVersion(input === null ? null : options.queryKey, version);
  const query = useInfiniteQuery(
    { ...options, enabled: enabled && input !== null && !isStopped && isAllowed },
    queries.client,
  );
  const pages: readonly QueryOutput<Name>[] = query.data?.pages ?? NO_PAGES;
  const isMoreWanted = query.hasNextPage && wants(pages);
  const { isFetching, isError, fetchNextPage } = query;
  const reads = isMoreWanted && !isFetching && !isError && !isStopped && enabled;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each loaded page may need a next one.
  useEffect(() => {
    if (reads) void fetchNextPage({ cancelRefetch: false });
  }, [reads, fetchNextPage, pages.length]);
  return {
    pages,
    error: query.error,
    isError,
    isFetching,
    hasNextPage: query.hasNextPage,
    isStopped,
    /** All wanted pages are loaded, and nothing is loading. */
    isDone: query.isSuccess && !isFetching && !isMoreWanted,
    retry() {
      setStopped(null);
      void query.refetch();
    },
    /** Reads no further page; loaded pages stay. */
    stop() {
      setStopped(key);
      void queries.client.cancelQueries({ queryKey: options.queryKey, exact: true });
    },
  };
}

const NO_PAGES: readonly never[] = [];
const always = (): boolean => true;

/**
 * All pages of a series. A complete result stays until its replacement is complete.
 * @param subject what the series is about: another subject does not show the pages of this one
 */
export function useChannelSeries<Name extends PagedName>(
  name: Name,
  input: PagedInput<Name> | null,
  { subject, enabled = true }: { readonly subject: string; readonly enabled?: boolean },
) {
  const query = useChannelPages(name, input, { wants: always, enabled });
  const complete = useRef<CompleteSeries<Name> | null>(null);
  const { pages } = query;
  if (input !== null && pages.length > 0 && !query.hasNextPage && complete.current?.pages !== pages)
    complete.current = { subject, input, pages };
  return { ...query, complete: complete.current?.subject === subject ? complete.current : null };
}

interface CompleteSeries<Name extends PagedName> {
  readonly subject: string;
  readonly input: PagedInput<Name>;
  readonly pages: readonly QueryOutput<Name>[];
}

/** Whether the policy allows reading now. */
function useAllowed(name: QueryName): boolean | ((query: QueryState) => boolean) {
  const isOffline = useIsOffline();
  const whileOffline = POLICIES[name]?.whileOffline;
  if (!isOffline || whileOffline === undefined) return true;
  if (whileOffline === 'never') return false;
  return ({ state }) => state.dataUpdateCount + state.errorUpdateCount === 0;
}

function useVersion(queryKey: QueryKey | null, version: string | number | null): void {
  const { queries } = useServices();
  const key = queryKey === null ? null : JSON.stringify(queryKey);
  const seen = useRef({ key, version });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands in for the array.
  useEffect(() => {
    const before = seen.current;
    seen.current = { key, version };
    if (queryKey === null || before.key !== key || before.version === version) return;
    // Two components with the same query read it once.
    void queries.client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
  }, [queries, key, version]);
}

/**
 * Whether `key` has been the same for `ms`, so that keyboard navigation through a list does not read every
 * row.
 */
export function useSettled(key: string, ms: number): boolean {
  const { clock } = useServices();
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => clock.after(ms, () => setSettled(key)), [clock, key, ms]);
  return settled === key;
}
