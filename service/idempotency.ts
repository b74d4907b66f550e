// Service: the header Idempotency-Key: the same key and request get the same answer for a day.
import type { IncomingHttpHeaders } from 'node:http';
import { DAY_MS } from '../shared/lib/time.ts';
import { IDEMPOTENCY_HEADER } from '../shared/wire/subscriptions.ts';
import { Refusal } from './refusal.ts';

/** Retention of an Idempotency-Key, wall ms. */
export const ANSWER_RETENTION_MS = DAY_MS;
const PATTERN = /^[\x21-\x7e]{1,255}$/;

/** @throws Refusal invalid_request for a malformed one */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[IDEMPOTENCY_HEADER];
  const key = Array.isArray(given) ? given.join(',') : given;
  if (key !== undefined && !PATTERN.test(key))
    throw new Refusal('invalid_request', 'Idempotency-Key: must be 1 to 255 visible ASCII characters');
  return key;
}

/** The refusal of a key that came with another request. */
export const usedOtherwise = (): Refusal =>
  new Refusal(
    'invalid_request',
    'Idempotency-Key: was used with another body within the last 24 hours. Use a new one.',
  );
