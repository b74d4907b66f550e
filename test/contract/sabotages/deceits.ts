// Contract: violations of services that look whole (specification 4).
// They are silence, ignored filters, dead cursors, and answers that change.
import { type AnyJson, all, at, isList, LISTS, type Violation, without } from './builders.ts';

let calls = 0;
const SIGNAL_LISTS = ['snapshot', 'alert-transitions', 'alerts'];
const DATED_LISTS = ['alert-transitions', 'alerts', 'market-news', 'history', 'factors'];
const filters = (name: string, lists: readonly string[]): string[] => lists.map((list) => `filter-${list}-${name}`);
const ignored = (name: string, lists: readonly string[]): Violation => ({
  what: `${name}= ignored`,
  red: filters(name, lists),
  sabotage: without(name),
});
/** The last page of each list. */
const lastPages = (change: (body: AnyJson) => void): Violation['sabotage'] => ({
  answer: ({ status, body }, request) => {
    if (status === 200 && isList(request) && body?.has_more === false) change(body);
  },
});

const silences: readonly Violation[] = [
  {
    what: 'an endpoint that never answers',
    red: ['answers-alerts', 'needs-key-alerts', 'limit-alerts', 'cursors-alerts', 'stable-alerts', 'answers-in-time'],
    answerLimit: 500,
    sabotage: { isSilent: ({ path }) => path.startsWith('/alerts') },
  },
  {
    what: 'an answer that never ends',
    red: ['answers-market-news', 'answers-in-time'],
    answerLimit: 500,
    sabotage: { isEndless: ({ path }) => path.startsWith('/market-news') },
  },
  {
    what: 'a stream that never opens',
    red: ['stream-opens', 'answers-in-time'],
    answerLimit: 500,
    sabotage: { isSilent: ({ path }) => path.startsWith('/stream') },
  },
  {
    what: 'no answer at all',
    red: ['health-open', 'answers-snapshot', 'limit-headers', 'stream-opens', 'openapi', 'answers-in-time'],
    answerLimit: 500,
    sabotage: { isSilent: () => true },
  },
];

const deadCursors: readonly Violation[] = [
  {
    what: 'a last cursor that is refused',
    red: all('cursors', LISTS),
    sabotage: lastPages((body) => Object.assign(body, { next_cursor: 'dead' })),
  },
  {
    what: 'one page more than there is',
    red: all('cursors', LISTS),
    sabotage: {
      request: (request) => {
        if (request.path.includes('after=dead')) request.path = request.path.replace(/&?after=dead/, '');
      },
      answer: ({ status, body }, { path }) => {
        if (status !== 200 || !isList({ path }) || body?.has_more !== false) return;
        Object.assign(body, { has_more: true, next_cursor: 'dead' });
      },
    },
  },
  {
    what: 'a full page taken for a sign of more',
    red: ['cursors-history', 'cursors-snapshot'],
    sabotage: {
      answer: ({ status, body }, request) => {
        const limit = Number(/limit=(\d+)/.exec(request.path)?.[1]);
        if (status !== 200 || !isList(request) || body.has_more !== false) return;
        if (/after=end/.test(request.path)) Object.assign(body, { data: [], next_cursor: null });
        else if (body.data.length === limit) Object.assign(body, { has_more: true, next_cursor: 'end' });
      },
    },
  },
];

const changes: readonly Violation[] = [
  {
    what: 'rows of the past that change',
    red: all(
      'stable',
      LISTS.filter((name) => name !== 'snapshot'),
    ),
    sabotage: {
      answer: ({ status, body }, request) => {
        if (status !== 200 || !isList(request)) return;
        calls += 1;
        for (const row of body.data) row.regime = `regime ${calls}`;
      },
    },
  },
  {
    what: 'rows in another order each time',
    red: ['stable-alert-transitions'],
    sabotage: at('/alert-transitions', ({ body }) => {
      calls += 1;
      if (calls % 2 === 0) body.data.reverse();
    }),
  },
  {
    what: 'a signal that changes at the same instant',
    red: ['stable-signal'],
    sabotage: at('/signal?', ({ body }) => {
      calls += 1;
      Object.assign(body, { confidence: calls % 100, updated_at: '2026-01-01T00:00:00.000Z', decided_at: null });
    }),
  },
];

export const DECEIT_VIOLATIONS: readonly Violation[] = [
  ...silences,
  ignored('symbol', [...SIGNAL_LISTS, 'market-news']),
  ignored('symbols', [...SIGNAL_LISTS, 'market-news']),
  ignored('state', SIGNAL_LISTS),
  ignored('regime', SIGNAL_LISTS),
  ignored('class', SIGNAL_LISTS),
  ignored(
    'from',
    DATED_LISTS.filter((list) => list !== 'factors'),
  ),
  {
    what: 'a beginning of factors that is ignored',
    red: ['filter-factors-from'],
    sabotage: {
      request: (request) =>
        Object.assign(request, { path: request.path.replace(/^(\/factors\?.*from=)[^&]+/, '$12025-12-01') }),
    },
  },
  ignored('to', DATED_LISTS),
  {
    what: 'one symbol for every symbol',
    red: ['filter-symbol-of-signal', 'filter-symbol-of-factors', 'filter-symbol-of-history'],
    sabotage: {
      request: (request) =>
        Object.assign(request, { path: request.path.replace(/^(\/(?:signal|factors|history)\?symbol=)\w+/, '$1SPY') }),
    },
  },
  {
    what: 'a beginning of regimes that is ignored',
    red: ['regime-history'],
    sabotage: {
      request: (request) =>
        Object.assign(request, { path: request.path.replace(/(history\?from=)[^&]+/, '$12025-06-01') }),
    },
  },
  ...deadCursors,
  ...changes,
];
