// Service, signals: writes event drafts and announced states to the log and the store.

import type { ClusterPort } from '../cluster-port.ts';
import type { LogFeed, LogOpening } from '../log/log-feed.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { CurrentState, CurrentStateStore } from '../store/current-states.ts';
import type { EventDraft, EventLog, LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { StateDetector } from './state-detector.ts';

export interface Announcer {
  /**
   * Writes drafts, current states and world time in one transaction. If the store fails (full disk), the
   * drafts stay pending, and the next call writes them first.
   * A node that does not lead writes nothing; it compares the drafts with the leader's events.
   * @throws the error of the store
   */
  announce(drafts: readonly EventDraft[], worldTime: number): LoggedEvent[];
  /** Records that no further events come up to `worldTime`; writes pending drafts first. */
  pass(worldTime: number): void;
  /** Opens the log to its followers. */
  open(opening: LogOpening): void;
}

export interface AnnouncerDeps {
  readonly feed: LogFeed;
  readonly writer: LogWriter;
  readonly currentStates: CurrentStateStore;
  readonly setMeta: Store['setMeta'];
  readonly detector: Pick<StateDetector, 'tracks' | 'intradayProgress'>;
  readonly cluster: Pick<ClusterPort, 'leads'>;
  /** Called with drafts of this node that the leader did not announce. */
  readonly diverged: (drafts: readonly EventDraft[]) => void;
  readonly log: Pick<EventLog, 'find'>;
}

export function createAnnouncer(deps: AnnouncerDeps): Announcer {
  const { feed, writer, currentStates, setMeta, detector, cluster, diverged, log } = deps;
  const unwritten: EventDraft[] = [];
  const written = new Map<string, CurrentState>();
  let writtenProgress = '';
  const announcer: Announcer = {
    announce(drafts, worldTime) {
      if (!cluster.leads()) {
        written.clear();
        writtenProgress = '';
        const unknown = drafts.filter(({ event_id }) => log.find(event_id) === null);
        if (unknown.length > 0) diverged(unknown);
        return [];
      }
      for (const draft of drafts) unwritten.push(draft);
      const changed = [...detector.tracks.values()].flatMap(({ current }) =>
        current !== null && written.get(current.symbol) !== current ? current : [],
      );
      const progress = JSON.stringify(detector.intradayProgress());
      const logged = writer.commit([...unwritten], worldTime, () => {
        currentStates.write(changed);
        if (progress !== writtenProgress && progress !== 'null') setMeta('decided_within', progress);
      });
      writtenProgress = progress;
      unwritten.length = 0;
      for (const current of changed) written.set(current.symbol, current);
      return logged;
    },
    pass(worldTime) {
      if (unwritten.length > 0) announcer.announce([], worldTime);
      else if (cluster.leads()) feed.advance([], worldTime);
    },
    open: (opening) => feed.open(opening),
  };
  return announcer;
}
