// Service, limits: detects overload of this process and refuses new requests meanwhile.
// The refusal is 503 with Retry-After (specification 7 and 8). Requests in flight, open streams and their
// heartbeats continue.
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';

/** How often the process checks its delay, wall ms. */
const CHECK_INTERVAL_MS = 1_000;
/**
 * Overload is this much delay in this many consecutive checks. A long job, a sleep of the computer or a set
 * clock delays only one.
 */
const LATE_MS = 1_000;
const LATE_CHECKS = 3;
/** Requests that may wait for their answer at once; streams do not count. */
const MAX_IN_FLIGHT = 1_000;

/** Retry-After of a refused request, s. */
export const RETRY_AFTER_S = 5;

export interface Pressure {
  /** Starts the checks. Delays before that, such as reading history, are not overload. */
  start(): void;
  stop(): void;
  /** Why new requests are refused, for people; null when they are accepted. */
  refuses(): string | null;
  /** Counts a request. @returns a function to call once, when the request ends */
  takeOn(): () => void;
}

export function createPressure(clock: Clock): Pressure {
  let stopChecks: Cancel = () => undefined;
  let lateChecks = 0;
  let inFlight = 0;
  return {
    start() {
      stopChecks = every(clock, CHECK_INTERVAL_MS, (late) => {
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
