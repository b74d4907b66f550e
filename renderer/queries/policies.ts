// Renderer, pure: the table of query policies: when results go stale, and how pages follow.
import type { Channels } from '../../shared/channels/channels.ts';
import type { CallNames, InputOf, OutputOf } from '../../shared/channels/ends.ts';
import { MAX_ALERTS } from '../../shared/channels/state.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { AppState } from '../store/state.ts';

/** Channels without side effects. */
export type QueryName = {
  [Name in CallNames<Channels>]: Channels[Name]['kind'] extends 'query' ? Name : never;
}[CallNames<Channels>];
export type QueryInput<Name extends QueryName> = InputOf<Channels[Name]>;
export type QueryOutput<Name extends QueryName> = OutputOf<Channels[Name]>;

/** The session day of the newest decision of the list; null while there is none. */
export function lastDecidedDay(rows: NonNullable<AppState['snapshot']>['rows']): number | null {
  let newest: string | null = null;
  for (const { signal } of Object.values(rows))
    if (signal?.decided_at != null && (newest === null || signal.decided_at > newest)) newest = signal.decided_at;
  return newest === null ? null : Math.floor(Date.parse(newest) / DAY_MS);
}

const modelVersion = (rows: NonNullable<AppState['snapshot']>['rows']): string | null =>
  Object.values(rows).find(({ signal }) => signal !== null)?.signal?.model_version ?? null;

/** Parts of the pushed state that queries depend on. A change makes results stale. */
export const TRIGGERS = {
  /** Earlier reads may have gaps. */
  epoch: ({ snapshot }) => snapshot?.epoch,
  link: ({ link }) => link,
  alerts: ({ snapshot }) => snapshot?.alerts,
  priceAlerts: ({ snapshot }) => snapshot?.local_alerts,
  alerting: ({ features }) => features.alerting,
  archive: ({ features }) => features.archive?.version,
  events: ({ snapshot }) => snapshot?.ledger.events,
  /** Changes each time the ledger has grown by as many events as a window holds. */
  outgrown: ({ snapshot }) => Math.floor((snapshot?.ledger.events ?? 0) / MAX_ALERTS),
  outage: ({ snapshot }) => snapshot?.connection.outage !== null,
  stream: ({ snapshot }) => snapshot?.connection.indicators.open.since,
  profile: ({ snapshot }) => JSON.stringify(snapshot?.profile.label),
  profiles: ({ features }) => JSON.stringify(features.profiles?.profiles.map(({ key }) => key)),
  decidedDay: ({ snapshot }) => (snapshot === null ? null : lastDecidedDay(snapshot.rows)),
  model: ({ snapshot }) => (snapshot === null ? null : modelVersion(snapshot.rows)),
} as const satisfies Readonly<Record<string, (state: AppState) => unknown>>;
export type Trigger = keyof typeof TRIGGERS;

/** All times in ms. Without a policy a result stays fresh. */
export interface Policy {
  readonly staleOn?: readonly Trigger[];
  /** How long a result is fresh; 0: every mount reads again. */
  readonly staleMs?: number;
  /** Reacts to a change at once, but no more often than this. */
  readonly throttleMs?: number;
  /** Reacts once no change has come for this long. */
  readonly settleMs?: number;
  /** Polls while a component shows the result and the window is visible. */
  readonly pollMs?: (state: AppState) => number;
  /** Polls after a failure. */
  readonly retryMs?: number;
  /** Whether to read while offline. once: if nothing is known, for the core's archive may know. */
  readonly whileOffline?: 'never' | 'once';
}

const pollService = ({ snapshot }: AppState): number => (snapshot?.profile.environment === 'sandbox' ? 5000 : 60_000);

