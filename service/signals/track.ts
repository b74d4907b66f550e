// Service, signals: the data of one symbol: closed days, live state and announced state.
import { CLAIMS, type Claim } from '../../shared/domain/claims.ts';
import type { State } from '../../shared/domain/states.ts';
import type { Instrument } from '../market/types.ts';
import type { CurrentState } from '../store/current-states.ts';
import { type ClosedRow, ClosedRows, type RowStore, type SavedRows } from './closed-row.ts';

export interface Track {
  readonly instrument: Instrument;
  closed: Closed;
  /** The rule's state with its hysteresis: set at each close, changed by each intraday evaluation. */
  liveState: State;
  /** Instant of the last evaluation, world ms. */
  decidedAt: number;
  /** The announced state; null before the first close. */
  current: CurrentState | null;
  /** All closed days, oldest first. For the newest ones alone use `recent`: it reads no file. */
  readonly days: readonly ClosedRow[];
  /** The newest closed days, at least 32 if there are as many. */
  readonly recent: readonly ClosedRow[];
}

/** What follows from the closes of a symbol alone. */
interface Closed {
  readonly rows: ClosedRows;
  /** Every close so far, for the hold-out record and the intraday regime. */
  readonly closes: number[];
  /** Indexes of the closes at which High Risk begins and ends, by turns. */
  readonly highRiskTurns: number[];
  /** Sessions before a close without a bar, by its index; absent: none. */
  readonly missing: Map<number, number>;
  /** The newest confidence by state and claim; NaN: none. */
  readonly confidences: Float64Array;
  /** Start of the current state of the closes, world ms. */
  since: number;
}

/** `Closed` as a value. */
export interface SavedTrack {
  readonly rows: SavedRows;
  readonly closes: Float64Array;
  readonly highRiskTurns: readonly number[];
  readonly missing: readonly (readonly [number, number])[];
  readonly confidences: Float64Array;
  readonly since: number;
}

/** @param store for older rows. Default: memory */
export function newTrack(
  instrument: Instrument,
  store: RowStore | null = null,
  saved: SavedTrack | null = null,
): Track {
  const closed: Closed = {
    rows: new ClosedRows(store, saved?.rows),
    closes: Array.from(saved?.closes ?? []),
    highRiskTurns: [...(saved?.highRiskTurns ?? [])],
    missing: new Map(saved?.missing),
    confidences: saved?.confidences.slice() ?? new Float64Array(3 * CLAIMS.length).fill(Number.NaN),
    since: saved?.since ?? 0,
  };
  const last = closed.rows.recent.at(-1);
  return {
    instrument,
    closed,
    liveState: last?.reading.state ?? 0,
    decidedAt: last?.closedAt ?? 0,
    current: null,
    get days() {
      return this.closed.rows.all;
    },
    get recent() {
      return this.closed.rows.recent;
    },
  };
}

export const saveTrack = ({ closed }: Track): SavedTrack => ({
  rows: closed.rows.save(),
  closes: Float64Array.from(closed.closes),
  highRiskTurns: closed.highRiskTurns,
  missing: [...closed.missing],
  confidences: closed.confidences,
  since: closed.since,
});

const confidenceIndex = (state: State, claim: Claim): number => state * CLAIMS.length + CLAIMS.indexOf(claim);

/**
 * Appends a close and sets the live state. The caller drafts the changes.
 * @param missing sessions before it without a bar
 */
export function addClose(track: Track, row: ClosedRow, missing = 0): void {
  const { closed } = track;
  const { state, close, claim, confidence } = row.reading;
  const before = closed.rows.recent.at(-1)?.reading.state;
  if (before !== state) closed.since = row.closedAt;
  if ((before === 2) !== (state === 2)) closed.highRiskTurns.push(closed.closes.length);
  closed.rows.push(row);
  if (missing > 0) closed.missing.set(closed.closes.length, missing);
  closed.closes.push(close);
  if (confidence !== null) closed.confidences[confidenceIndex(state, claim)] = confidence;
  track.liveState = state;
  track.decidedAt = row.closedAt;
}

/** Whether each of the first `count` closes was High Risk, 0 or 1. */
export function highRiskCloses({ closed: { highRiskTurns } }: Track, count: number): Uint8Array {
  const flags = new Uint8Array(count);
  for (let turn = 0; turn < highRiskTurns.length; turn += 2)
    flags.fill(1, highRiskTurns[turn], highRiskTurns[turn + 1] ?? count);
  return flags;
}

/** Replaces the closed days by those of another track of the symbol; the announced state stays. */
export function replaceCloses(track: Track, other: Track): void {
  track.closed = other.closed;
  track.liveState = other.liveState;
  track.decidedAt = other.decidedAt;
}

export const lastRow = (track: Track): ClosedRow | null => track.recent.at(-1) ?? null;

/** World ms of the close that decided the announced regime, or of the trigger that set it; null without one. */
export function regimeAsOf(track: Track): number | null {
  const [closed, current] = [lastRow(track), track.current];
  return current === null || current.regime === null || current.regime !== closed?.reading.regime
    ? (current?.regimeSince ?? null)
    : closed.closedAt;
}

/** The engine's newest confidence for this symbol in `state` with this claim; null: none. */
export function confidenceIn({ closed }: Track, state: State, claim: Claim): number | null {
  const confidence = closed.confidences[confidenceIndex(state, claim)] as number;
  return Number.isNaN(confidence) ? null : confidence;
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
