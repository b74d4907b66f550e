// Renderer: TanStack Query over the channel table: calls, and staleness by pushed state.
import { type InfiniteData, infiniteQueryOptions, type Query, QueryClient, queryOptions } from '@tanstack/react-query';
import { RefusedError, refused } from '../../shared/channels/channel.ts';
import type { Channels } from '../../shared/channels/channels.ts';
import type { WindowClient } from '../../shared/channels/ends.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import { type MessageCode, message } from '../../shared/text/message.ts';
import { startOf } from '../store/select.ts';
import type { AppStore } from '../store/store.ts';
import {
  nextPageParam,
  PAGING,
  type PagedInput,
  type PagedName,
  POLICIES,
  type Policy,
  type QueryInput,
  type QueryName,
  type QueryOutput,
  TRIGGERS,
  type Trigger,
} from './policies.ts';

/** A reconnect makes many queries read; failed ones are retried after this pause, ms. */
const RECONNECT_SETTLE_MS = 1500;
/** How long an unused result is kept, ms: long, so that a page is there at once on return. */
const RETAIN_MS = 12 * 3_600_000;
/** Search queries change with each character, so their results are kept for less time. */
const RETAIN_SEARCH_MS = 5 * 60_000;
const SEARCHES: ReadonlySet<QueryName> = new Set([
  'archive.search',
  'briefings.list',
  'news.list',
  'rules.backtest',
  'priceAlerts.backtest',
]);

/** No failure: the service starts, or still computes it. The pause until it is asked for again, ms. */
const COMING: ReadonlyMap<MessageCode, number> = new Map([
  ['service.coming', 1_000],
  ['service.computing', 5_000],
]);
const pauseOf = (error: Error): number | undefined =>
  error instanceof RefusedError ? COMING.get(error.refusal.message.code) : undefined;

type Page<Name extends PagedName> = QueryOutput<Name>;
type PageParam<Name extends PagedName> = Partial<QueryInput<Name>>;
type PagedKey = readonly [name: string, input: unknown, kind: 'pages'];

export type ChannelQueries = ReturnType<typeof createChannelQueries>;

export function createChannelQueries(window: WindowClient<Channels>, store: AppStore, clock: Clock) {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // The core is on this computer: the browser's network status does not matter.
        networkMode: 'always',
        // A retried query keeps the reason, and has no error.
        retry: (_times, error) => pauseOf(error) !== undefined,
        retryDelay: (_times, error) => pauseOf(error) ?? 0,
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
      },
    },
  });
  client.mount();
  const reconnects = (): number => store.getState().snapshot?.reconnects ?? 0;

  /** Retries once a call that failed because the connection came back meanwhile. While the service starts, none has failed. */
  const call = async <Name extends QueryName>(name: Name, input: QueryInput<Name>): Promise<QueryOutput<Name>> => {
    const before = reconnects();
    try {
      return await window.call(name, input);
    } catch (error) {
      const { snapshot } = store.getState();
      if (snapshot !== null && startOf(snapshot.connection) !== null) throw refused(message('service.coming'));
      if (reconnects() === before) throw error;
      return window.call(name, input);
    }
  };

  const settings = (name: QueryName) => {
    const { staleMs, pollMs, retryMs }: Policy = POLICIES[name] ?? {};
    const isPolled = pollMs !== undefined;
    return {
      gcTime: SEARCHES.has(name) ? RETAIN_SEARCH_MS : RETAIN_MS,
      staleTime: isPolled ? () => pollMs(store.getState()) : (staleMs ?? Number.POSITIVE_INFINITY),
      // A hidden window does not poll; it catches up when it is shown.
      refetchOnWindowFocus: isPolled,
      refetchInterval: (query: { readonly state: { readonly status: string } }) =>
        query.state.status === 'error' && retryMs !== undefined ? retryMs : isPolled && pollMs(store.getState()),
    };
  };

  const options = <Name extends QueryName>(name: Name, input: QueryInput<Name>) =>
    queryOptions<QueryOutput<Name>, Error, QueryOutput<Name>, readonly [string, unknown]>({
      queryKey: [name, input],
      queryFn: () => call(name, input),
      ...settings(name),
    });

  const pages = <Name extends PagedName>(name: Name, input: PagedInput<Name>) =>
    infiniteQueryOptions<Page<Name>, Error, InfiniteData<Page<Name>, PageParam<Name>>, PagedKey, PageParam<Name>>({
      queryKey: [name, input, 'pages'],
      // Reading the signal makes an unmounted query stop after the current page.
      queryFn: ({ pageParam, signal }) => {
        signal.throwIfAborted();
        return call(name, { ...input, ...(pageParam as object) } as QueryInput<Name>);
      },
      initialPageParam: PAGING[name].first as unknown as PageParam<Name>,
      getNextPageParam: (_last, all, _param, params) => nextPageParam(name, all, params),
      ...settings(name),
    });

  const invalidate = (...names: readonly QueryName[]): void => {
    for (const name of names) void client.invalidateQueries({ queryKey: [name] });
  };
  followState(client, store, clock);

  return {
    client,
    options,
    pages,
    /** Reads these again: mounted queries at once, others on their next mount. */
    invalidate,
    /** Calls without caching, for answers that must not stay in the cache. */
    once: <Name extends QueryName>(name: Name, input: QueryInput<Name>): Promise<Result<QueryOutput<Name>, string>> =>
      window.call(name, input).then(ok, (error) => err(messageOf(error))),
  };
}

