// Contract: violations of single endpoints, their parameters and pages (specification 4).
import { type AnyJson, all, at, errors, fails, KEY, KEYED, LISTS, type Violation, without } from './builders.ts';

export const ENDPOINT_VIOLATIONS: readonly Violation[] = [
  {
    what: 'no root',
    red: ['root-open'],
    sabotage: { answer: (answer, { path }) => Object.assign(answer, path === '/' ? { status: 404 } : {}) },
  },
  {
    what: 'missing endpoints',
    red: all('answers', KEYED),
    sabotage: { answer: (answer) => Object.assign(answer, { status: 404 }) },
  },
  {
    what: 'endpoints that need no key',
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
  { what: 'a range without an end', red: ['regime-history-to'], sabotage: without('to') },
  {
    what: 'hours by default instead of days',
    red: ['regime-granularity-default'],
    sabotage: {
      request: (request) =>
        Object.assign(request, {
          path: request.path.replace(/(history\?from=[^&]+&to=[^&]+)$/, '$1&granularity=hour'),
        }),
    },
  },
  {
    what: 'every granularity accepted',
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
    what: 'another default symbol',
    red: ['archetypes-default'],
    sabotage: {
      request: (request) => Object.assign(request, { path: request.path.replace(/current$/, 'current?symbol=QQQ') }),
    },
  },
  {
    what: 'one symbol for every request',
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
  { what: 'a limit that is ignored', red: [...all('limit', LISTS), 'limit-integer'], sabotage: without('limit') },
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
  {
    what: 'the first page again and again',
    red: [...all('after', LISTS), 'pages-end', 'desk-acts'],
    sabotage: without('after'),
  },
];
