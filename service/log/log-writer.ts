// Service, log: the one writer of the event log; notifies followers of durable events.

import { type Metrics, NO_METRICS } from '../metrics/metrics.ts';
import type { EventDraft, LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { LogFeed } from './log-feed.ts';

export interface LogWriter {
  /**
   * Writes the drafts, in the order of their ids, and the world time up to which everything is evaluated; then
   * notifies the followers.
   * @param alongside writes related rows within the transaction
   * @throws what the store threw; then nothing is written, and no follower is notified
   */
  commit(drafts: readonly EventDraft[], worldTime: number, alongside?: () => void): LoggedEvent[];
}

/** An id begins with its time and the ordinal within it. */
const byId = (a: EventDraft, b: EventDraft): number => (a.event_id < b.event_id ? -1 : a.event_id > b.event_id ? 1 : 0);

export const createLogWriter = (store: Store, feed: LogFeed, metrics: Metrics = NO_METRICS): LogWriter => ({
  commit(drafts, worldTime, alongside = () => undefined) {
    const write = (): LoggedEvent[] => {
      alongside();
      store.setMeta('world_time', String(worldTime));
      for (const [name, position] of feed.positions()) store.setMeta(`follower:${name}`, position);
      const fresh = store.log.append(drafts.toSorted(byId));
      store.episodes.follow(fresh.map(({ envelope }) => envelope));
      for (const { envelope } of fresh)
        if (envelope.event === 'model.version') store.setMeta('model_version', envelope.data.version);
      return fresh;
    };
    const logged = metrics.time('append', () => store.transaction(write));
    feed.advance(logged, worldTime);
    return logged;
  },
});
