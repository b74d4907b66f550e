// Main, core: sends a test event to this computer's relay, signed as a service would sign it.
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Listener } from './listener.ts';
import type { SecretStore } from './secrets.ts';
import type { Receipt, RelayServer } from './server.ts';
import { standardHeaders } from './sign.ts';

/**
 * Name of the test event. It has no state: no rule, list or timeline treats it as an alert, and it is not
 * forwarded.
 */
export const SELF_TEST_EVENT = 'barograph.self_test';

export interface SelfDeliveryDeps {
  readonly clock: Clock;
  readonly server: Pick<RelayServer, 'post'> | null;
  readonly listener: Pick<Listener, 'localUrl'>;
  readonly secrets: Pick<SecretStore, 'live'>;
}

/**
 * @returns a function that sends a body through our own port; it returns null where nothing listens or there
 * is no secret
 */
export function createSelfDelivery({ clock, server, listener, secrets }: SelfDeliveryDeps) {
  return async (eventId: string, body: string): Promise<Receipt | null> => {
    const [secret] = secrets.live(clock.now());
    const url = listener.localUrl();
    if (server === null || url === null || secret === undefined) return null;
    const headers = standardHeaders(secret.text, eventId, body, clock.now());
    if (headers === null) return null;
    return server.post({ url, headers: { 'content-type': 'application/json', ...headers }, body, allowPublic: false });
  };
}
