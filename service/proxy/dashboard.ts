// Service, proxy: the dashboard's server before the backend; signs each request in place of a key.
import type { IncomingHttpHeaders } from 'node:http';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../shared/lib/clock.ts';
import type { ConnectionPool } from '../../shared/lib/connection-pool.ts';
import { NO_JSON_SCHEMAS } from '../../shared/lib/no-json-schemas.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type DashboardScope, LINK_PATH, PROXY_PATH } from '../../shared/wire/dashboard.ts';
import { ERRORS } from '../../shared/wire/errors.ts';
import type { Environment, KeyScope } from '../../shared/wire/keys.ts';
import type { ProxyTokens } from '../auth/proxy-tokens.ts';
import { drainRequestBody } from '../drain-request-body.ts';
import type { Logger } from '../logger.ts';
import { BODY_LIMIT_BYTES, REQUEST_TIMEOUT_MS, TIMEOUT_CHECK_MS } from '../network/request-limits.ts';
import type { ProxyTrust } from '../network/trusted-proxies.ts';
import { errorBody, PROBLEM_TYPE, problemBody, Refusal, refusalOfStore, type Spelling } from '../refusal.ts';
import { answerBrokenRequest } from '../routes/app.ts';
import type { StoredKey } from '../store/api-key-store.ts';
import { createDashboardAccess, type DashboardClient } from './access.ts';
import { createAllowed } from './allowed.ts';
import { forward } from './forward.ts';
import { PAGE_HEADERS, pageOf } from './page.ts';
import { createRunningAnswers } from './running-answers.ts';
import type { DashboardSessions } from './sessions.ts';
import { mountSignIn } from './sign-in.ts';

/** Who asks for what is open. */
const NOBODY: DashboardClient = { scopes: [], key: null };
/** The scope of the token for a request. */
const SIGNED_AS = {
  open: 'read',
  read: 'read',
  trigger: 'read',
  subscriptions: 'webhooks',
  account: 'account',
} as const satisfies Record<DashboardScope | 'open', KeyScope>;

/** The service behind the dashboard. */
export interface DashboardBackend {
  /** Called for each request, because ports may be chosen late. */
  readonly address: () => string;
  /** The certificate that it uses, in PEM form; null: it speaks plain http. */
  readonly certificate: () => string | null;
  /** Base of doc_url. */
  readonly publicUrl: () => string;
  /** Headers of the errors that the dashboard makes itself. */
  commonHeaders(address: string): Readonly<Record<string, string>>;
  /** The key of a request. @throws Refusal without a valid one */
  readonly keyOf: (headers: IncomingHttpHeaders) => Pick<StoredKey, 'id' | 'scope'>;
}

/** What its clients may do. */
export interface DashboardTerms {
  readonly environment: Environment;
  readonly isOpen: boolean;
  readonly scopes: readonly DashboardScope[];
}

/** Where it is served. */
export interface DashboardListener {
  /** Its address as clients reach it. */
  readonly address: () => string;
  readonly connections: ConnectionPool;
  /** Returns why a request is not for this listener (Host, Origin), or null. */
  readonly admit: (request: FastifyRequest) => string | null;
  /** The proxies that may say whose request they pass on. Default: none. */
  readonly trusts?: ProxyTrust;
}

export interface DashboardDeps {
  readonly terms: DashboardTerms;
  readonly sessions: DashboardSessions;
  readonly tokens: ProxyTokens;
  readonly backend: DashboardBackend;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly listener: DashboardListener;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the request, with what it may do; null without one. */
    client: DashboardClient | null;
  }
}

