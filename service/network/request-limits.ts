// Service: limits of one HTTP request, of the service's own listener and of its dashboard.

export const BODY_LIMIT_BYTES = 65_536;
export const HEADER_LIMIT_BYTES = 16_384;
/** To receive a whole request; an answer may stream longer. Before a connection's deadline, so that it is answered. */
export const REQUEST_TIMEOUT_MS = 8_000;
/** How often Node looks for requests that are past it. */
export const TIMEOUT_CHECK_MS = 1_000;
