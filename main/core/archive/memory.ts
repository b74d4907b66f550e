// Main, core: caches the window's queries; offline it returns the last good answer with its time.
import type { z } from 'zod';
import { RefusedError } from '../../../shared/channels/channel.ts';
import { type Channels, channels } from '../../../shared/channels/channels.ts';
import type { InputOf, OutputOf } from '../../../shared/channels/ends.ts';
import {
  FactorPointSchema,
  RegimePointSchema,
  type Timeline,
  TimelineSchema,
} from '../../../shared/channels/queries.ts';
import { type Row, RowSchema } from '../../../shared/channels/state.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { NotCoveredError } from '../compat/refusals.ts';
import type { CoreContext } from '../module.ts';
import type { AnswerStore, SeriesPoint } from './answers.ts';
import { ArchiveClosedError, type ArchiveFiles } from './files.ts';

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
  /** The last answer, of this run or an earlier one; null: none is cached. */
  known<Name extends OneName>(name: Name, key: string): OutputOf<Channels[Name]> | null;
  /** A page of a series. From the cache, the first page has all points. */
  page<Name extends SeriesName>(
    name: Name,
    ask: InputOf<Channels[Name]>,
    read: () => Promise<OutputOf<Channels[Name]>>,
  ): Promise<OutputOf<Channels[Name]>>;
  keepHistory(symbol: string, points: Timeline['points']): void;
  /** Points since an instant, ISO, and when they were last received; null: none are cached. */
  history(symbol: string, since: string): { readonly points: Timeline['points']; readonly cachedAt: string } | null;
  /** The current rows of the watchlists; written at most once a minute. */
  keepRows(rows: readonly Row[]): void;
  /** The rows of the last run. */
  rows(): Row[];
}

/** Channels whose whole answer is cached. */
type OneName = 'factors.read' | 'regime.read' | 'validation.read' | 'instruments.read' | 'scheduled.read';
type SeriesName = 'factors.page' | 'regime.page';
const POINTS = { 'factors.page': FactorPointSchema, 'regime.page': RegimePointSchema } as const;
/** Name of a series among the points. @param granularity of regimes alone */
const seriesOf = (name: SeriesName, granularity: string | undefined): string =>
  name === 'factors.page' ? 'factors' : `regime ${granularity}`;

/** Most points that are read: more than the days and hours that are kept. */
const MAX_POINTS = 5_000;
/** Name of the rows among the answers, and the interval of their writes, ms. */
const ROWS = 'rows';
const ROWS_EVERY = 60_000;
const HISTORY = 'history';

/** "Not covered" is a valid answer of the service, not a failure that a cached answer may replace. */
const mayRecall = (error: unknown): boolean => error instanceof RefusedError && !(error instanceof NotCoveredError);

/** A program without an archive caches nothing. */
export function createMemory({ guard, ports }: CoreContext, files: Pick<ArchiveFiles, 'isAvailable' | 'use'>): Memory {
  const { clock } = guard;
  let rowsSavedAt = Number.NEGATIVE_INFINITY;
  /** A failure never affects an answer. */
  const attempt = <Value>(work: (answers: AnswerStore) => Value): Value | null => {
    if (!files.isAvailable) return null;
    try {
      return files.use(({ answers }) => work(answers));
    } catch (error) {
      if (!(error instanceof ArchiveClosedError))
        ports.logger.warn({ problem: messageOf(error) }, 'what was read could not be remembered');
      return null;
    }
  };
  const keep = (name: string, key: string, value: unknown): void =>
    void attempt((answers) => answers.write(name, key, value, clock.now()));
  const known: Memory['known'] = (name, key) => {
    const found = attempt((answers) => answers.read(name, key));
    // The answer may come from another version of this program.
    const value = channels[name].output.safeParse(found?.value);
    if (found === null || !value.success) return null;
    return { ...value.data, cached_at: timestamp(found.at) } as OutputOf<Channels[typeof name]>;
  };
  const writePoints = (series: string, symbol: string, points: readonly SeriesPoint[]): void =>
    void attempt((answers) => answers.writePoints(series, symbol, points, clock.now()));
  /** While the world's clock is unknown, returns the newest range of the requested length. */
  const recall = <Point extends SeriesPoint>(
    schema: z.ZodType<Point>,
    series: string,
    { symbol, from, to }: Pick<SeriesRequest, 'symbol' | 'from' | 'to'>,
  ) =>
    attempt((answers) => {
      const received = answers.read(series, symbol);
      const newest = answers.newest(series, symbol);
      if (received === null || newest === null) return null;
      // A point may come from another version of this program.
      const read = (since: number, until = Number.MAX_SAFE_INTEGER): Point[] =>
        answers
          .points(series, symbol, { from: since, to: until }, MAX_POINTS)
          .flatMap((one) => schema.safeParse(one).data ?? []);
      const inRange = read(Date.parse(from), to === undefined ? undefined : Date.parse(to));
      const length = (to === undefined ? clock.now() : Date.parse(to)) - Date.parse(from);
      const points = inRange.length > 0 ? inRange : read(newest - Math.max(0, length));
      return points.length === 0 ? null : { points, cachedAt: timestamp(received.at) };
    });

  return {
    known,
    async one(name, key, read) {
      try {
        const answer = await read();
        keep(name, key, answer);
        return answer;
      } catch (error) {
        const found = mayRecall(error) ? known(name, key) : null;
        if (found === null) throw error;
        return found;
      }
    },
    async page(name, ask, read) {
      const { symbol, from, to, granularity, after }: SeriesRequest = ask;
      // Minutes are too many to store; hours replace them, and say so.
      const offline = granularity === 'minute' ? 'hour' : granularity;
      try {
        const page = await read();
        const given = 'granularity' in page ? page.granularity : undefined;
        if (given !== 'minute') writePoints(seriesOf(name, given), symbol, page.points);
        return page;
      } catch (error) {
        // The pages of one query belong together.
        const found =
          after === null && mayRecall(error)
            ? recall<SeriesPoint>(POINTS[name], seriesOf(name, offline), { symbol, from, to })
            : null;
        if (found === null) throw error;
        const { points, cachedAt: cached_at } = found;
        const page = {
          symbol,
          points,
          next: null,
          cached_at,
          ...(offline === undefined ? {} : { granularity: offline }),
        };
        return page as OutputOf<Channels[typeof name]>;
      }
    },
    keepHistory: (symbol, points) => writePoints(HISTORY, symbol, points),
    history: (symbol, since) => recall(TimelineSchema.shape.points.element, HISTORY, { symbol, from: since }),
    keepRows(rows) {
      const now = clock.now();
      if (Math.abs(now - rowsSavedAt) < ROWS_EVERY) return;
      rowsSavedAt = now;
      keep(ROWS, '', rows);
    },
    rows() {
      const found = attempt((answers) => answers.read(ROWS, ''));
      return Array.isArray(found?.value) ? found.value.flatMap((row) => RowSchema.safeParse(row).data ?? []) : [];
    },
  };
}

interface SeriesRequest {
  readonly symbol: string;
  readonly from: string;
  /** Absent: up to now. */
  readonly to?: string | undefined;
  readonly granularity?: string;
  readonly after: string | null;
}
