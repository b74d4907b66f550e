// Service, routes: mounts one row of the routes table in the app.
// The row declares parameters, replies and access; the handler is plain code.
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ErrorKind } from '../../shared/wire/errors.ts';
import type { AnyRoute, ParsedRequest, RouteReply } from '../../shared/wire/route.ts';
import type { Caller } from '../auth/authenticate.ts';
import { Refusal, type Spelling } from '../refusal.ts';
import { issueText, sentenceOf } from './issues.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: AnyRoute;
  }
  interface FastifyRequest {
    /** The key of the request; null on open routes. */
    caller: Caller | null;
  }
}

/**
 * Answers a parsed request. It may throw a Refusal. `raw` gives the caller and headers, `reply` sets a status
 * other than 200.
 */
export type Handler<Route extends AnyRoute> = (
  request: ParsedRequest<Route>,
  raw: FastifyRequest,
  reply: FastifyReply,
) => RouteReply<Route> | Promise<RouteReply<Route>>;

/** Takes over the answer, after the request is parsed. */
export type StreamHandler<Route extends AnyRoute> = (
  request: ParsedRequest<Route>,
  raw: FastifyRequest,
  reply: FastifyReply,
) => void;

export const spellingOf = (request: FastifyRequest): Spelling => request.routeOptions.config.route?.spelling ?? 'lower';

/**
 * @param checkReplies also parses every reply by the row's schema, and fails on a difference (tests,
 *   development)
 */
export function mountRoute<Route extends AnyRoute>(
  app: FastifyInstance,
  route: Route,
  handler: Handler<Route>,
  checkReplies: boolean,
): void {
  app.route({
    method: route.method,
    url: route.path,
    config: { route },
    handler: async (request, reply) => {
      const answer = await handler(parsed(route, request), request, reply);
      if (reply.statusCode === 304) return reply.send();
      if (checkReplies) assertReply(route, answer);
      if (route.csv !== undefined && (request.query as { format?: unknown }).format === 'csv')
        return reply.type('text/csv; charset=utf-8').send(route.csv(answer));
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });
}

export function mountStream<Route extends AnyRoute>(
  app: FastifyInstance,
  route: Route,
  handler: StreamHandler<Route>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    config: { route },
    exposeHeadRoute: false,
    handler: (request, reply) => handler(parsed(route, request), request, reply),
  });
}

function parsed<Route extends AnyRoute>(route: Route, request: FastifyRequest): ParsedRequest<Route> {
  const body = route.body === null ? undefined : parse(route.body, request.body ?? undefined, 'The body');
  return {
    params: parse(route.params, request.params, 'The path'),
    query: parse(route.query, withoutBrackets(request.query), 'The query', route.refusesQueryAs),
    body,
  } as ParsedRequest<Route>;
}

/** Many clients write a repeated parameter as `symbols[]`. */
function withoutBrackets(query: unknown): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(query ?? {})) {
    const name = given.replace(/\[\]$/, '');
    plain[name] = plain[name] === undefined ? value : [plain[name], value].flat();
  }
  return plain;
}

function parse(schema: z.ZodType, given: unknown, where: string, refusal: ErrorKind = 'invalid_request'): unknown {
  const result = schema.safeParse(given, { error: issueText });
  if (result.success) return result.data;
  throw new Refusal(refusal, `${where} is not valid: ${sentenceOf(result.error)}.`);
}

function assertReply(route: AnyRoute, answer: unknown): void {
  const expected = route.reply.parse(answer);
  if (!isDeepStrictEqual(expected, answer))
    throw new Error(`${route.method} ${route.path} answers fields that its schema does not name`);
}
