// Service, signals: writes the events of the evaluation and the states that they announce.
import type { LogFeed, LogOpening } from '../log/log-feed.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { CurrentState, CurrentStateStore } from '../store/current-states.ts';
import type { EventDraft, LoggedEvent } from '../store/event-log.ts';
import type { StateDetector } from './state-detector.ts';

export interface Announcer {
  /**
   * Writes the drafts, the current states and the world time. When the store fails (a full disk), the drafts
   * stay pending, and the next call writes them first.
   * @throws what the store threw
   */
  announce(drafts: readonly EventDraft[], worldTime: number): LoggedEvent[];
  /** Records that there are no events up to `worldTime`. */
  pass(worldTime: number): void;
  /** Opens the log, which is complete up to now. */
  open(opening: LogOpening): void;
}

export interface AnnouncerDeps {
  readonly feed: LogFeed;
  readonly writer: LogWriter;
  readonly currentStates: CurrentStateStore;
  readonly detector: Pick<StateDetector, 'tracks'>;
}

export function createAnnouncer({ feed, writer, currentStates, detector }: AnnouncerDeps): Announcer {
  const unwritten: EventDraft[] = [];
  const written = new Map<string, CurrentState>();
  return {
    announce(drafts, worldTime) {
      for (const draft of drafts) unwritten.push(draft);
      const changed = [...detector.tracks.values()].flatMap(({ current }) =>
        current !== null && written.get(current.symbol) !== current ? current : [],
      );
      const logged = writer.commit([...unwritten], worldTime, () => currentStates.write(changed));
      unwritten.length = 0;
      for (const current of changed) written.set(current.symbol, current);
      return logged;
    },
    pass: (worldTime) => feed.advance([], worldTime),
    open: (opening) => feed.open(opening),
  };
}
