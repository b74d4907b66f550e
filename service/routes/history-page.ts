// Service, routes: builds a page of one symbol's days.
import type { HistoryPoint, List, PriceHole } from '../../shared/wire/records.ts';
import type { DataHealth } from '../signals/data-health.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { pageOf, rangeOf } from './page.ts';

interface HistoryQuery {
  readonly symbol: string;
  readonly limit: number;
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Oldest first. The cursor holds a session date, because the forming day's time moves. */
export function historyPage(
  { content: { signals }, cursors }: HandlerDeps,
  { limit, after, ...filters }: HistoryQuery,
): List<HistoryPoint> & DataHealth & { price_holes?: PriceHole[] } {
  const scope = { list: 'history', ...filters };
  const { from, to } = rangeOf(filters);
  const begin = after === undefined ? '' : String(cursors.open(scope, after)[0]);
  const rows = signals.history(filters.symbol).filter(({ date, point }) => {
    const at = Date.parse(point.timestamp);
    return date > begin && (from === null || at >= from) && (to === null || at <= to);
  });
  const page = pageOf(
    rows,
    limit,
    ({ point }) => point,
    ({ date }) => cursors.seal(scope, [date]),
  );
  const holes = signals.holes(filters.symbol);
  return { ...page, ...signals.health(filters.symbol), ...(holes.length > 0 && { price_holes: holes }) };
}
