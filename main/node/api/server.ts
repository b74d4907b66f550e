// Main, command line: `barograph api serve`: the read API, on this computer's own address only.
// 127.0.0.1, exact Host, no page of a browser, GET alone, a token with a scope. It calls the running app.
import { readFileSync } from 'node:fs';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { RefusedError } from '../../../shared/channels/channel.ts';
import { type ConnectionPool, createConnectionPool, ownersOf } from '../../../shared/lib/connection-pool.ts';
import { NO_JSON_SCHEMAS } from '../../../shared/lib/no-json-schemas.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { MessageCode } from '../../../shared/text/message.ts';
import { type AppClient, connectToApp } from '../../host/app-client.ts';
import { UsageError } from '../../host/command-line.ts';
import { onEnd } from '../../host/end-signal.ts';
import { systemClock } from '../../host/system-clock.ts';
import { TOOLS, type Tool } from '../mcp/tools.ts';
import { inText } from '../verbs/app-output.ts';
import { openApiDocument, parametersOf } from './openapi.ts';
import { scopesOf } from './tokens.ts';

export interface ServeFlags {
  readonly dataDir: string;
  readonly profile?: string;
  readonly port: string;
}

const HOST = '127.0.0.1';
/** Refusals of names that there are not; any other may pass. `text`: of the table. */
const UNKNOWN: readonly string[] = [
  'text',
  'alert.not_named',
  'alert.no_alert',
  'service.not_covered',
  'service.not_found',
  'archive.briefing_unknown',
  'archive.text_gone',
] satisfies MessageCode[];

/** Serves until a signal. @throws UsageError for a port that is taken or is none */
export async function serveApi(flags: ServeFlags): Promise<void> {
  const { address, close } = await listenApi(flags);
  console.log(`ready ${address}`);
  await new Promise<void>((resolve) => {
    const cancel = onEnd(process.env, systemClock, () => {
      cancel();
      resolve();
    });
  });
  await close();
}

export async function listenApi({ dataDir, profile, port }: ServeFlags) {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port ${port}: it must be a number from 0 to 65535.`);
  const server = fastify({
    ...NO_JSON_SCHEMAS,
    bodyLimit: 1,
    requestTimeout: 10_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  let bound = 0;
  const owners = () => ownersOf((path) => readFileSync(path, 'latin1'), bound);
  const pool = createConnectionPool({ clock: systemClock, owners });
  pool.guard(server.server);
  server.addHook('onRequest', async (request, reply) => {
    const { headersDistinct } = request.raw;
    if (headersDistinct.host?.length !== 1 || request.headers.host !== `${HOST}:${bound}`)
      return refuse(reply, 421, 'misdirected', `Use http://${HOST}:${bound}.`);
    // A browser sends it for pages, which this is not for.
    if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined)
      return refuse(reply, 403, 'forbidden', 'Pages are not answered.');
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });
  server.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) =>
    refuse(reply, error.statusCode ?? 500, 'failed', error.message),
  );
  server.setNotFoundHandler((_request, reply) =>
    refuse(reply, 404, 'not_found', 'There is nothing here. /openapi.json lists what there is.'),
  );
  server.get('/openapi.json', async () => openApiDocument(`http://${HOST}:${bound}`));
  const app = connectToApp(dataDir, profile ?? null);
  for (const tool of TOOLS)
    if (tool.path !== undefined)
      server.get(tool.path.replaceAll(/\{(\w+)\}/g, ':$1'), answerOf(tool, { app, dataDir, pool }));
  try {
    await server.listen({ host: HOST, port: Number(port) });
  } catch (error) {
    throw new UsageError(`--port ${port}: ${messageOf(error)}. Give another port, or 0 for any.`);
  }
  bound = (server.server.address() as { port: number }).port;
  return { address: `http://${HOST}:${bound}`, close: () => server.close() };
}

interface Deps {
  readonly app: AppClient;
  readonly dataDir: string;
  readonly pool: ConnectionPool;
}

function answerOf(tool: Tool, { app, dataDir, pool }: Deps) {
  const parameters = parametersOf(tool);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const [, token = ''] = /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? '') ?? [];
    const scopes = scopesOf(dataDir, token);
    if (scopes === null) {
      reply.header('www-authenticate', 'Bearer');
      return refuse(reply, 401, 'unauthorized', 'Send "Authorization: Bearer TOKEN", of barograph api token add.');
    }
    if (!scopes.includes(tool.scope))
      return refuse(reply, 403, 'forbidden', `This token may read ${scopes.join(', ')}, and not ${tool.scope}.`);
    pool.authenticate(request.raw.socket);
    const given = { ...(request.query as object), ...(request.params as object) };
    const types = new Map(parameters.map(({ name, schema }) => [name, typesOf(schema)]));
    const input = tool.input.safeParse(
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, typed(value, types.get(name) ?? [])])),
    );
    if (!input.success) {
      const [issue] = input.error.issues;
      return refuse(reply, 400, 'bad_request', `${issue?.path.join('.') || 'parameters'}: ${issue?.message}`);
    }
    try {
      return inText(await tool.run(app, input.data)) as object;
    } catch (error) {
      const isUnknown = error instanceof RefusedError && UNKNOWN.includes(error.refusal.message.code);
      return refuse(reply, isUnknown ? 404 : 503, isUnknown ? 'not_found' : 'unavailable', messageOf(error));
    }
  };
}

const refuse = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  reply.code(status).send({ code, message });

const typesOf = (schema: object): string[] => {
  const { type, anyOf = [] } = schema as { type?: string; anyOf?: object[] };
  return type === undefined ? anyOf.flatMap(typesOf) : [type];
};

/** A parameter as what its schema wants; a value that is none stays as it is, and is refused. */
function typed(value: unknown, types: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  if ((types.includes('integer') || types.includes('number')) && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (types.includes('array')) return value.split(',');
  if (!types.includes('object')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
