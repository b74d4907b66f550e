// Renderer, pure: keyboard navigation along a chart.
import type { ChartModel, ChartPoint } from './model.ts';

/** The index that a key leads to; null if the chart does not handle the key. */
export function stepTo(model: ChartModel, index: number, key: string, byStateChange: boolean): number | null {
  const last = model.points.length - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const direction = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
  if (direction === 0) return null;
  if (!byStateChange) return Math.max(0, Math.min(last, index + direction));
  const days = model.stateChanges.map((stateChange) => indexAt(model.points, stateChange.at));
  const next = direction === 1 ? days.find((day) => day > index) : days.findLast((day) => day < index);
  return next ?? index;
}

/** The first point at or after a time. */
export function indexAt(points: readonly ChartPoint[], ms: number): number {
  const index = points.findIndex((point) => point.ms >= ms);
  return index === -1 ? points.length - 1 : index;
}

/** The point of a time; null if the points begin later. */
export function pointIndex(points: readonly ChartPoint[], ms: number): number | null {
  const [first, second] = points;
  if (first === undefined) return null;
  // A point represents the time since the point before it.
  const isBefore = ms < first.ms && (second === undefined || ms <= first.ms - (second.ms - first.ms));
  return isBefore ? null : indexAt(points, ms);
}
