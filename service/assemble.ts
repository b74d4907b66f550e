// Service: assembles a service from the configuration of a command line or an app.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import type { Cancel } from '../shared/lib/clock.ts';
import { every } from '../shared/lib/clock.ts';
import { DAY_MS } from '../shared/lib/time.ts';
import type { Environment } from '../shared/wire/keys.ts';
import { openEditorials } from './briefings/editorial.ts';
import { openCache } from './checkpoint/open-cache.ts';
import { programDigest } from './checkpoint/program-digest.ts';
import type { ClusterNode } from './cluster/node.ts';
import type { FollowedPrices } from './cluster/shared-feed.ts';
import { type ClusterPort, SINGLE_NODE } from './cluster-port.ts';
import { createEngine } from './engine/engine.ts';
import type { RiskModel } from './engine/risk/model.ts';
import { RISK_MODEL } from './engine/risk/parameters.ts';
import type { Engine, EngineState } from './engine/types.ts';
import type { ServiceHost } from './host.ts';
import { createFolderPoll } from './market/csv/folder-poll.ts';
import { type CsvOptions, type CsvSource, openCsvFolderInSteps } from './market/csv/source.ts';
import type { FollowedFeed } from './market/feeds/feed-report.ts';
import { type FeedConfig, openFeed, type SharedFeed } from './market/feeds/open-feed.ts';
import { createSyntheticMarket, type SyntheticMarketOptions } from './market/synthetic/market.ts';
import { openTape, type Tape } from './market/tape/tape.ts';
import { OPERATOR } from './market/tape/tape-action.ts';
import { tapeFileOf } from './market/tape/tape-database.ts';
import type { Instrument, MarketSource } from './market/types.ts';
import { createWorldClock, type WorldTime } from './market/world-clock.ts';
import { directOutbound, type Outbound } from './network/outbound.ts';
import { createFeedNews } from './news/feeds.ts';
import type { NewsService } from './news/news-service.ts';
import { createSandboxNews } from './news/sandbox.ts';
import { defaultEventFolder, type EventFolder, openEventFolder } from './scheduled/event-folder.ts';
import { listedCalendars } from './scheduled/schedule.ts';
import { createService, type Service } from './service.ts';
import type { AccessOptions } from './service-deps.ts';
import { createEventIds, worldScope } from './signals/event-id.ts';
import { inOneTurn, type Steps } from './steps.ts';
import { withCopy } from './store/database-copy.ts';
import { createPrivate } from './store/lock.ts';
import { IN_MEMORY, openStore, type Store, type StoreBinding } from './store/store.ts';
import { type ValidatedPrices, type ValidationResult, validateInWorker } from './validation/worker.ts';
import type { WebhookOptions } from './webhooks/webhooks.ts';

/** How often the service polls a price folder for new rows, wall ms. */
const POLL_INTERVAL_MS = 2_000;

/**
 * The service serves two years of factors, and a rank compares with two more years of trading days. In
 * calendar years, so that the start date changes only at a new year.
 */
const FACTOR_YEARS = 4;
/**
 * The sandbox has a bar on every day: it retains as many as `service/signals/track.ts` does, and a rank
 * compares with 504 more.
 */
const SANDBOX_FACTOR_DAYS = 1_310;

export interface ServiceConfig {
  readonly world:
    | ({ readonly kind: 'sandbox' } & SyntheticMarketOptions)
    | { readonly kind: 'prices'; readonly folder: string }
    | ({ readonly kind: 'feed' } & FeedConfig);
  readonly time: WorldTime;
  /** Path of the store, or IN_MEMORY. */
  readonly file: string;
  /** Folder of Markdown files, published beside the generated briefings. */
  readonly editorial?: string;
  /** Folder of files of what is due. Default: `events` in the price folder, if there is one. */
  readonly events?: string;
  /** Addresses of news feeds, in production. */
  readonly feeds?: readonly string[];
  /** The model of the signals. Default: the shipped one. */
  readonly model?: RiskModel;
}

