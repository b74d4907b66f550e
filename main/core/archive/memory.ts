// Main, core: caches the window's queries; offline it returns the last good answer with its time.
import Database from 'better-sqlite3';
import type { z } from 'zod';
import { RefusedError } from '../../../shared/channels/channel.ts';
import { type Channels, channels } from '../../../shared/channels/channels.ts';
import type { OutputOf } from '../../../shared/channels/ends.ts';
import {
  type FactorPage,
  type FactorPoint,
  FactorPointSchema,
  type RegimePage,
  type RegimePoint,
  RegimePointSchema,
} from '../../../shared/channels/queries.ts';
import { type Row, RowSchema, type Timeline, TimelineSchema } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { migrate } from '../files/migrate.ts';
import { NotCoveredError } from '../refusals.ts';
import { ARCHIVE_MIGRATIONS } from './migrations.ts';
import { createQueryCache, type QueryCache, type SeriesPoint } from './query-cache.ts';

export interface Memory {
  /**
   * One object. `key`: the query. @throws the error of `read`, where nothing is cached or the symbol is not
   * covered
   */
  one<Name extends OneName>(
    name: Name,
    key: string,
    read: () => Promise<OutputOf<Channels[Name]>>,
  ): Promise<OutputOf<Channels[Name]>>;
  factors(ask: PageRequest, read: () => Promise<FactorPage>): Promise<FactorPage>;
  regimes(
    ask: PageRequest & { readonly to: string; readonly granularity: string },
    read: () => Promise<RegimePage>,
  ): Promise<RegimePage>;
  keepHistory(symbol: string, points: readonly SeriesPoint[]): void;
  /** Points since an instant, ISO, and when they were last received; null: none are cached. */
  history(symbol: string, since: string): { readonly points: Timeline['points']; readonly cachedAt: string } | null;
  /** The current rows of the watchlists; written at most once a minute. */
  keepRows(rows: readonly Row[]): void;
  /** The rows of the last run. */
  rows(): Row[];
}

/** Channels whose whole answer is cached. */
type OneName = 'factors.read' | 'regime.read' | 'validation.read';

interface PageRequest {
  readonly symbol: string;
  readonly from: string;
  readonly after: string | null;
}

export interface MemoryOptions {
  /** The archive's cache; null: this program has none, and caches for this run. */
  readonly withCache: (<Value>(work: (queryCache: QueryCache) => Value) => Value) | null;
  readonly clock: Clock;
  /** A failed write to the cache must not affect the answer. */
  readonly onFailure: (error: unknown) => void;
}

/** More than three years of days, or a quarter of hours. */
const MOST_POINTS = 5_000;
/** Name of the rows among the answers, and the interval of their writes, ms. */
const ROWS = 'rows';
const ROWS_EVERY = 60_000;

