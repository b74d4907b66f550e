// Pure: the suggested ends of a silence: an hour from now, the close, the next opening.
import { HOUR_MS } from '../lib/time.ts';
import { nextClose, nextOpen, type SessionCalendar } from './sessions.ts';

export const SILENCE_ENDS = ['hour', 'close', 'next_open'] as const;
export type SilenceEnd = (typeof SILENCE_ENDS)[number];

/**
 * @param now world time, ms
 * @returns the distinct ends, world ms; a market that never closes has no close
 */
export function silenceEnds(
  calendar: SessionCalendar,
  now: number,
): { readonly end: SilenceEnd; readonly at: number }[] {
  const opening = nextOpen(calendar, now);
  const close = nextClose(calendar, now);
  return [
    { end: 'hour', at: now + HOUR_MS },
    ...(close === opening ? [] : [{ end: 'close', at: close } as const]),
    { end: 'next_open', at: opening },
  ];
}