export const POLICIES: { readonly [Name in QueryName]?: Policy } = {
  // During a backfill the ledger grows many times; read the chart when it settles.
  'timeline.read': { staleOn: ['epoch', 'decidedDay', 'outgrown'], settleMs: 1000 },
  // A call a symbol: once a day.
  'timelines.read': { staleOn: ['epoch', 'decidedDay'], settleMs: 1000, retryMs: 20_000, whileOffline: 'once' },
  'factors.read': { staleOn: ['epoch'], pollMs: () => 30_000, whileOffline: 'once' },
  'factors.page': { staleOn: ['epoch'], whileOffline: 'once' },
  'regime.read': { staleOn: ['epoch'], staleMs: 0 },
  'regime.page': { staleOn: ['epoch'], whileOffline: 'never' },
  'episodes.read': { staleOn: ['epoch'], retryMs: 20_000, whileOffline: 'never' },
  // A storm of events must not keep the core busy; a new day comes without an event.
  'states.days': { staleOn: ['epoch', 'events'], throttleMs: 1000, pollMs: () => 60_000 },
  'states.day': { staleOn: ['epoch', 'events'], throttleMs: 1000, pollMs: () => 60_000 },
  // The window knows the states of today itself.
  'states.highRisk': { staleOn: ['epoch', 'events'], throttleMs: 30_000, pollMs: () => 60_000 },
  'notes.read': { staleOn: ['epoch', 'alerting', 'alerts'], throttleMs: 1000 },
  // The core caches the record for 15 minutes. A service that has just started needs a while to compute it.
  'validation.read': {
    staleOn: ['epoch', 'model'],
    pollMs: () => 15 * 60_000,
    retryMs: 20_000,
    whileOffline: 'once',
  },
  // Lists change rarely; the core keeps them for a quarter of an hour.
  'scheduled.read': { staleOn: ['epoch'], pollMs: () => 5 * 60_000, retryMs: 60_000, whileOffline: 'once' },
  // As the record: a new close changes the figures, and the service may still compute them.
  'worth.read': { staleOn: ['epoch', 'decidedDay', 'model'], retryMs: 20_000, whileOffline: 'once' },
  'worth.course': { staleOn: ['epoch', 'decidedDay', 'model'], whileOffline: 'once' },
  'worth.alerts': { staleOn: ['alerts', 'epoch', 'alerting'], throttleMs: 30_000 },
  // The core asks the service once an hour.
  'instruments.read': { staleOn: ['epoch'], staleMs: 10 * 60_000, retryMs: 20_000, whileOffline: 'once' },
  // A storm of events must not keep the core busy.
  'alerts.read': { staleOn: ['alerts', 'epoch', 'alerting'], throttleMs: 1000 },
  'localAlerts.read': { staleOn: ['priceAlerts', 'epoch'], throttleMs: 1000 },
  'alerts.trace': { staleMs: 0 },
  'priceAlerts.backtest': { staleMs: 0 },
  'rules.backtest': { staleMs: 0 },
  'archive.search': { staleOn: ['events', 'archive'] },
  'briefings.list': { staleOn: ['epoch', 'archive'] },
  'briefings.read': { staleOn: ['epoch', 'archive'] },
  'news.list': { staleOn: ['epoch', 'archive'] },
  'connection.read': { staleOn: ['epoch', 'stream'], pollMs: () => 5000 },
  'feeds.read': { staleOn: ['epoch', 'stream'], pollMs: () => 5000, whileOffline: 'never' },
  'desk.read': { staleOn: ['epoch', 'alerts'], pollMs: () => 5000 },
  'ledger.read': { staleOn: ['epoch'], staleMs: 0, pollMs: () => 30_000 },
  'gaps.list': { staleOn: ['epoch'], staleMs: 0 },
  'key.state': { staleOn: ['link', 'profile', 'profiles'], staleMs: 0 },
  'report.read': { staleMs: 0 },
  'relay.diagnose': { staleMs: 0 },
  'relay.inbound.last': { staleMs: 0 },
  'subscriptions.read': { staleOn: ['epoch', 'outage'], pollMs: pollService },
  'deliveries.page': { staleOn: ['epoch', 'outage'], pollMs: pollService },
};

interface Paging<Name extends QueryName> {
  /** Parameters that the first page adds. */
  readonly first: Partial<QueryInput<Name>>;
  /** Parameters that the next page adds; null at the end. */
  next(page: QueryOutput<Name>): Partial<QueryInput<Name>> | null;
  /** Upper limit of pages to read. */
  readonly maxPages: number;
}

/** Limit of pages read of a list. To find older rows, the user narrows the filters. */
const MAX_LIST_PAGES = 40;
const MAX_SERIES_PAGES = 200;

/** Queries with pages. */
export const PAGING = {
  'alerts.read': {
    first: { before: null },
    next: ({ next }) => (next === null ? null : { before: next }),
    maxPages: Number.POSITIVE_INFINITY,
  },
  'localAlerts.read': {
    first: { before: null },
    next: ({ next }) => (next === null ? null : { before: next }),
    maxPages: MAX_LIST_PAGES,
  },
  'gaps.list': {
    first: { before: null },
    next: ({ next }) => (next === null ? null : { before: next }),
    maxPages: MAX_LIST_PAGES,
  },
  'briefings.list': {
    first: { after: null },
    next: ({ next }) => (next === null ? null : { after: next }),
    maxPages: MAX_LIST_PAGES,
  },
  'news.list': {
    first: { after: null },
    next: ({ next }) => (next === null ? null : { after: next }),
    maxPages: MAX_LIST_PAGES,
  },
  'factors.page': {
    first: { after: null },
    next: ({ next }) => (next === null ? null : { after: next }),
    maxPages: MAX_SERIES_PAGES,
  },
  'regime.page': {
    first: { after: null },
    // The service may answer in a coarser granularity; its cursor belongs to that one.
    next: ({ next, granularity }) => (next === null ? null : { after: next, granularity }),
    maxPages: MAX_SERIES_PAGES,
  },
} as const satisfies { readonly [Name in QueryName]?: Paging<Name> };
export type PagedName = keyof typeof PAGING;
export type PagedInput<Name extends PagedName> = Omit<QueryInput<Name>, 'after' | 'before'>;
/** A list's input without its cursor and page size. */
export type ListInput<Name extends PagedName> = Omit<PagedInput<Name>, 'limit'>;

/** The parameter of the next page; undefined at the end, and for a cursor that repeats. */
export function nextPageParam<Name extends PagedName>(
  name: Name,
  pages: readonly QueryOutput<Name>[],
  params: readonly Partial<QueryInput<Name>>[],
): Partial<QueryInput<Name>> | undefined {
  const { next, maxPages } = PAGING[name] as unknown as Paging<Name>;
  const last = pages.at(-1);
  const param = last === undefined || pages.length >= maxPages ? null : next(last);
  if (param === null) return undefined;
  const known = new Set(params.map((one) => JSON.stringify(one)));
  return known.has(JSON.stringify(param)) ? undefined : param;
}
