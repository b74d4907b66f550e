// Client: the event stream as an async iterator; reconnects with the last id, watches for silence.
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { backoffDelay } from '../shared/lib/backoff.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { pause } from '../shared/lib/pause.ts';
import { type EventEnvelope, EventEnvelopeSchema } from '../shared/wire/events.ts';
import { HEARTBEAT_MS, RESUME_HEADER } from '../shared/wire/sse.ts';
import type { CallInput, Client } from './client.ts';
import { type ProblemKind, problem, ServiceError, type ServiceProblem } from './problem.ts';
import { parseTolerantly } from './tolerant.ts';

/**
 * The beginning of a connection. live: from now on. resumed: after the last id. lost: live only, because the
 * service no longer keeps that id.
 */
export type StreamBeginning = 'live' | 'resumed' | 'lost';

export interface ListenOptions {
  /** Filters: symbols, severity, regime, events. */
  readonly query?: NonNullable<CallInput<'stream'>['query']>;
  /** event_id of the last known event; the service first sends the later events. */
  readonly after?: string;
  /** ms without a byte, not even a comment, after which the connection counts as dead. Default 45 000. */
  readonly silence?: number;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** Called at each connection. After `lost`, ask /events for what is missing. */
  readonly onConnect?: (beginning: StreamBeginning) => void;
  /**
   * Called with the reason of a lost connection before it is retried, and with messages that are no events.
   */
  readonly onProblem?: (problem: ServiceProblem) => void;
}

/** Two missed comments. */
const SILENCE_MS = 3 * HEARTBEAT_MS;
const BACKOFF = { base: 1_000, cap: 30_000 };
/** Maximum length of an event line, characters. */
const LONGEST_LINE = 4 * 1024 * 1024;
/** Problems that a retry does not solve. */
const FINAL: ReadonlySet<ProblemKind> = new Set([
  'not_sent',
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'not_covered',
  'redirected',
]);

/** @throws ServiceError when a retry would not help: a wrong key, address or filter */
export async function* listen(
  client: Client,
  clock: Clock,
  random: () => number,
  { query = {}, after, silence = SILENCE_MS, signal, onConnect, onProblem }: ListenOptions,
): AsyncGenerator<EventEnvelope, void> {
  let last = after ?? null;
  for (let attempt = 0; !signal?.aborted; attempt += 1) {
    const ended = new AbortController();
    const { signal: over } = ended;
    const end = (): void => ended.abort();
    signal?.addEventListener('abort', end);
    let found: ServiceProblem | null = null;
    try {
      const head = await client.openStream({ query }, last === null ? {} : { 'last-event-id': last }, over);
      if (head.ok && head.value.body !== null) {
        attempt = 0;
        onConnect?.(beginningOf(head.value.headers, last));
        for await (const message of messages(head.value.body, clock, silence, ended)) {
          if (message.data === undefined) {
            last = message.id;
            continue;
          }
          const envelope = envelopeOf(message.data);
          if (envelope === null) onProblem?.(problem('unreadable', 'The stream sent a message that is no event.', 200));
          else yield envelope;
          last = envelope?.event_id ?? last;
        }
      } else found = head.ok ? problem('unreadable', 'The answer to /stream has no body.', 200) : head.error;
    } catch {
      found = problem('network', 'The stream broke off.');
    } finally {
      signal?.removeEventListener('abort', end);
      end();
    }
    // Cancelled without `signal`: the client is closed, and refuses every further request.
    if (signal?.aborted || found?.kind === 'cancelled') return;
    if (found !== null && FINAL.has(found.kind)) throw new ServiceError(found);
    onProblem?.(found ?? problem('network', 'The stream ended.'));
    await pause(clock, backoffDelay(attempt, BACKOFF, random, found?.retryAfter ?? 0), signal).catch(() => undefined);
  }
}

function beginningOf(headers: Headers, last: string | null): StreamBeginning {
  if (last === null) return 'live';
  return headers.get(RESUME_HEADER) === 'unknown-id' ? 'lost' : 'resumed';
}

function envelopeOf(data: string): EventEnvelope | null {
  try {
    const read = parseTolerantly(EventEnvelopeSchema, JSON.parse(data));
    return read.ok && typeof read.value.event_id === 'string' ? read.value : null;
  } catch {
    return null;
  }
}

/** The id of a message, which comes first; a filtered event is no more than this. */
interface MessageId {
  readonly id: string;
  readonly data?: never;
}

/**
 * Yields ids and messages until `ended` is aborted. Aborts it when nothing arrived for too long, not even a comment.
 */
async function* messages(
  body: ReadableStream<Uint8Array>,
  clock: Clock,
  silence: number,
  ended: AbortController,
): AsyncGenerator<MessageId | EventSourceMessage> {
  const waiting: (MessageId | EventSourceMessage)[] = [];
  const parser = createParser({
    onId: (id) => waiting.push({ id }),
    onEvent: (message) => waiting.push(message),
    maxBufferSize: LONGEST_LINE,
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  // A custom fetch may not watch its signal; the reader does.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  ended.signal.addEventListener('abort', cancel);
  try {
    for (;;) {
      const cancelTimeout = clock.after(silence, () => ended.abort());
      const { done, value } = await reader.read().finally(cancelTimeout);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* waiting.splice(0);
    }
  } finally {
    cancel();
  }
}
