// Main, core: one connection to the event stream, from its request to its end.
// The npm package `eventsource` parses. This file adds what it lacks: our own request (key, stored id,
// redirects), access to every byte, every event name, no automatic reconnection.
import { EventSource } from 'eventsource';
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { createBomFilter, createRetryTap, createTap } from './tap.ts';

export interface StreamMessage {
  /** The event field; "message" when it is absent. */
  readonly name: string;
  readonly data: string;
  /**
   * The id of this message, "" when absent: the format repeats the last id, which would name another event.
   */
  readonly id: string;
}

export interface ConnectionHooks {
  onOpen(): void;
  onBytes(): void;
  onComment(): void;
  /** The service requests a wait before the next connection, ms. */
  onRetry(ms: number): void;
  onMessage(message: StreamMessage): void;
  /** Called once, last. null: the service closed an open stream normally. */
  onEnd(problem: ServiceProblem | null): void;
}

export interface Connection {
  /** Ends the connection without calling the hooks. */
  close(): void;
}

/** Longest accepted line, characters. */
const LONGEST_LINE = 4 * 1024 * 1024;

type StreamOpener = (
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Result<Response, ServiceProblem>>;

/**
 * @param url for the parser only; `open` makes the request
 * @param lastEventId sent on this first request; null on the first start
 */
export function openConnection(
  url: string,
  lastEventId: string | null,
  open: StreamOpener,
  hooks: ConnectionHooks,
): Connection {
  let isOver = false;
  let found: ServiceProblem | null = null;
  let isOpen = false;
  let lastId = '';

  const request = async (_url: string | URL, init: { signal: AbortSignal }) => {
    const headers = lastEventId === null ? {} : { 'last-event-id': lastEventId };
    const answer = await open(headers, init.signal);
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
    return {
      url: response.url,
      status: response.status,
      redirected: false,
      headers: response.headers,
      body:
        response.body === null
          ? null
          : { getReader: () => tappedReader(response.body as ReadableStream<Uint8Array>, init.signal, hooks) },
    };
  };

  const end = (message: string | undefined): void => {
    if (isOver) return;
    isOver = true;
    source.close();
    if (found !== null) hooks.onEnd(found);
    else if (!isOpen || message !== undefined)
      hooks.onEnd(
        problem('network', message === undefined ? 'The stream broke off.' : `The stream broke off (${message}).`),
      );
    else hooks.onEnd(null);
  };

  /** The parser dispatches through this one method, so an event name without a listener is not lost. */
  class EveryName extends EventSource {
    override dispatchEvent(event: Event): boolean {
      if (isOver) return true;
      if (event instanceof MessageEvent) {
        const { lastEventId: id } = event;
        const isNew = id !== lastId;
        lastId = id;
        hooks.onMessage({ name: event.type, data: String(event.data), id: isNew ? id : '' });
      } else if (event.type === 'open') {
        isOpen = true;
        hooks.onOpen();
      } else end('message' in event && typeof event.message === 'string' ? event.message : undefined);
      return true;
    }
  }
  const source = new EveryName(url, { fetch: request, maxBufferSize: LONGEST_LINE });

  return {
    close() {
      if (isOver) return;
      isOver = true;
      source.close();
    },
  };
}

function tappedReader(body: ReadableStream<Uint8Array>, signal: AbortSignal, hooks: ConnectionHooks) {
  const reader = body.getReader();
  const tap = createTap();
  const retryIn = createRetryTap();
  const withoutBom = createBomFilter();
  const cancel = (): Promise<void> => reader.cancel().catch(() => undefined);
  // An injected fetch may ignore its signal; the reader does not.
  signal.addEventListener('abort', () => void cancel(), { once: true });
  return {
    async read() {
      const part = await reader.read();
      if (!part.done && !signal.aborted) {
        hooks.onBytes();
        for (let count = tap.pass(part.value); count > 0; count -= 1) hooks.onComment();
        const value = withoutBom(part.value);
        const retry = retryIn(value);
        if (retry !== null) hooks.onRetry(retry);
        return { done: false, value } as const;
      }
      return part;
    },
    cancel,
  };
}
