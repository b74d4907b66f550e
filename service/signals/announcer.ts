// Service, signals: the one writer. What was judged is written down in one transaction, and only then told.
import type { EventDraft, LoggedEvent } from '../store/event-log.ts';
import type { Standing } from '../store/standings.ts';
import type { Store } from '../store/store.ts';
import type { Hub } from '../stream/hub.ts';
import type { Judge } from './judge.ts';

export interface Announcer {
  /**
   * Writes the drafts, the standings and the world time, then tells. When the store refuses (a full disk), nothing is told, the drafts are
   * kept, and the next call writes them first.
   * @throws what the store threw
   */
  announce(drafts: readonly EventDraft[], worldTime: number): LoggedEvent[];
}

export function createAnnouncer({ store, hub, judge }: { store: Store; hub: Hub; judge: Pick<Judge, 'tracks'> }): Announcer {
  const waiting: EventDraft[] = [];
  const written = new Map<string, Standing>();

  const changed = (): Standing[] => {
    const standings: Standing[] = [];
    for (const { standing } of judge.tracks.values()) {
      if (standing !== null && written.get(standing.symbol) !== standing) standings.push(standing);
    }
    return standings;
  };

  return {
    announce(drafts, worldTime) {
      for (const draft of drafts) waiting.push(draft);
      const standings = changed();
      const logged = store.transaction(() => {
        store.standings.write(standings);
        store.setMeta('world_time', String(worldTime));
        const fresh = store.log.append(waiting);
        store.episodes.follow(fresh.map(({ envelope }) => envelope));
        return fresh;
      });
      waiting.length = 0;
      for (const standing of standings) written.set(standing.symbol, standing);
      hub.publish(logged);
      return logged;
    },
  };
}
