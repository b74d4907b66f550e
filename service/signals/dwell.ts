// Service, signals: how long an announced state lasts at least.

/** Minimum duration of a state before prices may change it, and the hold of a triggered one, world ms. */
export const DWELL_MS = 300_000;
