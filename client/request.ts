// Client: one request to the service: from the routes table, bound to its origin, with a deadline.

import { whyBlocked } from '../shared/lib/blocked-ports.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { pause } from '../shared/lib/pause.ts';
import { err, messageOf, ok, type Result } from '../shared/lib/result.ts';
import { untilAborted } from '../shared/lib/until-aborted.ts';
import type { AnyRoute } from '../shared/wire/route.ts';
import { readBody } from './body.ts';
import type { Credentials } from './credentials.ts';
import { createPacer } from './pacer.ts';
import { parseUrl } from './parse-url.ts';
import { problem, problemFromAnswer, type ServiceProblem } from './problem.ts';

/** The platform's fetch, or a substitute. */
export type FetchLike = (url: string, init?: RequestInit) => Promise<Response>;

/** Observes every answer, to count calls or to learn the behaviour of a service. Must not throw. */
export interface Interceptor {
  /** The head of an answer, whatever its status. `began`, `ended`: this computer's time, ms. */
  head(route: AnyRoute, response: Response, began: number, ended: number): void;
  /** The JSON of an answer, also of a refusal. */
  body(route: AnyRoute, status: number, value: unknown): void;
}

/** Decides whether requests may be sent to the program that currently listens at the address. */
export interface Gate {
  /** Why the request must not be sent, or null. */
  admit(signal: AbortSignal): Promise<ServiceProblem | null>;
  /** A stream is open to the admitted program until `signal` fires. */
  held(signal: AbortSignal): void;
  /** A connection ended: another program may have the address from now on. */
  lost(): void;
}

export interface Sender {
  /**
   * Sends and waits for the head of the answer. Success is any 2xx; its body is unread.
   * @param signal ends the request and the read of its body
   */
  send(route: AnyRoute, request: OutgoingRequest, signal: AbortSignal): Promise<Result<Response, ServiceProblem>>;
}

export interface OutgoingRequest {
  /**
   * Overrides the route's path where another service has the same endpoint elsewhere; may hold the same
   * :params.
   */
  readonly path?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;
/** Bytes of an error's body that are kept for diagnosis. */
const ERROR_BODY = 2048;

export function createSender(
  base: URL,
  credentials: Credentials,
  fetch: FetchLike,
  clock: Clock,
  gate: Gate | null,
  interceptor?: Interceptor,
): Sender {
  const exchange = async (
    url: URL,
    init: RequestInit,
    signal: AbortSignal,
    redirects = 0,
  ): Promise<Result<Response, ServiceProblem>> => {
    const response = await untilAborted(fetch(url.href, { ...init, redirect: 'manual', signal }), signal);
    if (response.type !== 'opaqueredirect' && !REDIRECTS.has(response.status)) return ok(response);
    await response.body?.cancel();
    const target = parseUrl(response.headers.get('location') ?? '', url.href);
    if (target === null || target.origin !== base.origin || redirects >= MAX_REDIRECTS || init.method !== 'GET') {
      const where = target === null ? 'nowhere' : target.origin;
      return err(
        problem(
          'redirected',
          `The service sends this request on to ${where}. The key stays with ${base.origin}.`,
          response.status,
        ),
      );
    }
    return exchange(target, init, signal, redirects + 1);
  };

  const pacer = createPacer(clock);
  const heldBack = (path: string): ServiceProblem => {
    const free = pacer.free(path);
    const message = `The service takes no call to ${path} for ${Math.ceil(free / 1_000)} s. None was sent.`;
    return { ...problem('rate_limited', message), retryAfter: free };
  };

  return {
    async send(route, request, signal) {
      const url = buildUrl(base, route, request);
      const body = request.body === undefined ? null : JSON.stringify(request.body);
      const isPaced = route.access !== 'open';
      for (;;) {
        // Sends nothing, not even a request for a proof.
        if (signal.aborted) return err(fromAbort(signal));
        let isPending = false;
        const presentation = route.access === 'open' ? null : credentials.present(route);
        const headers = {
          accept: route.content === 'stream' ? 'text/event-stream' : 'application/json',
          ...(body === null ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
          ...presentation?.headers,
        };
        try {
          const refused = gate === null ? null : await gate.admit(signal);
          if (refused !== null) return err(refused);
          const wait = isPaced ? pacer.take(route.path) : 0;
          if (wait === null) return err(heldBack(route.path));
          isPending = isPaced;
          if (wait > 0) await pause(clock, wait, signal);
          const began = clock.now();
          const answer = await exchange(url, { method: route.method, headers, body, cache: 'no-store' }, signal);
          if (!answer.ok) {
            if (isPaced) pacer.failed(route.path);
            return answer;
          }
          const response = answer.value;
          if (isPaced) pacer.answered(route.path, response.status, response.headers);
          isPending = false;
          interceptor?.head(route, response, began, clock.now());
          if (response.status >= 200 && response.status < 300) {
            presentation?.accepted();
            return ok(response);
          }
          const said = await readBody(response, ERROR_BODY, signal, true);
          if (said.ok) interceptor?.body(route, response.status, parseJson(said.value));
          if (response.status === 401 && presentation?.rejected() === true) continue;
          return err(problemFromAnswer(response.status, response.headers, said.ok ? said.value : '', clock.now()));
        } catch (error) {
          if (isPending) pacer.failed(route.path);
          gate?.lost();
          return err(signal.aborted ? fromAbort(signal) : problem('network', networkMessage(error, base)));
        }
      }
    },
  };
}

/** undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Thrown into a signal when a deadline passes. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

export const fromAbort = (signal: AbortSignal): ServiceProblem =>
  signal.reason instanceof DeadlineError
    ? problem('timeout', signal.reason.message)
    : problem('cancelled', 'The request was ended.');

function buildUrl(base: URL, route: AnyRoute, request: OutgoingRequest): URL {
  const path = (request.path ?? route.path).replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(request.params?.[name] ?? ''),
  );
  const url = new URL(base);
  url.pathname += path.slice(1);
  for (const [name, value] of Object.entries(request.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
  return url;
}

/** What a code of Node or undici says; null for any other error. */
export function networkReason(error: unknown): string | null {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there',
    ENOTFOUND: 'no such host',
    EAI_AGAIN: 'the name cannot be looked up',
    EHOSTUNREACH: 'no route to host',
    ENETUNREACH: 'this computer has no network',
    ECONNRESET: 'the connection broke',
    UND_ERR_SOCKET: 'the connection broke',
    ETIMEDOUT: 'no answer in time',
    UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
    CERT_HAS_EXPIRED: 'its certificate has expired',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  };
  return known[errorCode(error)] ?? null;
}

/** Why nothing answers, as a clause. The cause of "fetch failed" has the actual error. */
export function whyNoAnswer(error: unknown, { port }: URL): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return whyBlocked(Number(port)) ?? networkReason(cause) ?? (errorCode(cause) || messageOf(cause));
}

export const networkMessage = (error: unknown, base: URL): string =>
  `The service at ${base.host} does not answer (${whyNoAnswer(error, base)}).`;

const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
