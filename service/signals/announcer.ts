// Service, signals: the one writer. Writes drafts in one transaction, and only then announces them.
import type { Publication } from '../briefings/briefings.ts';
import type { CurrentState } from '../store/current-states.ts';
import type { EventDraft, LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { Hub } from '../stream/hub.ts';
import type { StateDetector } from './state-detector.ts';

export interface Announcer {
  /**
   * Writes the drafts, the briefings with their events behind them, the current states and the world time, then announces them. When the store refuses (a
   * full disk), nothing is announced, the drafts are kept, and the next call writes it first.
   * @throws what the store threw
   */
  announce(drafts: readonly EventDraft[], worldTime: number, publications?: readonly Publication[]): LoggedEvent[];
  /** Writes the same way what was before anybody could listen, and announces nothing. */
  record(drafts: readonly EventDraft[], worldTime: number): void;
}

export function createAnnouncer({
  store,
  hub,
  detector,
}: {
  store: Store;
  hub: Hub;
  detector: Pick<StateDetector, 'tracks'>;
}): Announcer {
  const waiting: EventDraft[] = [];
  const unpublished: Publication[] = [];
  const written = new Map<string, CurrentState>();

  const changed = (): CurrentState[] => {
    const currentStates: CurrentState[] = [];
    for (const { current } of detector.tracks.values()) {
      if (current !== null && written.get(current.symbol) !== current) currentStates.push(current);
    }
    return currentStates;
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
    const currentStates = changed();
    const logged = store.transaction(() => {
      store.currentStates.write(currentStates);
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
    for (const current of currentStates) written.set(current.symbol, current);
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
