// Service, metrics: the interface through which code reports durations and counts.
// Without --metrics nothing is measured.

/** append: events into the log, durably. fanOut: new events to all open streams. advance: one step of the engine. */
export type TimedWork = 'append' | 'fanOut' | 'advance';

/** What became of an attempt to deliver a webhook: retried ones are due again later, failed ones are given up. */
export const ATTEMPT_OUTCOMES = ['delivered', 'retried', 'failed'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export interface Metrics {
  /** Runs the work, and measures how long it takes unless it throws. */
  time<Value>(what: TimedWork, work: () => Value): Value;
  /** An attempt at a delivery is written down. */
  attempted(outcome: AttemptOutcome): void;
  /** A request is refused for its number. @param endpoint path of the route, with the names of its parameters */
  limited(endpoint: string): void;
}

export const NO_METRICS: Metrics = {
  time: (_what, work) => work(),
  attempted: () => undefined,
  limited: () => undefined,
};
