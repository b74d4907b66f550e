// Main, core: one connection to the event stream, from its request to its end.
// The npm package `eventsource` parses. This file adds the request (key, stored id, redirects), access to
// every byte and every event name, and no automatic reconnection.
import { EventSource } from 'eventsource';
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { createFrameLimit } from './frame-limit.ts';
import { createBomFilter, createRetryTap, createTap } from './tap.ts';

export interface StreamMessage {
  /** The event field; "message" when it is absent. */
  readonly name: string;
  readonly data: string;
  /** The id of this message, "" when absent: the format repeats the last id, which is of another event. */
  readonly id: string;
}

/** An event of a connection; events arrive in order. */
export type StreamConnectionEvent =
  | { readonly kind: 'opened' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'comment' }
  /** The service requests a wait before the next connection, ms. */
  | { readonly kind: 'delayRequested'; readonly ms: number }
  | { readonly kind: 'message'; readonly message: StreamMessage }
  /** The last event, exactly once. null: the service closed an open stream normally. */
  | { readonly kind: 'ended'; readonly cause: ServiceProblem | null };
type Emit = (event: StreamConnectionEvent) => void;

export interface StreamConnection {
  /** Ends the connection without another event. */
  close(): void;
}

/** Most bytes kept of a frame; the parser's limit in characters is never reached. */
const LARGEST_FRAME = 1024 * 1024;
const LONGEST_LINE = 4 * LARGEST_FRAME;

type StreamOpener = (
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Result<Response, ServiceProblem>>;

/**
 * @param url for the parser only; `open` makes the request
 * @param open makes the request; its signal is aborted when the connection ends for any reason
 * @param lastEventId sent on this first request; null on the first start
 */
export function openStreamConnection(
  url: string,
  lastEventId: string | null,
  open: StreamOpener,
  emit: Emit,
): StreamConnection {
  let isOver = false;
  let found: ServiceProblem | null = null;
  let isOpen = false;
  let lastId = '';
  // The parser does not abort its own controller when a read fails.
  const over = new AbortController();

  const request = async () => {
    const headers = lastEventId === null ? {} : { 'last-event-id': lastEventId };
    const answer = await open(headers, over.signal);
    if (!answer.ok) {
      found = answer.error;
      throw new Error(answer.error.message);
    }
    const response = answer.value;
    if (response.status === 204)
      found = { ...problem('forbidden', 'The service says that there is no stream here.', 204), code: 'no_stream' };
    else if (!/^\s*text\/event-stream\s*(;|$)/i.test(response.headers.get('content-type') ?? ''))
      found = problem(
        'unreadable',
        'The answer to /stream is no event stream. A proxy or a log-in page may stand in between.',
        response.status,
      );
    // Cancels the body, which the parser would leave unread: it may never end.
    if (found !== null) void response.body?.cancel().catch(() => undefined);
    return {
      url: response.url,
      status: response.status,
      redirected: false,
      headers: response.headers,
      body:
        found !== null || response.body === null
          ? null
          : { getReader: () => tappedReader(response.body as ReadableStream<Uint8Array>, over.signal, emit) },
    };
  };

  const causeOf = (message: string | undefined): ServiceProblem | null => {
    if (found !== null || (isOpen && message === undefined)) return found;
    return problem('network', message === undefined ? 'The stream broke off.' : `The stream broke off (${message}).`);
  };

  /** The parser dispatches through this one method, so an event name without a listener is not lost. */
  class EveryName extends EventSource {
    override dispatchEvent(event: Event): boolean {
      if (isOver) return true;
      if (event instanceof MessageEvent) {
        const { lastEventId: id } = event;
        const isNew = id !== lastId;
        lastId = id;
        emit({ kind: 'message', message: { name: event.type, data: String(event.data), id: isNew ? id : '' } });
      } else if (event.type === 'open') {
        isOpen = true;
        emit({ kind: 'opened' });
      } else {
        isOver = true;
        this.close();
        over.abort();
        const message = 'message' in event && typeof event.message === 'string' ? event.message : undefined;
        emit({ kind: 'ended', cause: causeOf(message) });
      }
      return true;
    }
  }
  const source = new EveryName(url, { fetch: request, maxBufferSize: LONGEST_LINE });

  return {
    close() {
      if (isOver) return;
      isOver = true;
      source.close();
      over.abort();
    },
  };
}

function tappedReader(body: ReadableStream<Uint8Array>, signal: AbortSignal, emit: Emit) {
  const reader = body.getReader();
  const tap = createTap();
  const retryIn = createRetryTap();
  const withoutBom = createBomFilter();
  const limited = createFrameLimit(LARGEST_FRAME);
  const cancel = (): Promise<void> => reader.cancel().catch(() => undefined);
  // An injected fetch may ignore its signal, so the reader is cancelled too.
  signal.addEventListener('abort', () => void cancel(), { once: true });
  return {
    async read() {
      const part = await reader.read();
      if (!part.done && !signal.aborted) {
        emit({ kind: 'bytes' });
        for (let count = tap.pass(part.value); count > 0; count -= 1) emit({ kind: 'comment' });
        const value = withoutBom(part.value);
        const retry = retryIn(value);
        if (retry !== null) emit({ kind: 'delayRequested', ms: retry });
        return { done: false, value: limited(value) } as const;
      }
      return part;
    },
    cancel,
  };
}
