// Service, routes: the HTTP application around the routes: identity, admission, errors.
// It does not listen by itself.
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { NO_JSON_SCHEMAS } from '../../shared/lib/no-json-schemas.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { ERRORS, type ErrorKind } from '../../shared/wire/errors.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import type { Caller } from '../auth/authenticate.ts';
import { drainRequestBody } from '../drain-request-body.ts';
import type { ServiceHost } from '../host.ts';
import type { LimitHeaders, Limits } from '../limits/limits.ts';
import type { Pressure } from '../limits/pressure.ts';
import { NO_METRICS } from '../metrics/metrics.ts';
import {
  BODY_LIMIT_BYTES,
  HEADER_LIMIT_BYTES,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from '../network/request-limits.ts';
import type { TlsPair } from '../network/tls.ts';
import type { ProxyTrust } from '../network/trusted-proxies.ts';
import { errorBody, PROBLEM_TYPE, problemBody, Refusal, refusalOfStore } from '../refusal.ts';
import { type Availability, startingRefusal } from './availability.ts';
import { spellingOf } from './mount.ts';

/** Headers of every answer. */
export const STAMP = { 'x-service-version': 'v1', 'cache-control': 'no-store' } as const;

export const newRequestId = (randomBytes: ServiceHost['randomBytes']): string =>
  `req_${randomBytes(9).toString('base64url')}`;

export interface AppDeps {
  /** @throws Refusal */
  readonly authenticate: (headers: IncomingHttpHeaders, route: AnyRoute) => Caller | Promise<Caller>;
  readonly limits: Pick<Limits, 'spend' | 'anonymous'>;
  readonly pressure: Pick<Pressure, 'takeOn'>;
  readonly availability: Availability;
  readonly host: Omit<ServiceHost, 'clock'>;
  /** Returns why a request is not for this listener (Host, Origin), or null. */
  readonly admit: (request: FastifyRequest) => string | null;
  readonly listener?: ListenerOptions;
}

/** Options of the listener besides its address. */
export interface ListenerOptions {
  /** Without it the listener speaks plain http. */
  readonly tls?: TlsPair;
  /** Proxies whose X-Forwarded-For is trusted. Default: none. */
  readonly trusts?: ProxyTrust;
}

/** @returns an app without routes; call `refuseUnknown` after mounting them */
export function createApp(deps: AppDeps): FastifyInstance {
  const { authenticate, availability, limits, pressure } = deps;
  const { logger, publicUrl, randomBytes, metrics = NO_METRICS } = deps.host;
  const requestId = (): string => newRequestId(randomBytes);
  const answerByHand = (error: { code?: string }, socket: Duplex & { remoteAddress?: string | undefined }): void =>
    answerBrokenRequest(error, socket, publicUrl(), {
      'x-request-id': requestId(),
      ...STAMP,
      ...limits.anonymous(socket.remoteAddress ?? '', undefined),
    });
  const { tls, trusts } = deps.listener ?? {};
  // A request without Host is refused below, in the common form of errors.
  const server = {
    maxHeaderSize: HEADER_LIMIT_BYTES,
    requireHostHeader: false,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  };
  const app = fastify({
    ...NO_JSON_SCHEMAS,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    ...(tls === undefined ? { http: server } : { https: { ...server, ...tls } }),
    ...(trusts === undefined ? {} : { trustProxy: trusts }),
    forceCloseConnections: 'idle',
    // Refused below, in the common form of errors.
    return503OnClosing: false,
    genReqId: requestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => answerByHand(error, socket),
    frameworkErrors: (error, request, reply) => {
      stamp(request, reply);
      reply.headers(limits.anonymous(request.ip, undefined));
      answer(error, request, reply);
    },
  });
  // By default Node answers one of these without a body and the other not at all.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  app.server.on('connect', (_request, socket) => answerByHand({ code: 'CONNECT' }, socket));
  app.removeContentTypeParser('text/plain');
  // Many clients declare JSON on every request, even without a body; that must not be a parse error.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    const coding = request.headers['content-encoding'] ?? 'identity';
    if (coding !== 'identity')
      done(new Refusal('unsupported_media_type', 'The body must come as it is, without a Content-Encoding.'));
    else if (text === '') done(null, undefined);
    else void parseJson(request, text, done);
  });
  app.decorateRequest('caller', null);

  const stamp = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', request.id).headers(STAMP);
  };

  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = refusalOf(error);
    if (refusal.kind === 'internal') logger.error({ request: request.id, error: messageOf(error) }, 'a request failed');
    if (refusal.kind === 'rate_limited') metrics.limited(request.routeOptions.url ?? '');
    const body = errorBody(refusal.kind, spellingOf(request), refusal.message, publicUrl());
    const asProblem = request.headers.accept?.includes(PROBLEM_TYPE) ?? false;
    reply
      .code(ERRORS[refusal.kind].status)
      .headers(refusal.headers)
      .type(`${asProblem ? PROBLEM_TYPE : 'application/json'}; charset=utf-8`)
      .send(JSON.stringify(asProblem ? problemBody(refusal.kind, body, request.id) : body));
  };

  app.setErrorHandler(answer);
  app.addHook('onRequest', async (request, reply) => {
    stamp(request, reply);
    const route = request.routeOptions.config.route;
    if (isBareProbe(request)) return;
    if (hostsOf(request) !== 1) throw new Refusal('invalid_request', 'The header Host must be there once.');
    const reason = deps.admit(request);
    if (reason !== null) throw new Refusal('forbidden', reason);
    if (route === undefined || route.access === 'open') return;
    const refusal = availability.refusal(route.content === 'stream');
    if (refusal !== null) throw refusal;
    // Emitted after the answer, and also when the caller disconnects before.
    if (route.content !== 'stream') reply.raw.once('close', pressure.takeOn());
    request.caller = await authenticate(request.headers, route);
    // After the key is known, before anything is read or computed.
    reply.headers(limits.spend(request.caller, route));
    if (availability.status() === 'starting') throw startingRefusal();
  });
  // Calls without a valid key or endpoint get the limit headers too.
  app.addHook('onSend', async (request, reply) => {
    // A kept connection would bring the next request to this process.
    if (availability.status() === 'draining') reply.header('connection', 'close');
    if (!reply.hasHeader('x-ratelimit-limit'))
      reply.headers(limits.anonymous(request.ip, request.routeOptions.config.route));
    if (reply.statusCode >= 400) await drainRequestBody(request.raw);
  });
  return app;
}

