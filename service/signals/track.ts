// Service, signals: what is known of one symbol: its closed days, the rule's own live state, and the announced state.
import type { State } from '../../shared/domain/states.ts';
import type { Instrument } from '../market/types.ts';
import type { CurrentState } from '../store/current-states.ts';
import { type ClosedRow, RowBuffer } from './closed-row.ts';
import { PastCloses } from './past-closes.ts';

export interface Track {
  readonly instrument: Instrument;
  /** Oldest first, at most DAYS_KEPT and DAYS_SPARE. */
  readonly days: ClosedRow[];
  /** Every close that was ever taken in, and whether it was in High Risk (1 or 0): what the hold-out record is computed from. */
  readonly past: PastCloses;
  readonly rowBuffer: RowBuffer;
  /** The rule's live state, with the memory of its hysteresis: set by every close, moved by every evaluation within a day. */
  memory: State;
  /** Since when the closes alone have been in their present state, world ms. */
  closedSince: number;
  /** Instant of the last evaluation, world ms. */
  decidedAt: number;
  /** What is announced; null before the first close. */
  current: CurrentState | null;
}

/** Two years of calendar days (factor history), and a little more. */
const RETAINED_DAYS = 740;
/** So many more are there at most: rows go many at a time. */
const DAYS_SPARE = 60;

export const newTrack = (instrument: Instrument): Track => ({
  instrument,
  days: [],
  past: new PastCloses(),
  rowBuffer: new RowBuffer(RETAINED_DAYS + 2 * DAYS_SPARE),
  memory: 0,
  closedSince: 0,
  decidedAt: 0,
  current: null,
});

/** Takes in one close. Judging it is the caller's. */
export function takeClose(track: Track, row: ClosedRow): void {
  const before = track.days.at(-1);
  if (before === undefined || before.reading.state !== row.reading.state) track.closedSince = row.closedAt;
  track.days.push(track.rowBuffer.keep(row));
  track.past.push(row.reading.close, row.reading.state === 2);
  if (track.days.length > RETAINED_DAYS + DAYS_SPARE) track.days.splice(0, track.days.length - RETAINED_DAYS);
  track.memory = row.reading.state;
  track.decidedAt = row.closedAt;
}

export const lastRow = (track: Track): ClosedRow | null => track.days.at(-1) ?? null;

/** The newest confidence that the engine gave this symbol in `state`, or null when it never was there. */
export function confidenceIn(track: Track, state: State): number | null {
  for (let index = track.days.length - 1; index >= 0; index--) {
    const reading = track.days[index]?.reading;
    if (reading !== undefined && reading.state === state && reading.confidence !== null) return reading.confidence;
  }
  return null;
}