/** A folder that users fill: of prices, of briefings, of what is due. */
export type UserFolder = 'prices' | 'editorial' | 'events';
/** What is in one; of prices with its instruments, and the symbols that are none before the next start. */
export type FolderFound = Pick<CsvSource, 'problems'> & Partial<Pick<CsvSource, 'instruments' | 'added'>>;

export interface RuntimeDeps extends ServiceHost, AccessOptions {
  readonly webhooks?: WebhookOptions;
  /** True while a replay is paused. Default: it never is. */
  readonly isPaused?: () => boolean;
  /** Called with each folder that users fill: at the start, and again when it changes. */
  readonly onFolder?: (which: UserFolder, folder: FolderFound) => void;
  /** Reaches feeds of prices and news. Default: directly. */
  readonly outbound?: Outbound;
  /** The key of the feed's account, as it is now. Default: none. */
  readonly feedKey?: () => string | null;
  /** Called with messages about a feed: progress of its history, symbols that it lacks. */
  readonly onFeedNotice?: (text: string) => void;
}

/**
 * @throws StoreError for a store that cannot be used; Error with one sentence for a price folder without
 * prices, or an editorial folder that cannot be read
 * @param node the cluster node that provides store and world; absent: one machine
 */
export const assemble = (...given: Parameters<typeof assembleInSteps>): Service => inOneTurn(assembleInSteps(...given));

/** Like `assemble`, in steps. */
export function* assembleInSteps(
  { world: worldConfig, time, file: storeFile, editorial, events, feeds = [], model = RISK_MODEL }: ServiceConfig,
  deps: RuntimeDeps,
  node?: ClusterNode,
): Steps<Service> {
  const { clock } = deps;
  // A node has its store, tape and cache in memory.
  const file = node === undefined ? storeFile : IN_MEMORY;
  prepareFile(file);
  const tapeFile = worldConfig.kind === 'sandbox' || file === IN_MEMORY ? null : tapeFileOf(file);
  const {
    market,
    watch,
    newsOf,
    prices,
    feed,
    followed,
    begin = () => Promise.resolve(),
  } = yield* marketOf({ world: worldConfig, time }, node?.feed ?? tapeFile, deps);
  const binding = bindingOf({ world: worldConfig, time });
  const { environment, seed } = binding;
  const editorials = editorial === undefined ? null : openEditorials(editorial);
  const eventFolder = eventFolderOf(worldConfig, events, environment, market.instruments);
  const store = node?.store ?? openStore(file, binding);
  const { isPaused = () => false } = deps;
  const world = node?.world ?? createWorldClock({ ...time, clock, reached: reachedBy(store), isPaused });
  const cluster = node?.cluster ?? SINGLE_NODE;
  const factorsFrom =
    environment === 'sandbox' ? quarterBefore(world.now() - SANDBOX_FACTOR_DAYS * DAY_MS) : yearBefore(world.now());
  const { instruments } = market;
  const newEngine = (saved: EngineState | null): Engine => createEngine({ instruments, factorsFrom, model, saved });
  const engine = createEngine({ instruments: [], model });
  const cache = openCache(file === IN_MEMORY ? null : file, {
    version: file === IN_MEMORY ? manifest.version : `${manifest.version} ${programDigest()}`,
    modelVersion: engine.modelVersion,
    instruments,
    logger: deps.logger,
  });
  const service = createService({
    identity: {
      environment,
      seed,
      replay: environment === 'production' && time.start !== null,
      version: manifest.version,
    },
    world,
    sources: {
      market,
      engine,
      newEngine,
      ...cache?.kept,
      news: newsOf({ store, scope: worldScope(environment, seed), feeds, cluster, deps }),
      validate: (instant, ...more) => prices((given) => validateInWorker(given, instant, model, ...more)),
      ...(editorials === null ? {} : { editorials }),
      ...(eventFolder === null ? {} : { eventLists: () => eventFolder.lists }),
      ...(feed === undefined ? {} : { feeds: [feed] }),
    },
    store,
    host: deps,
    access: deps,
    ...(deps.webhooks === undefined ? {} : { webhooks: deps.webhooks }),
    cluster,
  });
  node?.attach(service, followed);
  const stopWatching = watch();
  let closing = false;
  const stopEditorials = watchFolder('editorial', editorials, deps);
  const stopEvents = watchFolder('events', eventFolder, deps);
  return {
    ...service,
    async start(options) {
      await begin();
      if (closing) return;
      await service.start(options);
      node?.contend();
    },
    async close() {
      closing = true;
      await stopWatching();
      stopEditorials();
      stopEvents();
      await service.close();
      cache?.close();
    },
  };
}