export function createMemory({ withCache, clock, onFailure }: MemoryOptions): Memory {
  let passing: QueryCache | null = null;
  let rowsSavedAt = Number.NEGATIVE_INFINITY;
  const own = (): QueryCache => {
    if (passing !== null) return passing;
    const db = new Database(':memory:');
    migrate(db, ARCHIVE_MIGRATIONS, 'archive');
    passing = createQueryCache(db);
    return passing;
  };
  const use = <Value>(work: (queryCache: QueryCache) => Value): Value =>
    withCache === null ? work(own()) : withCache(work);
  const attempt = <Value>(work: (queryCache: QueryCache) => Value): Value | null => {
    try {
      return use(work);
    } catch (error) {
      onFailure(error);
      return null;
    }
  };
  /** The service's answer about a symbol is no failed request. */
  const mayRecall = (error: unknown): boolean => error instanceof RefusedError && !(error instanceof NotCoveredError);

  /**
   * @param to null: up to now. While the world's clock is unknown, returns the newest range of that length.
   */
  const points = <Point extends SeriesPoint>(
    schema: z.ZodType<Point>,
    series: string,
    symbol: string,
    from: string,
    to: string | null,
  ) =>
    attempt((queryCache) => {
      const receivedAt = queryCache.receivedAt(series, symbol);
      const newest = queryCache.newest(series, symbol);
      if (receivedAt === null || newest === null) return null;
      const read = (since: string): Point[] =>
        queryCache.points(series, symbol, since, MOST_POINTS).flatMap((row) => schema.safeParse(row).data ?? []);
      const inRange = read(from).filter(({ at }) => to === null || at <= to);
      const length = (to === null ? clock.now() : Date.parse(to)) - Date.parse(from);
      const rows = inRange.length > 0 ? inRange : read(timestamp(newest - Math.max(0, length)));
      return rows.length === 0 ? null : { rows, cachedAt: timestamp(receivedAt) };
    });
  /** The pages of one query belong together: the cache answers only a first page, with all points. */
  const paged = async <Point extends SeriesPoint, Page extends { readonly points: readonly Point[] }>(
    schema: z.ZodType<Point>,
    ask: PageRequest & { readonly to?: string },
    series: (page: Page | null) => string | null,
    read: () => Promise<Page>,
    recalled: (rows: Point[], cachedAt: string) => Page,
  ): Promise<Page> => {
    try {
      const page = await read();
      const name = series(page);
      if (name !== null) attempt((queryCache) => queryCache.keepPoints(name, ask.symbol, page.points, clock.now()));
      return page;
    } catch (error) {
      const name = series(null);
      const found =
        ask.after !== null || !mayRecall(error) || name === null
          ? null
          : points(schema, name, ask.symbol, ask.from, ask.to ?? null);
      if (found === null) throw error;
      return recalled(found.rows, found.cachedAt);
    }
  };

  return {
    async one(name, key, read) {
      try {
        const answer = await read();
        attempt((queryCache) => queryCache.keepAnswer(name, key, answer, clock.now()));
        return answer;
      } catch (error) {
        const found = mayRecall(error) ? attempt((queryCache) => queryCache.answer(name, key)) : null;
        // Another version of this program may have written it.
        const value = channels[name].output.safeParse(found?.value);
        if (found === null || !value.success) throw error;
        return { ...value.data, cached_at: timestamp(found.at) } as OutputOf<Channels[typeof name]>;
      }
    },
    factors: (ask, read) =>
      paged<FactorPoint, FactorPage>(
        FactorPointSchema,
        ask,
        () => 'factors',
        read,
        (points, cached_at) => ({
          symbol: ask.symbol,
          points,
          next: null,
          cached_at,
        }),
      ),
    regimes: (ask, read) => {
      // Minutes are too many to store; hours replace them, and say so.
      const granularity = ask.granularity === 'day' ? 'day' : 'hour';
      return paged<RegimePoint, RegimePage>(
        RegimePointSchema,
        ask,
        (page) => (page?.granularity === 'minute' ? null : `regime ${page?.granularity ?? granularity}`),
        read,
        (points, cached_at) => ({
          symbol: ask.symbol,
          granularity,
          points,
          next: null,
          cached_at,
        }),
      );
    },
    keepHistory: (symbol, rows) =>
      void attempt((queryCache) => queryCache.keepPoints('history', symbol, rows, clock.now())),
    history(symbol, since) {
      const found = points(TimelineSchema.shape.points.element, 'history', symbol, since, null);
      return found === null ? null : { points: found.rows, cachedAt: found.cachedAt };
    },
    keepRows(rows) {
      const now = clock.now();
      // A program without an archive has nothing to restore at its next start.
      if (withCache === null || Math.abs(now - rowsSavedAt) < ROWS_EVERY) return;
      rowsSavedAt = now;
      attempt((queryCache) => queryCache.keepAnswer(ROWS, '', rows, now));
    },
    rows() {
      const found = withCache === null ? null : attempt((queryCache) => queryCache.answer(ROWS, ''));
      return Array.isArray(found?.value) ? found.value.flatMap((row) => RowSchema.safeParse(row).data ?? []) : [];
    },
  };
}
