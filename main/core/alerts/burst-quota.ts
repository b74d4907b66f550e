// Main, core: how many alerts may be told one by one within a while; the others of a burst share a notification.
import type { Clock } from '../../../shared/lib/clock.ts';

/** So many within so long (ms of this computer) are told alone: enough for a bad morning, too few for a flood. */
const SLOTS = 5;
const WINDOW = 30_000;

export function createBurstQuota(clock: Clock): { take(): boolean } {
  let taken: number[] = [];
  return {
    take() {
      const now = clock.now();
      // A clock that was set back must not close the door for an hour.
      taken = taken.filter((at) => at <= now && now - at < WINDOW);
      if (taken.length >= SLOTS) return false;
      taken.push(now);
      return true;
    },
  };
}
