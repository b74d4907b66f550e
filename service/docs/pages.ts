// Service, docs: what the table of routes does not say in itself: words for parameters, headers and errors. Pure.
import type { ErrorKind } from '../../shared/wire/errors.ts';

/** What a parameter of path or query means, by its name. */
export const PARAMETER_WORDS: Readonly<Record<string, string>> = {
  limit: 'Rows of a page.',
  after: 'next_cursor of the page before. A cursor is opaque and good for the same list with the same filters only.',
  symbol: 'A symbol, in any case.',
  symbols: 'Several symbols, separated by commas or as a repeated parameter.',
  state: 'States: normal, elevated, high_risk or 0, 1, 2; separated by commas or repeated.',
  severity: 'States that were entered: normal, elevated, high_risk or 0, 1, 2; separated by commas or repeated.',
  regime: 'Names of regimes, separated by commas or repeated.',
  class: 'Asset classes, separated by commas or repeated.',
  events: 'Names of events, separated by commas or repeated. Without it: signal.* and regime.flip.',
  from: 'Beginning, included: an ISO 8601 date, or a date-time with Z or an offset.',
  to: 'End, included: an ISO 8601 date, or a date-time with Z or an offset.',
  as_of: 'The moment asked for: an ISO 8601 date, or a date-time with Z or an offset. Without it: now.',
  granularity: 'Distance of the rows. minute is for the Institutional plan.',
  status: 'Deliveries of this status only.',
  type: 'Kinds of briefing, separated by commas or repeated.',
  author: 'Who signed it; upper and lower case count alike.',
  id: 'Id, as the list has it.',
  delivery: 'Id of a delivery.',
};

/** What each kind of error means and how to mend it. */
export const ERROR_WORDS: Readonly<Record<ErrorKind, string>> = {
  invalid_request:
    'The request cannot be understood: a parameter, a header or the body is wrong. The message names the place and says what would be right.',
  invalid_symbol: 'What was given as a symbol is none. A symbol has 1 to 15 letters, digits or . ^ = -.',
  unauthorized:
    'There is no key, or the key is not live in this environment. Send a live key of this environment in X-API-Key, or as Authorization: Bearer.',
  forbidden: 'The key is good, but not for this: its scope or its plan does not cover the request, or the request came from another page.',
  not_found: 'There is nothing at this path, or nothing with this id in your account.',
  symbol_not_covered: 'The symbol is well formed, but this service does not watch it. GET /snapshot lists what it watches.',
  method_not_allowed: 'The path exists, the method does not. The header Allow names the methods that there are.',
  request_timeout: 'The request did not arrive as a whole in time. Send it again, without pauses.',
  too_large: 'The body is larger than 65536 bytes. Send a smaller one.',
  unsupported_media_type: 'The body is not JSON. Send JSON with Content-Type: application/json.',
  headers_too_large: 'The headers are larger than 16384 bytes. Send smaller ones, or a shorter path.',
  rate_limited: 'A limit is reached. Wait for as many seconds as Retry-After says, then try again.',
  internal: 'Something failed inside the service. Try again later; X-Request-Id names the request in the log of the service.',
  backend_unavailable: 'What this endpoint computes from cannot be reached. Try again in a moment.',
  temporarily_unavailable:
    'The service is starting or cannot write at the moment. Wait for as many seconds as Retry-After says, then try again.',
};

