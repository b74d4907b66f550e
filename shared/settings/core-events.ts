// Pure: the names of the events that the core makes; no service sends them.
// A file of its own: the first page needs the names, and not what reads such events.

/** A price met the condition of a rule. */
export const PRICE_EVENT = 'price.crossed';
/** Another program sent an alert. */
export const FOREIGN_EVENT = 'foreign.alert';
/** The share of a list reached that of a condition. */
export const BREADTH_EVENT = 'breadth.crossed';
/** It fell again. No rule names this event. */
export const BREADTH_ENDED = 'breadth.ended';

/** Alerts that are no transition. */
export const LOCAL_EVENTS: readonly string[] = [PRICE_EVENT, FOREIGN_EVENT, BREADTH_EVENT];
