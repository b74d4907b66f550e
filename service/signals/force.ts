// Service, signals: drafts events on request (POST /sandbox/trigger, --rate).
// They change the announced state like ordinary events.
import { isRegime, REGIMES } from '../../shared/domain/regimes.ts';
import { STATES, type State, stateName } from '../../shared/domain/states.ts';
import { signalEvent } from '../../shared/wire/events.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { EventDraft } from '../store/event-log.ts';
import { flipDraft, percent, transitionDraft } from './drafts.ts';
import { DWELL_MS } from './dwell.ts';
import type { EventIds } from './event-id.ts';
import { modelVersionDraft, nextTestVersion } from './model-version.ts';
import { heldBy, noteOf } from './notes.ts';
import type { StateDetector } from './state-detector.ts';
import type { Track } from './track.ts';

export interface TriggerContext {
  readonly detector: StateDetector;
  readonly ids: EventIds;
  /** World ms. */
  readonly at: number;
  /** First free ordinal of this millisecond, 1 or more. */
  readonly ordinal: number;
}

/**
 * Moves a symbol into a state and holds it there for DWELL_MS. A symbol already in that state first moves to
 * the lower neighbour (from Normal: to Elevated), so that a transition happens.
 * @returns one draft or two
 */
export function forceState(forcing: TriggerContext, track: Track, to: State): EventDraft[] {
  const present = track.current?.state ?? 0;
  if (present !== to) return [step(forcing, track, to)];
  const intermediate: State = to === 2 ? 1 : to === 1 ? 0 : 1;
  return [step(forcing, track, intermediate), step({ ...forcing, ordinal: forcing.ordinal + 1 }, track, to)];
}

function step(forcing: TriggerContext, track: Track, to: State): EventDraft {
  const { detector, at } = forcing;
  const from = track.current?.state ?? 0;
  if (track.current !== null) track.current = { ...track.current, state: to, since: at, holdDownUntil: at + DWELL_MS };
  const present = detector.present(track, at);
  return transitionDraft(forcing.ids, detector.modelVersion, track.instrument, forcing, {
    from,
    to,
    regime: track.current?.regime ?? null,
    confidence: present === null ? null : detector.confidence(track, present.reading),
    claim: present?.reading.claim ?? 'event',
    heldBy: present === null ? 'request' : heldBy(track, present.reading, at),
    inQuestion: null,
    note: present === null ? 'Set by request.' : `Set by request. ${noteOf(track, present.reading, !present.forming)}`,
  });
}

/**
 * Moves a symbol into the next regime of the list and holds it there for DWELL_MS; null for a symbol without
 * a regime.
 */
export function forceFlip(forcing: TriggerContext, track: Track): EventDraft | null {
  const { at } = forcing;
  const { current } = track;
  const from = current?.regime;
  if (current === null || from === null || from === undefined) return null;
  const index = isRegime(from) ? REGIMES.indexOf(from) : -1;
  const to = REGIMES[(index + 1) % REGIMES.length] ?? REGIMES[0];
  track.current = { ...current, regime: to, regimeSince: at, regimeHoldDownUntil: at + DWELL_MS };
  return flipDraft(forcing.ids, track.instrument.symbol, forcing, { from, to, confidence: null });
}

/** Drafts `signal.created`, which announces the current state again. */
export function repeatSignal({ detector, ids, at, ordinal }: TriggerContext, track: Track): EventDraft | null {
  const present = detector.present(track, at);
  if (present === null || track.current === null) return null;
  const { symbol } = track.instrument;
  const { state } = track.current;
  return {
    event_id: ids.of(at, ordinal, 'signal.created', symbol),
    event: 'signal.created',
    timestamp: timestamp(at),
    data: {
      symbol,
      state,
      state_name: stateName(state),
      regime: track.current.regime,
      confidence: percent(detector.confidence(track, present.reading)),
      note: `Test: said again by request. ${noteOf(track, present.reading, !present.forming)}`,
    },
  };
}

/** Switches to a test version, which later events name. */
export function forceModelVersion({ detector, ids, at, ordinal }: TriggerContext): EventDraft {
  const previous = detector.modelVersion;
  detector.modelVersion = nextTestVersion(previous);
  return modelVersionDraft(ids, { at, ordinal }, detector.modelVersion, previous);
}

const STATE_OF_EVENT: ReadonlyMap<string, State> = new Map(STATES.map((state) => [signalEvent(state), state]));

/** The state whose entry an event announces, or null for other events. */
export const stateOfEvent = (event: string): State | null => STATE_OF_EVENT.get(event) ?? null;

/** Values that replace those of the requested event; they do not affect the signal. */
export interface TriggerOverrides {
  readonly state?: State | undefined;
  readonly confidence?: number | undefined;
  readonly note?: string | undefined;
}

/** @returns the reason why the event cannot have these values, or null */
export function whyNotOverridden(event: string, { state, confidence, note }: TriggerOverrides): string | null {
  const own = stateOfEvent(event);
  const isSignal = own !== null || event === 'signal.created';
  if (!isSignal && [state, confidence, note].some((value) => value !== undefined))
    return `state, confidence, note: ${event} has none of its own`;
  return own === null || state === undefined || state === own ? null : `state: ${event} announces ${own}`;
}

export function withOverrides(draft: EventDraft, { state, confidence, note }: TriggerOverrides): EventDraft {
  const values = {
    ...(confidence === undefined ? {} : { confidence: Math.round(confidence * 10) / 10 }),
    ...(note === undefined ? {} : { note }),
  };
  if (draft.event === 'signal.created' && state !== undefined)
    return { ...draft, data: { ...draft.data, ...values, state, state_name: stateName(state) } } as EventDraft;
  return { ...draft, data: { ...draft.data, ...values } } as EventDraft;
}
