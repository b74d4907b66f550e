// Client: the entry `barograph/client`, the service's typed client for other programs.
// Needs only fetch, zod and eventsource-parser: runs in Node 20, browsers, Deno and Bun.
import { createClock } from '../shared/lib/clock.ts';
import { pause } from '../shared/lib/pause.ts';
import { createWebHashes } from '../shared/lib/web-hashes.ts';
import type { EventEnvelope } from '../shared/wire/events.ts';
import type { Environment } from '../shared/wire/keys.ts';
import { checkService } from './address.ts';
import { type CallInput, type Client, createClient, createRefusingClient, type ListName, type Row } from './client.ts';
import type { KeyMode } from './credentials.ts';
import { type Listener, type Peer, UNKNOWN_LISTENER } from './key-gate.ts';
import { type ListenOptions, listen } from './listen.ts';
import { createMethods, type Methods } from './methods.ts';
import type { FetchLike } from './request.ts';
import { createRetry } from './retry.ts';
import { rowsOf } from './rows.ts';

export type { Result } from '../shared/lib/result.ts';
export type { AlertEpisode } from '../shared/wire/alerts.ts';
export type { EventEnvelope, EventName, SignalEnvelope } from '../shared/wire/events.ts';
export { isSignalEvent } from '../shared/wire/events.ts';
export type { Archetypes, FactorPoint, Factors } from '../shared/wire/factors.ts';
export type { Timestamp } from '../shared/wire/primitives.ts';
export type { HistoryPoint, List, Signal, Transition } from '../shared/wire/records.ts';
export type { RegimePoint, RegimeRecord } from '../shared/wire/regime.ts';
export type { RouteName } from '../shared/wire/routes.ts';
export { routes } from '../shared/wire/routes.ts';
export type { Delivery, SubscribeReply, Subscription } from '../shared/wire/subscriptions.ts';
export type { CallInput, Client, ClientResponse, ListName, ObjectName, Page, Row } from './client.ts';
export type { KeyMode } from './credentials.ts';
export type { Listener } from './key-gate.ts';
export type { ListenOptions, StreamBeginning } from './listen.ts';
export type { MethodInput, MethodOptions, Methods } from './methods.ts';
export { type ProblemKind, ServiceError, type ServiceProblem } from './problem.ts';
export type { FetchLike } from './request.ts';
export { verifyWebhook, type WebhookOptions, type WebhookRefusal } from './webhook.ts';

export interface ConnectOptions {
  /**
   * Address of the service, with its base path if any: "https://risk.example/v1". http works for this
   * computer only.
   */
  readonly baseUrl: string;
  /**
   * The key. It travels in a header, never in an address, and to no other origin. Omit it behind a dashboard
   * (mode `proxy`).
   */
  readonly key?: string;
  /**
   * How the key is sent. Default `auto`: X-API-Key, then once as a bearer after a 401; the client remembers
   * what worked.
   */
  readonly mode?: KeyMode;
  /**
   * Returns the owner of the listening socket at an address of this computer. Over plain http the service
   * must prove that it knows the key before anything is sent. A service without a proof gets the key only if
   * its owner is `self`, or `unknown` while `trusted` is set.
   */
  readonly listener?: (base: URL) => Listener;
  /**
   * Over plain http, also sends the key to a service without a proof whose owner is unknown. Never to another
   * user's program, and no longer once the service has proved itself.
   */
  readonly trusted?: boolean;
  /** The service proved itself in an earlier run, so it must prove itself again, even with `trusted`. */
  readonly mustProve?: boolean;
  /** Refuses a key of the other environment before a byte is sent. */
  readonly environment?: Environment;
  /** Default: the platform's. */
  readonly fetch?: FetchLike;
  /** Deadline of a whole call, ms; streams have none. Default 10 000. */
  readonly deadline?: number;
  /**
   * How often a GET is made again after a failure that passes: a broken connection, 429 with a Retry-After of at
   * most 2 s, 502, 503, 504. Nothing else is sent twice. Default 2.
   */
  readonly retries?: number;
  /** Name of the program, "desk/1.4", in front of the client's own in User-Agent. A browser sends its own alone. */
  readonly userAgent?: string;
  /** Uniform in [0, 1), for jitter: replace it, and `sleep`, for runs that can be repeated. */
  readonly random?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/**
 * Every request that the service answers: a method for each, and `events` for the stream. Beside them `call`,
 * `read` and `page` never throw: a failure is a value with `kind`, `status`, `code`, `message` and `retryAfter`
 * (ms).
 */
export type ServiceClient = Client & Methods & Lists;

interface Lists {
  /**
   * Every row of a list, page by page, each parsed by its schema.
   * @throws ServiceError
   */
  rows<Name extends ListName>(name: Name, ask?: CallInput<Name>): AsyncGenerator<Row<Name>, void>;
  /**
   * Events as they happen, across reconnections, until `signal` fires or the client is closed.
   * @throws ServiceError when a retry would not help
   */
  events(options?: ListenOptions): AsyncGenerator<EventEnvelope, void>;
}

const OWN = 'barograph-typescript/0.1.0';
/** There the header is the browser's own, and would need the consent of another origin. */
const isBrowser = 'document' in globalThis;

/**
 * Creates a client of the service at `baseUrl`, and sends nothing yet. If address and key do not fit
 * together, every call fails with that reason.
 */
export function connect({
  baseUrl,
  key,
  mode = 'auto',
  environment,
  fetch = globalThis.fetch,
  deadline,
  listener = () => UNKNOWN_LISTENER,
  trusted = false,
  mustProve = false,
  retries = 2,
  userAgent = '',
  random = Math.random,
  sleep,
}: ConnectOptions): ServiceClient {
  const clock = createClock({
    now: Date.now,
    setTimeout: (job, ms) => setTimeout(job, ms),
    clearTimeout: (handle) => clearTimeout(handle),
  });
  const address = checkService(
    { baseUrl, key: key ?? null },
    { name: 'this client', environment: environment ?? null },
  );
  let isProven = mustProve;
  const peer: Peer = {
    hashes: createWebHashes(crypto),
    listener,
    known: () => (isProven ? 'proof' : trusted ? 'user' : null),
    proven: () => {
      isProven = true;
    },
  };
  const named: FetchLike = (url, init) =>
    fetch(
      url,
      isBrowser ? init : { ...init, headers: { ...init?.headers, 'user-agent': `${userAgent} ${OWN}`.trim() } },
    );
  const sender = address.ok
    ? createClient({ base: address.value, key: key ?? null, mode, peer, fetch: named, clock, deadline })
    : createRefusingClient(address.error);
  const closing = new AbortController();
  const retry = createRetry(
    retries,
    random,
    sleep ?? ((ms) => pause(clock, ms, closing.signal).catch(() => undefined)),
  );
  const client: Client = {
    ...sender,
    call: (name, ask) => retry(name, () => sender.call(name, ask)),
    read: (name, ask) => retry(name, () => sender.read(name, ask)),
    page: (name, ask) => retry(name, () => sender.page(name, ask)),
  };
  return {
    ...createMethods(client.call, (name, ask) => rowsOf(client, name, ask)),
    ...client,
    rows: (name, ask = {}) => rowsOf(client, name, ask),
    events: ({ signal, ...options } = {}) => {
      const over = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      return listen(client, clock, random, { ...options, signal: over });
    },
    close() {
      closing.abort();
      client.close();
    },
  };
}
