// Main, core: sends a test event to this computer's relay, signed as a service would sign it.
import type { Clock } from '../../../shared/lib/clock.ts';
import type { SecretStore } from './secrets.ts';
import type { Receipt, RelayServer } from './server.ts';
import { standardHeaders } from './signature.ts';

/**
 * Name of the test event. It has no state: no rule, list or timeline treats it as an alert, and it is not
 * forwarded.
 */
export const SELF_TEST_EVENT = 'barograph.self_test';

/** The sender of the test event, and the address with the secret path. */
export interface SelfDelivery {
  readonly clock: Clock;
  readonly server: Pick<RelayServer, 'post'>;
  readonly secrets: Pick<SecretStore, 'live'>;
  readonly url: string;
}

/** Sends a body through our own port. @returns null where there is no secret */
export async function sendToItself(
  { clock, server, secrets, url }: SelfDelivery,
  eventId: string,
  body: string,
): Promise<Receipt | null> {
  const [secret] = secrets.live(clock.now());
  const headers = secret === undefined ? null : standardHeaders(secret.text, eventId, body, clock.now());
  if (headers === null) return null;
  return server.post({ url, headers: { 'content-type': 'application/json', ...headers }, body, allowPublic: false });
}
