// Service, docs: the headers of answers and the guides of /docs, as text. Pure.

/** Headers of answers: schema type, meaning, example. */
export const HEADER_DESCRIPTIONS = {
  'X-Request-Id': ['string', "Identifies this request in the service's log.", 'req_Zk3v0pQx81Ls'],
  'X-Service-Version': ['string', 'Version of the interface.', 'v1'],
  'X-RateLimit-Limit': [
    'integer',
    'Calls per minute that this endpoint accepts, or the limit that refused the call.',
    100,
  ],
  'X-RateLimit-Remaining': ['integer', 'Calls left within that limit.', 99],
  'X-RateLimit-Reset': ['integer', 'When the limit is full again: Unix time in seconds, rounded up.', 1772461860],
  'X-RateLimit-Overage': ['integer', 'Calls beyond the monthly quota; only present if there are any.', 12],
  RateLimit: [
    'string',
    'Every limit with what is left of it, and the seconds until it is full again.',
    '"endpoint";r=99;t=42',
  ],
  'RateLimit-Policy': ['string', 'Every limit with its quota and its window in seconds.', '"endpoint";q=100;w=60'],
  'Cache-Control': ['string', 'How long the answer may be kept.', 'no-store'],
  'Retry-After': ['integer', 'Seconds to wait before the next try.', 18],
  'X-Progress': [
    'string',
    'Present while the answer is computed: what, done of total, and the milliseconds left, as JSON.',
    '{"what":"scoring","done":0.5,"total":1,"left":9000}',
  ],
  'WWW-Authenticate': ['string', 'How to authenticate.', 'Bearer realm="Market Risk Signal Service"'],
  ETag: ['string', 'Tag of this answer, for If-None-Match.', '"5f1c2ab9"'],
  'X-Accel-Buffering': ['string', 'Tells proxies not to hold the stream back.', 'no'],
  'X-Stream-Resume': [
    'string',
    'Present when Last-Event-ID was sent: resumed, or unknown-id if only live events follow.',
    'resumed',
  ],
} as const satisfies Record<string, readonly [type: string, description: string, example: string | number]>;
export type HeaderName = keyof typeof HEADER_DESCRIPTIONS;

/** Sections of /docs other than endpoints and errors: id, title, paragraphs. */
export const GUIDES: readonly (readonly [id: string, title: string, paragraphs: readonly string[]])[] = [
  [
    'authentication',
    'Authentication',
    [
      'Every endpoint but /health, /, /openapi.json and /docs needs a key. Send it in the header X-API-Key, or as Authorization: Bearer. If both are sent, they must be the same.',
      'A key has a scope: read; webhooks, which also allows managing subscriptions; or account, which also allows managing the keys and terms of its account. Keys are shown once when they are issued; the service keeps their hashes only. A revoked key ends at once, and its streams end with it.',
    ],
  ],
  [
    'environments',
    'Environments',
    [
      'The sandbox is a market simulated from a seed; its keys begin with svc_test_. Production uses real prices; its keys begin with svc_live_. A key of one environment is answered with 401 in the other.',
      'POST /sandbox/trigger exists in the sandbox only: it makes an event happen through the ordinary path, so that you can test a client.',
    ],
  ],
  [
    'limits',
    'Limits',
    [
      'Each key may make a number of calls per minute to each endpoint, counted in whole clock minutes. Each account has a burst and a sustained rate over all endpoints, and a quota a month (UTC). Beyond the quota calls are counted as overage, or refused where the account has a hard cap, except those that manage the account.',
      'X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset are on every answer. RateLimit and RateLimit-Policy tell all limits at once. A refusal is 429 with Retry-After. The sandbox reports limits but enforces none, unless it is started with --enforce-limits.',
    ],
  ],
  [
    'account',
    'Account',
    [
      'A key of the scope account, or a session of the dashboard that began with one, lists, issues, rotates and revokes the keys of its account under /account/keys, and sets the hard cap. No account sees another one.',
      'A key is shown once, in the answer that issues it. With an Idempotency-Key the repeated request gets the same key within 24 hours, without its text, because the service does not keep it: revoke it and issue another.',
      'GET /account/usage is the use of a month and its overage, for any key; format=csv gives it as CSV. Months are of UTC. The sandbox is free and counts nothing.',
    ],
  ],
  [
    'pagination',
    'Pagination',
    [
      'Lists answer with data, has_more and next_cursor. Send next_cursor as after to get the next page, with the same filters. next_cursor is null exactly at the end. limit is from 1 to 100, 50 without it.',
      'Pages add up to the whole list, even while rows are added. A cursor that was changed, or belongs to another list, is answered with 400.',
    ],
  ],
  [
    'streaming',
    'Streaming',
    [
      'GET /stream sends events as text/event-stream: id, event, data. The data is the same envelope as in GET /events and in webhooks. A comment is sent every 15 seconds; silence for much longer means that the connection is lost.',
      'Reconnect with Last-Event-ID to get missed events, for at least 24 hours. The answer to an unknown id is the live stream, which X-Stream-Resume says; ask GET /events for the rest. A key may have 5 streams open. A reader that is too slow is cut with a last comment.',
    ],
  ],
  [
    'webhooks',
    'Webhooks',
    [
      'POST /signals/subscribe registers an endpoint and shows its signing secret, once. Each event is then sent there as POST with the envelope as JSON. Any 2xx answer within 10 seconds counts as delivered. Redirects are not followed, and only public addresses are reached.',
      'X-Service-Signature is the lowercase hex HMAC-SHA256 of the raw body, keyed on the characters of the secret. A delivery also has the headers of Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature.',
      'A failed delivery is retried after 5 s, 30 s, 2 min, 10 min, 1 h and then hourly. After 24 hours of failure the subscription pauses, and its owner gets a mail; resume sends missed events, replay sends a range once more. Events can arrive twice or out of order. Deduplicate by event_id.',
    ],
  ],
];
