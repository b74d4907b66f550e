// Main, core: reads a delivery or dead letter as an event, and the relays that it has passed. Pure.
import { isUtf8 } from 'node:buffer';
import { err, messageOf, type Result } from '../../../shared/lib/result.ts';
import type { StateMap } from '../../../shared/settings/state-map.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import { type EventHints, readEvent } from '../compat/read-event.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { DeadLetter } from './dead-letter-store.ts';
import { TRAIL_HEADER } from './sign.ts';
import type { Headers, Proof } from './signature.ts';

export const decode = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');

/** When it arrived, and the profile's state map. */
type DeliveryHints = Pick<EventHints, 'receivedAt' | 'states'>;

/** @returns the event, or why it is unreadable, without a full stop */
export function readDelivery(
  headers: Headers,
  body: Uint8Array,
  { scheme }: Proof,
  { receivedAt, states }: DeliveryHints,
): Result<ReceivedEvent, Message> {
  if (!isUtf8(body)) return err(message('arrival.not_utf8'));
  const id = headers[STANDARD_HEADERS.id];
  // Only the signature that covers the header's id proves it; otherwise one body under another id would be
  // another event.
  return readText(decode(body), { receivedAt, states, ...(scheme === 'standard' && id !== undefined ? { id } : {}) });
}

/** null: it is unreadable. */
export function readDeadLetter({ body, receivedAt }: DeadLetter, states: StateMap | undefined): ReceivedEvent | null {
  const event = readText(body, { receivedAt, states });
  return event.ok ? event.value : null;
}

function readText(text: string, hints: DeliveryHints & { readonly id?: string }): Result<ReceivedEvent, Message> {
  try {
    const event = readEvent(JSON.parse(text), { ...hints, body: text });
    return event.ok ? event : err(plainMessage(event.error));
  } catch (error) {
    return err(message('arrival.not_json', { error: messageOf(error) }));
  }
}

/** Relays that the delivery has passed, by its header. */
export const trailOf = (headers: Headers): string[] =>
  headers[TRAIL_HEADER]
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 50) ?? [];