interface NewsDeps {
  readonly store: Store;
  readonly scope: string;
  readonly feeds: readonly string[];
  readonly cluster: ClusterPort;
  readonly deps: RuntimeDeps;
}

interface WatchedMarket {
  readonly market: MarketSource;
  readonly watch: () => () => void | Promise<void>;
  /** Resolves with the first prices, or after a time limit. */
  readonly begin?: () => Promise<void>;
  /** The followed feed, for GET /feeds. */
  readonly feed?: FollowedFeed;
  /** On a node of a cluster, the prices that follow the leader's. */
  readonly followed?: FollowedPrices;
  /** Has the same prices validated. */
  readonly prices: (validate: (prices: ValidatedPrices) => Promise<ValidationResult>) => Promise<ValidationResult>;
  readonly newsOf: (deps: NewsDeps) => NewsService;
}

function* marketOf(
  { world, time }: Pick<ServiceConfig, 'world' | 'time'>,
  tape: string | SharedFeed | null,
  deps: RuntimeDeps,
): Steps<WatchedMarket> {
  if (world.kind === 'sandbox') return sandboxMarket(world);
  if (world.kind === 'prices') return yield* folderMarket(world.folder, tape, deps, time.start !== null);
  if (tape === null) throw new Error('A feed records its prices beside the store: give the store a file with --db.');
  return feedMarket(world, tape, deps);
}

function sandboxMarket(options: SyntheticMarketOptions): WatchedMarket {
  const market = createSyntheticMarket(options);
  return {
    market,
    prices: (validate) => validate({ kind: 'sandbox', ...options }),
    watch: () => () => undefined,
    newsOf: ({ scope }) => createSandboxNews({ market, scope, ids: createEventIds(scope) }),
  };
}

/** @param place of the tape; on a node of a cluster only the operator's decisions are shared, because each reads the files */
function* folderMarket(
  folder: string,
  place: string | SharedFeed | null,
  deps: RuntimeDeps,
  isReplay: boolean,
): Steps<WatchedMarket> {
  const { clock, logger, onFolder } = deps;
  const shared = typeof place === 'string' ? null : place;
  const tape = openTape(typeof place === 'string' ? place : null);
  const decisions = openTape(shared?.tape ?? null);
  tape.recordActions(decisions.decisions(), { feed: OPERATOR, receivedAt: clock.now() });
  const market = yield* openRecorded(folder, {
    ...{ tape, now: clock.now, isReplay },
    decided() {
      if (shared === null) return;
      decisions.recordActions(tape.decisions(), { feed: OPERATOR, receivedAt: clock.now() });
      shared.published();
    },
  });
  onFolder?.('prices', market);
  const folderPoll = createFolderPoll(market, logger, () => onFolder?.('prices', market));
  return {
    market,
    followed: {
      lead: () => undefined,
      follow(isPublished) {
        if (isPublished && decisions.refresh()) market.takeDecisions(decisions.decisions());
      },
    },
    prices: (validate) =>
      place === null
        ? validate({ kind: 'prices', folder })
        : withTapeFile(place, (tape) => validate({ kind: 'prices', folder, tape })),
    watch() {
      const stop = every(clock, POLL_INTERVAL_MS, folderPoll.poll);
      return () => {
        stop();
        folderPoll.stop();
        tape.close();
      };
    },
    newsOf: ({ deps: host, ...given }) => createFeedNews({ ...host, ...given, instruments: market.instruments }),
  };
}

