// Renderer, pure: the time step for a range, where the chosen step does not fit the range.
import type { Granularity } from '../../../shared/channels/queries.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { NARROWEST } from '../../charts/chart-range.ts';

/** The longest range for which a chart draws minutes, ms. */
export const MAX_MINUTES = 2 * DAY_MS;

/**
 * Leaves both choices as they are: minutes of a month and days of a single day are drawn by the hour.
 * @param width of the range, ms
 */
export function shownStep(chosen: Granularity, width: number): Granularity {
  if (chosen === 'minute' && width > MAX_MINUTES) return 'hour';
  if (chosen === 'day' && width < NARROWEST * DAY_MS) return 'hour';
  return chosen;
}

/** Why the drawn step is not the chosen one; null where it is, or while nothing is drawn yet. */
export type StepNote = 'minutes_too_many' | 'days_too_few' | 'minutes_refused' | 'closes_only' | null;

/**
 * @param asked the requested step
 * @param served the step that the service has; null while unknown
 */
export function stepNote(chosen: Granularity, asked: Granularity, served: Granularity | null): StepNote {
  if (served === 'day' && asked !== 'day') return 'closes_only';
  if (chosen !== asked) return chosen === 'minute' ? 'minutes_too_many' : 'days_too_few';
  return served === 'hour' && asked === 'minute' ? 'minutes_refused' : null;
}
