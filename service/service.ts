// Service: composes the Market Risk Signal Service from its dependencies; it does not listen.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Progress } from '../shared/lib/progress.ts';
import { formKey, KEY_ENTROPY_BYTES, type KeyScope } from '../shared/wire/keys.ts';
import { createAccountService } from './accounts/account-service.ts';
import { DASHBOARD } from './auth/dashboard-caller.ts';
import { createProver } from './auth/proof.ts';
import { createBriefings } from './briefings/briefings.ts';
import { NO_EDITORIALS } from './briefings/editorial.ts';
import { SINGLE_NODE } from './cluster-port.ts';
import { mountDocs } from './docs/mount.ts';
import type { ServiceHost } from './host.ts';
import { createHttp } from './http.ts';
import type { Limits } from './limits/limits.ts';
import { createLogFeed, type LogFeed } from './log/log-feed.ts';
import { createLogWriter } from './log/log-writer.ts';
import { createRetention } from './log/retention.ts';
import { readService, type ServiceReadings } from './metrics/readings.ts';
import type { DashboardBackend } from './proxy/dashboard.ts';
import type { SessionDeps } from './proxy/sessions.ts';
import { createCursors } from './routes/cursor.ts';
import { mountAll } from './routes/handlers.ts';
import { createPerform } from './routes/leader-requests.ts';
import { createSchedule, listedCalendars } from './scheduled/schedule.ts';
import type { ServiceDeps } from './service-deps.ts';
import { createEventIds, worldScope } from './signals/event-id.ts';
import { createSignals, type Signals } from './signals/signals.ts';
import { StateDetector } from './signals/state-detector.ts';
import { inOneTurn, overTurns } from './steps.ts';
import type { Store } from './store/store.ts';
import { StoreError } from './store/store-error.ts';
import { createStreams } from './stream/stream.ts';
import { createValidationService } from './validation/validation-service.ts';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts';

export interface StartOptions {
  readonly report?: ((progress: Progress) => void) | undefined;
  /** Default: only `close` stops it. */
  readonly isStopped?: (() => boolean) | undefined;
}

export interface Service {
  readonly app: FastifyInstance;
  readonly signals: Signals;
  readonly feed: Pick<LogFeed, 'advance' | 'end' | 'follow'>;
  readonly webhooks: Pick<Webhooks, 'wake'>;
  readonly limits: Pick<Limits, 'takeCalls' | 'receiveCalls'>;
  /** Performs a request for another node. @throws Refusal */
  readonly perform: ReturnType<typeof createPerform>;
  /** Values for a scrape of the metrics. */
  readings(): ServiceReadings;
  /**
   * Reads history and catches up; routes answer 503 until it resolves. A start that is stopped keeps what it has
   * computed for the next one, and the service can only be closed.
   */
  start(options?: StartOptions): Promise<void>;
  /**
   * Makes the service not ready: no stream and no delivery begins, and clients of open streams are asked to
   * reconnect. Resolves when the deliveries in flight are recorded.
   */
  drain(): Promise<void>;
  /** Ends the streams, stores the world time, closes the store. */
  close(): Promise<void>;
  /**
   * Makes `key` a live key; without one, issues a key unless the store has one.
   * @returns the issued key, to be shown once
   */
  admitKey(key: string | null): string | null;
  /** The interface for a dashboard in front of this service. */
  readonly front: Pick<DashboardBackend, 'commonHeaders' | 'keyOf'> & Pick<SessionDeps, 'store' | 'scopeOfKey'>;
}

export function createService(deps: ServiceDeps): Service {
  const { world, sources, store, host, cluster = SINGLE_NODE } = deps;
  let ending: 'draining' | 'stopping' | null = null;
  const parts = createParts(deps, () => ending);
  const { feed, signals, streams, webhooks, validations, news, http, notReady, perform } = parts;

  return {
    app: http.app,
    signals,
    feed,
    webhooks,
    limits: http.limits,
    perform,
    readings: () =>
      readService({
        end: feed.end,
        now: () => world.now() + cluster.unevaluatedMs(),
        instruments: sources.market.instruments,
        hasSignal: (symbol) => signals.coverage(symbol) === 'full',
        health: signals.health,
        streams: streams.count,
        oldestDueMs: webhooks.oldestDueMs,
        isReady: () => notReady() === null,
      }),
    async start({ report, isStopped = () => false } = {}) {
      await http.app.ready();
      // What other nodes announce meanwhile would be missed.
      const started =
        cluster === SINGLE_NODE
          ? await overTurns(signals.startInSteps(), () => isStopped() || ending !== null, report)
          : inOneTurn(signals.startInSteps(), report);
      if (started === null) return;
      webhooks.start();
      news.start();
      http.pressure.start();
    },
    async drain() {
      ending ??= 'draining';
      streams.close();
      await webhooks.drain();
    },
    async close() {
      if (ending === 'stopping') return;
      ending = 'stopping';
      http.pressure.stop();
      streams.close();
      news.stop();
      webhooks.stop();
      validations.close();
      try {
        signals.stop();
      } finally {
        await http.app.close();
        try {
          http.limits.flush();
          http.lastUse.flush();
        } finally {
          store.close();
        }
      }
    },
    admitKey: (key) => admitKey(deps, key),
    front: {
      ...http.front,
      scopeOfKey: (id) => store.keys.scopeOf(id, host.clock.now()),
      store: {
        read: () => store.meta('dashboard_sessions'),
        update: (change) =>
          store.transaction(() => store.setMeta('dashboard_sessions', change(store.meta('dashboard_sessions')))),
      },
    },
  };
}

