// Contract: every violation of a broken service, and the conformance checks that must detect it.
import { createHmac } from 'node:crypto';
import {
  type AnyJson,
  all,
  at,
  dropped,
  errors,
  events,
  fails,
  KEY,
  KEYED,
  LISTS,
  powers,
  unfiltered,
  type Violation,
  without,
} from './sabotage-builders.ts';

let calls = 0;
const seenDeliveries = new Map<string, number>();

export const VIOLATIONS: readonly Violation[] = [
  // Section 1 and 2
  {
    what: 'an empty snapshot',
    red: ['monitored-instruments'],
    sabotage: at('/snapshot', ({ body }) => Object.assign(body, { data: [] })),
  },
  {
    what: 'no regime of currencies',
    red: ['regime-symbols'],
    sabotage: fails('/regime/EURUSD', 404, { code: 'not_found', message: 'm' }),
  },
  {
    what: 'a month of factors',
    red: ['factor-history'],
    sabotage: at('/factors?symbol=SPY&from', ({ body }) =>
      Object.assign(body.data[0], { timestamp: new Date().toISOString() }),
    ),
  },
  {
    what: 'another answer each time',
    red: ['sandbox-deterministic'],
    sabotage: at('/regime', ({ body }) => Object.assign(body, { label: `${body.label}${++calls}` })),
  },
  {
    what: 'overage in the sandbox',
    red: ['sandbox-free'],
    first: ['answers-alerts'],
    sabotage: at('/alerts', ({ headers }) => Object.assign(headers, { 'x-ratelimit-overage': '3' })),
  },
  {
    what: 'a state in words',
    red: ['signal-shape'],
    sabotage: at('/signal?', ({ body }) => Object.assign(body, { state: 'normal' })),
  },
  {
    what: 'shares in the place of percent',
    red: ['confidence-percent'],
    sabotage: at('/snapshot', ({ body }) =>
      body.data.map((row: AnyJson) => Object.assign(row, { confidence: row.confidence / 100 })),
    ),
  },
  {
    what: 'metrics without a time',
    red: ['validation-shape'],
    sabotage: at('/api/validation', ({ body }) => Object.assign(body, { computed_at: 'today' })),
  },
  {
    what: 'a count that is none',
    red: ['validation-rows'],
    sabotage: at('/api/validation', ({ body }) => Object.assign(body.symbols[0].holdout, { n_signals: 1.5 })),
  },
  {
    what: 'provenance without notes',
    red: ['validation-notes'],
    sabotage: at('/api/validation', ({ body }) => void delete body.provenance.notes),
  },
  {
    what: 'neither variant',
    red: ['factors-variant'],
    sabotage: powers((body) => {
      delete body.powers;
      delete body.dimensions;
    }),
  },
  {
    what: 'a power above 1',
    red: ['factors-map', 'factors-rows'],
    sabotage: powers((body) => {
      body.powers.momentum = 1.2;
      body.dimensions[7].power = 1.2;
    }),
  },
  {
    what: 'a dimension that is not there',
    red: ['factors-map', 'factors-rows'],
    sabotage: powers((body) => {
      delete body.powers.chaos;
      body.dimensions.pop();
    }),
  },
  {
    what: 'names in capitals, codes mixed up',
    red: ['factors-map', 'factors-rows'],
    sabotage: powers((body) => {
      body.powers.Chaos = 0.1;
      body.dimensions[0].code = 'D-02';
    }),
  },
  {
    what: 'lists without has_more',
    red: all('envelope', LISTS),
    sabotage: { answer: ({ body }) => void delete body?.has_more },
  },
  {
    what: 'more without a cursor',
    red: all('envelope', ['snapshot']),
    sabotage: at('/snapshot', ({ body }) => Object.assign(body, { has_more: true, next_cursor: null })),
  },
  {
    what: 'a type of briefing of its own',
    red: ['briefing-fields'],
    sabotage: at('/api/briefings', ({ body }) => Object.assign(body.data[0], { type: 'evening' })),
  },
  // Section 4
  {
    what: 'health behind a key',
    red: ['health-open'],
    sabotage: fails('/health', 401, { code: 'unauthorized', message: 'm' }),
  },
  {
    what: 'a root that is gone',
    red: ['root-open'],
    sabotage: { answer: (answer, { path }) => Object.assign(answer, path === '/' ? { status: 404 } : {}) },
  },
  {
    what: 'endpoints that are not there',
    red: all('answers', KEYED),
    sabotage: { answer: (answer) => Object.assign(answer, { status: 404 }) },
  },
  {
    what: 'doors without a lock',
    red: [...all('needs-key', KEYED), 'api-needs-key', 'subscribe-needs-key', 'stream-needs-key'],
    sabotage: { request: ({ headers }) => Object.assign(headers, { 'x-api-key': headers['x-api-key'] ?? KEY }) },
  },
  {
    what: 'a month of history',
    red: ['history-90-days'],
    sabotage: at('/history', ({ body }) => Object.assign(body, { data: body.data.slice(-30) })),
  },
  {
    what: 'alerts without durations',
    red: ['alerts-durations'],
    sabotage: at('/alerts', ({ body }) => body.data.map((row: AnyJson) => delete row.duration_seconds)),
  },
  {
    what: 'news without sentiment',
    red: ['news-sentiment'],
    sabotage: at('/market-news', ({ body }) => body.data.map((row: AnyJson) => delete row.sentiment)),
  },
  {
    what: 'factors without exposures',
    red: ['factors-attribution'],
    sabotage: at('/factors', ({ body }) => void delete body.exposures),
  },
  {
    what: 'no regime at all',
    red: ['regime-current', 'regime-as-of', 'regime-history', 'regime-granularity-hour'],
    sabotage: fails('/regime/SPY', 404, { code: 'not_found', message: 'm' }),
  },
  { what: 'bad times taken for none', red: ['regime-as-of-bad'], sabotage: without('as_of') },
  {
    what: 'a range that begins anywhere',
    red: ['regime-history-from'],
    sabotage: {
      request: (request) =>
        Object.assign(request, { path: request.path.replace(/history$/, 'history?from=2026-01-01') }),
    },
  },
  { what: 'a range that does not end', red: ['regime-history-to'], sabotage: without('to') },
  {
    what: 'hours where days are meant',
    red: ['regime-granularity-default'],
    sabotage: {
      request: (request) =>
        Object.assign(request, {
          path: request.path.replace(/(history\?from=[^&]+&to=[^&]+)$/, '$1&granularity=hour'),
        }),
    },
  },
  {
    what: 'any granularity',
    red: ['regime-granularity-bad'],
    sabotage: { request: (request) => Object.assign(request, { path: request.path.replace('=fortnight', '=day') }) },
  },
  {
    what: 'minutes refused as unknown',
    red: ['regime-granularity-minute'],
    sabotage: errors(403, (answer) => Object.assign(answer, { status: 400 })),
  },
  {
    what: 'every symbol covered',
    red: ['regime-not-covered', 'regime-history-not-covered', 'signal-not-covered'],
    sabotage: { request: (request) => Object.assign(request, { path: request.path.replace('ZZZZNOPE', 'SPY') }) },
  },
  {
    what: 'another default',
    red: ['archetypes-default'],
    sabotage: {
      request: (request) => Object.assign(request, { path: request.path.replace(/current$/, 'current?symbol=QQQ') }),
    },
  },
  {
    what: 'one symbol for all',
    red: ['archetypes-symbol', 'archetypes-invalid-symbol', 'archetypes-malformed-symbol'],
    sabotage: {
      request: (request) => Object.assign(request, { path: request.path.replace(/current\?symbol=.+/, 'current') }),
    },
  },
  {
    what: 'an archive without filters',
    red: ['briefings-type', 'briefings-author', 'briefings-dates'],
    sabotage: {
      request: (request) =>
        Object.assign(request, { path: request.path.replace(/(briefings\?)(?!limit).*/, '$1limit=100') }),
    },
  },
  { what: 'limit unheard', red: [...all('limit', LISTS), 'limit-integer'], sabotage: without('limit') },
  {
    what: 'pages of any size',
    red: all('limit-most', LISTS),
    sabotage: {
      answer: (answer, { path }) => {
        if (path.includes('limit=101'))
          Object.assign(answer, {
            status: 200,
            body: { data: Array(101).fill({}), has_more: false, next_cursor: null },
          });
      },
    },
  },
  { what: 'the first page for ever', red: [...all('after', LISTS), 'pages-end'], sabotage: without('after') },
  // Section 6
  {
    what: 'subscriptions of nothing',
    red: ['subscribe-refuses'],
    sabotage: fails('/signals/subscribe', 201, { id: 'sub_1' }),
  },
  {
    what: 'no subscriptions',
    red: ['subscribe-registers'],
    sabotage: fails('/signals/subscribe', 500, { code: 'INTERNAL_ERROR', message: 'm' }),
  },
  {
    what: 'a secret that nobody is told',
    red: ['subscription-secret'],
    sabotage: at('/signals/subscribe', ({ body }) => void delete body.signing_secret),
  },
  {
    what: 'a target that nobody is told',
    red: ['subscription-target'],
    sabotage: at('/signals/subscribe', ({ body }) => void delete body.url),
  },
  {
    what: 'deliveries by GET',
    red: ['webhook-delivered'],
    sabotage: {
      delivery: (delivery) => {
        delivery.method = 'GET';
        return true;
      },
    },
  },
  { what: 'nothing delivered', red: ['webhook-delivered'], sabotage: { delivery: () => false } },
  {
    what: 'forms in the place of JSON',
    red: ['webhook-json'],
    sabotage: {
      delivery: (delivery) => {
        delivery.body = `payload=${encodeURIComponent(delivery.body)}`;
        return true;
      },
    },
  },
  {
    what: 'no signature',
    red: ['webhook-signature-header'],
    sabotage: { delivery: ({ headers }) => delete headers['x-service-signature'] },
  },
  {
    what: 'a signature with another secret',
    red: ['webhook-signature'],
    sabotage: {
      delivery: ({ headers, body }) => {
        headers['x-service-signature'] = createHmac('sha256', 'other').update(body).digest('hex');
        return true;
      },
    },
  },
  {
    what: 'bodies written anew after signing',
    red: ['webhook-signature'],
    sabotage: {
      delivery: (delivery) => {
        delivery.body = JSON.stringify(JSON.parse(delivery.body), null, 1);
        return true;
      },
    },
  },
  {
    what: 'one id for all events',
    red: ['webhook-event-id'],
    sabotage: events((event) => {
      event.event_id = 'evt_1';
      if (event.data.event_id) event.data.event_id = 'evt_1';
    }),
  },
  {
    what: 'events under other names',
    red: ['webhook-names'],
    sabotage: events((event) => Object.assign(event, { event: `risk.${event.event}` })),
  },
  ...['signal.normal', 'signal.elevated', 'signal.high_risk', 'regime.flip', 'briefing.published', 'model.version'].map(
    (name) => ({
      what: `no ${name}`,
      red: [`event-${name.replaceAll(/[._]/g, '-')}`],
      sabotage: dropped(name),
    }),
  ),
  {
    what: 'a briefing without its kind',
    red: ['briefing-event'],
    sabotage: events(({ data }) => void delete data.type),
  },
  {
    what: 'no second try',
    red: ['webhook-retry'],
    sabotage: {
      delivery: ({ body }) => {
        const { event_id: id } = JSON.parse(body);
        seenDeliveries.set(id, (seenDeliveries.get(id) ?? 0) + 1);
        // Three subscriptions are told of each.
        return (seenDeliveries.get(id) ?? 0) <= 3;
      },
    },
  },
  { what: 'a second of patience', red: ['webhook-ten-seconds'], sabotage: { deliveryLimit: 1_000 } },
  {
    what: 'a stream of text',
    red: ['stream-opens'],
    sabotage: at('/stream', ({ headers }) => Object.assign(headers, { 'content-type': 'text/plain' })),
  },
  {
    what: 'a stream of comments',
    red: ['stream-delivers'],
    sabotage: { frame: (frame) => (frame.includes('data: ') ? ': nothing' : frame) },
  },
  { what: 'the same event twice', red: ['stream-event-id'], sabotage: { frame: (frame) => `${frame}\n\n${frame}` } },
  { what: 'filters that nobody hears', red: ['stream-symbols', 'stream-severity'], sabotage: unfiltered },
  {
    what: 'other regimes in the stream',
    red: ['stream-regime'],
    sabotage: {
      frame: (frame, path) =>
        path.includes('regime=') ? frame.replace(/"regime":"\w+"/, '"regime":"elsewhere"') : frame,
    },
  },
  // Section 5, 7, 8, 9
  {
    what: 'no key opens anything',
    red: ['key-form'],
    sabotage: {
      request: ({ headers }) => {
        delete headers['x-api-key'];
        delete headers.authorization;
      },
    },
  },
  {
    what: 'any key will do',
    red: ['key-invalid', 'key-other-environment'],
    sabotage: { request: ({ headers }) => Object.assign(headers, { 'x-api-key': KEY }) },
  },
  {
    what: 'forbidden by another name',
    red: ['key-forbidden', 'error-codes'],
    first: ['regime-granularity-minute'],
    sabotage: errors(403, ({ body }) => Object.assign(body, { code: 'nope' })),
  },
  {
    what: 'a page for everything',
    red: ['not-found'],
    sabotage: errors(404, (answer) => Object.assign(answer, { status: 200 })),
  },
  {
    what: 'half a body taken',
    red: ['malformed-body'],
    sabotage: errors(400, (answer) => Object.assign(answer, { status: 200 })),
  },
  {
    what: 'errors without a message',
    red: ['error-body'],
    first: ['not-found'],
    sabotage: errors(404, ({ body }) => void delete body.message),
  },
  {
    what: 'errors in HTML',
    red: ['error-body', 'json'],
    first: ['not-found'],
    sabotage: errors(404, (answer) => {
      answer.body = '<h1>Not found</h1>';
      answer.headers['content-type'] = 'text/html';
    }),
  },
  {
    what: 'links that lead nowhere',
    red: ['error-doc-url'],
    first: ['not-found'],
    sabotage: {
      answer: ({ body }, { host }) => {
        if (body?.doc_url) body.doc_url = `http://${host}/nowhere#not-found`;
      },
    },
  },
  {
    what: 'a failure',
    red: ['no-server-errors'],
    first: ['answers-alerts'],
    sabotage: fails('/alerts', 500, { code: 'INTERNAL_ERROR', message: 'm' }),
  },
  {
    what: 'limits by another name',
    red: ['error-429'],
    first: ['answers-alerts'],
    sabotage: fails('/alerts', 429, { code: 'slow_down', message: 'm' }),
  },
  {
    what: 'a backend away by another name',
    red: ['error-502'],
    first: ['answers-alerts'],
    sabotage: fails('/alerts', 502, { code: 'bad_gateway', message: 'm' }),
  },
  {
    what: '503 without a word when',
    red: ['retry-after'],
    first: ['answers-alerts'],
    sabotage: fails('/alerts', 503, { code: 'temporarily_unavailable', message: 'm' }),
  },
  {
    what: 'errors without limits',
    red: ['limit-headers'],
    first: ['not-found'],
    sabotage: errors(404, ({ headers }) => void delete headers['x-ratelimit-reset']),
  },
  {
    what: 'limits in words',
    red: ['limit-headers'],
    first: ['answers-alerts'],
    sabotage: at('/alerts', ({ headers }) => Object.assign(headers, { 'x-ratelimit-limit': 'many' })),
  },
  {
    what: 'more left than there is',
    red: ['limit-remaining'],
    first: ['answers-alerts'],
    sabotage: at('/alerts', ({ headers }) => Object.assign(headers, { 'x-ratelimit-remaining': '1000000' })),
  },
  {
    what: 'calls that do not count',
    red: ['limit-counts'],
    sabotage: at('/signal', ({ headers }) => Object.assign(headers, { 'x-ratelimit-remaining': '42' })),
  },
  {
    what: 'half of the calls',
    red: all('limit-of', ['snapshot', 'factors', 'history', 'alerts', 'market-news', 'api-archetypes-current']),
    sabotage: {
      answer: ({ headers }) =>
        Object.assign(headers, { 'x-ratelimit-limit': String(Number(headers['x-ratelimit-limit']) / 2) }),
    },
  },
  {
    what: 'overage in words',
    red: ['overage'],
    first: ['answers-alerts'],
    sabotage: at('/alerts', ({ headers }) => Object.assign(headers, { 'x-ratelimit-overage': 'some' })),
  },
  {
    what: 'Swagger 2',
    red: ['openapi'],
    sabotage: at('/openapi.json', (answer) => Object.assign(answer, { body: { swagger: '2.0' } })),
  },
  {
    what: 'a document that lacks an endpoint',
    red: ['openapi-paths'],
    sabotage: at('/openapi.json', ({ body }) => void delete body.paths['/alert-transitions']),
  },
];