/** Headers of answers: schema type, meaning, example. */
export const HEADER_WORDS = {
  'X-Request-Id': ['string', 'Names this request in the log of the service.', 'req_Zk3v0pQx81Ls'],
  'X-Service-Version': ['string', 'Version of the interface.', 'v1'],
  'X-RateLimit-Limit': ['integer', 'Calls a minute that this endpoint takes, or the limit that refused.', 100],
  'X-RateLimit-Remaining': ['integer', 'Calls that are left of it.', 99],
  'X-RateLimit-Reset': ['integer', 'When it is whole again: seconds since 1970, rounded up.', 1772461860],
  'X-RateLimit-Overage': ['integer', 'Calls beyond the quota of the month; only there when there are any.', 12],
  RateLimit: ['string', 'Every limit with what is left of it and the seconds until it is whole.', '"endpoint";r=99;t=42'],
  'RateLimit-Policy': ['string', 'Every limit with its quota and its window in seconds.', '"endpoint";q=100;w=60'],
  'Cache-Control': ['string', 'How long the answer may be kept.', 'no-store'],
  'Retry-After': ['integer', 'Seconds to wait before the next try.', 18],
  'WWW-Authenticate': ['string', 'How to authenticate.', 'Bearer realm="Market Risk Signal Service"'],
  ETag: ['string', 'Tag of this answer, for If-None-Match.', '"5f1c2ab9"'],
  'X-Accel-Buffering': ['string', 'Tells proxies not to hold the stream back.', 'no'],
  'X-Stream-Resume': ['string', 'There when Last-Event-ID was sent: resumed, or unknown-id where the stream is live only.', 'resumed'],
} as const satisfies Record<string, readonly [type: string, words: string, example: string | number]>;
export type HeaderName = keyof typeof HEADER_WORDS;

/** Sections of /docs that are no endpoint and no error: id, title, paragraphs. */
export const GUIDES: readonly (readonly [id: string, title: string, paragraphs: readonly string[]])[] = [
  [
    'authentication',
    'Authentication',
    [
      'Every endpoint but /health, /, /openapi.json and /docs needs a key. Send it in the header X-API-Key, or as Authorization: Bearer. Where both are sent they have to be the same.',
      'A key has a scope: read, or webhooks, which may manage subscriptions too. Keys are shown once when they are issued; the service keeps their hashes only. A revoked key ends at once, and its streams end with it.',
    ],
  ],
  [
    'environments',
    'Environments',
    [
      'The sandbox is a market made from a seed; its keys begin with svc_test_. Production runs on prices; its keys begin with svc_live_. A key of one is 401 in the other.',
      'POST /sandbox/trigger exists in the sandbox only: it makes an event happen through the ordinary path, so that a client can be rehearsed.',
    ],
  ],
  [
    'limits',
    'Limits',
    [
      'Each key has a number of calls a minute to each endpoint; minutes are whole minutes of the clock. Each account has a burst and a sustained rate over all endpoints, and a quota a month (UTC). Beyond the quota calls are counted as overage, or refused where the account has a hard cap.',
      'X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset are on every answer. RateLimit and RateLimit-Policy tell all limits at once. A refusal is 429 with Retry-After. The sandbox tells limits and refuses by none, unless it is started to.',
    ],
  ],
  [
    'pagination',
    'Pagination',
    [
      'Lists answer with data, has_more and next_cursor. Send next_cursor as after to get the next page, with the same filters. next_cursor is null exactly at the end. limit is from 1 to 100, 50 without it.',
      'Pages join to the whole list, also while rows are added. A cursor that was changed, or belongs to another list, is 400.',
    ],
  ],
  [
    'streaming',
    'Streaming',
    [
      'GET /stream sends events as text/event-stream: id, event, data. The data is the same envelope as in GET /events and in webhooks. A comment is sent every 15 seconds; silence for much longer means that the connection is lost.',
      'Reconnect with Last-Event-ID to get what was missed, for at least 24 hours. An id that is not known is answered with the live stream, and X-Stream-Resume says so; ask GET /events for the rest. A key may have 5 streams open. A reader that is too slow is cut with a last comment.',
    ],
  ],
  [
    'webhooks',
    'Webhooks',
    [
      'POST /signals/subscribe registers an endpoint and shows its signing secret, once. Each event is then sent there as POST with the envelope as JSON. Any 2xx answer within 10 seconds is a delivery. Redirects are not followed, and only public addresses are reached.',
      'X-Service-Signature is the lowercase hex HMAC-SHA256 of the raw body, keyed on the characters of the secret. Beside it stand the headers of Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature.',
      'What fails is tried again after 5 s, 30 s, 2 min, 10 min, 1 h and then hourly. After 24 hours of failure the subscription pauses, and its owner is told by mail; resume sends what was missed, replay sends a range once more. Events may come twice and out of order: keep event_id to tell.',
    ],
  ],
];
