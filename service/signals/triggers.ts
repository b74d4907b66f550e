// Service, signals: announces events on request, for POST /sandbox/trigger and load tests.
// They take the path of ordinary events.
import type { EventEnvelope, EventName } from '../../shared/wire/events.ts';
import type { ClusterPort } from '../cluster-port.ts';
import type { WorldClock } from '../market/world-clock.ts';
import type { EventDraft, EventLog } from '../store/event-log.ts';
import type { Announcer } from './announcer.ts';
import type { Evaluation } from './evaluation.ts';
import {
  forceFlip,
  forceModelVersion,
  forceState,
  repeatSignal,
  stateOfEvent,
  type TriggerContext,
  type TriggerOverrides,
  whyNotOverridden,
  withOverrides,
} from './force.ts';
import type { ModelVersions } from './model-versions.ts';
import type { StateDetector } from './state-detector.ts';
import type { Track } from './track.ts';

/** Without the event that briefings publish. */
export type TriggeredEvent = Exclude<EventName, 'briefing.published'> | 'signal.created';
export type TriggerResult = { readonly refused: string } | { readonly events: EventEnvelope[] };

export interface Triggers {
  /** Causes an event now (sandbox), on the leader only. `symbol` is covered, or null. */
  trigger(event: TriggeredEvent, symbol: string | null, overrides?: TriggerOverrides): TriggerResult;
  /** Moves the next symbol in rotation to its next state, `count` times (load tests), on the leader only. */
  churn(count: number): void;
}

export interface TriggersDeps {
  readonly world: WorldClock;
  readonly log: EventLog;
  readonly detector: StateDetector;
  readonly versions: ModelVersions;
  readonly evaluation: Pick<Evaluation, 'catchUp'>;
  readonly announcer: Announcer;
  readonly cluster: Pick<ClusterPort, 'leads'>;
}

export function createTriggers(deps: TriggersDeps): Triggers {
  const { world, log, detector, versions, evaluation, announcer, cluster } = deps;
  const signalled = [...detector.tracks.values()]
    .filter(({ instrument }) => !instrument.regimeOnly)
    .sort((a, b) => (a.instrument.symbol < b.instrument.symbol ? -1 : 1));
  let next = 0;

  const context = (): TriggerContext => {
    const at = world.now();
    return { detector, ids: detector.ids, at, ordinal: log.countAt(at) + 1 };
  };

  const drafted = (event: TriggeredEvent, track: Track | undefined): EventDraft[] | string => {
    const state = stateOfEvent(event);
    if (event === 'model.version') {
      versions.changed(world.now(), detector.modelVersion);
      return [forceModelVersion(context())];
    }
    if (track === undefined) return 'symbol: is required for this event';
    if (event === 'regime.flip') {
      const flip = forceFlip(context(), track);
      return flip === null ? 'symbol: has no regime yet' : [flip];
    }
    if (state !== null) return forceState(context(), track, state);
    const repeated = repeatSignal(context(), track);
    return repeated === null ? 'symbol: has no signal yet' : [repeated];
  };

  return {
    trigger(event, symbol, overrides = {}) {
      const refused = whyNotOverridden(event, overrides);
      if (refused !== null) return { refused };
      evaluation.catchUp();
      const ordinary = drafted(event, symbol === null ? undefined : detector.tracks.get(symbol));
      if (typeof ordinary === 'string') return { refused: ordinary };
      // The last draft is the requested event; an earlier one only prepares it.
      const drafts = ordinary.map((draft, index) =>
        index === ordinary.length - 1 ? withOverrides(draft, overrides) : draft,
      );
      const logged = announcer.announce(drafts, detector.evaluatedTo);
      return { events: logged.slice(-drafts.length).map(({ envelope }) => envelope) };
    },
    churn(count) {
      if (!cluster.leads()) return;
      evaluation.catchUp();
      const base = context();
      const drafts: EventDraft[] = [];
      for (let done = 0; done < count; done++) {
        const track = signalled[next++ % signalled.length];
        if (track === undefined) return;
        const to = track.current?.state === 0 ? 1 : track.current?.state === 1 ? 2 : 0;
        drafts.push(...forceState({ ...base, ordinal: base.ordinal + drafts.length }, track, to));
      }
      announcer.announce(drafts, detector.evaluatedTo);
    },
  };
}
