// Client: the typed client of the service, derived from the routes table; failures are data.
import type { z } from 'zod';
import type { Clock } from '../shared/lib/clock.ts';
import { err, ok, type Result } from '../shared/lib/result.ts';
import { isDashboardSession } from '../shared/wire/dashboard.ts';
import type { List } from '../shared/wire/records.ts';
import type { RouteReply, RouteRequest } from '../shared/wire/route.ts';
import { type RouteName, routes } from '../shared/wire/routes.ts';
import { BODY_LIMIT, readBody } from './body.ts';
import { createCredentials, type KeyMode } from './credentials.ts';
import { behindDashboard } from './dashboard.ts';
import { createKeyGate, type Peer } from './key-gate.ts';
import { problem, type ServiceProblem } from './problem.ts';
import {
  createSender,
  DeadlineError,
  type FetchLike,
  fromAbort,
  type Interceptor,
  type OutgoingRequest,
  parseJson,
} from './request.ts';
import { parseTolerantly } from './tolerant.ts';

type Routes = typeof routes;
/** Endpoints that answer pages. */
export type ListName = {
  [Name in RouteName]: RouteReply<Routes[Name]> extends List<unknown> ? Name : never;
}[RouteName];
/** Endpoints that answer one object. */
export type ObjectName = Exclude<RouteName, ListName | 'stream'>;
/**
 * params, query and body of the route; headers are added to the client's own. path: overrides the
 * route's path where another service differs; may hold the same :params.
 */
export type CallInput<Name extends RouteName> = Partial<RouteRequest<Routes[Name]>> & {
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
};
/** A row of a list endpoint. */
export type Row<Name extends ListName> = RouteReply<Routes[Name]> extends List<infer Item> ? Item : never;

