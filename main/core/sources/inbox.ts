// Main, core: batches the stream's messages of one turn for one transaction of the ledger.
// Unreadable messages are counted and kept for diagnosis, and are never fatal.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { type EventHints, readEvent } from '../compat/read-event.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { StreamMessage } from './event-stream.ts';

/** A message that could not be read as an event. */
export interface InvalidMessage {
  readonly at: string;
  readonly name: string;
  readonly why: string;
  /** At most its first 2 KB. */
  readonly sample: string;
}

export interface Inbox {
  take(message: StreamMessage): void;
  /** Dispatches the batch now. */
  flush(): void;
  invalid(): { readonly count: number; readonly last: readonly InvalidMessage[] };
}

/** A batch this large is dispatched without waiting for the turn to end. */
const LARGEST_BATCH = 1024;
const MAX_INVALID = 20;
const SAMPLE = 2048;

/**
 * @param deliver writes the batch; when it throws, the batch is dropped, and back-fill reads it again because
 * the cursor did not move
 */
export function createInbox(
  clock: Clock,
  deliver: (events: ReceivedEvent[]) => void,
  onInvalid: (invalid: InvalidMessage) => void,
): Inbox {
  let batched: ReceivedEvent[] = [];
  let cancel: Cancel | null = null;
  let count = 0;
  let last: InvalidMessage[] = [];

  const flush = (): void => {
    cancel?.();
    cancel = null;
    if (batched.length === 0) return;
    const batch = batched;
    batched = [];
    deliver(batch);
  };
  const refuse = (message: StreamMessage, why: string): void => {
    const invalid: InvalidMessage = {
      at: timestamp(clock.now()),
      name: message.name.slice(0, 80),
      why,
      sample: message.data.slice(0, SAMPLE),
    };
    count += 1;
    last = [...last, invalid].slice(-MAX_INVALID);
    onInvalid(invalid);
  };

  const keep = (message: StreamMessage, value: unknown, hints: EventHints): void => {
    const event = readEvent(value, hints);
    if (event.ok) batched.push(event.value);
    else refuse(message, event.error);
  };

  return {
    take(message) {
      let value: unknown;
      try {
        value = JSON.parse(message.data);
      } catch (error) {
        return refuse(message, `not JSON: ${messageOf(error)}`);
      }
      const { name, id, data } = message;
      const receivedAt = clock.now();
      // An array holds several events (docs/contract.md 36); they share the frame's name, and none may take
      // its id.
      if (Array.isArray(value)) for (const one of value) keep(message, one, { name, receivedAt });
      else keep(message, value, { name, id, body: data, receivedAt });
      if (batched.length >= LARGEST_BATCH) flush();
      else if (batched.length > 0) cancel ??= clock.after(0, flush);
    },
    flush,
    invalid: () => ({ count, last }),
  };
}
