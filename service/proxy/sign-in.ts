// Service, proxy: routes that begin and end a dashboard session, and that make links with a key.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DASHBOARD_SCOPES, LINK_PATH, linkOf, SESSION_PATH, TokenSchema } from '../../shared/wire/dashboard.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { Refusal } from '../refusal.ts';
import type { StoredKey } from '../store/api-key-store.ts';
import type { DashboardAccess } from './access.ts';
import { type DashboardSessions, SESSION_LIFE_MS } from './sessions.ts';

const LinkRequestSchema = z.strictObject({ scopes: z.array(z.enum(DASHBOARD_SCOPES)).min(1).optional() });

export interface SignInDeps {
  readonly sessions: DashboardSessions;
  readonly access: DashboardAccess;
  /** The key of a request. @throws Refusal without a valid one */
  readonly keyOf: (headers: IncomingHttpHeaders) => Pick<StoredKey, 'id' | 'scope'>;
  /** The dashboard's address as clients reach it. */
  readonly address: () => string;
  /** Name of the session cookie. */
  readonly cookie: () => string;
}

export function mountSignIn(app: FastifyInstance, { sessions, access, keyOf, address, cookie }: SignInDeps): void {
  const attributes = (maxAge: number): string =>
    `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${address().startsWith('https:') ? '; Secure' : ''}`;

  app.post(SESSION_PATH, async (request, reply) => {
    const given = TokenSchema.safeParse(jsonOf(request));
    if (!given.success) throw new Refusal('invalid_request', 'Send {"token": "..."} as JSON, from a one-time link.');
    const found = sessions.trade(given.data.token);
    if (found === null)
      throw new Refusal(
        'unauthorized',
        `This link was used before, is too old, or its key has ended. POST ${LINK_PATH} makes another.`,
      );
    reply
      .header('set-cookie', `${cookie()}=${found.session}; ${attributes(SESSION_LIFE_MS / 1_000)}`)
      .header('cache-control', 'no-store');
    return { session: found.session, scopes: found.scopes, expires_at: timestamp(found.expires) };
  });

  app.delete(SESSION_PATH, async (request, reply) => {
    const session = access.sessionOf(request.headers);
    if (session !== null) sessions.end(session);
    reply.header('set-cookie', `${cookie()}=; ${attributes(0)}`);
    return { ended: true };
  });

  app.post(LINK_PATH, async (request, reply) => {
    const key = keyOf(request.headers);
    const wanted = LinkRequestSchema.safeParse(Buffer.isBuffer(request.body) ? jsonOf(request) : {});
    if (!wanted.success)
      throw new Refusal('invalid_request', `scopes: a list of ${DASHBOARD_SCOPES.join(', ')}, or no body.`);
    const scopes = access.grantable(key.scope, wanted.data.scopes ?? DASHBOARD_SCOPES);
    if (scopes.length === 0) throw new Refusal('forbidden', 'The key, or the dashboard, grants none of these scopes.');
    reply.header('cache-control', 'no-store');
    return { link: linkOf(address(), sessions.issue(scopes, key.id)), scopes };
  });
}

/** undefined without a body, or where it is no JSON. */
function jsonOf({ body, headers }: FastifyRequest): unknown {
  if (!Buffer.isBuffer(body) || !/^application\/json\b/i.test(headers['content-type'] ?? '')) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