function feedMarket(config: FeedConfig, tape: string | SharedFeed, deps: RuntimeDeps): WatchedMarket {
  const { clock, logger, randomBytes, feedKey = () => null, onFeedNotice = () => undefined } = deps;
  const { outbound = directOutbound } = deps;
  const random = (): number => randomBytes(6).readUIntBE(0, 6) / 2 ** 48;
  const feed = openFeed(config, { tape, key: feedKey, clock, logger, random, outbound, onNotice: onFeedNotice });
  return {
    market: feed.market,
    feed: feed.followed,
    followed: feed,
    prices: (validate) => {
      const given = { feed: config.feed, symbols: [...feed.symbols], config: config.config ?? null };
      return withTapeFile(tape, (file) => validate({ kind: 'feed', ...given, tape: file }));
    },
    begin: feed.start,
    watch() {
      const stop = every(clock, POLL_INTERVAL_MS, feed.refresh);
      return () => {
        stop();
        return feed.close();
      };
    },
    newsOf: ({ deps: host, ...given }) => createFeedNews({ ...host, ...given, instruments: feed.market.instruments }),
  };
}

/** Has a worker read the tape: its file, or a copy of the store that has it. */
const withTapeFile = <Result>(place: string | SharedFeed, use: (file: string) => Promise<Result>): Promise<Result> =>
  typeof place === 'string' ? use(place) : withCopy(place.tape.database, use);

/** Closes the tape when opening throws, or is stopped. */
function* openRecorded(folder: string, options: CsvOptions & { readonly tape: Tape }): Steps<CsvSource> {
  let isOpen = false;
  try {
    const source = yield* openCsvFolderInSteps(folder, options);
    isOpen = true;
    return source;
  } finally {
    if (!isOpen) options.tape.close();
  }
}

/** Polls a folder that users fill; null: there is none. */
function watchFolder(
  which: UserFolder,
  folder: (FolderFound & { refresh(): boolean }) | null,
  { clock, onFolder }: Pick<RuntimeDeps, 'clock' | 'onFolder'>,
): Cancel {
  if (folder === null) return () => undefined;
  onFolder?.(which, folder);
  return every(clock, POLL_INTERVAL_MS, () => {
    if (folder.refresh()) onFolder?.(which, folder);
  });
}

/** null: no folder was named, and there is no price folder that could have one. */
function eventFolderOf(
  world: ServiceConfig['world'],
  named: string | undefined,
  environment: Environment,
  instruments: readonly Instrument[],
): EventFolder | null {
  const symbols = new Set(instruments.map(({ symbol }) => symbol));
  const context = {
    calendarOf: listedCalendars(environment, instruments),
    knows: (symbol: string) => symbols.has(symbol),
  };
  if (named !== undefined) return openEventFolder(named, context);
  return world.kind === 'prices'
    ? openEventFolder(defaultEventFolder(world.folder), { ...context, mayLack: true })
    : null;
}

/** Folder 0700, file 0600: SQLite gives its side files the mode of the main one. */
function prepareFile(file: string): void {
  if (file === IN_MEMORY) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  createPrivate(file);
}

/** Start dates that change once a year: a service restarted within it ranks from the same bar. */
const yearBefore = (now: number): string => `${new Date(now).getUTCFullYear() - FACTOR_YEARS}-01-01`;
function quarterBefore(instant: number): string {
  const date = new Date(instant);
  return new Date(Date.UTC(date.getUTCFullYear(), 3 * Math.floor(date.getUTCMonth() / 3), 1))
    .toISOString()
    .slice(0, 10);
}

const reachedBy = (store: Store): number | null => {
  const reached = store.meta('world_time');
  return reached === null ? null : Number(reached);
};

/** The combination of flags under which ids and world time of a store are valid. */
export function bindingOf({ world, time }: Pick<ServiceConfig, 'world' | 'time'>): StoreBinding {
  const { seed, scenario = null } = world.kind === 'sandbox' ? world : { seed: null };
  return { environment: world.kind === 'sandbox' ? 'sandbox' : 'production', seed, clock: canonical(time), scenario };
}

/** The canonical text of the clock that a store is bound to. */
const canonical = ({ start, speed }: WorldTime): string =>
  start === null ? 'real' : `${new Date(start).toISOString()}${speed === 0 ? '' : `,x${speed}`}`;
