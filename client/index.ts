// Client: the entry `barograph/client`, the service's typed client for other programs.
// It needs fetch, zod and eventsource-parser, no app and no Node: it runs in Node 24, in a browser's worker,
// in Deno and in Bun.
import { createClock } from '../shared/lib/clock.ts';
import type { EventEnvelope } from '../shared/wire/events.ts';
import type { Environment } from '../shared/wire/keys.ts';
import { checkService } from './address.ts';
import { type CallInput, type Client, createClient, createRefusingClient, type ListName, type Row } from './client.ts';
import { createCredentials, type KeyMode } from './credentials.ts';
import { type ListenOptions, listen } from './listen.ts';
import type { FetchLike } from './request.ts';
import { rowsOf } from './rows.ts';

export type { Result } from '../shared/lib/result.ts';
export type { AlertEpisode } from '../shared/wire/alerts.ts';
export type { EventEnvelope, EventName, SignalEnvelope } from '../shared/wire/events.ts';
export { isSignalEvent } from '../shared/wire/events.ts';
export type { Archetypes, FactorPoint, Factors } from '../shared/wire/factors.ts';
export type { HistoryPoint, List, Signal, Transition } from '../shared/wire/records.ts';
export type { RegimePoint, RegimeRecord } from '../shared/wire/regime.ts';
export type { RouteName } from '../shared/wire/routes.ts';
export { routes } from '../shared/wire/routes.ts';
export type { Delivery, SubscribeReply, Subscription } from '../shared/wire/subscriptions.ts';
export type { CallInput, Client, ClientResponse, ListName, ObjectName, Page, Row } from './client.ts';
export type { KeyMode } from './credentials.ts';
export type { ListenOptions, StreamBeginning } from './listen.ts';
export { type ProblemKind, ServiceError, type ServiceProblem } from './problem.ts';
export type { FetchLike } from './request.ts';

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
  /** Refuses a key of the other environment before a byte is sent. */
  readonly environment?: Environment;
  /** Default: the platform's. */
  readonly fetch?: FetchLike;
  /** Deadline of a whole call, ms; streams have none. Default 10 000. */
  readonly deadline?: number;
}

/**
 * Every request that the service answers. `call` returns one object, `page` one raw page, `rows` a whole
 * list, `events` the stream. `call`, `read` and `page` never throw: a failure is a value with `kind`,
 * `status`, `code`, `message` and `retryAfter` (ms).
 */
export interface ServiceClient extends Client {
  /**
   * Every row of a list, page by page, each parsed by its schema.
   * @throws ServiceError
   */
  rows<Name extends ListName>(name: Name, ask?: CallInput<Name>): AsyncGenerator<Row<Name>, void>;
  /**
   * Events as they happen, across reconnections.
   * @throws ServiceError when a retry would not help
   */
  events(options?: ListenOptions): AsyncGenerator<EventEnvelope, void>;
}

/**
 * A client of the service at `baseUrl`. It sends nothing yet; where address and key do not fit together,
 * every call fails with that reason.
 */
export function connect({
  baseUrl,
  key,
  mode = 'auto',
  environment,
  fetch = globalThis.fetch,
  deadline,
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
  const client = address.ok
    ? createClient({ base: address.value, credentials: createCredentials(key ?? null, mode), fetch, clock, deadline })
    : createRefusingClient(address.error);
  return {
    ...client,
    rows: (name, ask = {}) => rowsOf(client, name, ask),
    events: (options = {}) => listen(client, clock, Math.random, options),
  };
}
