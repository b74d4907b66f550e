// Main, core: the signature under which the relay passes an event on: the service's own two, with the target's own secret.
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import { bodyKey, hmac, standardKey } from './signature.ts';

/** Names of the relays that a delivery has passed, in order: it is not passed on to one of them, nor by too many. */
export const TRAIL_HEADER = 'x-barograph-relays';

/** Random bytes of a secret that is made here; it is shown as their base64, like the service's. */
export const SECRET_BYTES = 32;

/** @param at of this attempt, ms */
export function signedHeaders(secret: string, eventId: string, body: string, at: number): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  const [ownKey, furtherKey] = [bodyKey(secret), standardKey(secret)];
  return {
    ...(ownKey === null ? {} : { [SIGNATURE_HEADER]: hmac(ownKey, body).toString('hex') }),
    [STANDARD_HEADERS.id]: eventId,
    [STANDARD_HEADERS.timestamp]: seconds,
    ...(furtherKey === null
      ? {}
      : { [STANDARD_HEADERS.signature]: `v1,${hmac(furtherKey, `${eventId}.${seconds}.`, body).toString('base64')}` }),
  };
}
