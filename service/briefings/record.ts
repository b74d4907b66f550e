// Service, briefings: the hold-out record of one symbol as it stood after so many closes: the row of /api/validation/metrics, reckoned here
// for one symbol because the whole record takes seconds.
import { frameOf, WARM, windowsOf } from '../engine/scoring/frame.ts';
import { ratiosOf, scoreEvents } from '../engine/scoring/score.ts';
import type { Track } from '../signals/track.ts';

/** Ratios 0..1. */
export interface HoldOut {
  readonly precision: number;
  readonly recall: number;
  readonly signals: number;
  /** Falls that came. */
  readonly events: number;
  /** Closes in the window. */
  readonly bars: number;
}

/**
 * @param kept how many of `track.days` count, from the first
 * @returns null with too little history to be scored
 */
export function holdOut({ days, past }: Track, kept: number): HoldOut | null {
  const count = past.closes.length - (days.length - kept);
  if (count <= WARM) return null;
  const { holdout } = windowsOf(count);
  const counts = scoreEvents(
    frameOf(Float64Array.from(past.closes.slice(0, count))),
    Uint8Array.from(past.alerts.slice(0, count)),
    holdout,
  );
  const { precision, recall } = ratiosOf(counts, counts.events);
  return { precision, recall, signals: counts.signals, events: counts.events, bars: counts.bars };
}
