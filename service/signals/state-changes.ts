// Service, signals: moves announced states and regimes to those of the rule, and drafts the events.
import type { Reading } from '../engine/types.ts';
import type { EventDraft } from '../store/event-log.ts';
import { flipDraft, type Occurrence, percent, transitionDraft } from './drafts.ts';
import { DWELL_MS } from './dwell.ts';
import type { EventIds } from './event-id.ts';
import { heldBy, heldText, noteOf, sentences } from './notes.ts';
import type { LevelledReading } from './price-level.ts';
import { isHeldByQuestion, type QuestionContext, questionedChange } from './questioned-states.ts';
import { lastRow, type Track } from './track.ts';

/** A draft with its instant, for sorting within an interval. */
export interface DatedDraft {
  readonly at: number;
  readonly symbol: string;
  readonly draft: EventDraft;
}

export interface ChangeContext extends QuestionContext {
  readonly ids: EventIds;
  /** The model version of transitions. */
  readonly modelVersion: string;
  /** Confidence in the announced state of a track. */
  confidence(track: Track, reading: Reading): number | null;
}

/**
 * Applies the changes of regime and state that dwell and hold-downs allow at `at` (world ms) to the track.
 * @param closing whether `reading` is that of the track's last close
 * @returns a draft for each change; none before the first close
 */
export function applyChanges(
  context: ChangeContext,
  track: Track,
  at: number,
  reading: LevelledReading,
  closing: boolean,
): DatedDraft[] {
  const { ids, modelVersion } = context;
  const { current, instrument } = track;
  if (current === null) return [];
  const dated: DatedDraft[] = [];
  // A close may follow a change of its own instant: the log orders events by their ids.
  const when: Occurrence = { at, ordinal: at === current.since ? 1 : 0 };
  const add = (draft: EventDraft): void => void dated.push({ at, symbol: instrument.symbol, draft });
  const closed = closing ? reading : lastRow(track)?.reading;
  if (regimeMayChange(track, at, closed)) {
    const to = closed?.regime ?? null;
    const confidence = to === null ? null : regimeConfidence(closed);
    if (current.regime !== null && to !== null) {
      add(flipDraft(ids, instrument.symbol, when, { from: current.regime, to, confidence }));
    }
    track.current = { ...current, regime: to, regimeSince: at, regimeHoldDownUntil: null };
  }
  const asked = questionedChange(context, track, at);
  const mayChange = stateMayChange(track, at) && !isHeldByQuestion(context, track, at);
  if (asked?.inQuestion === 'withdrawn' || mayChange) {
    const change = { from: current.state, to: track.liveState, regime: track.current?.regime ?? null };
    const restsOn = asked?.inQuestion === 'open' ? asked.date : null;
    track.current = { ...(track.current ?? current), state: track.liveState, since: at, holdDownUntil: null, restsOn };
    const confidence = context.confidence(track, reading);
    const held = heldBy(track, reading, at);
    add(
      transitionDraft(ids, modelVersion, instrument, when, {
        ...change,
        confidence,
        claim: reading.claim,
        heldBy: held,
        inQuestion: asked?.inQuestion ?? null,
        note: sentences(
          asked?.text ?? '',
          noteOf(track, reading, closing),
          heldText(change.to, held, percent(confidence), percent(reading.baseRate)),
        ),
      }),
    );
  }
  return dated;
}

/** Whether `applyChanges` would change the state, or the regime by the last close. */
export const hasChange = (track: Track, at: number): boolean =>
  stateMayChange(track, at) || regimeMayChange(track, at, lastRow(track)?.reading);

/** Whether the rule's state is above the announced one. */
export const mayRise = (track: Track, at: number): boolean =>
  stateMayChange(track, at) && track.liveState > (track.current?.state ?? 0);

/** Least times delay recoveries alone. Only High Risk ends the hold of a triggered state. */
const stateMayChange = ({ instrument, current, liveState }: Track, at: number): boolean =>
  !instrument.regimeOnly &&
  current !== null &&
  liveState !== current.state &&
  (liveState > current.state || at - current.since >= DWELL_MS) &&
  (liveState === 2 || at >= (current.holdDownUntil ?? at));

function regimeMayChange({ current }: Track, at: number, closed: Reading | undefined): boolean {
  const regime = closed?.regime ?? null;
  return current !== null && regime !== null && regime !== current.regime && at >= (current.regimeHoldDownUntil ?? at);
}

/** The percentage that the engine gives to its regime; null without probabilities. */
function regimeConfidence(reading: Reading | undefined): number | null {
  if (reading === undefined || reading.regime === null || reading.regimeProbabilities === null) return null;
  return reading.regimeProbabilities[reading.regime] * 100;
}

/** Orders drafts by time, then symbol. */
export const inOrder = (dated: DatedDraft[]): EventDraft[] =>
  dated.sort((a, b) => a.at - b.at || (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0)).map((one) => one.draft);
