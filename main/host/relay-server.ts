// Main, host: the relay's HTTP server for webhooks, and its requests to local programs.
// Server: 127.0.0.1 only, exact Host, no Origin, two secret paths, limits on size and time.
// Requests: no redirects, checked addresses only. Both shells use it.
import { timingSafeEqual } from 'node:crypto';
import { lookup as resolveName } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { RefusedError, refused } from '../../shared/channels/channel.ts';
import type { RefusalReason } from '../../shared/channels/relay.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { createConnectionPool, ownersOf, PORT_LIMITS, type PoolLimits } from '../../shared/lib/connection-pool.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Message, message, plainMessage, textOf } from '../../shared/text/message.ts';
import type { ListenerHandle, ListenOptions, OutboundRequest, Receipt, RelayServer } from '../core/relay/server.ts';
import type { Headers } from '../core/relay/signature.ts';
import { isNear } from '../core/relay/target.ts';

export interface ServerLimits {
  /** Largest body, bytes. */
  readonly body: number;
  /** Largest body at the inbound address, bytes. */
  readonly inboundBody: number;
  /** Whole request, from its first byte to its last, ms. */
  readonly request: number;
  /** Interval of the check for slow requests, ms. */
  readonly checkInterval: number;
  /** A delivery that is accepted authenticates its connection. */
  readonly connections: PoolLimits;
  /** Time until a target's status line, DNS and connection included, ms. */
  readonly answer: number;
}

const LIMITS: ServerLimits = {
  body: 256 * 1024,
  inboundBody: 16 * 1024,
  request: 5_000,
  checkInterval: 500,
  connections: PORT_LIMITS,
  answer: 10_000,
};
const HOST = '127.0.0.1';
/** Number of ports above the preferred one that are tried before any free port. */
const NEXT_PORTS = 20;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i;

export function openRelayServer(clock: Clock, limits: ServerLimits = LIMITS): RelayServer {
  return {
    listen: (options) => listen(options, clock, limits),
    post: (request) => post(request, clock, limits),
  };
}

async function listen(options: ListenOptions, clock: Clock, limits: ServerLimits): Promise<ListenerHandle> {
  for (let port = options.port; ; port += 1) {
    const isLast = port === 0 || port > Math.min(65_535, options.port + NEXT_PORTS);
    try {
      return await listenOn(isLast ? 0 : port, options, clock, limits);
    } catch (error) {
      const isBusy =
        error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
      if (!isBusy || isLast) throw error;
    }
  }
}

/**
 * Two routes on bare node:http: a framework's router and hooks would cost a delivery more than its
 * verification and its row together.
 */
