// Service, routes: GET /api/briefings, one briefing, and GET /market-news.
import type { BriefingRecord } from '../../shared/wire/briefings.ts';
import type { NewsRecord } from '../../shared/wire/news.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { listOrNull, symbolsOf } from '../list-filters.ts';
import { RETENTION_MS } from '../log/retention.ts';
import { Refusal } from '../refusal.ts';
import type { BriefingHead } from '../store/briefings.ts';
import type { NewsItem } from '../store/news.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf, rangeOf } from './page.ts';

export const briefingHandlers = ({
  content: { briefings, news },
  cursors,
  info: { world },
}: HandlerDeps): Pick<Handlers, 'briefings' | 'briefing' | 'marketNews'> => ({
  async briefings({ query: { limit, after, ...filters } }) {
    const scope = { list: 'briefings', ...filters };
    const [date, id] = after === undefined ? [] : cursors.open(scope, after);
    const rows = await briefings.list(
      { types: listOrNull(filters.type), author: filters.author ?? null, ...rangeOf(filters) },
      date === undefined || id === undefined ? null : { date: Number(date), id: String(id) },
      limit + 1,
    );
    return pageOf(rows, limit, recordOf, (last) => cursors.seal(scope, [last.date, last.id]));
  },
  briefing({ params: { id } }) {
    const found = briefings.find(id);
    if (found === null)
      throw new Refusal('not_found', 'There is no briefing with this id. GET /api/briefings lists what there is.');
    return { ...recordOf(found), body: found.body, content_type: 'text/markdown; charset=utf-8' };
  },
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
    return pageOf(rows, limit, newsRecord, (last) => cursors.seal(scope, [last.publishedAt, last.id]));
  },
});

const recordOf = ({
  id,
  type,
  title,
  author,
  date,
  summary,
  symbols,
  readingMinutes,
}: BriefingHead): BriefingRecord => ({
  id,
  type,
  title,
  author,
  date: timestamp(date),
  summary,
  symbols: [...symbols],
  reading_minutes: readingMinutes,
});

const newsRecord = ({ publishedAt, symbols, score, label, ...item }: NewsItem): NewsRecord => ({
  ...item,
  published_at: timestamp(publishedAt),
  symbols: [...symbols],
  sentiment: { score, label },
});
