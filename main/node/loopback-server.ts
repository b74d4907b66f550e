// Main, Node shell: the loopback server: the built page, tokens and sessions, the link.
// 127.0.0.1 only, exact Host, matching Origin where there is one, no CORS, limits on size and time.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import fastifyWebsocket from '@fastify/websocket';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { LinkedCore } from '../../shared/channels/link.ts';
import { LINK_PATH, SESSION_PATH, TOKEN_FRAGMENT } from '../../shared/channels/session-endpoint.ts';
import { serveSocket } from '../../shared/channels/socket-core-end.ts';
import { type SessionGrantSchema, TokenTradeSchema } from '../../shared/channels/socket-frames.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { type ConnectionPool, createConnectionPool, ownersOf } from '../../shared/lib/connection-pool.ts';
import { NO_JSON_SCHEMAS } from '../../shared/lib/no-json-schemas.ts';
import type { Message } from '../../shared/text/message.ts';
import { failurePage } from '../host/failure-page.ts';
import { pageHeaders } from '../host/page-headers.ts';
import type { Sessions } from './sessions.ts';

export interface LoopbackOptions {
  /** Preferred port. A free port is picked for 0, and in place of a busy port. */
  readonly port: number;
  /** Folder of the built page; in development, the address that serves its sources. */
  readonly page: string | URL;
  readonly sessions: Sessions;
  readonly core: (profile: string) => LinkedCore | null;
  /** Why no profile runs, which the page says in place of itself; empty, or absent, while one does. */
  readonly failures?: () => readonly Message[];
  readonly clock: Clock;
}

