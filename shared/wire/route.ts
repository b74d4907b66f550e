// Pure: the type of an endpoint; routing, client and OpenAPI derive from such values.
import type { z } from 'zod';
import type { ErrorKind } from './errors.ts';
import type { KeyScope } from './keys.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

export interface RouteSpec<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType | null = z.ZodType | null,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** Path under the base URL; parameters as `:name`. */
  readonly path: string;
  /** `open` needs no key; else the scope that a key needs, or one that covers it. */
  readonly access: 'open' | KeyScope;
  /** Whether the endpoint spells error codes in capitals. */
  readonly spelling: 'lower' | 'capital';
  /** The error for an invalid query. Default: invalid_request. */
  readonly refusesQueryAs?: ErrorKind;
  /** Environments that have the route; others answer 404. */
  readonly only?: 'sandbox';
  /** `json` has `reply` as its body; `stream` is text/event-stream and `reply` describes one event's data. */
  readonly content: 'json' | 'stream';
  readonly summary: string;
  /** Statuses of success. Default: 200. */
  readonly success?: readonly number[];
  /** The same answer as text/csv, for format=csv in the query. */
  csv?(reply: z.output<Reply>): string;
  /** True where a request may carry an Idempotency-Key. */
  readonly idempotent?: true;
  readonly params: Params;
  readonly query: Query;
  /** null where the endpoint takes no body. */
  readonly body: Body;
  readonly reply: Reply;
  /** Errors besides those of every route (401, 429, 500, 503). */
  readonly errors: readonly ErrorKind[];
}

export type AnyRoute = RouteSpec;

/** The input of a caller, before parsing. */
export type RouteRequest<Route extends AnyRoute> = {
  params: z.input<Route['params']>;
  query: z.input<Route['query']>;
  body: Route['body'] extends z.ZodType ? z.input<Route['body']> : undefined;
};
/** The input of a handler, after parsing. */
export type ParsedRequest<Route extends AnyRoute> = {
  params: z.output<Route['params']>;
  query: z.output<Route['query']>;
  body: Route['body'] extends z.ZodType ? z.output<Route['body']> : undefined;
};
export type RouteReply<Route extends AnyRoute> = z.output<Route['reply']>;
