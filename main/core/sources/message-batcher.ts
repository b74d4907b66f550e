// Main, core: batches the stream's messages of one turn for one transaction of the ledger.
// Unreadable messages are logged, and are never fatal.
import type { Cancel } from '../../../shared/lib/clock.ts';
import { textOf } from '../../../shared/text/message.ts';
import { type ArrivalHints, parseBeginning, parseEvent } from '../compat/parse-event.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { eventsIn } from '../compat/record-fields.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import { ledgerErrorMessage } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Receive } from '../receive.ts';
import type { StreamMessage } from './event-stream.ts';
import { cutDataOf } from './frame-limit.ts';

export interface MessageBatcher {
  take(message: StreamMessage): void;
  /** Delivers the batch now. */
  flush(): void;
}

/** A batch of this size is delivered before the turn ends. */
const LARGEST_BATCH = 1024;
/** Most characters of an unreadable message in the log. */
const SAMPLE = 2048;

/** Names of events that only keep a stream alive. */
const HEARTBEATS = /^(ping|pong|heart-?beat|keep[-_]?alive|noop|hello|welcome|connected|ready)$/i;

export function createMessageBatcher(
  { guard, events, ports }: CoreContext,
  vocabulary: Vocabulary,
  receive: Receive,
): MessageBatcher {
  const { clock } = guard;
  let batched: ReceivedEvent[] = [];
  let cancel: Cancel | null = null;

  const flush = (): void => {
    cancel?.();
    cancel = null;
    if (batched.length === 0) return;
    const batch = batched;
    batched = [];
    try {
      receive('stream', batch);
    } catch (error) {
      // The cursor did not move, so back-fill reads these events again.
      events.emit('ledgerFailed', { message: ledgerErrorMessage(error) });
    }
  };
  const refuse = ({ name, data }: StreamMessage, why: string): void =>
    ports.logger.warn(
      { name: name.slice(0, 80), why, sample: data.slice(0, SAMPLE) },
      'something on the stream is no event',
    );

  const keep = (message: StreamMessage, value: unknown, hints: ArrivalHints): void => {
    const event = parseEvent(value, { ...hints, vocabulary });
    if (event === null || event.problem !== undefined)
      refuse(message, event?.problem === undefined ? 'no event' : textOf(event.problem));
    if (event !== null) batched.push(event);
  };

  return {
    take(message) {
      const { name, id } = message;
      const cut = cutDataOf(message.data);
      const data = cut?.data ?? message.data;
      const receivedAt = clock.now();
      // A service may send heartbeats as events: they do not enter the ledger.
      if (HEARTBEATS.test(name)) return;
      let value: unknown;
      try {
        value = JSON.parse(data);
      } catch {
        // The beginning may still have a name, a number or an id.
        value = parseBeginning(data);
      }
      // An array holds several events (docs/contract.md 36), which share the frame's name; its id is of none.
      const listed = eventsIn(value);
      if (listed[0] !== value) for (const one of listed) keep(message, one, { name, receivedAt });
      else keep(message, value, { name, id, body: data, receivedAt, ...(cut === null ? {} : { size: cut.size }) });
      if (batched.length >= LARGEST_BATCH) flush();
      else if (batched.length > 0) cancel ??= clock.after(0, flush);
    },
    flush,
  };
}
