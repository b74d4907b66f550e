// Main, core: limits how many alerts have their own notification; the rest of a burst share one.
import type { Clock } from '../../../shared/lib/clock.ts';

/**
 * Alerts per window (ms of this computer) with their own notification: enough for a bad morning, too few for
 * a flood.
 */
const LIMIT = 5;
const WINDOW = 30_000;

export function createBurstQuota(clock: Clock): { take(): boolean } {
  let taken: number[] = [];
  return {
    take() {
      const now = clock.now();
      // A clock that was set back must not block notifications for an hour.
      taken = taken.filter((at) => at <= now && now - at < WINDOW);
      if (taken.length >= LIMIT) return false;
      taken.push(now);
      return true;
    },
  };
}