/** Unknown paths are 404; known ones with another method are 405 with the allowed methods. */
export function refuseUnknown(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    for (const [url, known] of methods) {
      if (!patternOf(url).test(path)) continue;
      const allow = [...known].sort().join(', ');
      throw new Refusal('method_not_allowed', `${request.method} is not allowed here; use ${allow}.`, { allow });
    }
    throw new Refusal('not_found', 'There is nothing at this path.');
  });
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`);

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { statusCode } = error as Partial<FastifyError>;
  const refused = refusalOfStore(error);
  if (refused !== null) return refused;
  if (statusCode === 413) return new Refusal('too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`);
  if (statusCode === 415)
    return new Refusal('unsupported_media_type', 'The body must be JSON, with Content-Type: application/json.');
  if (statusCode === 414) return new Refusal('invalid_request', 'A part of the path is too long.');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal('invalid_request', `The request cannot be read: ${messageOf(error)}.`);
  }
  return new Refusal('internal', 'Something failed inside the service. The request id names it in the log.');
}

/** Node's error codes and our answers. */
const BROKEN: ReadonlyMap<string, readonly [ErrorKind, string]> = new Map([
  ['HPE_HEADER_OVERFLOW', ['headers_too_large', `The headers are larger than ${HEADER_LIMIT_BYTES} bytes.`]],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request_timeout', 'The request did not arrive in time.']],
  ['CONNECT', ['method_not_allowed', 'This is no proxy.']],
]);

/** Node's `headers` keeps only the first of several Host headers. */
const hostsOf = ({ raw }: FastifyRequest): number =>
  raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;

/** A load balancer's HTTP/1.0 probe, which has no Host; browsers never send HTTP/1.0. */
const isBareProbe = (request: FastifyRequest): boolean =>
  request.raw.httpVersion === '1.0' && hostsOf(request) === 0 && isProbe(request);

/** Paths of health checks. */
export const isProbe = ({ routeOptions }: FastifyRequest): boolean => {
  const path = routeOptions.config.route?.path;
  return path !== undefined && PROBES.includes(path);
};

const PROBES: readonly string[] = [routes.health.path, routes.healthLive.path, routes.healthReady.path];

/** Node's name for the answer under way on a socket. */
type Answering = Duplex & { readonly _httpMessage?: { readonly headersSent: boolean } | null };

/** Answers bytes that are not HTTP, in the common JSON form; but never within another answer. */
export function answerBrokenRequest(
  error: { code?: string },
  socket: Answering,
  publicUrl: string,
  headers: LimitHeaders,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy();
    return;
  }
  const [kind, message] =
    BROKEN.get(error.code ?? '') ?? (['invalid_request', 'This is not a readable HTTP request.'] as const);
  const { status } = ERRORS[kind];
  const body = JSON.stringify(errorBody(kind, 'lower', message, publicUrl));
  const fields = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${fields}Connection: close\r\n\r\n${body}`,
  );
}
