// Main, host: notices sleep and clock changes by polling the clock; works without system events.
// A poll that comes much too late or too early means that open connections may be dead.
// A clock that stands while the computer sleeps tells a sleep from a computer that had no time for this program.
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';

/** Poll interval, ms. */
const POLL_INTERVAL = 2_000;
/** A busy machine delays a timer by less than this, ms. */
const TOLERANCE = 10_000;

/**
 * @param uptime ms that this computer was awake, from any beginning. On Windows it goes on while the computer
 *   sleeps, so that every sleep is one that the system reports.
 */
export function watchForSleep(
  clock: Clock,
  onJump: (reason: 'clock' | 'held_up') => void,
  uptime: () => number = () => performance.now(),
): Cancel {
  let last = { now: clock.now(), up: uptime() };
  return every(clock, POLL_INTERVAL, () => {
    const next = { now: clock.now(), up: uptime() };
    const late = next.now - last.now - POLL_INTERVAL;
    const heldUp = next.up - last.up - POLL_INTERVAL;
    last = next;
    if (late > TOLERANCE || late < -TOLERANCE) onJump(Math.abs(late - heldUp) > TOLERANCE ? 'clock' : 'held_up');
  });
}
