// Contract: violations of rules for every endpoint: keys, errors, limits, OpenAPI.
// Specification 5, 7 to 9.
import { all, at, errors, fails, KEY, type Violation } from './builders.ts';

export const RULE_VIOLATIONS: readonly Violation[] = [
  {
    what: 'every key refused',
    red: ['key-form'],
    sabotage: {
      request: ({ headers }) => {
        delete headers['x-api-key'];
        delete headers.authorization;
      },
    },
  },
  {
    what: 'every key accepted',
    red: ['key-invalid', 'key-other-environment'],
    sabotage: { request: ({ headers }) => Object.assign(headers, { 'x-api-key': KEY }) },
  },
  {
    what: 'another code for 403',
    red: ['key-forbidden', 'error-codes'],
    first: ['regime-granularity-minute'],
    sabotage: errors(403, ({ body }) => Object.assign(body, { code: 'nope' })),
  },
  {
    what: 'an answer to every path',
    red: ['not-found'],
    sabotage: errors(404, (answer) => Object.assign(answer, { status: 200 })),
  },
  {
    what: 'half a body accepted',
    red: ['malformed-body'],
    sabotage: errors(400, (answer) => Object.assign(answer, { status: 200 })),
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
    what: 'links to missing documentation',
    red: ['error-doc-url'],
    first: ['not-found'],
    sabotage: {
      answer: ({ body }, { host }) => {
        if (body?.doc_url) body.doc_url = `http://${host}/nowhere#not-found`;
      },
    },
  },
  {
    what: 'a server error',
    red: ['no-server-errors'],
    first: ['answers-alerts'],
    sabotage: fails('/alerts', 500, { code: 'INTERNAL_ERROR', message: 'm' }),
  },
  {
    what: 'another code for 429',
    red: ['error-429'],
    first: ['answers-alerts'],
    sabotage: fails('/alerts', 429, { code: 'slow_down', message: 'm' }),
  },
  {
    what: 'another code for 502',
    red: ['error-502'],
    first: ['answers-alerts'],
    sabotage: fails('/alerts', 502, { code: 'bad_gateway', message: 'm' }),
  },
  {
    what: 'more calls left than the limit',
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
    what: 'half of the limits',
    red: all('limit-of', ['snapshot', 'factors', 'history', 'alerts', 'market-news', 'api-archetypes-current']),
    sabotage: {
      answer: ({ headers }) =>
        Object.assign(headers, { 'x-ratelimit-limit': String(Number(headers['x-ratelimit-limit']) / 2) }),
    },
  },
  {
    what: 'overage that is not a number',
    red: ['overage'],
    first: ['answers-alerts'],
    sabotage: at('/alerts', ({ headers }) => Object.assign(headers, { 'x-ratelimit-overage': 'some' })),
  },
  {
    what: 'a document that lacks an endpoint',
    red: ['openapi-paths'],
    sabotage: at('/openapi.json', ({ body }) => void delete body.paths['/alert-transitions']),
  },
];
