// Service, news: polls the operator's feeds, each at its own interval.
// Without feeds the list of news is empty.

import manifest from '../../package.json' with { type: 'json' };
import { backoffDelay } from '../../shared/lib/backoff.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { HOUR_MS } from '../../shared/lib/time.ts';
import { type ClusterPort, SINGLE_NODE } from '../cluster-port.ts';
import { RETENTION_MS } from '../log/retention.ts';
import type { Logger } from '../logger.ts';
import type { Instrument } from '../market/types.ts';
import { directOutbound, type Outbound } from '../network/outbound.ts';
import type { NewsItem } from '../store/news.ts';
import type { Store } from '../store/store.ts';
import { createResolve } from '../webhooks/resolve.ts';
import { createFetchFeed, type FeedFetcher, type FeedProblem } from './fetch-feed.ts';
import type { NewsService } from './news-service.ts';
import { createTags } from './tags.ts';

/** Interval between two polls of one feed, ms. */
const EVERY_MS = 300_000;
/** Delay of the first poll after a node begins to lead, ms. */
const STAND_BY_MS = 10_000;
/** Delay between the first polls of two feeds, ms. */
const STAGGER_MS = 500;
const RETRY = { base: 60_000, cap: HOUR_MS };

export interface FeedNewsDeps {
  /** The wall clock: feeds report the present. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store;
  readonly feeds: readonly string[];
  readonly instruments: readonly Instrument[];
  readonly randomBytes: (count: number) => Buffer;
  /** Default: directly. */
  readonly outbound?: Outbound;
  /** Default: over HTTP. */
  readonly fetchFeed?: FeedFetcher;
  /** One node of a cluster polls for all. Default: one machine. */
  readonly cluster?: Pick<ClusterPort, 'leads'>;
}

export function createFeedNews({
  clock,
  logger,
  store,
  feeds,
  instruments,
  randomBytes,
  cluster = SINGLE_NODE,
  outbound = directOutbound,
  ...given
}: FeedNewsDeps): NewsService {
  const fetchFeed =
    given.fetchFeed ??
    createFetchFeed({ clock, outbound, resolve: createResolve(clock), userAgent: `Barograph/${manifest.version}` });
  const tag = createTags(instruments.filter(({ inputOnly }) => !inputOnly));
  const stopping = new AbortController();
  const waiting = new Set<Cancel>();

  const later = (ms: number, job: () => void): void => {
    const cancel = clock.after(ms, () => {
      waiting.delete(cancel);
      job();
    });
    waiting.add(cancel);
  };

  /** Polls once. Logs an error of a feed once, and its recovery. */
  const poll = async (feed: string, failures: number, lastProblem: string): Promise<void> => {
    if (!cluster.leads()) {
      later(STAND_BY_MS, () => begin(feed));
      return;
    }
    const { problem, waitMs } = await readOnce(feed);
    if (stopping.signal.aborted) return;
    if (problem !== '' && problem !== lastProblem)
      logger.warn({ feed: shown(feed), problem }, 'a news feed cannot be read; it is tried again');
    if (problem === '' && lastProblem !== '') logger.info({ feed: shown(feed) }, 'a news feed can be read again');
    const failed = problem === '' ? 0 : failures + 1;
    const pause = problem === '' ? EVERY_MS : EVERY_MS + backoffDelay(failures, RETRY, random);
    later(Math.max(pause, waitMs), () => void poll(feed, failed, problem));
  };

  /** @returns an empty problem when there is none */
  const readOnce = async (feed: string): Promise<FeedProblem> => {
    const fetched = await fetchFeed(feed, store.news.validators(feed), stopping.signal);
    if (!fetched.ok) return fetched.error;
    const { text, validators, waitMs } = fetched.value;
    if (text === null || stopping.signal.aborted) return { problem: '', waitMs };
    // The parser is large, so a service without feeds does not load it.
    const { readFeed } = await import('./parse-feed.ts');
    if (stopping.signal.aborted) return { problem: '', waitMs };
    const page = readFeed(text, feed, clock.now(), tag);
    if (!page.ok) return { problem: page.error, waitMs };
    const { items, unusable } = page.value;
    // Does not store its validators, because a later 304 would look like a readable feed.
    if (items.length === 0 && unusable > 0)
      return { problem: `none of its ${unusable} items has a headline, a link and a date`, waitMs };
    keep(feed, items, validators);
    return { problem: '', waitMs };
  };

  const keep = (
    feed: string,
    items: readonly NewsItem[],
    validators: Parameters<typeof store.news.setValidators>[1],
  ): void => {
    const oldest = clock.now() - RETENTION_MS;
    store.transaction(() => {
      store.news.add(items.filter(({ publishedAt }) => publishedAt >= oldest));
      store.news.setValidators(feed, validators);
      store.news.prune(oldest);
    });
  };

  const random = (): number => randomBytes(4).readUInt32BE() / 4_294_967_296;
  const begin = (feed: string): void => {
    poll(feed, 0, '').catch((error: unknown) => {
      // The store failed (a full disk): retry the feed as after a failed fetch.
      logger.error({ feed: shown(feed), error: String(error) }, 'news cannot be written');
      if (!stopping.signal.aborted) later(EVERY_MS, () => begin(feed));
    });
  };

  return {
    list: (filter, below, limit) => store.news.list(filter, below, limit),
    start() {
      for (const [index, feed] of feeds.entries()) later(index * STAGGER_MS, () => begin(feed));
    },
    stop() {
      stopping.abort(new Error('the service ends'));
      for (const cancel of waiting) cancel();
      waiting.clear();
    },
  };
}

/** The log must omit the query of a feed's address, which may contain a token. */
function shown(feed: string): string {
  const url = URL.parse(feed);
  return url === null ? '' : `${url.origin}${url.pathname}`;
}
