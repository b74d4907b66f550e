// Service: the dependencies of a service; the host process or a test provides them.
import type { FastifyRequest } from 'fastify';
import type { PoolDeps } from '../shared/lib/connection-pool.ts';
import type { Environment, KeyScope } from '../shared/wire/keys.ts';
import type { Plan } from '../shared/wire/limits.ts';
import type { ProxyTokens } from './auth/proxy-tokens.ts';
import type { Editorials } from './briefings/editorial.ts';
import type { ClusterPort } from './cluster-port.ts';
import type { Engine, EngineState } from './engine/types.ts';
import type { ServiceHost } from './host.ts';
import type { FollowedFeed } from './market/feeds/feed-report.ts';
import type { MarketSource } from './market/types.ts';
import type { WorldClock } from './market/world-clock.ts';
import type { NewsService } from './news/news-service.ts';
import type { ListenerOptions } from './routes/app.ts';
import type { EventList } from './scheduled/event-folder.ts';
import type { Checkpoints } from './signals/closes-reader.ts';
import type { Store } from './store/store.ts';
import type { RecordKeeper, ValidationServiceDeps } from './validation/validation-service.ts';
import type { WebhookOptions } from './webhooks/webhooks.ts';

/** Identity of the service. */
export interface ServiceIdentity {
  readonly environment: Environment;
  /** null in production. */
  readonly seed: number | null;
  /** Replay of past prices under a set clock, in production. */
  readonly replay: boolean;
  readonly version: string;
}

/** The sources of prices, news and briefings. */
export interface ServiceSources {
  readonly market: MarketSource;
  readonly engine: Engine;
  /** As in `StateDetectorDeps`. */
  readonly newEngine?: (saved: EngineState | null) => Engine;
  readonly checkpoints?: Checkpoints;
  readonly recordKeeper?: RecordKeeper;
  readonly news: NewsService;
  readonly validate: ValidationServiceDeps['validate'];
  /** The followed price feeds. Default: none. */
  readonly feeds?: readonly FollowedFeed[];
  /** The files of what is due. Default: none. */
  readonly eventLists?: () => readonly EventList[];
  /** Briefings published beside the generated ones. */
  readonly editorials?: Editorials;
}

/** Access control and limits. */
export interface AccessOptions {
  /** Returns why a request is not for this listener, or null. Default: accepts all. */
  readonly admit?: (request: FastifyRequest) => string | null;
  /** The connection pool of the port. Default: loopback limits, owners unknown. */
  readonly connections?: Pick<PoolDeps, 'owners' | 'limits'>;
  /** TLS, and the proxies in front of it. Default: neither. */
  readonly listener?: ListenerOptions;
  /** Checks every reply against its schema (tests, development). */
  readonly checkReplies?: boolean;
  readonly plans?: PlanOptions;
  /** Scope of the key that `admitKey` admits. Default: account in the sandbox, else webhooks. */
  readonly keyScope?: KeyScope;
  /** Tokens of a dashboard that signs instead of sending a key. Default: no dashboard. */
  readonly proxyTokens?: ProxyTokens;
}

export interface ServiceDeps {
  readonly identity: ServiceIdentity;
  readonly world: WorldClock;
  readonly sources: ServiceSources;
  /** The open store; the service closes it. */
  readonly store: Store;
  readonly host: ServiceHost;
  readonly access: AccessOptions;
  readonly webhooks?: WebhookOptions;
  /** Default: one machine. */
  readonly cluster?: ClusterPort;
}

/** Options of plans; each has a default. */
export interface PlanOptions {
  /** Plan of accounts without their own plan. Default: pro. */
  readonly plan?: Plan;
  /** Every account stops at its quota instead of going into overage. */
  readonly hardCap?: boolean;
  /** Enforces limits. Default: in production; the sandbox only reports them. */
  readonly enforced?: boolean;
  /** Enforces very low limits, to test clients. */
  readonly throttled?: boolean;
  /** Validation metrics take X-API-Key only. */
  readonly metricsByApiKeyOnly?: boolean;
}
