// Service, routes: the dependencies of handlers, and the type of their table.
// A row of the routes table without a handler does not compile.
import type { Clock } from '../../shared/lib/clock.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { RouteName, routes } from '../../shared/wire/routes.ts';
import type { AccountService } from '../accounts/account-service.ts';
import type { Prover } from '../auth/proof.ts';
import type { Briefings } from '../briefings/briefings.ts';
import type { ClusterPort } from '../cluster-port.ts';
import type { FollowedFeed } from '../market/feeds/feed-report.ts';
import type { WorldClock } from '../market/world-clock.ts';
import type { NewsService } from '../news/news-service.ts';
import type { Schedule } from '../scheduled/schedule.ts';
import type { Signals } from '../signals/signals.ts';
import type { Store } from '../store/store.ts';
import type { ValidationService } from '../validation/validation-service.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Availability } from './availability.ts';
import type { Cursors } from './cursor.ts';
import type { Handler } from './mount.ts';

export interface HandlerDeps {
  /** Identity of the service, and the time of its world. */
  readonly info: {
    readonly environment: Environment;
    readonly replay: boolean;
    readonly version: string;
    readonly world: WorldClock;
  };
  /** Endpoints that need no key. */
  readonly probes: {
    /** Why a balancer should send no requests, or null. */
    readonly notReady: Availability['notReady'];
    readonly prove: Prover;
  };
  /** The contents that the service publishes. */
  readonly content: {
    readonly signals: Signals;
    readonly briefings: Briefings;
    readonly news: Pick<NewsService, 'list'>;
    readonly validations: ValidationService;
    readonly schedule: Schedule;
    /** The followed price feeds. */
    readonly feeds: readonly FollowedFeed[];
  };
  readonly store: Store;
  /** The wall clock. */
  readonly clock: Pick<Clock, 'now'>;
  readonly cursors: Cursors;
  readonly webhooks: Webhooks;
  readonly accounts: AccountService;
  readonly cluster: ClusterPort;
}

export type Handlers = { readonly [Name in Exclude<RouteName, 'stream'>]: Handler<(typeof routes)[Name]> };
