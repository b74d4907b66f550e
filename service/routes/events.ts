// Service, routes: GET /alert-transitions, /events and /alerts: past events by time and in log order, and episodes.
import { DAY_MS } from '../../shared/lib/time.ts';
import { listOrNull, symbolsOf } from '../list-filters.ts';
import { RETENTION_MS } from '../log/retention.ts';
import { Refusal } from '../refusal.ts';
import { episodeRecord } from '../signals/episodes.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf, rangeOf } from './page.ts';

/** How far back /events reaches without a cursor, world ms. */
const LOG_SERVED_MS = 30 * DAY_MS;

export const eventHandlers = ({
  store,
  cursors,
  cluster,
  info: { world },
}: HandlerDeps): Pick<Handlers, 'alertTransitions' | 'events' | 'alerts'> => ({
  alertTransitions({ query: { limit, after, ...filters } }) {
    const scope = { list: 'alert-transitions', ...filters };
    const { from, to } = rangeOf(filters);
    const [occurredAt, seq] = after === undefined ? [] : cursors.open(scope, after).map(Number);
    const rows = store.log.transitions(
      {
        symbols: symbolsOf(filters),
        states: listOrNull(filters.state),
        regimes: listOrNull(filters.regime),
        classes: listOrNull(filters.class),
        from: Math.max(from ?? 0, world.now() - RETENTION_MS),
        to,
      },
      occurredAt === undefined || seq === undefined ? null : { occurredAt, seq },
      limit + 1,
    );
    return pageOf(
      rows,
      limit,
      ({ transition }) => transition,
      (last) => cursors.seal(scope, [last.occurredAt, last.seq]),
    );
  },
  events({ query: { limit, after } }) {
    // An event that another node sent may not have arrived here yet.
    if (after !== undefined && store.log.find(after) === null) cluster.catchUp();
    // After an id come all later announcements, also late ones with an old date.
    const position = after === undefined ? { seq: 0 } : store.log.find(after);
    if (position === null) {
      throw new Refusal(
        'invalid_request',
        'after: is no event_id that is kept; leave it out to begin with the oldest one',
      );
    }
    return pageOf(
      store.log.after(position.seq, limit + 1, after === undefined ? world.now() - LOG_SERVED_MS : 0),
      limit,
      ({ envelope }) => envelope,
      ({ envelope }) => envelope.event_id,
    );
  },
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
