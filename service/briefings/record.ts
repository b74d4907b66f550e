// Service, briefings: the hold-out record of one symbol at a past close.
// As in /api/validation/metrics, for one symbol, because the record of all symbols takes seconds.
import { frameOf, WARM, windowsOf } from '../engine/scoring/frame.ts';
import { ratiosOf, scoreEvents } from '../engine/scoring/score.ts';
import { highRiskCloses, type Track } from '../signals/track.ts';

/** Ratios 0..1. */
export interface HoldOut {
  readonly precision: number;
  readonly recall: number;
  readonly signals: number;
  /** Falls that happened after a warning. */
  readonly events: number;
  /** Closes in the window. */
  readonly bars: number;
}

/**
 * @param dayCount number of `track.days` that count, from the first
 * @returns null with too little history to score
 */
export function holdOut(track: Track, dayCount: number): HoldOut | null {
  const { closes, missing } = track.closed;
  const count = closes.length - (track.days.length - dayCount);
  if (count <= WARM) return null;
  const { holdout } = windowsOf(count);
  const frame = frameOf(Float64Array.from(closes.slice(0, count)), missing);
  const counts = scoreEvents(frame, highRiskCloses(track, count), holdout);
  const { precision, recall } = ratiosOf(counts, counts.events);
  return { precision, recall, signals: counts.signals, events: counts.events, bars: counts.bars };
}
