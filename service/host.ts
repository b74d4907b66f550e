// Service: dependencies that the hosting process provides.
import type { Clock } from '../shared/lib/clock.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics/metrics.ts';

export interface ServiceHost {
  /** The wall clock. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Buffer;
  /** Base of doc_url; called for each answer, because a port may be chosen late. */
  readonly publicUrl: () => string;
  /** Default: no measurement. */
  readonly metrics?: Metrics;
}
