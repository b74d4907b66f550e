// Wire: the header of an answer that something is still computed.

/** How far it is: `ProgressSchema` as JSON. */
export const PROGRESS_HEADER = 'x-progress';
