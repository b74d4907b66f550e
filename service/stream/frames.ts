// Service, stream: each event as bytes, encoded once for all readers.
import { encodeFrame, encodeSkipped } from '../../shared/wire/sse.ts';
import type { LoggedEvent } from '../store/event-log.ts';

interface Frames {
  readonly whole: Buffer;
  /** For readers whose filter leaves it out. */
  readonly skipped: Buffer;
}

const encoded = new WeakMap<LoggedEvent, Frames>();

/** Readers that keep up with the log share one object per event. */
export function framesOf(event: LoggedEvent): Frames {
  let frames = encoded.get(event);
  if (frames === undefined) {
    const { event_id, event: name } = event.envelope;
    frames = {
      whole: Buffer.from(encodeFrame(event_id, name, event.json), 'utf8'),
      skipped: Buffer.from(encodeSkipped(event_id), 'utf8'),
    };
    encoded.set(event, frames);
  }
  return frames;
}
