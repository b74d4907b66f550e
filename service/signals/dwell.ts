// Service, signals: the minimum duration of an announced state.

/**
 * Minimum duration of a state before prices may change it, and the hold of a triggered one, world ms. A riskier
 * close does not wait for it.
 */
export const DWELL_MS = 300_000;
