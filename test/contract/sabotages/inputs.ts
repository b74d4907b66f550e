import { type AnyJson, all, asked, at, isList, LISTS, later, paramsOf, type Violation } from './builders.ts';

const DAY_MS = 86_400_000;
const lastRows = new Map<string, AnyJson>();

const pages: readonly Violation[] = [
  {
    what: 'pages that begin with the last row of the page before',
    red: all('cursors', LISTS),
    sabotage: {
      answer: ({ status, body }, request) => {
        if (status !== 200 || !isList(request) || body.data.length < 2) return;
        const last = body.data.at(-1);
        const before = lastRows.get(paramsOf(request.path).get('after') ?? '');
        if (body.next_cursor !== null) lastRows.set(body.next_cursor, last);
        if (before !== undefined) body.data.unshift(before);
      },
    },
  },
  {
    what: 'later pages without the end of the range',
    red: ['pages-keep-range'],
    sabotage: at('/regime/', ({ body: { data, has_more } }, { path }) => {
      const params = paramsOf(path);
      if (params.has('after') && params.has('to') && has_more === false && data?.length > 0)
        data.push({ ...data.at(-1), timestamp: later(String(params.get('to')), DAY_MS) });
    }),
  },
];

const requests: readonly Violation[] = [
  {
    what: '30 February taken for 2 March',
    red: ['regime-as-of-bad'],
    sabotage: asked(/=(\d{4})-02-30/, '=$1-03-02'),
  },
  {
    what: 'an invalid beginning ignored',
    red: ['regime-history-from'],
    sabotage: asked(/from=soon/, 'from=2026-01-01'),
  },
  { what: 'an invalid end ignored', red: ['regime-history-to-bad'], sabotage: asked(/&to=soon/, '') },
  {
    what: 'any text registered as an endpoint',
    red: ['subscribe-refuses'],
    sabotage: {
      answer: (answer, { path, body }) => {
        if (path === '/signals/subscribe' && answer.status === 400 && /"url":"(?!http)/.test(body))
          Object.assign(answer, { status: 201, body: { id: 'sub_1', signing_secret: 's' } });
      },
    },
  },
];

const answers: readonly Violation[] = [
  {
    what: 'a Retry-After in words',
    red: ['retry-after'],
    first: ['answers-alerts'],
    sabotage: {
      answer: (answer, { path }) => {
        if (!path.startsWith('/alerts')) return;
        Object.assign(answer, { status: 503, body: { code: 'temporarily_unavailable', message: 'm' } });
        answer.headers['retry-after'] = 'soon';
      },
    },
  },
];

export const INPUT_VIOLATIONS: readonly Violation[] = [...pages, ...requests, ...answers];
