// Main, host: notices that the computer slept, or that its clock was set, by looking at the clock every few seconds:
// a look that comes much too late, or too early, means that whatever is open may be dead. Works where nobody tells us.
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';

/** Between two looks, ms. */
const POLL_INTERVAL = 2_000;
/** A busy machine delays a timer by less than this, ms. */
const TOLERANCE = 10_000;

export function watchForSleep(clock: Clock, onJump: () => void): Cancel {
  let last = clock.now();
  return every(clock, POLL_INTERVAL, () => {
    const now = clock.now();
    const late = now - last - POLL_INTERVAL;
    last = now;
    if (late > TOLERANCE || late < -TOLERANCE) onJump();
  });
}
