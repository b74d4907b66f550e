// Conformance: sends requests, assumes nothing about answers, and keeps them for the checks.
import { BODY_LIMIT, readBody } from '../client/body.ts';
import type { FetchLike } from '../client/request.ts';
import { retryAfter } from '../shared/lib/backoff.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { pause } from '../shared/lib/pause.ts';
import { messageOf } from '../shared/lib/result.ts';
import { untilAborted } from '../shared/lib/until-aborted.ts';

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

export interface ProbeOptions {
  readonly base: URL;
  /** null: only open endpoints can be green. */
  readonly key: string | null;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  /** False: the kit must not create or change anything at the service. */
  readonly mayWrite: boolean;
  /** Deadline of a whole answer, ms. */
  readonly answerLimit?: number;
}

export interface Recorder {
  /** @param credentials headers with the key @throws UnreachableError */
  send(path: string, request: ProbeRequest, credentials: object): Promise<Answer>;
  /** Waits once where the service asks to, and sends again. */
  readonly sendPatiently: Recorder['send'];
  /**
   * Opens a stream of events, patiently like `sendPatiently`: only its head has a deadline.
   * @param over ends the stream
   * @throws UnreachableError
   */
  open(path: string, headers: Readonly<Record<string, string>>, over: AbortSignal): Promise<OpenStream>;
  /** Every answer so far. */
  answers(): readonly Answer[];
  /** Requests that timed out: "GET /alerts: no answer within 30 s". */
  unanswered(): readonly string[];
  /** Total wait that the service has asked for, ms. */
  waited(): number;
  /** Aborts every request in flight. */
  close(): void;
}

export interface OpenStream {
  readonly answer: Answer;
  readonly contentType: string;
  /** Its events; null: the answer is no event stream. */
  readonly body: ReadableStream<Uint8Array> | null;
}

/** The validation report may take a while. */
export const ANSWER_LIMIT_MS = 30_000;
/** Minimum timeout after earlier timeouts, ms. */
const SHORTEST_LIMIT_MS = 1_000;
/** Longest wait for a limit to pass. */
const LONGEST_WAIT_MS = 61_000;
/** Longest wait for what a service says is being computed, as its record may be. */
const LONGEST_COMPUTATION_MS = 180_000;
/** Shortest one. */
const SHORTEST_WAIT_MS = 1_000;
/** Number of consecutive useless waits after which no more follow. */
const MAX_VAIN_WAITS = 2;

