// Service, signals: the data of one symbol: closed days, live state and announced state.
import type { Claim } from '../../shared/domain/claims.ts';
import type { State } from '../../shared/domain/states.ts';
import type { Instrument } from '../market/types.ts';
import type { CurrentState } from '../store/current-states.ts';
import { type ClosedRow, RowBuffer } from './closed-row.ts';

export interface Track {
  readonly instrument: Instrument;
  /** Oldest first, at most RETAINED_DAYS + DAYS_SPARE. */
  days: ClosedRow[];
  /** Every close so far, for the hold-out record and the intraday regime. */
  past: {
    readonly closes: number[];
    /** Whether it was in High Risk. */
    readonly alerts: (0 | 1)[];
    /** Sessions before it without a bar, by its index; absent: none. */
    readonly missing: Map<number, number>;
  };
  rowBuffer: RowBuffer;
  /** The rule's state with its hysteresis: set at each close, changed by each intraday evaluation. */
  liveState: State;
  /** Start of the current state of the closes, world ms. */
  closedSince: number;
  /** Instant of the last evaluation, world ms. */
  decidedAt: number;
  /** The announced state; null before the first close. */
  current: CurrentState | null;
}

/** Two years of calendar days (factor history), and a margin. */
const RETAINED_DAYS = 740;
/** Maximum number of additional days: rows are removed in batches. */
const DAYS_SPARE = 60;

export const newTrack = (instrument: Instrument): Track => ({
  instrument,
  days: [],
  past: { closes: [], alerts: [], missing: new Map() },
  rowBuffer: new RowBuffer(RETAINED_DAYS + 2 * DAYS_SPARE),
  liveState: 0,
  closedSince: 0,
  decidedAt: 0,
  current: null,
});

/**
 * Appends a close and sets the live state. The caller drafts the changes.
 * @param missing sessions before it without a bar
 */
export function addClose(track: Track, row: ClosedRow, missing = 0): void {
  const before = track.days.at(-1);
  if (before === undefined || before.reading.state !== row.reading.state) track.closedSince = row.closedAt;
  track.days.push(track.rowBuffer.keep(row));
  if (missing > 0) track.past.missing.set(track.past.closes.length, missing);
  track.past.closes.push(row.reading.close);
  track.past.alerts.push(row.reading.state === 2 ? 1 : 0);
  if (track.days.length > RETAINED_DAYS + DAYS_SPARE) track.days.splice(0, track.days.length - RETAINED_DAYS);
  track.liveState = row.reading.state;
  track.decidedAt = row.closedAt;
}

/** Replaces the closed days by those of another track of the symbol; the announced state stays. */
export function replaceCloses(track: Track, other: Track): void {
  track.days = other.days;
  track.past = other.past;
  track.rowBuffer = other.rowBuffer;
  track.liveState = other.liveState;
  track.closedSince = other.closedSince;
  track.decidedAt = other.decidedAt;
}

export const lastRow = (track: Track): ClosedRow | null => track.days.at(-1) ?? null;

/** World ms of the close that decided the announced regime, or of the trigger that set it; null without one. */
export function regimeAsOf(track: Track): number | null {
  const [closed, current] = [lastRow(track), track.current];
  return current === null || current.regime === null || current.regime !== closed?.reading.regime
    ? (current?.regimeSince ?? null)
    : closed.closedAt;
}

/** The engine's newest confidence for this symbol in `state` with this claim; null: none retained. */
export function confidenceIn(track: Track, state: State, claim: Claim): number | null {
  for (let index = track.days.length - 1; index >= 0; index--) {
    const reading = track.days[index]?.reading;
    if (reading?.state === state && reading.claim === claim && reading.confidence !== null) return reading.confidence;
  }
  return null;
}

/** The rule's state as a current state, for a symbol without an announced one. */
export function ruleStateOf(track: Track, since: number): CurrentState {
  const closed = lastRow(track);
  const regime = closed?.reading.regime ?? null;
  let regimeSince = closed?.closedAt ?? null;
  for (let index = track.days.length - 1; index >= 0; index--) {
    const row = track.days[index];
    if (row === undefined || row.reading.regime !== regime) break;
    regimeSince = row.closedAt;
  }
  return {
    symbol: track.instrument.symbol,
    day: closed?.reading.date ?? null,
    state: track.liveState,
    since,
    holdDownUntil: null,
    regime,
    regimeSince: regime === null ? null : regimeSince,
    regimeHoldDownUntil: null,
    restsOn: null,
  };
}
