// Service, proxy: the dashboard's server before the backend; signs each request in place of a key.
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { messageOf } from '../../shared/lib/result.ts';
import { ERRORS } from '../../shared/wire/errors.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { Logger } from '../logger.ts';
import { errorBody, Refusal } from '../refusal.ts';
import { answerBrokenRequest } from '../routes/app.ts';
import { createAllowed } from './allowed.ts';
import { forward } from './forward.ts';
import type { ProxyTokens } from './tokens.ts';

const PREFIX = '/api/proxy';
const BODY_LIMIT_BYTES = 65_536;
const REQUEST_TIMEOUT_MS = 15_000;
/** Values of Sec-Fetch-Site for requests that no other page made. */
const OWN_SITES: readonly (string | string[] | undefined)[] = [undefined, 'same-origin', 'none'];

export interface DashboardDeps {
  readonly environment: Environment;
  readonly tokens: ProxyTokens;
  readonly logger: Logger;
  /** Called for each request, because ports may be chosen late. */
  readonly backend: () => string;
  /** Returns why a request is not for this listener (Host, Origin), or null. */
  readonly admit: (request: FastifyRequest) => string | null;
  /** Name of the session cookie; cookies ignore ports, so it must differ between two dashboards. */
  readonly cookie: () => string;
}

export function createDashboard({
  environment,
  tokens,
  logger,
  backend,
  admit,
  cookie,
}: DashboardDeps): FastifyInstance {
  const allowed = createAllowed(environment);
  const answer = (error: FastifyError | Refusal, _request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = error instanceof Refusal ? error : asRefusal(error);
    if (refusal.kind === 'internal') logger.error({ error: messageOf(error) }, 'the dashboard failed');
    reply
      .code(ERRORS[refusal.kind].status)
      .headers({ ...refusal.headers, 'cache-control': 'no-store' })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(refusal.kind, 'lower', refusal.message, backend())));
  };
  const app = fastify({
    frameworkErrors: answer,
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, backend(), {}),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.setErrorHandler(answer);
  app.addHook('onRequest', async (request) => {
    const reason = admit(request);
    if (reason !== null) throw new Refusal('forbidden', reason);
  });
  const refuseMethod = (method: string, methods: readonly string[]): never => {
    const allow = methods.join(', ');
    throw new Refusal('method_not_allowed', `${method} is not allowed here; use ${allow}.`, { allow });
  };
  app.setNotFoundHandler(({ method, url }) => {
    const [path = ''] = url.split('?', 1);
    const methods =
      path === '/' ? ['GET', 'HEAD'] : path.startsWith(`${PREFIX}/`) ? allowed(path.slice(PREFIX.length)) : [];
    if (methods.length > 0) refuseMethod(method, methods);
    throw new Refusal('not_found', `There is nothing at this path. The backend is under ${PREFIX}/.`);
  });

  app.get('/', { exposeHeadRoute: true }, async (_request, reply) => {
    reply
      .header('set-cookie', `${cookie()}=${await tokens.forSession()}; Path=/; HttpOnly; SameSite=Strict`)
      .header('cache-control', 'no-store')
      .header('content-security-policy', "default-src 'none'; connect-src 'self'; frame-ancestors 'none'")
      .type('text/html; charset=utf-8');
    return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Dashboard</title><h1>Dashboard of the Market Risk Signal Service</h1><p>Environment: ${environment}. You are signed in. The service answers under ${PREFIX}/, without a key.</p></html>\n`;
  });

  app.route({
    method: ['GET', 'HEAD', 'POST', 'DELETE'],
    url: `${PREFIX}/*`,
    handler: async (request, reply) => {
      const [, path = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(request.url.slice(PREFIX.length)) ?? [];
      const methods = allowed(path);
      if (methods.length === 0) throw new Refusal('not_found', 'The dashboard passes nothing on to this path.');
      if (!methods.includes(request.method)) refuseMethod(request.method, methods);
      if (!(await isOwn(request)))
        throw new Refusal('forbidden', 'Requests of other pages are not passed on. Open the dashboard first.');
      const body = Buffer.isBuffer(request.body) ? request.body : null;
      await forward(request, reply, {
        backend: new URL(backend()),
        path: path + query,
        token: await tokens.forBackend(),
        body,
      });
    },
  });
  return app;

  async function isOwn({ headers }: FastifyRequest): Promise<boolean> {
    if (OWN_SITES.includes(headers['sec-fetch-site'])) return true;
    const session = cookieOf(headers.cookie, cookie());
    return session !== null && (await tokens.holds(session, 'session'));
  }
}

function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}

function asRefusal({ statusCode, message }: FastifyError): Refusal {
  if (statusCode === 413) return new Refusal('too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Refusal('invalid_request', `The request cannot be read: ${message}.`);
  return new Refusal('internal', 'Something failed inside the dashboard.');
}