/** One page of a list: rows as they came, in the service's order. */
export interface Page {
  readonly rows: readonly unknown[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  /** The whole answer, for fields beside its rows; absent for a bare array. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** ms from the request to the complete answer. */
  readonly took: number;
}

export interface ClientResponse<Value> {
  readonly value: Value;
  /** Headers of the answer: limits, request id, ETag. */
  readonly headers: Headers;
  /** ms from the request to the complete answer. */
  readonly took: number;
}

export interface Client {
  readonly baseUrl: URL;
  /** One object, as the route declares it. */
  call<Name extends ObjectName>(
    name: Name,
    ask?: CallInput<Name>,
  ): Promise<Result<ClientResponse<RouteReply<Routes[Name]>>, ServiceProblem>>;
  /** One object, unparsed: for endpoints that other services answer in another form. */
  read<Name extends ObjectName>(
    name: Name,
    ask?: CallInput<Name>,
  ): Promise<Result<ClientResponse<unknown>, ServiceProblem>>;
  /** One page with unparsed rows: the caller reads each row tolerantly and counts the bad ones. */
  page<Name extends ListName>(name: Name, ask?: CallInput<Name>): Promise<Result<Page, ServiceProblem>>;
  /**
   * Opens an event stream; the caller reads the body and aborts `signal` when it ends, however it ends. The
   * deadline covers the head alone.
   */
  openStream(
    ask: CallInput<'stream'>,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Result<Response, ServiceProblem>>;
  /** Ends every pending call; later ones are refused. */
  close(): void;
}

export interface ClientOptions {
  readonly base: URL;
  readonly key: string | null;
  readonly mode: KeyMode;
  /** Verifies the program at a plain http address, before anything is sent to it. */
  readonly peer: Peer;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly interceptor?: Interceptor | undefined;
  /** Deadline of a whole call, from the first byte sent to the last byte received, ms. */
  readonly deadline?: number | undefined;
}

const CALL_DEADLINE = 10_000;
/** Deadline for the head of a stream, ms. */
const HEAD_DEADLINE = 15_000;

export function createClient({
  base: address,
  key,
  mode,
  peer,
  fetch,
  clock,
  interceptor,
  deadline: callDeadline = CALL_DEADLINE,
}: ClientOptions): Client {
  const base = mode === 'proxy' ? behindDashboard(address) : address;
  const sendsKey = key !== null && (mode !== 'proxy' || isDashboardSession(key));
  const gate = sendsKey && base.protocol === 'http:' ? createKeyGate({ base, key, fetch, clock, peer }) : null;
  const sender = createSender(base, createCredentials(key, mode), fetch, clock, gate, interceptor);
  const all = new AbortController();

  /** A signal that fires at the deadline, at `outer`, or when the client closes. */
  const deadline = (ms: number, outer?: AbortSignal): { signal: AbortSignal; met: () => void } => {
    const own = new AbortController();
    const cancel = clock.after(ms, () =>
      own.abort(new DeadlineError(`The service at ${base.host} did not answer within ${ms / 1000} s.`)),
    );
    return { signal: AbortSignal.any([own.signal, all.signal, ...(outer === undefined ? [] : [outer])]), met: cancel };
  };

  const json = async (
    name: RouteName,
    ask: OutgoingRequest,
  ): Promise<Result<ClientResponse<unknown>, ServiceProblem>> => {
    const began = clock.now();
    const { signal, met } = deadline(callDeadline);
    try {
      const answer = await sender.send(routes[name], ask, signal);
      if (!answer.ok) return answer;
      const body = await readBody(answer.value, BODY_LIMIT, signal);
      const status = answer.value.status;
      if (!body.ok) {
        const found = problem('too_large', `The answer to ${routes[name].path} is larger than 8 MB.`, status);
        return err({ ...found, beginning: body.error.beginning });
      }
      const value = parseJson(body.value);
      if (value === undefined)
        return err(problem('unreadable', unreadableMessage(routes[name].path, body.value), status));
      interceptor?.body(routes[name], status, value);
      return ok({ value, headers: answer.value.headers, took: Math.max(0, clock.now() - began) });
    } catch {
      return err(signal.aborted ? fromAbort(signal) : problem('network', `The answer of ${base.host} broke off.`));
    } finally {
      met();
    }
  };

  return {
    baseUrl: base,
    async call<Name extends ObjectName>(name: Name, ask: CallInput<Name> = {}) {
      const answer = await json(name, ask as OutgoingRequest);
      if (!answer.ok) return answer;
      const schema: z.ZodType = routes[name].reply;
      const parsed = parseTolerantly(schema, answer.value.value);
      if (parsed.ok) return ok({ ...answer.value, value: parsed.value as RouteReply<Routes[Name]> });
      const issue = parsed.error;
      const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
      return err(problem('unreadable', `The answer to ${routes[name].path} is not what it should be${where}.`, 200));
    },
    read: <Name extends ObjectName>(name: Name, ask: CallInput<Name> = {}) => json(name, ask as OutgoingRequest),
    async page<Name extends ListName>(name: Name, ask: CallInput<Name> = {}) {
      const answer = await json(name, ask as OutgoingRequest);
      if (!answer.ok) return answer;
      const listed = readList(answer.value.value, name);
      return listed === null
        ? err(problem('unreadable', `The answer to ${routes[name].path} contains no list.`, 200))
        : ok({ ...listed, took: answer.value.took });
    },
    async openStream(ask, headers, signal) {
      const head = deadline(HEAD_DEADLINE, signal);
      try {
        const opened = await sender.send(routes.stream, { ...(ask as OutgoingRequest), headers }, head.signal);
        if (opened.ok) gate?.held(signal);
        return opened;
      } finally {
        head.met();
      }
    },
    close: () => all.abort(),
  };
}

/** A client that refuses every call, because address, key and profile do not fit together. */
export function createRefusingClient(found: ServiceProblem): Client {
  const refuse = async () => err(found);
  return {
    baseUrl: new URL('http://127.0.0.1'),
    call: refuse,
    read: refuse,
    page: refuse,
    openStream: refuse,
    close: () => undefined,
  };
}

/**
 * Key of the list: data, items, results, the endpoint's name in any spelling, else the only array, the only
 * array of objects, or an empty array (contract 8); undefined: no list.
 */
export function listKey(value: Fields, name: string): string | undefined {
  const arrays = Object.keys(value).filter((key) => Array.isArray(value[key]));
  const preferred =
    ['data', 'items', 'results'].find((key) => arrays.includes(key)) ??
    arrays.find((key) => foldedKey(key) === foldedKey(name));
  if (preferred !== undefined || arrays.length < 2) return preferred ?? arrays[0];
  const rowsOf = (key: string): readonly unknown[] => value[key] as unknown[];
  const ofObjects = arrays.filter((key) => rowsOf(key).some(isFields));
  if (ofObjects.length > 0) return ofObjects.length === 1 ? ofObjects[0] : undefined;
  return arrays.every((key) => rowsOf(key).length === 0) ? arrays[0] : undefined;
}

/** The object that holds the list: the answer, or a sole object in it that is all of it or has its paging. */
function listHolder(value: Fields, name: string): Fields {
  if (listKey(value, name) !== undefined) return value;
  const hasPaging = (one: Fields): boolean => Object.keys(one).some((key) => PAGING.has(foldedKey(key)));
  const isSole = Object.keys(value).length === 1 || hasPaging(value);
  const inner = Object.values(value)
    .filter(isFields)
    .filter((one) => listKey(one, name) !== undefined && (isSole || hasPaging(one)));
  return inner.length === 1 ? { ...value, ...inner[0] } : value;
}

/** The items of a list under any of these names, of a bare array, or of signals by symbol. */
export function readList(given: unknown, name: string): Omit<Page, 'took'> | null {
  if (Array.isArray(given)) return { rows: given, hasMore: false, nextCursor: null };
  if (!isFields(given)) return null;
  const value = listHolder(given, name);
  const paging = withPaging(value);
  const key = listKey(value, name);
  const rows = key === undefined ? signalsBySymbol(value) : value[key];
  if (!Array.isArray(rows)) return null;
  const cursor = paging.next_cursor;
  const nextCursor =
    typeof cursor === 'string' && cursor !== '' ? cursor : Number.isFinite(cursor) ? String(cursor) : null;
  return { rows, hasMore: paging.has_more !== false && nextCursor !== null, nextCursor, fields: value };
}

/** hasMore and nextCursor as has_more and next_cursor (contract 10). */
function withPaging(value: Fields): Fields {
  const found = Object.entries(value).flatMap(([key, one]) => {
    const name = PAGING.get(foldedKey(key));
    return name === undefined || name in value ? [] : [[name, one] as const];
  });
  return found.length === 0 ? value : { ...value, ...Object.fromEntries(found) };
}
const PAGING: ReadonlyMap<string, string> = new Map([
  ['hasmore', 'has_more'],
  ['nextcursor', 'next_cursor'],
]);
const foldedKey = (key: string): string => key.toLowerCase().replaceAll(/[^a-z]/g, '');

/** The rows of a map from symbol to signal, at the top or one level below, or null. */
function signalsBySymbol(value: Fields): unknown[] | null {
  const isSignal = (row: unknown): boolean => isFields(row) && ('state' in row || 'state_name' in row);
  for (const one of [value, ...Object.values(value)]) {
    if (!isFields(one) || Object.keys(one).length === 0 || !Object.values(one).every(isSignal)) continue;
    return Object.entries(one).map(([symbol, row]) => ({ symbol, ...(row as object) }));
  }
  return null;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unreadableMessage(path: string, body: string): string {
  return /^\s*</.test(body)
    ? `The service answered ${path} with a web page instead of data. A proxy or a log-in page may stand in between.`
    : `The answer to ${path} is not JSON.`;
}
