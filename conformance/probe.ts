// Conformance: sends requests to a service, assumes nothing about answers, and keeps them for checks.
import { z } from 'zod';
import { BODY_LIMIT, readBody } from '../client/body.ts';
import { readList } from '../client/client.ts';
import type { FetchLike } from '../client/request.ts';
import { retryAfter } from '../shared/lib/backoff.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { messageOf } from '../shared/lib/result.ts';
import { type Fields, objectsIn } from './shapes.ts';

export interface Answer {
  readonly method: string;
  /** Path and query of the request. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON value; undefined where the body is not JSON. */
  readonly body: unknown;
}

export interface ProbeRequest {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent unchanged, instead of a body. */
  readonly raw?: string;
  /** Default: the given key. null: none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** True: the answer is outside the interface, and is not kept. */
  readonly isUnrecorded?: boolean;
}

export interface Probe {
  readonly base: URL;
  readonly key: string | null;
  /** False: the kit must not create or change anything at the service. */
  readonly mayWrite: boolean;
  readonly clock: Clock;
  ask(path: string, ask?: ProbeRequest): Promise<Answer>;
  /** GET with the key; each path is requested once. */
  get(path: string): Promise<Answer>;
  /** Headers with the key in the form that the service accepts. */
  credentials(key?: string | null): Promise<Readonly<Record<string, string>>>;
  /** The accepted form of the key; null before the first accepted one. */
  form(): 'X-API-Key' | 'Bearer' | null;
  /** Every answer so far. */
  answers(): readonly Answer[];
  /** Keeps an answer from another source. */
  keep(answer: Answer): void;
  /** Rows of a list endpoint, as objects. */
  rows(path: string): Promise<readonly Fields[]>;
  /** A symbol with a signal: SPY, else the first of the snapshot. */
  symbol(): Promise<string>;
  /** Another one; null when there is only one. */
  other(): Promise<string | null>;
}

export interface ProbeOptions {
  readonly base: URL;
  readonly key: string | null;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly mayWrite: boolean;
}

/** Deadline of a whole answer, ms. The validation report may take a while. */
const LIMIT_MS = 30_000;
/** Longest wait for a limit to pass. */
const LONGEST_WAIT_MS = 61_000;
const DEFAULT_SYMBOL = 'SPY';
const RootSchema = z.object({ code: z.string() }).partial();

export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

export function createProbe({ base, key, fetch, clock, mayWrite }: ProbeOptions): Probe {
  const recorded: Answer[] = [];
  const cache = new Map<string, Promise<Answer>>();
  let form: 'X-API-Key' | 'Bearer' | null = null;

  const headersFor = (given: string | null, as: 'X-API-Key' | 'Bearer'): Record<string, string> => {
    if (given === null) return {};
    return as === 'Bearer' ? { authorization: `Bearer ${given}` } : { 'x-api-key': given };
  };

  const send = async (
    path: string,
    { method = 'GET', body, raw, headers = {}, isUnrecorded = false }: ProbeRequest,
    credentials: object,
  ): Promise<Answer> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const over = new AbortController();
    const cancel = clock.after(LIMIT_MS, () => over.abort(new Error(`no answer within ${LIMIT_MS / 1000} s`)));
    try {
      const response = await fetch(`${base.href.replace(/\/$/, '')}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...credentials,
          ...headers,
        },
        ...(payload === undefined ? {} : { body: payload }),
        redirect: 'manual',
        signal: over.signal,
      });
      // A stream has no end to wait for.
      const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
      if (isStream) void response.body?.cancel().catch(() => undefined);
      const read = isStream ? null : await readBody(response, BODY_LIMIT, over.signal, true);
      const text = read?.ok ? read.value : '';
      const answer = { method, path, status: response.status, headers: response.headers, text, body: jsonOf(text) };
      if (!isUnrecorded) recorded.push(answer);
      return answer;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new UnreachableError(`${method} ${path} is not answered: ${messageOf(cause)}`);
    } finally {
      cancel();
    }
  };

  const patiently = async (path: string, ask: ProbeRequest, credentials: object): Promise<Answer> => {
    const answer = await send(path, ask, credentials);
    if (answer.status !== 429 && answer.status !== 503) return answer;
    const wait = retryAfter(answer.headers.get('retry-after'), clock.now());
    if (wait === null || wait > LONGEST_WAIT_MS) return answer;
    await new Promise<void>((resolve) => void clock.after(wait, resolve));
    return send(path, ask, credentials);
  };

  const ask = async (path: string, request: ProbeRequest = {}): Promise<Answer> => {
    const given = request.key === undefined ? key : request.key;
    if (given === null || given !== key || form !== null)
      return patiently(path, request, headersFor(given, form ?? 'X-API-Key'));
    const first = await patiently(path, request, headersFor(given, 'X-API-Key'));
    if (first.status !== 401) {
      // An open endpoint accepts anything.
      if (first.status < 300 && (await send(path, request, {})).status === 401) form = 'X-API-Key';
      return first;
    }
    const second = await patiently(path, request, headersFor(given, 'Bearer'));
    if (second.status === 401) return first;
    form = 'Bearer';
    return second;
  };

  const get = (path: string): Promise<Answer> => {
    const known = cache.get(path) ?? ask(path);
    cache.set(path, known);
    return known;
  };
  const rows = async (path: string): Promise<readonly Fields[]> => {
    const { body, status } = await get(path);
    return status === 200 ? objectsIn(readList(body, path.split('?')[0]?.split('/').at(-1) ?? '')?.rows ?? []) : [];
  };
  const symbols = async (): Promise<string[]> => {
    const found = (await rows('/snapshot?limit=100')).flatMap(({ symbol }) =>
      typeof symbol === 'string' ? [symbol] : [],
    );
    return found.includes(DEFAULT_SYMBOL) ? [DEFAULT_SYMBOL, ...found.filter((one) => one !== DEFAULT_SYMBOL)] : found;
  };

  return {
    base,
    key,
    mayWrite,
    clock,
    ask,
    get,
    rows,
    credentials: async (given = key) => {
      if (form === null) await get('/snapshot?limit=100');
      return headersFor(given, form ?? 'X-API-Key');
    },
    form: () => form,
    answers: () => recorded,
    keep: (answer) => void recorded.push(answer),
    symbol: async () => (await symbols())[0] ?? DEFAULT_SYMBOL,
    other: async () => (await symbols())[1] ?? null,
  };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error code of an answer, in lower case, "" where it has none. */
export const codeOf = ({ body }: Answer): string => RootSchema.safeParse(body).data?.code?.toLowerCase() ?? '';
