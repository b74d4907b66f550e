// Service, stream: each event as bytes, encoded once for all readers.
import { encodeFrame, encodeSkipped } from '../../shared/wire/sse.ts';
import type { LoggedEvent } from '../store/event-log.ts';

export interface Frames {
  readonly event: LoggedEvent;
  readonly whole: Buffer;
  /** For readers whose filter leaves it out. */
  readonly skipped: Buffer;
}

export const framesOf = (event: LoggedEvent): Frames => ({
  event,
  whole: Buffer.from(encodeFrame(event.envelope.event_id, event.envelope.event, event.json), 'utf8'),
  skipped: Buffer.from(encodeSkipped(event.envelope.event_id), 'utf8'),
});
