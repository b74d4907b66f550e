// Pure: the names of the events of market breadth.
// The core makes both; no service sends them.

/** The share of a list reached that of a condition. */
export const BREADTH_EVENT = 'breadth.crossed';
/** It fell again. No rule names this event. */
export const BREADTH_ENDED = 'breadth.ended';
