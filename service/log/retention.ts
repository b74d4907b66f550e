// Service, log: deletes rows older than their retention, as the log grows.
import type { Clock } from '../../shared/lib/clock.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { ClusterPort } from '../cluster-port.ts';
import type { Store } from '../store/store.ts';
import type { LogFollower } from './log-feed.ts';

/** How far back transitions, history and news are served, and how long their rows are retained. */
export const RETENTION_MS = 90 * DAY_MS;
/** Retention of generated briefings, world ms: as long as factors are served. */
const BRIEFING_RETENTION_MS = 730 * DAY_MS;
const PRUNE_EVERY_MS = 5_000;
const PRUNE_BATCH = 5_000;

/** @param clock the wall clock */
export function createRetention(store: Store, clock: Clock, { leads }: Pick<ClusterPort, 'leads'>): LogFollower {
  const { log, episodes, briefings, desk } = store;
  let prunedAt = Number.NEGATIVE_INFINITY;
  return {
    advanced({ worldTime }) {
      if (clock.now() - prunedAt < PRUNE_EVERY_MS || !leads()) return;
      prunedAt = clock.now();
      store.transaction(() => {
        log.prune(worldTime - RETENTION_MS, PRUNE_BATCH);
        episodes.prune(worldTime - RETENTION_MS);
        briefings.prune(worldTime - BRIEFING_RETENTION_MS);
        desk.prune(clock.now() - RETENTION_MS);
      });
    },
  };
}
