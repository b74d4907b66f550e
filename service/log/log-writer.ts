// Service, log: the one writer of the event log; notifies followers of durable events.
import type { EventDraft, LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { LogFeed } from './log-feed.ts';

export interface LogWriter {
  /**
   * Writes the drafts and the world time up to which everything is evaluated, then notifies the followers.
   * @param alongside writes related rows within the transaction
   * @throws what the store threw; then nothing is written, and no follower is notified
   */
  commit(drafts: readonly EventDraft[], worldTime: number, alongside?: () => void): LoggedEvent[];
}

export const createLogWriter = (store: Store, feed: LogFeed): LogWriter => ({
  commit(drafts, worldTime, alongside = () => undefined) {
    const logged = store.transaction(() => {
      alongside();
      store.setMeta('world_time', String(worldTime));
      for (const [name, position] of feed.positions()) store.setMeta(`follower:${name}`, position);
      const fresh = store.log.append(drafts);
      store.episodes.follow(fresh.map(({ envelope }) => envelope));
      for (const { envelope } of fresh)
        if (envelope.event === 'model.version') store.setMeta('model_version', envelope.data.version);
      return fresh;
    });
    feed.advance(logged, worldTime);
    return logged;
  },
});
