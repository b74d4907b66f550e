// Service: a refusal waits for the rest of the request's body.
// A socket that closes with unread bytes is reset, and the client never reads why it was refused.
import type { IncomingMessage } from 'node:http';

/** A longer body is cut off, bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Resolves when the body has been read and dropped, is too long for that, or the connection has closed. */
export function dropBody(request: IncomingMessage): Promise<void> {
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
