// Renderer, pure: the time step for a range, where the chosen step does not fit the range.
import type { Granularity } from '../../../shared/channels/queries.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { NARROWEST } from '../../charts/brush-range.ts';

/** Minutes of more than this are too many for a chart, ms. */
export const MAX_MINUTES = 2 * DAY_MS;

/**
 * Neither choice changes the other: minutes of a month and days of a day are drawn by the hour, and said.
 * @param width of the range, ms
 */
export function shownStep(chosen: Granularity, width: number): Granularity {
  if (chosen === 'minute' && width > MAX_MINUTES) return 'hour';
  if (chosen === 'day' && width < NARROWEST * DAY_MS) return 'hour';
  return chosen;
}

/** Why the drawn step is not the chosen one; null where it is, or nothing is drawn yet. */
export type StepNote = 'minutes_too_many' | 'days_too_few' | 'minutes_refused' | 'closes_only' | null;

/**
 * @param asked of the service; @param served by it, null while nothing is known
 */
export function stepNote(chosen: Granularity, asked: Granularity, served: Granularity | null): StepNote {
  if (served === 'day' && asked !== 'day') return 'closes_only';
  if (chosen !== asked) return chosen === 'minute' ? 'minutes_too_many' : 'days_too_few';
  return served === 'hour' && asked === 'minute' ? 'minutes_refused' : null;
}