export class UnreachableError extends Error {
  override readonly name: string = 'UnreachableError';
}
/** The service took the request and did not answer in time. */
export class UnansweredError extends UnreachableError {
  override readonly name = 'UnansweredError';
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.includes('event-stream') === true;

const isBusy = ({ status }: Answer): boolean => status === 429 || status === 503;

export function createRecorder({ base, fetch, clock, answerLimit = ANSWER_LIMIT_MS }: ProbeOptions): Recorder {
  const recorded: Answer[] = [];
  const closing = new AbortController();
  const { inTime, unanswered } = createDeadlines(base, clock, answerLimit, closing.signal);
  const { patiently, waited } = createPatience(clock);

  const send: Recorder['send'] = (
    path,
    { method = 'GET', body, raw, headers = {}, isUnrecorded = false },
    credentials,
  ) =>
    inTime(method, path, isUnrecorded, async (address, signal) => {
      const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const response = await fetch(address, {
        method,
        headers: {
          accept: 'application/json',
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...credentials,
          ...headers,
        },
        ...(payload === undefined ? {} : { body: payload }),
        redirect: 'manual',
        signal,
      });
      // A stream has no end to wait for.
      const isStream = isEventStream(response);
      if (isStream) void response.body?.cancel().catch(() => undefined);
      const read = isStream ? null : await readBody(response, BODY_LIMIT, signal, true);
      const text = read?.ok ? read.value : '';
      const answer = { method, path, status: response.status, headers: response.headers, text, body: jsonOf(text) };
      if (!isUnrecorded) recorded.push(answer);
      return answer;
    });

  const sendPatiently: Recorder['send'] = (path, ask, credentials) =>
    patiently(
      () => send(path, ask, credentials),
      (answer) => answer,
    );

  const openOnce: Recorder['open'] = (path, headers, over) =>
    inTime('GET', path, false, async (address, late) => {
      // The deadline covers the head only; afterwards only `over` ends the stream.
      const ending = new AbortController();
      const end = (): void => ending.abort();
      for (const signal of [over, late, closing.signal]) signal.addEventListener('abort', end, { once: true });
      const response = await fetch(address, { headers, redirect: 'manual', signal: ending.signal });
      const isStream = response.status === 200 && isEventStream(response);
      const contentType = response.headers.get('content-type') ?? '';
      // A body that is neither a stream of events nor a JSON refusal may never end.
      const said = !isStream && /json/.test(contentType) ? await readBody(response, BODY_LIMIT, late, true) : null;
      const text = said?.ok ? said.value : '';
      if (!isStream && said === null) void response.body?.cancel().catch(() => undefined);
      const answer = {
        method: 'GET',
        path,
        status: response.status,
        headers: response.headers,
        text,
        body: jsonOf(text),
      };
      recorded.push(answer);
      return { answer, contentType, body: isStream ? response.body : null };
    });

  return {
    send,
    sendPatiently,
    open: (path, headers, over) =>
      patiently(
        () => openOnce(path, headers, over),
        ({ answer }) => answer,
        over,
      ),
    answers: () => recorded,
    unanswered: () => unanswered,
    waited,
    close: () => closing.abort(new Error('the run is over')),
  };
}

/** Retries after the waits that refusals ask for. */
function createPatience(clock: Clock) {
  let [vainWaits, waited] = [0, 0];
  const patiently = async <Value>(
    attempt: () => Promise<Value>,
    answerOf: (value: Value) => Answer,
    signal?: AbortSignal,
  ): Promise<Value> => {
    for (let spent = 0; ; ) {
      const value = await attempt();
      const answer = answerOf(value);
      if (!isBusy(answer)) {
        if (spent > 0) vainWaits = 0;
        return value;
      }
      const wait = retryAfter(answer.headers.get('retry-after'), clock.now());
      // A limit passes with the first wait, a computation perhaps with a later one.
      const most = answer.status === 503 ? LONGEST_COMPUTATION_MS : spent === 0 ? LONGEST_WAIT_MS : 0;
      if (wait === null || spent + wait > most || vainWaits >= MAX_VAIN_WAITS) {
        if (spent > 0) vainWaits += 1;
        return value;
      }
      // A service that asks for no wait is not asked without one.
      const pauseMs = Math.max(wait, SHORTEST_WAIT_MS);
      await pause(clock, pauseMs, signal);
      waited += pauseMs;
      spent += pauseMs;
    }
  };
  return { patiently, waited: () => waited };
}

/** Runs requests under a deadline, which shrinks after a timeout. */
function createDeadlines(base: URL, clock: Clock, answerLimit: number, closing: AbortSignal) {
  const unanswered: string[] = [];
  const silent = new Map<string, string>();
  let silences = 0;
  /** Runs one request under its deadline. Skips paths that have timed out before. */
  const inTime = async <Value>(
    method: string,
    path: string,
    isUnrecorded: boolean,
    work: (address: string, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> => {
    const endpoint = `${method} ${path.split('?')[0]}`;
    const known = silent.get(endpoint);
    if (known !== undefined) throw new UnansweredError(`${known} (not asked again)`);
    const limit = Math.min(answerLimit, Math.max(SHORTEST_LIMIT_MS, answerLimit / 2 ** silences));
    const over = new AbortController();
    let isLate = false;
    const cancel = clock.after(limit, () => {
      isLate = true;
      over.abort(new Error('late'));
    });
    try {
      const value = await untilAborted(
        work(`${base.href.replace(/\/$/, '')}${path}`, over.signal),
        AbortSignal.any([over.signal, closing]),
      );
      silences = 0;
      return value;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      if (!isLate) throw new UnreachableError(`${method} ${path} is not answered: ${messageOf(cause)}`);
      const said = `${method} ${path}: no answer within ${limit / 1_000} s`;
      silences += 1;
      silent.set(endpoint, said);
      if (!isUnrecorded) unanswered.push(said);
      throw new UnansweredError(said);
    } finally {
      cancel();
    }
  };
  return { inTime, unanswered };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
