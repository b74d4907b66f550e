// Main, core: how many alerts may have a notification of their own within a while; the others of a burst share a notification.
import type { Clock } from '../../../shared/lib/clock.ts';

/** So many within so long (ms of this computer) have a notification of their own: enough for a bad morning, too few for a flood. */
const SLOTS = 5;
const WINDOW = 30_000;

export function createBurstQuota(clock: Clock): { take(): boolean } {
  let taken: number[] = [];
  return {
    take() {
      const now = clock.now();
      // A clock that was set back must not block notifications for an hour.
      taken = taken.filter((at) => at <= now && now - at < WINDOW);
      if (taken.length >= SLOTS) return false;
      taken.push(now);
      return true;
    },
  };
}
