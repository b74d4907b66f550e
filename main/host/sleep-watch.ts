// Main, host: notices sleep and clock changes by polling the clock; works without system events.
// A poll that comes much too late or too early means that open connections may be dead.
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';

/** Poll interval, ms. */
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
