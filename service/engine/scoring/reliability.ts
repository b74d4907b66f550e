// Service, engine: the reliability of probabilities: bins, calibration error, Brier skill.
import { type Frame, H, isGood } from './frame.ts';
import type { Reliability } from './validation-record.ts';

export interface Forecast {
  readonly predicted: number;
  /** 1 if the warned event followed. */
  readonly observed: 0 | 1;
}

const BINS = 10;

/** Outcome of each bar; null within an event (a warning comes too late) and while the horizon is open. */
export function outcomesOf(frame: Frame): (0 | 1 | null)[] {
  const outcomes = Array.from({ length: frame.n }, (_, t): 0 | 1 | null => (t > frame.lastResolved ? null : 0));
  for (const event of frame.events) {
    for (let t = event.first; t <= event.last; t++) outcomes[t] = null;
  }
  for (const event of frame.events) {
    for (let t = Math.max(0, event.first - H); t < event.first; t++)
      if (isGood(frame, event, t) && t <= frame.lastResolved) outcomes[t] = 1;
  }
  return outcomes;
}

/** @returns null without forecasts */
export function reliabilityOf(forecasts: readonly Forecast[]): Reliability | null {
  const n = forecasts.length;
  if (n === 0) return null;
  const sorted = [...forecasts].sort((a, b) => a.predicted - b.predicted);
  const base = sorted.reduce((sum, row) => sum + row.observed, 0) / n;
  const brier = sorted.reduce((sum, row) => sum + (row.predicted - row.observed) ** 2, 0) / n;
  const bins: Reliability['bins'] = [];
  for (let bin = 0; bin < BINS; bin++) {
    const rows = sorted.slice(Math.floor((bin * n) / BINS), Math.floor(((bin + 1) * n) / BINS));
    if (rows.length === 0) continue;
    const mean = (pick: (row: Forecast) => number): number =>
      rows.reduce((sum, row) => sum + pick(row), 0) / rows.length;
    bins.push({ predicted: mean((row) => row.predicted), observed: mean((row) => row.observed), bars: rows.length });
  }
  return {
    bars: n,
    base_rate: base,
    bins,
    calibration_error: bins.reduce((sum, bin) => sum + (bin.bars / n) * Math.abs(bin.predicted - bin.observed), 0),
    brier_skill: base > 0 && base < 1 ? 1 - brier / (base * (1 - base)) : 0,
  };
}
