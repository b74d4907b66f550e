// Service, proxy: passes one request to the backend and its answer back, byte by byte as they come: an event stream is never held up.
import { request as ask, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/** What a client may tell the backend. Credentials, cookies, and where the client sits are not among it. */
const PASSED_ON = [
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'last-event-id',
  'idempotency-key',
  'if-none-match',
  'user-agent',
];
/** Of the connection to the backend, not of the answer. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
];

/**
 * @param path path and query for the backend, sent as they are
 * @param body what the client sent; null without one
 * @throws Refusal backend_unavailable while nothing has been answered yet
 */
export function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  { backend, path, token, body }: { backend: URL; path: string; token: string; body: Buffer | null },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers: OutgoingHttpHeaders = { ...pick(request.headers, body), authorization: `Bearer ${token}` };
    const upstream = ask(
      { host: backend.hostname, port: backend.port, method: request.method, path, headers, agent: false },
      (answer) => {
        reply.hijack();
        const passed = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
        reply.raw.writeHead(answer.statusCode ?? 502, Object.fromEntries(passed));
        // Headers of a stream go out before its first event.
        reply.raw.flushHeaders();
        pipeline(answer, reply.raw, () => upstream.destroy());
        resolve();
      },
    );
    upstream.on('error', () =>
      reject(new Refusal('backend_unavailable', 'The signal service does not answer. Try again in a moment.')),
    );
    // Whoever leaves takes the backend's work with them.
    reply.raw.on('close', () => upstream.destroy());
    upstream.end(body ?? undefined);
  });
}

function pick(headers: IncomingHttpHeaders, body: Buffer | null): OutgoingHttpHeaders {
  const passed = PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  const forwarded = Object.fromEntries(passed);
  delete forwarded['content-length'];
  return body === null ? forwarded : { ...forwarded, 'content-length': body.length };
}