export interface Loopback {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly address: string;
  /** False where the preferred port was busy. */
  readonly isPreferredPort: boolean;
  /** The address that opens a window: it contains a one-time token. */
  windowAddress(profile: string): string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
/** Largest frame of a window, bytes: the largest watchlist fits. */
const MAX_FRAME = 4 * 1024 * 1024;
/** After this long a page without a profile looks for one, s. */
const RELOAD_S = 5;
const MAX_BODY = 4 * 1024;
/** A connection that has shown no session may send this much through the link, bytes. */
const MAX_BEFORE_SESSION = 8 * 1024;
/** Windows that do not answer the closing handshake are cut off after this, ms. */
const CLOSE_LIMIT = 500;

export async function listenLoopback(options: LoopbackOptions): Promise<Loopback> {
  const app = fastify({
    ...NO_JSON_SCHEMAS,
    bodyLimit: MAX_BODY,
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
    forceCloseConnections: true,
  });
  let port = options.port;
  const pool = createConnectionPool({
    clock: options.clock,
    owners: () => ownersOf((path) => readFileSync(path, 'latin1'), port),
  });
  pool.guard(app.server);
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  let host = '';

  app.addHook('onRequest', async (request, reply) => {
    // With two Host headers, a proxy in front may use the other (RFC 9112, 3.2).
    if (request.raw.headersDistinct.host?.length !== 1 || request.headers.host !== host)
      return refuse(reply, 421, `This is not the address of Barograph. Use http://${host}/.`);
    const { origin, upgrade } = request.headers;
    if (origin !== undefined && origin !== `http://${host}`)
      return refuse(reply, 403, 'Pages of other addresses are not answered.');
    if (upgrade !== undefined && request.url !== LINK_PATH) return refuse(reply, 404, 'There is no link here.');
    const failures = request.url === '/' ? (options.failures?.() ?? []) : [];
    if (failures.length > 0) return reply.type('text/html; charset=utf-8').send(failurePage(failures, RELOAD_S));
  });
  app.addHook('onSend', async (request, reply) => {
    reply.headers({ ...pageHeaders([`ws://${host}`]), ...developHeaders(options.page, host) });
    if (!request.url.startsWith('/assets/')) reply.header('cache-control', 'no-store');
  });
  // A refused upgrade has left the HTTP parser, which would have closed its connection.
  app.addHook('onResponse', async (request) => {
    if (request.headers.upgrade !== undefined) request.raw.socket.destroySoon();
  });
  app.setErrorHandler((problem: { statusCode?: number; message: string }, _request, reply) => {
    const status = problem.statusCode ?? 500;
    refuse(reply, status, status < 500 ? problem.message : 'This could not be answered.');
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'There is nothing here.'));
  // JSON only: a form of another page cannot send it without a preflight.
  app.removeContentTypeParser('text/plain');

  await app.register(fastifyWebsocket, { options: { maxPayload: MAX_FRAME, perMessageDeflate: false } });
  if (options.page instanceof URL) app.get('/*', passOn(options.page));
  else
    await app.register(fastifyStatic, {
      root: options.page,
      dotfiles: 'deny',
      cacheControl: false,
      setHeaders: (reply, path) => {
        if (path.includes(`${sep}assets${sep}`)) reply.header('cache-control', 'public, max-age=31536000, immutable');
      },
    });
  addRoutes(app, options, pool, () => host);

  const isPreferredPort = await listen(app, options.port);
  const bound = app.server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the loopback server has no port');
  port = bound.port;
  host = `${HOST}:${port}`;
  return {
    address: `http://${host}`,
    isPreferredPort,
    windowAddress: (profile) => windowAddress(host, options.sessions.issue(profile)),
    async close() {
      const cancel = options.clock.after(CLOSE_LIMIT, () => {
        for (const socket of sockets) socket.destroy();
      });
      await app.close();
      cancel();
    },
  };
}

function addRoutes(app: FastifyInstance, options: LoopbackOptions, pool: ConnectionPool, host: () => string): void {
  app.post(SESSION_PATH, async (request, reply) => {
    const trade = TokenTradeSchema.safeParse(request.body);
    if (!trade.success) return refuse(reply, 400, 'Send {"token": "..."} as JSON.');
    const session = options.sessions.trade(trade.data.token);
    if (session === null)
      return refuse(
        reply,
        401,
        'This address was used before or is too old. Make a new one: npm run barograph -- open',
      );
    return { session } satisfies z.infer<typeof SessionGrantSchema>;
  });

  app.get(LINK_PATH, { websocket: true }, (socket, request) => {
    const connection = request.raw.socket;
    const unbound = boundBytes(connection, MAX_BEFORE_SESSION);
    serveSocket({
      socket,
      clock: options.clock,
      backlog: () => socket.bufferedAmount,
      host: host(),
      nonce: () => randomBytes(32).toString('hex'),
      find: (id) => {
        const session = options.sessions.find(id);
        if (session === null) return null;
        return {
          sign: session.sign,
          admit: () => {
            unbound();
            pool.authenticate(connection);
            return options.core(session.profile);
          },
        };
      },
    });
  });
}

/**
 * Destroys the connection once it has received more than `most` bytes: the library collects a whole frame
 * before anything can check it.
 * @returns a function that lifts the bound
 */
function boundBytes(connection: Socket, most: number): () => void {
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > most) connection.destroy();
  };
  connection.prependListener('data', count);
  return () => void connection.off('data', count);
}

const windowAddress = (host: string, token: string): string => `http://${host}/#${TOKEN_FRAGMENT}=${token}`;

const refuse = (
  reply: { code(status: number): { send(body: unknown): unknown } },
  status: number,
  message: string,
): unknown => reply.code(status).send({ message });

/** @returns false where the preferred port is busy and another was picked */
async function listen(app: FastifyInstance, port: number): Promise<boolean> {
  try {
    await app.listen({ host: HOST, port });
    return true;
  } catch (error) {
    if (port === 0 || !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    await app.listen({ host: HOST, port: 0 });
    return false;
  }
}

/** Answers a GET with what `page` answers. */
const passOn =
  (page: URL) =>
  async ({ url }: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    // biome-ignore lint/style/noRestrictedGlobals: the page's server is on this computer, where no proxy leads.
    const answer = await fetch(new URL(url, page));
    return reply
      .code(answer.status)
      .type(answer.headers.get('content-type') ?? 'text/plain')
      .send(Buffer.from(await answer.arrayBuffer()));
  };

/** The policy of a page whose server inlines styles and scripts, and reloads it over a socket. */
const developHeaders = (page: string | URL, host: string): Record<string, string> =>
  page instanceof URL
    ? {
        'content-security-policy': `default-src 'self' data: 'unsafe-inline'; connect-src 'self' ws://${host} ws://${page.host}`,
      }
    : {};
