// Service, proxy: forwards one request to the backend and streams the answer back unbuffered.
import { request as askPlainly, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as askByTls } from 'node:https';
import { pipeline } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/** Headers that reach the backend: no credentials, no cookies, no client addresses. */
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
/** Headers of the connection to the backend, which the answer must not repeat. */
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

export interface Forwarding {
  readonly backend: URL;
  /** The certificate that the backend must have, in PEM form; null: it speaks plain http. */
  readonly certificate: string | null;
  /** Path and query for the backend, sent unchanged. */
  readonly path: string;
  readonly token: string;
  /** Body of the request; null without one. */
  readonly body: Buffer | null;
}

/** @throws Refusal backend_unavailable before the answer begins */
export function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  { backend, certificate, path, token, body }: Forwarding,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers: OutgoingHttpHeaders = { ...pick(request.headers, body), authorization: `Bearer ${token}` };
    const ask = certificate === null ? askPlainly : askByTls;
    const upstream = ask(
      {
        host: backend.hostname.replace(/^\[|\]$/g, ''),
        port: backend.port,
        method: request.method,
        path,
        headers,
        agent: false,
        ...(certificate === null ? {} : pinned(certificate)),
      },
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
    // A client that disconnects also ends the backend's work.
    reply.raw.on('close', () => upstream.destroy());
    upstream.end(body ?? undefined);
  });
}

/** The backend is called by its address, which its certificate need not name: it must be this very certificate. */
const pinned = (certificate: string) => ({
  ca: certificate,
  allowPartialTrustChain: true,
  checkServerIdentity: () => undefined,
});

function pick(headers: IncomingHttpHeaders, body: Buffer | null): OutgoingHttpHeaders {
  const passed = PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  const forwarded = Object.fromEntries(passed);
  delete forwarded['content-length'];
  return body === null ? forwarded : { ...forwarded, 'content-length': body.length };
}
