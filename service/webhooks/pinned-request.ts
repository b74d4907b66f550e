// Service: HTTP to a target that was checked: the connection goes to the very addresses that were found allowed, so that a name cannot point
// elsewhere in between.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Address } from './target.ts';

export interface PinnedRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: string;
  /** Gives the request up. */
  readonly signal: AbortSignal;
}

/**
 * Resolves with the status line and headers; redirects are not followed. Every request has a connection of its own: an idle one may be dead,
 * and would look like a failure.
 * @param addresses what `url` was checked to mean, at least one
 * @throws what the transport throws
 */
export function requestPinned(
  url: URL,
  addresses: readonly Address[],
  { body, ...how }: PinnedRequest,
): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_name, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else if (first !== undefined) done(null, first.address, first.family);
  };
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...how, agent: false, lookup }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
