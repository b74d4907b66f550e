// Service: the Market Risk Signal Service as one value. No listening, no globals: what it needs is passed in, `app` answers through inject or a listener.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../shared/lib/clock.ts';
import { type Environment, formKey, KEY_ENTROPY_BYTES } from '../shared/wire/keys.ts';
import type { Plan } from '../shared/wire/limits.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { DASHBOARD, orDashboard } from './auth/dashboard-caller.ts';
import { createBriefings } from './briefings/briefings.ts';
import type { Editorials } from './briefings/editorial.ts';
import { mountDocs } from './docs/mount.ts';
import type { Engine } from './engine/types.ts';
import { createLimits } from './limits/limits.ts';
import { createPressure } from './limits/pressure.ts';
import { createLogFeed } from './log/log-feed.ts';
import { createLogWriter } from './log/log-writer.ts';
import { createRetention } from './log/retention.ts';
import type { Logger } from './logger.ts';
import type { MarketSource } from './market/types.ts';
import type { WorldClock } from './market/world-clock.ts';
import type { NewsService } from './news/news-service.ts';
import type { ProxyTokens } from './proxy/tokens.ts';
import { createApp, refuseUnknown } from './routes/app.ts';
import { createCursors } from './routes/cursor.ts';
import { LOG_SERVED_MS } from './routes/events.ts';
import { mountAll } from './routes/handlers.ts';
import { createEventIds, worldScope } from './signals/event-id.ts';
import { createSignals, type Signals } from './signals/signals.ts';
import { StateDetector } from './signals/state-detector.ts';
import type { Store } from './store/store.ts';
import { StoreError } from './store/store-error.ts';
import { createStreams } from './stream/stream.ts';
import { createValidationService, type ValidationServiceDeps } from './validation/validation-service.ts';
import { createWebhooks, type WebhookOptions } from './webhooks/webhooks.ts';

export interface ServiceDeps {
  readonly environment: Environment;
  /** null in production. */
  readonly seed: number | null;
  /** Past prices on a set clock, in production. */
  readonly replay: boolean;
  readonly version: string;
  /** The wall clock. */
  readonly clock: Clock;
  readonly world: WorldClock;
  readonly market: MarketSource;
  readonly engine: Engine;
  /** Opened for this combination; the service closes it. */
  readonly store: Store;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Buffer;
  /** Base of doc_url; asked for at each answer, because a port may be chosen late. */
  readonly publicUrl: () => string;
  /** Says why a request is not for this listener, or null. Default: all are. */
  readonly admit?: (request: FastifyRequest) => string | null;
  /** Every reply is held against its schema (tests, development). */
  readonly checkReplies?: boolean;
  readonly webhooks?: WebhookOptions;
  readonly plans?: PlanOptions;
  /** Of a dashboard that may sign instead of sending a key. Default: there is none. */
  readonly proxyTokens?: ProxyTokens;
  readonly validate: ValidationServiceDeps['validate'];
  readonly news: NewsService;
  /** Briefings beside those that the service writes. */
  readonly editorials?: Editorials;
}

/** What the host says about plans; all of it has a default. */
export interface PlanOptions {
  /** Of accounts that name none. Default: pro. */
  readonly plan?: Plan;
  /** Every account stops at its quota instead of going into overage. */
  readonly hardCap?: boolean;
  /** Limits refuse. Default: in production; the sandbox only reports them. */
  readonly enforced?: boolean;
  /** Limits refuse, and after a few calls: what a client does then is to be seen. */
  readonly throttled?: boolean;
  /** Validation metrics take X-API-Key only. */
  readonly metricsByApiKeyOnly?: boolean;
}

export interface Service {
  readonly app: FastifyInstance;
  readonly signals: Signals;
  /** How many streams are open. */
  readers(): number;
  /** Reads history and catches up; from then on nothing answers 503 for warming up. */
  start(): Promise<void>;
  /** Ends the streams, writes down how far the world came, closes the store. */
  close(): Promise<void>;
  /** Makes `key` a live key; without one, issues a key unless the store has one. Returns what was issued, to be shown once. */
  admitKey(key: string | null): string | null;
}

