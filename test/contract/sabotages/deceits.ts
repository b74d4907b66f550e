// Contract: violations of services that look whole (specification 4).
// They are silence, ignored filters, and answers that change.
import { all, at, isList, LISTS, type Violation, without } from './builders.ts';

let calls = 0;
const SIGNAL_LISTS = ['snapshot', 'alert-transitions', 'alerts'];
const DATED_LISTS = ['alert-transitions', 'alerts', 'market-news', 'history', 'factors'];
const filters = (name: string, lists: readonly string[]): string[] => lists.map((list) => `filter-${list}-${name}`);
const ignored = (name: string, lists: readonly string[]): Violation => ({
  what: `${name}= ignored`,
  red: filters(name, lists),
  sabotage: without(name),
});

const silences: readonly Violation[] = [
  {
    what: 'no answer at all',
    red: ['health-open', 'answers-snapshot', 'limit-headers', 'stream-opens', 'openapi', 'answers-in-time'],
    answerLimit: 500,
    sabotage: { isSilent: () => true },
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
  ...changes,
];