export function createDashboard(deps: DashboardDeps): FastifyInstance {
  const { terms, sessions, tokens, backend, clock, logger } = deps;
  const { connections, admit, address } = deps.listener;
  const allowed = createAllowed(terms.environment);
  const cookie = (): string => `barograph_dashboard_${new URL(address()).port}`;
  const access = createDashboardAccess({ ...terms, sessions, cookie });
  const app = createDashboardApp(deps);
  const running = createRunningAnswers(clock, logger);

  app.decorateRequest('client', null);
  app.addHook('onRequest', async (request) => {
    const reason = admit(request);
    if (reason !== null) throw new Refusal('forbidden', reason);
    const [path = ''] = request.url.split('?', 1);
    // A link to the page from elsewhere shows it, without a session.
    const isPage = path === '/' && request.headers['sec-fetch-mode'] === 'navigate';
    request.client = access.clientOf(isPage ? { ...request.headers, 'sec-fetch-site': 'none' } : request.headers);
    if (request.client !== null) connections.authenticate(request.raw.socket);
  });

  app.setNotFoundHandler(({ method, url }) => {
    const [path = ''] = url.split('?', 1);
    const methods =
      path === '/'
        ? ['GET', 'HEAD']
        : path.startsWith(`${PROXY_PATH}/`)
          ? [...allowed(path.slice(PROXY_PATH.length)).keys()]
          : [];
    if (methods.length > 0) refuseMethod(method, methods);
    throw new Refusal('not_found', `There is nothing at this path. The service is under ${PROXY_PATH}/.`);
  });

  app.get('/', { exposeHeadRoute: true }, async (request, reply) => {
    reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8');
    return pageOf(terms.environment, request.client?.scopes ?? null);
  });

  mountSignIn(app, { sessions, access, keyOf: backend.keyOf, address, cookie });

  app.route({
    method: ['GET', 'HEAD', 'POST', 'DELETE'],
    url: `${PROXY_PATH}/*`,
    handler: async (request, reply) => {
      const [, path = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(request.url.slice(PROXY_PATH.length)) ?? [];
      const methods = allowed(path);
      const isOpenPath = methods.get(request.method)?.scope === 'open';
      const { scopes, key } = isOpenPath ? NOBODY : clientOrRefuse(request);
      if (methods.size === 0) throw new Refusal('not_found', 'The dashboard passes nothing on to this path.');
      const { scope: needed } = methods.get(request.method) ?? refuseMethod(request.method, [...methods.keys()]);
      if (needed !== 'open' && !scopes.includes(needed))
        throw new Refusal(
          'forbidden',
          `This needs the scope ${needed} of the dashboard; here is: ${scopes.join(', ')}.`,
        );
      await forward(request, reply, {
        backend: new URL(backend.address()),
        certificate: backend.certificate(),
        path: path + query,
        token: await tokens.forBackend({ scope: SIGNED_AS[needed], key }),
        body: Buffer.isBuffer(request.body) ? request.body : null,
      });
      if (needed !== 'open')
        running.watch(reply.raw, () => access.clientOf(request.headers)?.scopes.includes(needed) ?? false);
    },
  });
  return app;
}

function clientOrRefuse({ client }: FastifyRequest): DashboardClient {
  if (client !== null) return client;
  throw new Refusal(
    'unauthorized',
    `Sign in to the dashboard: open the one-time link that the service printed, or make one with a key (POST ${LINK_PATH}).`,
  );
}

/** The application around the routes: bodies as bytes, errors in the common form. */
function createDashboardApp({
  terms,
  backend,
  logger,
  listener: { connections, trusts },
}: DashboardDeps): FastifyInstance {
  const allowed = createAllowed(terms.environment);
  const spellingOf = ({ method, url }: FastifyRequest): Spelling => {
    const [path = ''] = url.split('?', 1);
    if (!path.startsWith(`${PROXY_PATH}/`)) return 'lower';
    return allowed(path.slice(PROXY_PATH.length)).get(method)?.spelling ?? 'lower';
  };
  const answer = (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = error instanceof Refusal ? error : asRefusal(error);
    if (refusal.kind === 'internal') logger.error({ error: messageOf(error) }, 'the dashboard failed');
    const headers = backend.commonHeaders(request.ip);
    const body = errorBody(refusal.kind, spellingOf(request), refusal.message, backend.publicUrl());
    const asProblem = request.headers.accept?.includes(PROBLEM_TYPE) ?? false;
    reply
      .code(ERRORS[refusal.kind].status)
      .headers({ ...headers, ...refusal.headers, 'cache-control': 'no-store' })
      .type(`${asProblem ? PROBLEM_TYPE : 'application/json'}; charset=utf-8`)
      .send(JSON.stringify(asProblem ? problemBody(refusal.kind, body, headers['x-request-id'] ?? '') : body));
  };
  const app = fastify({
    ...NO_JSON_SCHEMAS,
    ...(trusts === undefined ? {} : { trustProxy: trusts }),
    frameworkErrors: answer,
    http: { requireHostHeader: false, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(error, socket, backend.publicUrl(), backend.commonHeaders(socket.remoteAddress ?? '')),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  connections.guard(app.server);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler(answer);
  app.addHook('onSend', async (request, reply) => {
    if (!reply.hasHeader('x-request-id')) reply.headers(backend.commonHeaders(request.ip));
    if (reply.statusCode >= 400) await drainRequestBody(request.raw);
  });
  return app;
}

function refuseMethod(method: string, methods: readonly string[]): never {
  const allow = methods.join(', ');
  throw new Refusal('method_not_allowed', `${method} is not allowed here; use ${allow}.`, { allow });
}

function asRefusal(error: FastifyError): Refusal {
  const { statusCode, message } = error;
  const refused = refusalOfStore(error);
  if (refused !== null) return refused;
  if (statusCode === 413) return new Refusal('too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Refusal('invalid_request', `The request cannot be read: ${message}.`);
  return new Refusal('internal', 'Something failed inside the dashboard.');
}
