// Service, routes: GET /market-news.
import type { NewsRecord } from '../../shared/wire/news.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { symbolsOf } from '../list-filters.ts';
import { RETENTION_MS } from '../log/retention.ts';
import type { NewsItem } from '../store/news.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf, rangeOf } from './page.ts';

export const newsHandlers = ({
  content: { news },
  cursors,
  info: { world },
}: HandlerDeps): Pick<Handlers, 'marketNews'> => ({
  marketNews({ query: { limit, after, ...filters } }) {
    const scope = { list: 'market-news', ...filters };
    const { from, to } = rangeOf(filters);
    const [publishedAt, id] = after === undefined ? [] : cursors.open(scope, after);
    const now = world.now();
    const rows = news.list(
      { symbols: symbolsOf(filters), from: Math.max(from ?? 0, now - RETENTION_MS), to: Math.min(to ?? now, now) },
      publishedAt === undefined || id === undefined ? null : { publishedAt: Number(publishedAt), id: String(id) },
      limit + 1,
    );
    return pageOf(rows, limit, recordOf, (last) => cursors.seal(scope, [last.publishedAt, last.id]));
  },
});

const recordOf = ({ publishedAt, symbols, score, label, ...item }: NewsItem): NewsRecord => ({
  ...item,
  published_at: timestamp(publishedAt),
  symbols: [...symbols],
  sentiment: { score, label },
});
