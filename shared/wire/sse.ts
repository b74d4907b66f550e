// Pure: the frames of the event stream, and the names that service and client share.
import type { EventEnvelope } from './events.ts';

/** A comment is sent at once and then at this interval, ms; clients measure silence against it. */
export const HEARTBEAT_MS = 15_000;
/** Value of `retry:`, the client's wait before it reconnects, ms. */
const RETRY_MS = 3_000;
/** Response header and comment for an unknown Last-Event-ID: the stream is live only. */
export const RESUME_HEADER = 'x-stream-resume';
/**
 * Response header of a cluster's streams: the identity of the log, which changes when a backup is restored.
 */
export const LOG_HEADER = 'x-service-log';

/**
 * One event: id, event, data, in this order, one space after each colon, LF. `json` is the envelope on one
 * line.
 */
export const encodeFrame = (eventId: string, event: string, json: string): string =>
  `id: ${eventId}\nevent: ${event}\ndata: ${json}\n\n`;
export const encodeEvent = (envelope: EventEnvelope): string =>
  encodeFrame(envelope.event_id, envelope.event, JSON.stringify(envelope));

/** A frame for a filtered event: it moves the reader's Last-Event-ID and dispatches nothing. */
export const encodeSkipped = (eventId: string): string => `id: ${eventId}\n\n`;

export const encodeComment = (text: string): string => `: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`;
export const encodeRetry = (ms = RETRY_MS): string => `retry: ${ms}\n\n`;
