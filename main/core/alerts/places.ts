// Main, core: how many alerts may be told one by one within a while; the others of a burst share a notification.
import type { Clock } from '../../../shared/lib/clock.ts';

/** So many within so long (ms of this computer) are told alone: enough for a bad morning, too few for a flood. */
const PLACES = 5;
const WINDOW = 30_000;

export function createPlaces(clock: Clock): { take(): boolean } {
  let taken: number[] = [];
  return {
    take() {
      const now = clock.now();
      // A clock that was set back must not close the door for an hour.
      taken = taken.filter((at) => at <= now && now - at < WINDOW);
      if (taken.length >= PLACES) return false;
      taken.push(now);
      return true;
    },
  };
}
