// Service, metrics: the interface through which code reports durations and counts.
// Without --metrics nothing is measured.

/**
 * append: events into the log, durably. fanOut: new events to all open streams. advance: one step of the
 * engine.
 */
export type TimedWork = 'append' | 'fanOut' | 'advance';

/** Outcome of a webhook attempt: retried deliveries are due again later, failed deliveries are given up. */
export const ATTEMPT_OUTCOMES = ['delivered', 'retried', 'failed'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export interface Metrics {
  /** Runs the work and records its duration, unless it throws. */
  time<Value>(what: TimedWork, work: () => Value): Value;
  /** Counts a recorded attempt at a delivery. */
  attempted(outcome: AttemptOutcome): void;
  /** Counts a request that a limit refused. @param endpoint path of the route, with parameter names */
  limited(endpoint: string): void;
}

export const NO_METRICS: Metrics = {
  time: (_what, work) => work(),
  attempted: () => undefined,
  limited: () => undefined,
};
