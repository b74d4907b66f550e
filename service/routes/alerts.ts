// Service, routes: GET /alerts: episodes out of Normal, with their durations.

import { listOrNull, symbolsOf } from '../list-filters.ts';
import { RETENTION_MS } from '../log/retention.ts';
import { episodeRecord } from '../signals/episodes.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf, rangeOf } from './page.ts';

export const alertHandlers = ({ store, cursors, info: { world } }: HandlerDeps): Pick<Handlers, 'alerts'> => ({
  alerts({ query: { limit, after, ...filters } }) {
    const scope = { list: 'alerts', ...filters };
    const [startedAt, id] = after === undefined ? [] : cursors.open(scope, after);
    const rows = store.episodes.list(
      {
        symbols: symbolsOf(filters),
        states: listOrNull(filters.state),
        regimes: listOrNull(filters.regime),
        classes: listOrNull(filters.class),
        ...rangeOf(filters),
        openAt: filters.open_at === undefined ? null : Date.parse(filters.open_at),
      },
      world.now() - RETENTION_MS,
      startedAt === undefined || id === undefined ? null : { startedAt: Number(startedAt), id: String(id) },
      limit + 1,
    );
    return pageOf(rows, limit, episodeRecord, (last) => cursors.seal(scope, [last.startedAt, last.id]));
  },
});
