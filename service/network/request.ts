// Service: one HTTP request, either to checked addresses only or through the agent of a proxy.
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { messageOf } from '../../shared/lib/result.ts';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: string | Uint8Array;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/**
 * Resolves with the status line and headers; does not follow redirects. A direct request has its own
 * connection: an idle one may be dead, and would look like a failure.
 * @param via the agent of a proxy, or the checked addresses of `url`, at least one, so that its name cannot
 *   resolve elsewhere
 * @throws the transport's errors
 */
export function sendRequest(
  url: URL,
  via: Agent | readonly Address[],
  { body, ...how }: OutgoingRequest,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const connection = via instanceof Agent ? { agent: via } : { agent: false, lookup: pinned(via) };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...how, ...connection }, (answer) => {
      // Plain http reaches the proxy as a request of its own, so its refusal looks like an answer.
      if (via instanceof Agent && answer.statusCode === 407) outgoing.destroy(new Error(WANTS_PASSWORD));
      else resolve(answer);
    });
    outgoing.on('error', reject);
    // Without this, Node ends a request whose answer switches protocols with neither an answer nor an error.
    outgoing.on('upgrade', (answer, socket) => {
      socket.destroy();
      reject(new Error(`answered ${answer.statusCode}`));
    });
    // Every request ends, whatever the other side does; changes nothing after an answer or an error.
    outgoing.on('close', () => reject(new Error('the connection was closed')));
    outgoing.end(body);
  });
}

const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_name, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else if (first !== undefined) done(null, first.address, first.family);
  };

export const WANTS_PASSWORD = 'it wants a user name and a password (407)';

/** Why a request failed, for people. Node names a refused tunnel by the status line of the proxy. */
export function failureOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const isTunnel = error instanceof Error && 'code' in error && error.code === 'ERR_PROXY_TUNNEL';
  if (!isTunnel) return messageOf(cause);
  const [, status] = /HTTP\/1\.\d (\d{3}.*)/.exec(error.message) ?? [];
  if (status === undefined) return 'it opens no connection';
  return status.startsWith('407') ? WANTS_PASSWORD : `it answered ${status}`;
}
