// Main, core: caches series of points (history, factors, regimes) and returns them while offline.
import type { z } from 'zod';
import { RefusedError } from '../../../shared/channels/channel.ts';
import {
  type FactorPage,
  type FactorPoint,
  FactorPointSchema,
  type RegimePage,
  type RegimePoint,
  RegimePointSchema,
  type Timeline,
  TimelineSchema,
} from '../../../shared/channels/queries.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { NotCoveredError } from '../refusals.ts';
import type { CacheAccess, SeriesPoint } from './query-cache.ts';

export interface SeriesMemory {
  factors(ask: PageRequest, read: () => Promise<FactorPage>): Promise<FactorPage>;
  regimes(
    ask: PageRequest & { readonly to: string; readonly granularity: string },
    read: () => Promise<RegimePage>,
  ): Promise<RegimePage>;
  keepHistory(symbol: string, points: readonly SeriesPoint[]): void;
  /** Points since an instant, ISO, and when they were last received; null: none are cached. */
  history(symbol: string, since: string): { readonly points: Timeline['points']; readonly cachedAt: string } | null;
}

interface PageRequest {
  readonly symbol: string;
  readonly from: string;
  /** Absent: up to now. */
  readonly to?: string;
  readonly after: string | null;
}

/** More than three years of days, or a quarter of hours. */
const MAX_POINTS = 5_000;

/**
 * Whether a cached answer may replace the error. "Not covered" is a valid answer of the service, not a
 * failure.
 */
export const mayRecall = (error: unknown): boolean =>
  error instanceof RefusedError && !(error instanceof NotCoveredError);

export function createSeriesMemory(attempt: CacheAccess, clock: Clock): SeriesMemory {
  const keep = (series: string, symbol: string, points: readonly SeriesPoint[]) =>
    attempt((queryCache) => queryCache.keepPoints(series, symbol, points, clock.now()));

  /** While the world's clock is unknown, returns the newest range of the requested length. */
  const recall = <Point extends SeriesPoint>(
    schema: z.ZodType<Point>,
    series: string,
    { symbol, from, to }: Omit<PageRequest, 'after'>,
  ) =>
    attempt((queryCache) => {
      const receivedAt = queryCache.receivedAt(series, symbol);
      const newest = queryCache.newest(series, symbol);
      if (receivedAt === null || newest === null) return null;
      const read = (since: string): Point[] =>
        queryCache.points(series, symbol, since, MAX_POINTS).flatMap((row) => schema.safeParse(row).data ?? []);
      const inRange = read(from).filter(({ at }) => to === undefined || at <= to);
      const length = (to === undefined ? clock.now() : Date.parse(to)) - Date.parse(from);
      const points = inRange.length > 0 ? inRange : read(timestamp(newest - Math.max(0, length)));
      return points.length === 0 ? null : { points, cachedAt: timestamp(receivedAt) };
    });
  /** The pages of one query belong together: the cache answers only a first page, with all points. */
  const paged = async <Point extends SeriesPoint, Page extends { readonly points: readonly Point[] }>(
    schema: z.ZodType<Point>,
    ask: PageRequest,
    seriesOf: (page: Page | null) => string | null,
    read: () => Promise<Page>,
    recalled: (page: { symbol: string; points: Point[]; next: null; cached_at: string }) => Page,
  ): Promise<Page> => {
    try {
      const page = await read();
      const series = seriesOf(page);
      if (series !== null) keep(series, ask.symbol, page.points);
      return page;
    } catch (error) {
      const series = seriesOf(null);
      const found = ask.after !== null || !mayRecall(error) || series === null ? null : recall(schema, series, ask);
      if (found === null) throw error;
      return recalled({ symbol: ask.symbol, points: found.points, next: null, cached_at: found.cachedAt });
    }
  };

  return {
    factors: (ask, read) =>
      paged<FactorPoint, FactorPage>(
        FactorPointSchema,
        ask,
        () => 'factors',
        read,
        (page) => page,
      ),
    regimes(ask, read) {
      // Minutes are too many to store; hours replace them, and say so.
      const granularity = ask.granularity === 'day' ? 'day' : 'hour';
      return paged<RegimePoint, RegimePage>(
        RegimePointSchema,
        ask,
        (page) => (page?.granularity === 'minute' ? null : `regime ${page?.granularity ?? granularity}`),
        read,
        (page) => ({ ...page, granularity }),
      );
    },
    keepHistory: (symbol, points) => void keep('history', symbol, points),
    history: (symbol, since) => recall(TimelineSchema.shape.points.element, 'history', { symbol, from: since }),
  };
}
