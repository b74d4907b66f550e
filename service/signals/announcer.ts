// Service, signals: the one writer. What was judged is written down in one transaction, and only then told.
import type { Publication } from '../briefings/desk.ts';
import type { EventDraft, LoggedEvent } from '../store/event-log.ts';
import type { Standing } from '../store/standings.ts';
import type { Store } from '../store/store.ts';
import type { Hub } from '../stream/hub.ts';
import type { Judge } from './judge.ts';

export interface Announcer {
  /**
   * Writes the drafts, the briefings with their events behind them, the standings and the world time, then tells. When the store refuses (a
   * full disk), nothing is told, what was to be written is kept, and the next call writes it first.
   * @throws what the store threw
   */
  announce(drafts: readonly EventDraft[], worldTime: number, publications?: readonly Publication[]): LoggedEvent[];
  /** Writes the same way what was before anybody could listen, and tells nobody. */
  record(drafts: readonly EventDraft[], worldTime: number): void;
}

export function createAnnouncer({
  store,
  hub,
  judge,
}: {
  store: Store;
  hub: Hub;
  judge: Pick<Judge, 'tracks'>;
}): Announcer {
  const waiting: EventDraft[] = [];
  const unpublished: Publication[] = [];
  const written = new Map<string, Standing>();

  const changed = (): Standing[] => {
    const standings: Standing[] = [];
    for (const { standing } of judge.tracks.values()) {
      if (standing !== null && written.get(standing.symbol) !== standing) standings.push(standing);
    }
    return standings;
  };

  const write = (
    drafts: readonly EventDraft[],
    worldTime: number,
    publications: readonly Publication[],
  ): LoggedEvent[] => {
    for (const draft of drafts) waiting.push(draft);
    for (const publication of publications) {
      waiting.push(publication.event);
      unpublished.push(publication);
    }
    const standings = changed();
    const logged = store.transaction(() => {
      store.standings.write(standings);
      store.setMeta('world_time', String(worldTime));
      for (const { briefing, source } of unpublished) store.briefings.add(briefing, source);
      const fresh = store.log.append(waiting);
      store.episodes.follow(fresh.map(({ envelope }) => envelope));
      for (const { envelope } of fresh)
        if (envelope.event === 'model.version') store.setMeta('model_version', envelope.data.version);
      return fresh;
    });
    waiting.length = 0;
    unpublished.length = 0;
    for (const standing of standings) written.set(standing.symbol, standing);
    return logged;
  };

  return {
    announce(drafts, worldTime, publications = []) {
      const logged = write(drafts, worldTime, publications);
      hub.publish(logged);
      return logged;
    },
    record: (drafts, worldTime) => void write(drafts, worldTime, []),
  };
}
