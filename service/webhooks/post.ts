// Service, webhooks: one HTTP request to a subscriber. Bounded in time and in what is read, to addresses that were judged, no redirects.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Address, reach, type TargetRules } from './target.ts';

/** To the status line and headers, name and connection included (specification 6.1; CONTRACT 35). */
export const HEADERS_LIMIT_MS = 10_000;
const BODY_LIMIT_BYTES = 65_536;
/** The answer's body does not decide; it is not waited for longer than this. */
const BODY_LIMIT_MS = 5_000;
/** How much of the answer's body is kept for the delivery log. */
const EXCERPT_CHARACTERS = 1_024;

export interface Parcel {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Gives the request up. */
  readonly signal: AbortSignal;
}

export interface Receipt {
  /** HTTP status; null when there was none. */
  readonly status: number | null;
  /** Why it does not count as delivered, for people; null when it does. */
  readonly error: string | null;
  readonly latencyMs: number;
  /** Beginning of the answer's body; null when there was none. */
  readonly response: string | null;
}

/** Sends a parcel. Never rejects. */
export type Post = (parcel: Parcel) => Promise<Receipt>;

export function createPost(rules: TargetRules & { readonly clock: Clock }): Post {
  const { clock } = rules;
  return async (parcel) => {
    const started = clock.now();
    const late = new AbortController();
    const cancelLimit = clock.after(HEADERS_LIMIT_MS, () => late.abort(new Error(`no answer within ${HEADERS_LIMIT_MS / 1000} s`)));
    const signal = AbortSignal.any([parcel.signal, late.signal]);
    const latencyMs = (): number => Math.max(0, Math.round(clock.now() - started));
    try {
      const url = new URL(parcel.url);
      const reached = await orAborted(reach(url, rules), signal);
      if (!reached.ok) return { status: null, error: reached.error.message, latencyMs: latencyMs(), response: null };
      const answer = await send(url, reached.value, parcel, signal);
      cancelLimit();
      const spent = latencyMs();
      const response = await excerptOf(answer, clock);
      return { status: answer.statusCode ?? null, error: problemOf(answer.statusCode ?? 0), latencyMs: spent, response };
    } catch (thrown) {
      return { status: null, error: messageOf(signal.aborted ? signal.reason : thrown), latencyMs: latencyMs(), response: null };
    } finally {
      cancelLimit();
    }
  };
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `answered ${status}; redirects are not followed` : `answered ${status}`;
}

/** Resolves with the status line and headers. Every attempt has a connection of its own: an idle one may be dead, and would look like a failure. */
function send(url: URL, addresses: readonly Address[], { headers, body }: Parcel, signal: AbortSignal): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_name, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else if (first !== undefined) done(null, first.address, first.family);
  };
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        agent: false,
        lookup,
        signal,
        headers: { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) },
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Reads the answer's body to its end or to one of the limits. Whatever becomes of it, the status has decided. */
function excerptOf(answer: IncomingMessage, clock: Clock): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let read = 0;
    const finish = (): void => {
      cancel();
      answer.destroy();
      const text = Buffer.concat(chunks).toString('utf8').slice(0, EXCERPT_CHARACTERS);
      resolve(text === '' ? null : text);
    };
    const cancel = clock.after(BODY_LIMIT_MS, finish);
    answer.on('data', (chunk: Buffer) => {
      if (read < EXCERPT_CHARACTERS * 4) chunks.push(chunk);
      read += chunk.length;
      if (read >= BODY_LIMIT_BYTES) finish();
    });
    answer.on('end', finish);
    answer.on('error', finish);
    answer.on('close', finish);
  });
}

function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal.reason);
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
