// Renderer: reads from the core what panels need when they need it. Long readings come page by page: each page says how far it is,
// and a newer reading of the same kind, or a stop, ends the one under way.
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import type { FactorPoint, Granularity, RegimePoint } from '../../shared/channels/queries.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { Ingest } from '../store/ingest.ts';
import type { QueryKind } from '../store/state.ts';

/** Times in ms of world time. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export interface PanelQueries {
  factors(symbol: string): void;
  /** Every day's powers in the range, unless they were read for the same reason before. */
  history(symbol: string, range: TimeRange, reason: string): void;
  regimes(symbol: string, granularity: Granularity, range: TimeRange): void;
  validation(): void;
  /** Ends the long query that is in flight under this key; what was there before stays. */
  stop(query: 'histories' | 'regimes'): void;
}

/** More pages than any honest answer has: a service that never ends is not followed for ever. */
const MOST_PAGES = 200;

export function createPanelQueries(window: Window<Channels>, ingest: Ingest): PanelQueries {
  /** Why a symbol's history was last read to its end. */
  const reasons = new Map<string, string>();
  /** The query in flight; another object there means that this one is over. */
  const inFlight = new Map<QueryKind, { readonly key: string }>();

  const begin = (query: QueryKind, key: string, progress: number | null) => {
    const mine = { key };
    inFlight.set(query, mine);
    ingest({ kind: 'query.started', query, key, progress });
    return {
      isOver: () => inFlight.get(query) !== mine,
      failed(error: unknown) {
        if (inFlight.get(query) === mine) ingest({ kind: 'query.failed', query, key, message: messageOf(error) });
      },
    };
  };
  /** Follows the pages; null when another reading took its place. */
  const follow = async <Point extends { readonly at: string }>(
    query: QueryKind,
    key: string,
    { from, to }: TimeRange,
    page: (after: string | null) => Promise<{ readonly points: readonly Point[]; readonly next: string | null }>,
  ): Promise<Point[] | null> => {
    const { isOver, failed } = begin(query, key, 0);
    const points: Point[] = [];
    const seenCursors = new Set<string>();
    let after: string | null = null;
    try {
      for (let count = 0; count < MOST_PAGES; count += 1) {
        const answer: { readonly points: readonly Point[]; readonly next: string | null } = await page(after);
        if (isOver()) return null;
        points.push(...answer.points);
        after = answer.next;
        if (after === null || seenCursors.has(after)) break;
        seenCursors.add(after);
        const reached = Date.parse(points.at(-1)?.at ?? '') || from;
        ingest({
          kind: 'query.started',
          query,
          key,
          progress: Math.max(0, Math.min(1, (reached - from) / Math.max(1, to - from))),
        });
      }
      return points;
    } catch (error) {
      failed(error);
      return null;
    }
  };

  return {
    factors(symbol) {
      const { isOver, failed } = begin('factors', symbol, null);
      window.call('factors.read', { symbol }).then((value) => {
        if (!isOver()) ingest({ kind: 'query.succeeded', query: 'factors', key: symbol, value });
      }, failed);
    },
    async history(symbol, range, reason) {
      if (reasons.get(symbol) === reason) return;
      const from = timestamp(range.from);
      const points = await follow<FactorPoint>('histories', symbol, range, (after) =>
        window.call('factors.page', { symbol, from, after }),
      );
      if (points === null) return;
      reasons.set(symbol, reason);
      ingest({ kind: 'query.succeeded', query: 'histories', key: symbol, value: { symbol, points } });
    },
    async regimes(symbol, requested, range) {
      const [from, to] = [timestamp(range.from), timestamp(range.to)];
      let granularity = requested;
      let cachedAt: string | undefined;
      const points = await follow<RegimePoint>('regimes', `${symbol} ${requested}`, range, async (after) => {
        const page = await window.call('regime.page', { symbol, granularity, from, to, after });
        granularity = page.granularity;
        cachedAt = page.cached_at;
        return page;
      });
      if (points === null) return;
      ingest({
        kind: 'query.succeeded',
        query: 'regimes',
        key: `${symbol} ${requested}`,
        value: { symbol, requested, granularity, ...range, points, cachedAt },
      });
    },
    validation() {
      const { failed } = begin('validation', '', null);
      window
        .call('validation.read', {})
        .then((value) => ingest({ kind: 'query.succeeded', query: 'validation', key: '', value }), failed);
    },
    stop(query) {
      const stopped = inFlight.get(query);
      inFlight.delete(query);
      if (stopped !== undefined) ingest({ kind: 'query.failed', query, key: stopped.key, message: 'Stopped.' });
    },
  };
}
