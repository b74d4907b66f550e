// Service, webhooks: sends one HTTP request to a subscriber, bounded in time and size.
// Connects to checked addresses only; does not follow redirects.
import type { IncomingMessage } from 'node:http';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { untilAborted } from '../../shared/lib/until-aborted.ts';
import { sendRequest } from '../network/request.ts';
import { reach, type TargetRules } from './target.ts';

/** To the status line and headers, including name resolution and connection. */
export const HEADERS_LIMIT_MS = 10_000;
const ANSWER_LIMIT_BYTES = 65_536;
/** The answer's body does not affect the result, so it gets no more time than this. */
const ANSWER_LIMIT_MS = 5_000;
/** Length of the body excerpt in the delivery log. */
const EXCERPT_CHARACTERS = 1_024;

export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts the request. */
  readonly signal: AbortSignal;
}

export interface Receipt {
  /** HTTP status; null when there was none. */
  readonly status: number | null;
  /** Why the attempt failed, for people; null when it succeeded. */
  readonly error: string | null;
  readonly latencyMs: number;
  /** Beginning of the answer's body; null when there was none. */
  readonly response: string | null;
}

/** Sends a request. Never rejects. */
export type Post = (request: DeliveryRequest) => Promise<Receipt>;

export function createPost(rules: TargetRules & { readonly clock: Clock }): Post {
  const { clock } = rules;
  return async (request) => {
    const started = clock.now();
    const late = new AbortController();
    const cancelLimit = clock.after(HEADERS_LIMIT_MS, () =>
      late.abort(new Error(`no answer within ${HEADERS_LIMIT_MS / 1000} s`)),
    );
    const signal = AbortSignal.any([request.signal, late.signal]);
    const latencyMs = (): number => Math.max(0, Math.round(clock.now() - started));
    try {
      const url = new URL(request.url);
      const reached = await untilAborted(reach(url, rules), signal);
      if (!reached.ok) return { status: null, error: reached.error.message, latencyMs: latencyMs(), response: null };
      const { headers, body } = request;
      const answer = await sendRequest(url, reached.value, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        },
        body,
        signal,
      });
      cancelLimit();
      const spent = latencyMs();
      const response = await excerptOf(answer, clock);
      return {
        status: answer.statusCode ?? null,
        error: problemOf(answer.statusCode ?? 0),
        latencyMs: spent,
        response,
      };
    } catch (error) {
      return {
        status: null,
        error: messageOf(signal.aborted ? signal.reason : error),
        latencyMs: latencyMs(),
        response: null,
      };
    } finally {
      cancelLimit();
    }
  };
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `answered ${status}; redirects are not followed` : `answered ${status}`;
}

/** Reads the answer's body to its end or to one of the limits. The status alone decides the result. */
function excerptOf(answer: IncomingMessage, clock: Clock): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let read = 0;
    let cancel: Cancel = () => undefined;
    const finish = (): void => {
      cancel();
      answer.destroy();
      const text = Buffer.concat(chunks).toString('utf8').slice(0, EXCERPT_CHARACTERS);
      resolve(text === '' ? null : text);
    };
    cancel = clock.after(ANSWER_LIMIT_MS, finish);
    answer.on('data', (chunk: Buffer) => {
      if (read < EXCERPT_CHARACTERS * 4) chunks.push(chunk);
      read += chunk.length;
      if (read >= ANSWER_LIMIT_BYTES) finish();
    });
    answer.on('end', finish);
    answer.on('error', finish);
    answer.on('close', finish);
  });
}
