// Service, signals: the minimum duration of an announced state.

/**
 * Minimum duration of a state, world ms, which a riskier close may cut short. Also the hold of a triggered
 * state.
 */
export const DWELL_MS = 300_000;
