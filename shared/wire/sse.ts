// Pure: the frames of the event stream, and the names that service and client use for it.
import type { EventEnvelope } from './events.ts';

/** A comment is sent at once and then this often, ms; clients learn it and measure silence against it. */
export const HEARTBEAT_MS = 15_000;
/** What `retry:` tells a client to wait before it reconnects, ms. */
const RETRY_MS = 3_000;
/** Response header and comment that say an unknown Last-Event-ID was answered with the live stream. */
export const RESUME_HEADER = 'x-stream-resume';

/** One event: id, event, data, in this order, one space after each colon, LF. `json` is the envelope on one line. */
export const encodeFrame = (eventId: string, event: string, json: string): string =>
  `id: ${eventId}\nevent: ${event}\ndata: ${json}\n\n`;
export const encodeEvent = (envelope: EventEnvelope): string =>
  encodeFrame(envelope.event_id, envelope.event, JSON.stringify(envelope));

/** A frame for an event that a filter left out: it moves the reader's Last-Event-ID and dispatches nothing. */
export const encodeSkipped = (eventId: string): string => `id: ${eventId}\n\n`;

export const encodeComment = (text: string): string => `: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`;
export const encodeRetry = (): string => `retry: ${RETRY_MS}\n\n`;
