// Service, stream: GET /stream: opens streams, and ends them.
import type { FastifyReply } from 'fastify';
import type { StreamQuery } from '../../shared/wire/routes/events.ts';
import { LOG_HEADER, RESUME_HEADER } from '../../shared/wire/sse.ts';
import { type ClusterPort, SINGLE_NODE } from '../cluster-port.ts';
import type { ServiceHost } from '../host.ts';
import type { LogFeed } from '../log/log-feed.ts';
import { NO_METRICS } from '../metrics/metrics.ts';
import { Refusal } from '../refusal.ts';
import type { EventLog } from '../store/event-log.ts';
import { eventFilter } from './filter.ts';
import { createOpenReaders } from './open-readers.ts';
import { openReader, type Reader } from './reader.ts';

const STREAMS_PER_KEY = 5;

/** Clients of a service that ends come back one after the other, ms. */
const RECONNECT_FROM_MS = 1_000;
const RECONNECT_WITHIN_MS = 4_000;

interface StreamRequest {
  readonly keyId: string;
  readonly query: StreamQuery;
  /** Symbols of the query that are outside the universe; the first comment names them. */
  readonly unknown: readonly string[];
  /** Last-Event-ID, as received. */
  readonly lastEventId: string | undefined;
  /** Headers of every answer of the service. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Streams {
  /** Takes over the answer. @throws Refusal rate_limited beyond STREAMS_PER_KEY */
  open(reply: FastifyReply, request: StreamRequest): void;
  /** Ends every stream with a last comment, and asks each client to reconnect after another wait. */
  close(): void;
  count(): number;
}

export interface StreamsDeps {
  readonly log: EventLog;
  readonly feed: LogFeed;
  readonly host: Pick<ServiceHost, 'clock' | 'logger' | 'metrics'>;
  readonly keyIsLive: (id: string) => boolean;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Default: one machine. */
  readonly cluster?: Pick<ClusterPort, 'catchUp' | 'logId' | 'cutOffMs'>;
}

/** A stream of a node that is cut off for longer ends, so that a balancer moves its client, ms. */
export const CUT_OFF_LIMIT_MS = 30_000;

const cutOffText = (ms: number): string =>
  `cut off: this node has not heard the others for ${Math.round(ms / 1000)} s, and events wait`;

/** What became of a Last-Event-ID, as RESUME_HEADER says it. */
type ResumeResult = 'resumed' | 'unknown-id';

/** The first comment of a stream. */
function greetingOf(resumed: ResumeResult | null, unknown: readonly string[]): string {
  const state =
    resumed === 'unknown-id'
      ? 'unknown Last-Event-ID: this is the live stream; ask /events or /alert-transitions for what was missed'
      : 'connected';
  return unknown.length === 0 ? state : `${state}; not covered, so without events: ${unknown.join(', ')}`;
}

/** Takes the answer from the framework, and sends its head. */
function takeOver(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  reply.hijack();
  // A stream ends with its connection, so it needs no chunked encoding, and no idle connection delays the
  // shutdown.
  reply.raw.shouldKeepAlive = false;
  reply.raw.useChunkedEncodingByDefault = false;
  reply.raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
}

export function createStreams(deps: StreamsDeps): Streams {
  const { log, feed, host, keyIsLive, random, cluster = SINGLE_NODE } = deps;
  const { metrics = NO_METRICS } = host;
  let isCutOffSaid = false;
  const reconnectMs = (): number => Math.round(RECONNECT_FROM_MS + random() * RECONNECT_WITHIN_MS);
  const checkContact = (open: Iterable<Reader>): void => {
    const ms = cluster.cutOffMs();
    for (const reader of ms > 0 ? [...open] : [])
      if (ms >= CUT_OFF_LIMIT_MS) reader.end(`${cutOffText(ms)}; reconnect with Last-Event-ID`, reconnectMs());
      else if (!isCutOffSaid)
        reader.comment(`${cutOffText(ms)}; this stream ends after ${CUT_OFF_LIMIT_MS / 1000} s of it`);
    isCutOffSaid = ms > 0;
  };
  const readers = createOpenReaders(host, keyIsLive, checkContact);
  let seen = feed.end().seq;
  const advanceAll = (): void => {
    for (const reader of readers.all()) reader.advance();
  };
  feed.follow({
    advanced({ seq }) {
      const isFanOut = seq > seen && readers.size() > 0;
      seen = seq;
      if (isFanOut) metrics.time('fanOut', advanceAll);
      else advanceAll();
    },
  });

  /** An event that another node sent may not have arrived here yet. */
  const findNow = (eventId: string): ReturnType<EventLog['find']> => {
    const position = log.find(eventId);
    if (position !== null) return position;
    cluster.catchUp();
    return log.find(eventId);
  };
  /** Behind which number a stream begins. */
  const startOf = (lastEventId: string | undefined): { after: number; resumed: ResumeResult | null } => {
    if (lastEventId === undefined || lastEventId === '') return { after: log.lastSeq(), resumed: null };
    const position = findNow(lastEventId);
    return position === null
      ? { after: log.lastSeq(), resumed: 'unknown-id' }
      : { after: position.seq, resumed: 'resumed' };
  };

  return {
    open(reply, { keyId, query, unknown, lastEventId, headers }) {
      if (readers.ofKey(keyId) >= STREAMS_PER_KEY) {
        const message = `This key has ${STREAMS_PER_KEY} streams open, which is the most. Close one, then try again.`;
        throw new Refusal('rate_limited', message, { 'retry-after': '5' });
      }
      const cutOff = cluster.cutOffMs();
      if (cutOff >= CUT_OFF_LIMIT_MS) {
        const message = 'This node is cut off from the others, and hears no events. Try another one.';
        throw new Refusal('temporarily_unavailable', message, { 'retry-after': '5' });
      }
      const filter = eventFilter(query);
      const { after, resumed } = startOf(lastEventId);
      const logId = cluster.logId();
      takeOver(reply, {
        ...headers,
        ...(resumed === null ? {} : { [RESUME_HEADER]: resumed }),
        ...(logId === null ? {} : { [LOG_HEADER]: logId }),
      });
      const reader = openReader({
        out: reply.raw,
        host,
        filter,
        feed,
        after,
        greeting: [greetingOf(resumed, unknown), ...(cutOff > 0 ? [cutOffText(cutOff)] : [])].join('; '),
        onEnd: () => readers.remove(reader),
      });
      readers.add(reader, keyId);
      reader.start();
    },
    close() {
      for (const reader of [...readers.all()])
        reader.end('the service is stopping; reconnect with Last-Event-ID', reconnectMs());
    },
    count: () => readers.size(),
  };
}
