// Service: HTTP requests to checked addresses only, so that a name cannot resolve elsewhere.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Address } from './target.ts';

export interface PinnedRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: string;
  /** Aborts the request. */
  readonly signal: AbortSignal;
}

/**
 * Resolves with the status line and headers; does not follow redirects. Every request has its own connection:
 * an idle one may be dead, and would look like a failure.
 * @param addresses the checked addresses of `url`, at least one
 * @throws the transport's errors
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