/** Builds the parts of a service, each after its dependencies. */
function createParts(deps: ServiceDeps, ending: () => 'draining' | 'stopping' | null) {
  const { identity, world, sources, store, host, access } = deps;
  const { environment, seed } = identity;
  const { clock, logger } = host;
  const feed = createLogFeed(store.log, logger);
  const { cluster = SINGLE_NODE } = deps;
  const log = { feed, writer: createLogWriter(store, feed, host.metrics) };
  const scope = worldScope(environment, seed);
  const detector = new StateDetector({
    ...sources,
    ids: createEventIds(scope),
  });
  const { editorials = NO_EDITORIALS, eventLists = () => [], market } = sources;
  const schedule = createSchedule({
    lists: eventLists,
    market,
    calendarOf: listedCalendars(environment, market.instruments),
  });
  const briefings = createBriefings({ environment, detector, store, log, editorials, schedule, cluster });
  const signals = createSignals({ environment, host, world, market, detector, store, log, cluster });
  feed.follow(createRetention(store, clock, cluster));
  const streams = createStreams({
    log: store.log,
    feed,
    host,
    keyIsLive: (id) => id === DASHBOARD || store.keys.isLive(id, clock.now()),
    random: () => host.randomBytes(4).readUInt32BE() / 2 ** 32,
    cluster,
  });
  const webhooks = createWebhooks({
    store,
    feed,
    world,
    host,
    covers: (symbol) => signals.coverage(symbol) !== 'none',
    userAgent: `Barograph-Webhooks/${identity.version}`,
    options: { allowLoopback: environment === 'sandbox', ...deps.webhooks },
    cluster,
  });
  const { validate, news, recordKeeper } = sources;
  const validations = createValidationService({
    clock,
    logger,
    validate,
    ...(recordKeeper === undefined ? {} : { keeper: recordKeeper }),
    worldNow: world.now,
    lastClose: signals.lastClose,
  });
  const http = createHttp(deps, () => ending() ?? (signals.ready() ? 'ready' : 'starting'));
  const cursors = createCursors(cursorSecret(store, seed, host.randomBytes));
  const info = { ...identity, world };
  const accounts = createAccountService({ ...http, store, environment, clock, randomBytes: host.randomBytes });
  const { notReady } = http.availability;
  const probes = { notReady, prove: createProver(store.keys, clock, host.randomBytes) };
  const content = { signals, briefings, news, validations, schedule, feeds: sources.feeds ?? [] };
  const handlerDeps = { info, probes, content, store, clock, cursors, webhooks, accounts, cluster };
  mountAll(http.app, handlerDeps, streams, access.checkReplies ?? false);
  mountDocs(http.app, { ...identity, publicUrl: host.publicUrl });

  const perform = createPerform(handlerDeps);
  return { feed, signals, streams, webhooks, validations, news, http, notReady, perform };
}

function admitKey({ identity, store, host, access }: ServiceDeps, key: string | null): string | null {
  const now = host.clock.now();
  // In the sandbox a key may do everything. In production it manages no other keys, unless the host gives it
  // that scope.
  const scope = access.keyScope ?? (identity.environment === 'sandbox' ? 'account' : 'webhooks');
  if (key !== null) {
    store.transaction(() => addKey(store, key, now, scope));
    if (store.keys.find(key, now) === null)
      throw new StoreError('This key was revoked or has ended. Give another one with --key.');
    return null;
  }
  const issued = formKey(identity.environment, host.randomBytes(KEY_ENTROPY_BYTES));
  return store.transaction(() => {
    if (store.keys.count(now) > 0) return null;
    addKey(store, issued, now, scope);
    return issued;
  });
}

/**
 * Adds a key within a transaction. The account of the first key is the operator's, even if the clock is set
 * back.
 */
function addKey(store: Store, key: string, now: number, scope: KeyScope): void {
  const isFirst = store.keys.operator() === null;
  store.keys.add(key, now, { scope });
  const account = isFirst ? store.keys.operator() : null;
  if (account !== null) store.setMeta('operator', account);
}

/**
 * In the sandbox a function of the seed, so that cursors are the same everywhere; in production random and
 * stored.
 */
function cursorSecret(store: Store, seed: number | null, randomBytes: ServiceHost['randomBytes']): Buffer {
  if (seed !== null) return createHash('sha256').update(`cursor:${seed}`).digest();
  const fresh = randomBytes(32).toString('hex');
  const secret = store.transaction(() => {
    const stored = store.meta('cursor_key');
    if (stored === null) store.setMeta('cursor_key', fresh);
    return stored ?? fresh;
  });
  return Buffer.from(secret, 'hex');
}
