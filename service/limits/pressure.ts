// Service, limits: whether this process has more to do than it can. While it has, new requests are refused (specification 7 and 8: 503 with
// Retry-After); requests in flight, open streams and their heartbeats go on.
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';

/** How often the delay of this process is checked, wall ms. */
const CHECK_INTERVAL_MS = 1_000;
/** Overloaded is who is late by this much, this many checks in a row. One long job, a computer that slept or a clock that was set is late once. */
const LATE_MS = 1_000;
const LATE_CHECKS = 3;
/** Requests that wait for their answer at once; streams are not among them. */
const MAX_IN_FLIGHT = 1_000;

/** What Retry-After tells a refused request to wait, s. */
export const RETRY_AFTER_S = 5;

export interface Pressure {
  /** Begins to check. What was slow before, like reading history, is no overload. */
  start(): void;
  stop(): void;
  /** Why nothing more can be taken on, for people; null when it can. */
  refuses(): string | null;
  /** A request is taken on. @returns what is to be called, once, when it is over */
  takeOn(): () => void;
}

export function createPressure(clock: Clock): Pressure {
  let stopChecks: Cancel = () => undefined;
  let lateChecks = 0;
  let inFlight = 0;
  return {
    start() {
      let checkedAt = clock.now();
      stopChecks = every(clock, CHECK_INTERVAL_MS, () => {
        const late = clock.now() - checkedAt - CHECK_INTERVAL_MS;
        checkedAt = clock.now();
        lateChecks = late >= LATE_MS ? lateChecks + 1 : 0;
      });
    },
    stop: () => stopChecks(),
    refuses() {
      if (lateChecks >= LATE_CHECKS) return 'The service is overloaded at the moment.';
      return inFlight >= MAX_IN_FLIGHT
        ? `The service has ${MAX_IN_FLIGHT} requests under way, which is the most.`
        : null;
    },
    takeOn() {
      inFlight += 1;
      return () => {
        inFlight -= 1;
      };
    },
  };
}
