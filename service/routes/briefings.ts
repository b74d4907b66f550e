// Service, routes: GET /api/briefings and /api/briefings/{id}: the list of briefings, and one.
import type { BriefingRecord } from '../../shared/wire/briefings.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { listOrNull } from '../list-filters.ts';
import { Refusal } from '../refusal.ts';
import type { BriefingHead } from '../store/briefings.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf, rangeOf } from './page.ts';

export const briefingHandlers = ({
  content: { briefings },
  cursors,
}: HandlerDeps): Pick<Handlers, 'briefings' | 'briefing'> => ({
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
