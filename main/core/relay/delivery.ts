// Main, core: reads a delivery or dead letter as an event, its age, and the relays that it has passed. Pure.
import { isUtf8 } from 'node:buffer';
import { message } from '../../../shared/text/message.ts';
import { STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import { parseBeginning, parseEvent } from '../compat/parse-event.ts';
import type { EventHints } from '../compat/read-event.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { Headers, Proof } from './signature.ts';
import { TRAIL_HEADER } from './signature.ts';
import type { DeadLetter } from './store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The service tries for 24 h; one more hour for its last attempt. */
const LATE_AFTER = 25 * HOUR;
/** Ids are unique for this long. */
const TOO_OLD_AFTER = 30 * 24 * HOUR;
const AHEAD_LIMIT = 5 * MINUTE;

/** late: accepted and labelled. too_old, ahead: quarantined until the service confirms it. */
export type Age = 'fresh' | 'late' | 'too_old' | 'ahead';

/**
 * @param occurredAt world time, ms
 * @param world the service's clock now, ms, and its speed: at 60 times ours, a second in transit is a minute
 * there
 */
export function classifyAge(occurredAt: number, world: { readonly now: number; readonly speed: number }): Age {
  const age = world.now - occurredAt;
  if (age < -AHEAD_LIMIT * Math.max(1, world.speed)) return 'ahead';
  if (age > TOO_OLD_AFTER) return 'too_old';
  return age > LATE_AFTER ? 'late' : 'fresh';
}

/** Entry about the authenticity of an event in its trace. */
export const PROOF = 'signature verified';

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