/**
 * Returns a function for the start of the read that brought a result, ms; 0 before the first result. Reading
 * a further page does not make the first one fresher, and an answer requested before a change does not
 * contain the change.
 */
function followReads(client: QueryClient): (query: Query) => number {
  const begun = new WeakMap<Query, number>();
  const read = new WeakMap<Query, number>();
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action, query } = event;
    if (action.type === 'fetch' && action.meta?.fetchMore === undefined) begun.set(query, Date.now());
    if (action.type === 'success') read.set(query, begun.get(query) ?? 0);
  });
  return (query) => read.get(query) ?? 0;
}

/** Invalidates results as the table of policies says, and retries failed ones after a reconnect. */
function followState(client: QueryClient, store: AppStore, clock: Clock): void {
  const readAt = followReads(client);
  const changedAt = new Map<Trigger, number>();
  const names = Object.keys(POLICIES) as QueryName[];
  const isStaleSince = (query: Query, triggers: readonly Trigger[]): boolean =>
    readAt(query) <= Math.max(0, ...triggers.map((trigger) => changedAt.get(trigger) ?? 0));
  const invalidators = new Map(
    names.map((name) => {
      const { staleOn = [] }: Policy = POLICIES[name] ?? {};
      return [name, invalidatorOf(client, name, (query) => isStaleSince(query, staleOn), clock)];
    }),
  );
  let cancelRetry: Cancel = () => undefined;
  store.subscribe((state, before) => {
    // There are no results before the first snapshot.
    if (before.snapshot === null) return;
    const changed = new Set(
      (Object.keys(TRIGGERS) as Trigger[]).filter((trigger) => {
        const select: (of: typeof state) => unknown = TRIGGERS[trigger];
        return select(state) !== select(before);
      }),
    );
    for (const trigger of changed) changedAt.set(trigger, Date.now());
    for (const [name, invalidate] of invalidators)
      if (POLICIES[name]?.staleOn?.some((trigger) => changed.has(trigger))) invalidate();
    if ((state.snapshot?.reconnects ?? 0) === before.snapshot.reconnects) return;
    cancelRetry();
    cancelRetry = clock.after(RECONNECT_SETTLE_MS, () => {
      void client.invalidateQueries({
        fetchStatus: 'idle',
        predicate: (query) => query.state.status === 'error',
      });
    });
  });
}

/** Invalidates the results of one query as often as its policy allows. */
function invalidatorOf(
  client: QueryClient,
  name: QueryName,
  isStale: (query: Query) => boolean,
  clock: Clock,
): () => void {
  const { throttleMs, settleMs }: Policy = POLICIES[name] ?? {};
  const filter = { queryKey: [name] };
  const invalidate = (): void => void client.invalidateQueries({ ...filter, predicate: isStale });
  let cancel: Cancel | null = null;
  if (settleMs !== undefined)
    return () => {
      cancel?.();
      cancel = clock.after(settleMs, invalidate);
    };
  if (throttleMs === undefined) return invalidate;
  let isDue = false;
  const run = (): void => {
    isDue = false;
    // Lets a running read finish, or a storm of changes would restart it for ever.
    if (client.isFetching(filter) > 0) isDue = true;
    else invalidate();
    cancel = clock.after(throttleMs, () => {
      cancel = null;
      if (isDue) run();
    });
  };
  return () => {
    if (cancel === null) run();
    else isDue = true;
  };
}
