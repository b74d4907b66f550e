// Main, core: signs a forwarded event: the service's two signatures, with the target's own secret.
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import { bodyKey, hmac, standardKey } from './signature.ts';

/**
 * Names of the relays that a delivery has passed, in order: it goes to none of them again, nor through too
 * many.
 */
export const TRAIL_HEADER = 'x-barograph-relays';

/** Random bytes of a new secret; it is shown as their base64, like the service's. */
export const SECRET_BYTES = 32;

/**
 * The signature of Standard Webhooks alone: it does not pin the spelling of the service's own signature.
 * Returns null where the secret yields no key for it.
 * @param at of this attempt, ms
 */
export function standardHeaders(
  secret: string,
  eventId: string,
  body: string,
  at: number,
): Record<string, string> | null {
  const key = standardKey(secret);
  if (key === null) return null;
  const seconds = String(Math.floor(at / 1000));
  return {
    [STANDARD_HEADERS.id]: eventId,
    [STANDARD_HEADERS.timestamp]: seconds,
    [STANDARD_HEADERS.signature]: `v1,${hmac(key, `${eventId}.${seconds}.`, body).toString('base64')}`,
  };
}

/** @param at of this attempt, ms */
export function signedHeaders(secret: string, eventId: string, body: string, at: number): Record<string, string> {
  const ownKey = bodyKey(secret);
  return {
    ...(ownKey === null ? {} : { [SIGNATURE_HEADER]: hmac(ownKey, body).toString('hex') }),
    [STANDARD_HEADERS.id]: eventId,
    [STANDARD_HEADERS.timestamp]: String(Math.floor(at / 1000)),
    ...standardHeaders(secret, eventId, body, at),
  };
}
