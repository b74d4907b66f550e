// Main, core: caches the window's queries; offline it returns the last good answer with its time.

import { RefusedError } from '../../../shared/channels/channel.ts';
import { type Channels, channels } from '../../../shared/channels/channels.ts';
import type { InputOf, OutputOf } from '../../../shared/channels/ends.ts';
import { type Timeline, TimelineSchema } from '../../../shared/channels/queries.ts';
import { type Row, RowSchema } from '../../../shared/channels/state.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { NotCoveredError } from '../compat/refusals.ts';
import type { CoreContext } from '../module.ts';
import type { Answer, AnswerStore } from './answers.ts';
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
type OneName = 'factors.read' | 'regime.read' | 'validation.read' | 'instruments.read';
type SeriesName = 'factors.page' | 'regime.page';
interface Point {
  /** The service's time, ISO. */
  readonly at: string;
}

/** Most points of a series: three years of days and more, or half a year of hours; the oldest go. */
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
  const pointsOf = (found: Answer | null): Point[] => (Array.isArray(found?.value) ? found.value : []);
  /** Adds points to those of earlier pages and readings. */
  const keepPoints = (name: string, key: string, points: readonly Point[]): void =>
    void attempt((answers) => {
      const byTime = new Map([...pointsOf(answers.read(name, key)), ...points].map((point) => [point.at, point]));
      const all = [...byTime.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
      answers.write(name, key, all.slice(-MAX_POINTS), clock.now());
    });
  /** While the world's clock is unknown, returns the newest range of the requested length. */
  const recall = (name: string, key: string, from: string, to: string | undefined) => {
    const found = attempt((answers) => answers.read(name, key));
    const points = pointsOf(found);
    const last = points.at(-1);
    if (found === null || last === undefined) return null;
    const inRange = points.filter(({ at }) => at >= from && (to === undefined || at <= to));
    const length = (to === undefined ? clock.now() : Date.parse(to)) - Date.parse(from);
    const earliest = timestamp(Date.parse(last.at) - Math.max(0, length));
    const newest = (): Point[] => points.filter(({ at }) => at >= earliest);
    return { points: inRange.length > 0 ? inRange : newest(), cachedAt: timestamp(found.at) };
  };

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
      const { symbol, from, to, granularity: asked, after }: SeriesRequest = ask;
      try {
        const page = await read();
        const granularity = 'granularity' in page ? page.granularity : '';
        // Minutes are too many to store; hours replace them, and say so.
        if (granularity !== 'minute') keepPoints(name, `${symbol} ${granularity}`, page.points);
        return page;
      } catch (error) {
        const granularity = asked === 'minute' ? 'hour' : asked;
        // The pages of one query belong together.
        const found =
          after === null && mayRecall(error) ? recall(name, `${symbol} ${granularity ?? ''}`, from, to) : null;
        const page = channels[name].output.safeParse({
          symbol,
          points: found?.points,
          next: null,
          cached_at: found?.cachedAt,
          ...(granularity === undefined ? {} : { granularity }),
        });
        if (!page.success) throw error;
        return page.data as OutputOf<Channels[typeof name]>;
      }
    },
    keepHistory: (symbol, points) => keepPoints(HISTORY, symbol, points),
    history(symbol, since) {
      const found = recall(HISTORY, symbol, since, undefined);
      const points = TimelineSchema.shape.points.safeParse(found?.points);
      return found === null || !points.success ? null : { points: points.data, cachedAt: found.cachedAt };
    },
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
  readonly to?: string;
  readonly granularity?: string;
  readonly after: string | null;
}
