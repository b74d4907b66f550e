// Service, briefings: the hold-out record of one symbol at a past close.
// As in /api/validation/metrics, for one symbol, because the record of all symbols takes seconds.
import { at, type Frame, frameOf, H, type RiskEvent, WARM, windowsOf } from '../engine/scoring/frame.ts';
import { ratiosOf, scoreEvents } from '../engine/scoring/score.ts';
import type { Track } from '../signals/track.ts';

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
export function holdOut({ days, past }: Track, dayCount: number): HoldOut | null {
  const count = past.length - (days.length - dayCount);
  if (count <= WARM) return null;
  const { holdout } = windowsOf(count);
  const counts = scoreEvents(frameUpTo(wholeFrame(past), count), past.alerts(count), holdout);
  const { precision, recall } = ratiosOf(counts, counts.events);
  return { precision, recall, signals: counts.signals, events: counts.events, bars: counts.bars };
}

type Past = Track['past'];

/** The most recently used frames, oldest first; a frame is several times the size of its closes. */
const frames = new Map<Past, Frame>();
const MOST_FRAMES = 64;
/** The frame over all closes; computed once per close, because it is most of the work of a record. */
function wholeFrame(past: Past): Frame {
  const known = frames.get(past);
  if (known?.n === past.length) return known;
  const made = frameOf(past.closes().slice());
  frames.delete(past);
  frames.set(past, made);
  for (const oldest of frames.keys()) {
    if (frames.size <= MOST_FRAMES) break;
    frames.delete(oldest);
  }
  return made;
}

/**
 * The frame after the first `n` closes. Only the forward loss and the last breach of an event depend on later
 * closes.
 */
export function frameUpTo(whole: Frame, n: number): Frame {
  if (n === whole.n) return whole;
  const { closes, thresholds, peaks } = whole;
  const forwardLoss = whole.forwardLoss.slice(0, n);
  for (let t = Math.max(0, n - 1 - H); t < n; t++) {
    let lowest = Number.POSITIVE_INFINITY;
    for (let i = t + 1; i < n; i++) lowest = Math.min(lowest, at(closes, i));
    forwardLoss[t] = t === n - 1 ? 0 : lowest / at(closes, t) - 1;
  }
  const isBreach = (t: number): boolean => {
    const peak = peaks[t] as number;
    return at(closes, t) / at(closes, peak) - 1 <= -at(thresholds, peak);
  };
  const events = whole.events.flatMap((event): RiskEvent[] => {
    if (event.first >= n) return [];
    let last = Math.min(event.last, n - 1);
    while (!isBreach(last)) last -= 1;
    return [{ ...event, last }];
  });
  return {
    n,
    closes: closes.subarray(0, n),
    returns: whole.returns.subarray(0, n),
    thresholds: thresholds.subarray(0, n),
    peaks: peaks.subarray(0, n),
    drawdownFractions: whole.drawdownFractions.subarray(0, n),
    forwardLoss,
    events,
  };
}
