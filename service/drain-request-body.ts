// Service: reads the rest of a request body before a refusal.
// Closing a socket with unread bytes resets it, and the client never reads the refusal.
import type { IncomingMessage } from 'node:http';

/** Limit of bytes read; the connection of a longer body is cut. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Resolves once the body is read and discarded, exceeds the limit, or the connection has closed. */
export function drainRequestBody(request: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': coding, expect } = request.headers;
  // A client that expects 100 Continue sends no body to a refusal.
  const isRead = request.complete || request.readableEnded || request.destroyed;
  if (isRead || (Number(length ?? 0) === 0 && coding === undefined) || expect !== undefined) return Promise.resolve();
  return new Promise((resolve) => {
    let left = MAX_BYTES;
    const count = (chunk: Buffer): void => {
      left -= chunk.length;
      if (left < 0) done();
    };
    const done = (): void => {
      request.off('data', count).off('end', done).off('close', done);
      resolve();
    };
    request.on('data', count).once('end', done).once('close', done).resume();
  });
}
