// Service, webhooks: signs deliveries. Pure except for node:crypto.
import { createHmac } from 'node:crypto';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../shared/wire/subscriptions.ts';

/** Random bytes of a signing secret; it is shown in base64. */
export const SECRET_BYTES = 32;

export interface Signing {
  readonly eventId: string;
  readonly body: string;
  /** Wall time of this attempt, ms: receivers compare it with their own clock. */
  readonly at: number;
  readonly secret: string;
  /** Set during a rotation. */
  readonly nextSecret: string | null;
}

/**
 * Headers of one attempt. X-Service-Signature is keyed by the characters of the secret as shown;
 * webhook-signature by the bytes that they encode, and it includes the new secret's signature during a
 * rotation.
 */
export function signatureHeaders({ eventId, body, at, secret, nextSecret }: Signing): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  const standard = (key: string): string =>
    `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${eventId}.${seconds}.${body}`, 'utf8').digest('base64')}`;
  return {
    [SIGNATURE_HEADER]: createHmac('sha256', secret).update(body, 'utf8').digest('hex'),
    [STANDARD_HEADERS.id]: eventId,
    [STANDARD_HEADERS.timestamp]: seconds,
    [STANDARD_HEADERS.signature]: [secret, ...(nextSecret === null ? [] : [nextSecret])].map(standard).join(' '),
  };
}