export function createService(deps: ServiceDeps): Service {
  const { environment, seed, store, world, clock } = deps;
  const feed = createLogFeed(store.log, deps.logger);
  const writer = createLogWriter(store, feed);
  const scope = worldScope(environment, seed);
  const ids = createEventIds(scope);
  const detector = new StateDetector({ ...deps, ids });
  const briefings = createBriefings({ ...deps, scope, ids, detector, feed, writer });
  const signals = createSignals({ ...deps, detector, log: { feed, writer } });
  feed.follow(createRetention(store, clock));
  const streams = createStreams({
    log: store.log,
    feed,
    clock,
    retainedSince: () => world.now() - LOG_SERVED_MS,
    keyIsLive: (id) => id === DASHBOARD || store.keys.isLive(id, clock.now()),
  });
  const { webhooks: options = {}, ...rest } = deps;
  const webhooks = createWebhooks({
    ...rest,
    feed,
    covers: (symbol) => signals.coverage(symbol) !== 'none',
    allowLoopback: options.allowLoopback ?? environment === 'sandbox',
    options,
  });
  const validations = createValidationService({ ...deps, worldNow: world.now, lastClose: signals.lastClose });
  const { plans = {}, proxyTokens } = deps;
  const terms = { plan: plans.plan ?? 'pro', hardCap: plans.hardCap ?? false };
  const byKey = createAuthenticate(store.keys, clock, {
    environment,
    ...terms,
    metricsByApiKeyOnly: plans.metricsByApiKeyOnly ?? false,
  });
  if (proxyTokens !== undefined)
    store.keys.addAccount({ id: DASHBOARD, plan: null, hardCap: false, contract: null }, clock.now());
  const limits = createLimits({
    store,
    clock,
    logger: deps.logger,
    enforced: plans.enforced ?? environment === 'production',
    throttled: plans.throttled ?? false,
  });
  const pressure = createPressure(clock);
  let closed = false;
  const app = createApp({
    authenticate: proxyTokens === undefined ? byKey : orDashboard(byKey, proxyTokens, terms),
    limits,
    pressure,
    logger: deps.logger,
    publicUrl: deps.publicUrl,
    randomBytes: deps.randomBytes,
    status: () => (closed ? 'stopping' : signals.ready() ? 'ready' : 'starting'),
    admit: deps.admit ?? (() => null),
  });
  refuseUnknown(app);
  const cursors = createCursors(cursorSecret(deps));
  mountAll(app, { ...deps, signals, briefings, cursors, streams, webhooks, validations }, deps.checkReplies ?? false);
  mountDocs(app, deps);

  return {
    app,
    signals,
    readers: streams.count,
    async start() {
      await app.ready();
      signals.start();
      webhooks.start();
      deps.news.start();
      pressure.start();
    },
    async close() {
      if (closed) return;
      closed = true;
      pressure.stop();
      streams.close();
      deps.news.stop();
      webhooks.stop();
      validations.close();
      try {
        signals.stop();
      } finally {
        await app.close();
        limits.flush();
        store.close();
      }
    },
    admitKey(key) {
      if (key !== null) {
        store.keys.add(key, clock.now());
        if (store.keys.find(key, clock.now()) === null)
          throw new StoreError('This key was revoked or has ended. Give another one with --key.');
        return null;
      }
      if (store.keys.count(clock.now()) > 0) return null;
      const issued = formKey(environment, deps.randomBytes(KEY_ENTROPY_BYTES));
      store.keys.add(issued, clock.now());
      return issued;
    },
  };

  /** In the sandbox a function of the seed, so that pages are the same everywhere; in production random, and kept. */
  function cursorSecret({ randomBytes }: ServiceDeps): Buffer {
    if (seed !== null) return createHash('sha256').update(`cursor:${seed}`).digest();
    const secret = store.meta('cursor_key') ?? randomBytes(32).toString('hex');
    store.setMeta('cursor_key', secret);
    return Buffer.from(secret, 'hex');
  }
}
