// Renderer, pure: the range of time that the chart shows for a number of days and a time step.
import type { Granularity } from '../../../shared/channels/queries.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { lastDays, type TimeRange, timeRangeOf } from '../../charts/chart-range.ts';
import { STEP } from '../../charts/fine-model.ts';
import type { ChartModel } from '../../charts/model.ts';
import type { RangeChoice } from './timeline-tools.tsx';

export const timesOf = (model: ChartModel): number[] => model.points.map((point) => point.ms);
export const wholeOf = (model: ChartModel): TimeRange => ({
  from: model.points[0]?.ms ?? 0,
  to: model.points.at(-1)?.ms ?? 0,
});

/**
 * @param asked the requested step
 * @param served the step that the service has; null while unknown. With closes alone the range is that of
 * days, whatever step was requested
 */
export function intervalFor(
  base: ChartModel,
  chosen: RangeChoice,
  asked: Granularity,
  served: Granularity | null = null,
): TimeRange {
  if ('interval' in chosen) return chosen.interval;
  const times = timesOf(base);
  if (asked === 'day' || served === 'day') return timeRangeOf(times, lastDays(times, chosen.days));
  const whole = wholeOf(base);
  // The end of the range advances in whole steps.
  const end = Math.ceil(whole.to / STEP[asked]) * STEP[asked];
  return { from: Math.max(whole.from, end - chosen.days * DAY_MS), to: end };
}
