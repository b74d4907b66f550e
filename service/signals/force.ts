// Service, signals: events on request (POST /sandbox/trigger, --rate). They change what stands announced and become drafts like any other.
import { isRegime, REGIMES } from '../../shared/domain/regimes.ts';
import { STATES, type State, stateName } from '../../shared/domain/states.ts';
import { signalEvent } from '../../shared/wire/events.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { EventDraft } from '../store/event-log.ts';
import { flipDraft, percent, transitionDraft } from './drafts.ts';
import type { EventIds } from './event-id.ts';
import { DWELL_MS, type Judge } from './judge.ts';
import { modelVersionDraft, nextRehearsal } from './model-version.ts';
import { noteOf } from './notes.ts';
import type { Track } from './track.ts';

export interface Forcing {
  readonly judge: Judge;
  readonly ids: EventIds;
  /** World ms. */
  readonly at: number;
  /** First free ordinal of this millisecond, 1 or more. */
  readonly ordinal: number;
}

/**
 * Moves a symbol into a state and holds it there for DWELL_MS. One that is there already first moves to its lower neighbour
 * (from Normal: to Elevated), so that a transition really happens.
 * @returns one draft or two
 */
export function forceState(forcing: Forcing, track: Track, to: State): EventDraft[] {
  const present = track.standing?.state ?? 0;
  if (present !== to) return [step(forcing, track, to)];
  const aside: State = to === 2 ? 1 : to === 1 ? 0 : 1;
  return [step(forcing, track, aside), step({ ...forcing, ordinal: forcing.ordinal + 1 }, track, to)];
}

function step(forcing: Forcing, track: Track, to: State): EventDraft {
  const { judge, at } = forcing;
  const from = track.standing?.state ?? 0;
  if (track.standing !== null) track.standing = { ...track.standing, state: to, since: at, heldUntil: at + DWELL_MS };
  const present = judge.present(track, at);
  return transitionDraft(forcing.ids, judge.modelVersion, track.instrument, forcing, {
    from,
    to,
    regime: track.standing?.regime ?? null,
    confidence: present === null ? null : judge.confidence(track, present.reading),
    note: present === null ? 'Set by request.' : `Set by request. ${noteOf(track, present.reading, !present.forming)}`,
  });
}

/** Moves a symbol into the next regime of the list and holds it there for DWELL_MS; null while it has no regime. */
export function forceFlip(forcing: Forcing, track: Track): EventDraft | null {
  const { at } = forcing;
  const { standing } = track;
  const from = standing?.regime;
  if (standing === null || from === null || from === undefined) return null;
  const index = isRegime(from) ? REGIMES.indexOf(from) : -1;
  const to = REGIMES[(index + 1) % REGIMES.length] ?? REGIMES[0];
  track.standing = { ...standing, regime: to, regimeSince: at, regimeHeldUntil: at + DWELL_MS };
  return flipDraft(forcing.ids, track.instrument.symbol, forcing, { from, to, confidence: null });
}

/** signal.created: says the present state again (CONTRACT 30). */
export function sayAgain({ judge, ids, at, ordinal }: Forcing, track: Track): EventDraft | null {
  const present = judge.present(track, at);
  if (present === null || track.standing === null) return null;
  const { symbol } = track.instrument;
  const { state } = track.standing;
  return {
    event_id: ids.of(at, ordinal, 'signal.created', symbol),
    event: 'signal.created',
    timestamp: timestamp(at),
    data: {
      symbol,
      state,
      state_name: stateName(state),
      confidence: percent(judge.confidence(track, present.reading)),
      note: `Test: said again by request. ${noteOf(track, present.reading, !present.forming)}`,
    },
  };
}

/** Another version, from now on: what is judged names it. */
export function forceModelVersion({ judge, ids, at, ordinal }: Forcing): EventDraft {
  const previous = judge.modelVersion;
  judge.modelVersion = nextRehearsal(previous);
  return modelVersionDraft(ids, { at, ordinal }, judge.modelVersion, previous);
}

const STATE_OF_EVENT: ReadonlyMap<string, State> = new Map(STATES.map((state) => [signalEvent(state), state]));

/** The state whose entering an event announces, or null for other events. */
export const stateOfEvent = (event: string): State | null => STATE_OF_EVENT.get(event) ?? null;
