// Main, core: reads a delivery or dead letter as an event, and the relays that it has passed. Pure.
import { isUtf8 } from 'node:buffer';
import { message } from '../../../shared/text/message.ts';
import { STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import { parseBeginning, parseEvent } from '../compat/parse-event.ts';
import type { EventHints } from '../compat/read-event.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { DeadLetter } from './dead-letter-store.ts';
import { TRAIL_HEADER } from './sign.ts';
import type { Headers, Proof } from './signature.ts';

export const decode = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');

type DeliveryHints = Pick<EventHints, 'receivedAt' | 'vocabulary'>;

/** @returns null where the body is no event; an event that cannot be read states its problem */
export function readDelivery(
  headers: Headers,
  body: Uint8Array,
  { scheme }: Proof,
  { receivedAt, vocabulary }: DeliveryHints,
): ReceivedEvent | null {
  const id = headers[STANDARD_HEADERS.id];
  // Only the signature that covers the header's id proves it; otherwise one body under another id would be
  // another event.
  const hints = { receivedAt, vocabulary, ...(scheme === 'standard' && id !== undefined ? { id } : {}) };
  const event = readText(decode(body), hints);
  if (event === null || event.problem !== undefined || isUtf8(body)) return event;
  return { ...event, problem: message('event.not_utf8', { id: event.eventId }) };
}

/** @returns null where the body is no event */
export const readDeadLetter = ({ body, receivedAt }: DeadLetter, vocabulary: Vocabulary): ReceivedEvent | null =>
  readText(body, { receivedAt, vocabulary });

function readText(text: string, hints: DeliveryHints & { readonly id?: string }): ReceivedEvent | null {
  let value: unknown;
  try {
    // The text may begin with a byte order mark, which counts as white space.
    value = JSON.parse(text.trimStart());
  } catch {
    // The beginning of the text may still have the event's name, number and id.
    value = parseBeginning(text);
  }
  return parseEvent(value, { ...hints, body: text });
}

/** Relays that the delivery has passed, by its header. */
export const trailOf = (headers: Headers): string[] =>
  headers[TRAIL_HEADER]
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, 50) ?? [];
