// Service, signals: the minimum duration of an announced state.

/** World ms for which a state is kept from falling; rises happen at once. Also the hold of a triggered state. */
export const DWELL_MS = 300_000;
