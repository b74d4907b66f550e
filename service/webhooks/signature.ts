// Service, webhooks: what proves that a delivery comes from here. Pure but for node:crypto.
import { createHmac } from 'node:crypto';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../shared/wire/subscriptions.ts';

/** Random bytes of a signing secret; it is shown as their base64. */
export const SECRET_BYTES = 32;

export interface Signing {
  readonly eventId: string;
  readonly body: string;
  /** Wall time of this attempt, ms: receivers hold it against their own clock. */
  readonly at: number;
  readonly secret: string;
  /** While a rotation is under way. */
  readonly nextSecret: string | null;
}

/**
 * Headers of one attempt. X-Service-Signature keys on the characters of the secret as it was shown; webhook-signature on the bytes that they
 * stand for, and carries the new secret's signature too while a rotation is under way.
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