async function listenOn(
  port: number,
  options: ListenOptions,
  clock: Clock,
  limits: ServerLimits,
): Promise<ListenerHandle> {
  let host = '';
  let boundPort = port;
  const server = createServer({
    requestTimeout: limits.request,
    headersTimeout: limits.request,
    keepAliveTimeout: limits.request,
    connectionsCheckingInterval: limits.checkInterval,
    maxHeaderSize: 16 * 1024,
  });
  const pool = createConnectionPool({
    clock,
    limits: limits.connections,
    owners: () => ownersOf((path) => readFileSync(path, 'latin1'), boundPort),
  });
  pool.guard(server);

  const refuse = (response: ServerResponse, { status, reason, message: found }: Refusal): void => {
    options.refused(reason, found);
    const allow = status === 405 ? { allow: 'POST' } : {};
    send(response, status, { status: 'refused', reason, message: textOf(found) }, { connection: 'close', ...allow });
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Checked before a byte of the body is read.
    const route = routeOf(request, host, options, limits);
    if ('reason' in route) return refuse(response, route);
    const body = await readBody(request, route.largest);
    if ('reason' in body) return refuse(response, body);
    // The delivery counts even if the sender hangs up now.
    const isAccepted = await take(request, body, response, route.receive);
    if (isAccepted) pool.authenticate(request.socket);
  };
  server.on('clientError', (problem: Error & { readonly code?: string }, socket) => {
    const isSlow = problem.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    if (isSlow) options.refused('too_slow', message('refusal.too_slow', { seconds: limits.request / 1000 }));
    else if (problem.code !== 'ECONNRESET') options.refused('not_http', message('refusal.not_http'));
    if (socket.writable)
      socket.end(`HTTP/1.1 ${isSlow ? '408 Request Timeout' : '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
    (socket as Socket).destroySoon();
  });
  server.on('request', (request, response) => void answer(request, response));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: HOST, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the relay has no port');
  boundPort = bound.port;
  host = `${HOST}:${boundPort}`;
  return {
    port: bound.port,
    isConfiguredPort: options.port === 0 || bound.port === options.port,
    close: () => closeAll(server),
  };
}

interface Refusal {
  readonly status: number;
  readonly reason: RefusalReason;
  readonly message: Message;
}

interface Route {
  readonly receive: ListenOptions['receive'];
  /** Largest body, bytes. */
  readonly largest: number;
}

/** @param host of this server; the options may name others */
function routeOf(
  request: IncomingMessage,
  host: string,
  options: ListenOptions,
  limits: Pick<ServerLimits, 'body' | 'inboundBody'>,
): Route | Refusal {
  const {
    host: named,
    origin,
    'sec-fetch-site': site,
    'content-type': type,
    'content-length': length,
  } = request.headers;
  const isOurs = namesOneHost(request.rawHeaders) && (named === host || options.hosts().includes(named ?? ''));
  if (!isOurs) return { status: 421, reason: 'wrong_host', message: message('refusal.wrong_host') };
  if (origin !== undefined || site !== undefined)
    return { status: 403, reason: 'has_origin', message: message('refusal.has_origin') };
  const isInbound = isOneOf(request.url ?? '', options.inbound?.paths() ?? []);
  if (!isOneOf(request.url ?? '', options.paths()) && !isInbound)
    return { status: 404, reason: 'wrong_path', message: message('refusal.wrong_path') };
  if (request.method !== 'POST')
    return { status: 405, reason: 'wrong_method', message: message('refusal.wrong_method') };
  const isEmpty = (length ?? '0') === '0' && request.headers['transfer-encoding'] === undefined;
  if (!isInbound && (type === undefined ? !isEmpty : !JSON_TYPE.test(type)))
    return { status: 415, reason: 'wrong_type', message: message('refusal.wrong_type') };
  const largest = isInbound ? limits.inboundBody : limits.body;
  if (Number(length) > largest) return tooLarge(largest);
  return { receive: (isInbound ? options.inbound?.receive : undefined) ?? options.receive, largest };
}

const tooLarge = (largest: number): Refusal => ({
  status: 413,
  reason: 'too_large',
  message: message('refusal.too_large', { kilobytes: largest / 1024 }),
});

/** Resolves as soon as the body is too large, or its sender hangs up. */
function readBody(request: IncomingMessage, largest: number): Promise<Buffer | Refusal> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largest) resolve(tooLarge(largest));
      else chunks.push(chunk);
    });
    request.on('error', (error) => resolve({ status: 400, reason: 'not_http', message: plainMessage(error.message) }));
    request.on('end', () => resolve(Buffer.concat(chunks)));
  });
}

/** @returns whether the delivery was accepted */
async function take(
  request: IncomingMessage,
  body: Uint8Array,
  response: ServerResponse,
  receive: ListenOptions['receive'],
): Promise<boolean> {
  // Node joins repeated headers, except this one of responses, which is a list.
  const { 'set-cookie': _, ...headers } = request.headers;
  const { status, body: said, retryAfter } = await receive(headers as Headers, body);
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  send(response, status, said, { 'cache-control': 'no-store', ...wait });
  return status < 300;
}

function send(
  response: ServerResponse,
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: OutgoingHttpHeaders,
): void {
  const text = JSON.stringify(body);
  headers['content-type'] = 'application/json; charset=utf-8';
  headers['content-length'] = Buffer.byteLength(text);
  response.writeHead(status, headers).end(text);
}

const closeAll = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Names and values alternate. A request with two hosts is refused: readers disagree about which one counts.
 */
const namesOneHost = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length ===
  1;

/** The time taken reveals only the length of a path, which is no secret. */
function isOneOf(given: string, paths: readonly string[]): boolean {
  const bytes = Buffer.from(given);
  return paths.reduce((found, text) => {
    const path = Buffer.from(text);
    return (path.length === bytes.length && timingSafeEqual(path, bytes)) || found;
  }, false);
}

/**
 * Sends a request on a connection of its own. Its status line decides; the body of the response is not read.
 */
async function post(
  { url, headers, body, allowPublic }: OutboundRequest,
  clock: Clock,
  limits: ServerLimits,
): Promise<Receipt> {
  const late = new AbortController();
  const cancel = clock.after(limits.answer, () =>
    late.abort(refused(message('target.no_answer', { seconds: limits.answer / 1000 }))),
  );
  try {
    const status = await sendOut(new URL(url), headers, body, allowPublic, late.signal);
    if (status >= 200 && status < 300) return { status, error: null };
    const isRedirect = status >= 300 && status < 400;
    return { status, error: message(isRedirect ? 'target.redirected' : 'target.answered', { status }) };
  } catch (error) {
    const cause: unknown = late.signal.aborted ? late.signal.reason : error;
    return {
      status: null,
      error: cause instanceof RefusedError ? cause.refusal.message : plainMessage(messageOf(cause)),
    };
  } finally {
    cancel();
  }
}

function sendOut(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  allowPublic: boolean,
  signal: AbortSignal,
): Promise<number> {
  // Connects to the checked addresses, so that DNS cannot point elsewhere in between.
  const lookup: LookupFunction = (name, options, done) => {
    resolveName(name, { all: true, verbatim: true }).then(
      (addresses) => {
        const far = allowPublic ? undefined : addresses.find(({ address }) => !isNear(address));
        const [first] = addresses;
        if (far !== undefined) done(refused(message('target.public', { host: far.address })), '', 0);
        else if (options.all === true) done(null, addresses);
        else if (first !== undefined) done(null, first.address, first.family);
        else done(new Error(`${name} has no address`), '', 0);
      },
      (error: Error) => done(error, '', 0),
    );
  };
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        agent: false,
        lookup,
        signal,
        headers: {
          ...headers,
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        },
      },
      (answer) => {
        answer.destroy();
        resolve(answer.statusCode ?? 0);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
