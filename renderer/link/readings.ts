// Renderer: reads from the core what panels need when they need it. Long readings come page by page: each page says how far it is,
// and a newer reading of the same kind, or a stop, ends the one under way.
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import type { FactorPoint, Granularity, RegimePoint } from '../../shared/channels/readings.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { Ingest } from '../store/ingest.ts';
import type { Shelf } from '../store/state.ts';

/** Times in ms of world time. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface Readings {
  factors(symbol: string): void;
  /** Every day's powers in the stretch, unless they were read for the same reason before. */
  history(symbol: string, stretch: Stretch, reason: string): void;
  regimes(symbol: string, granularity: Granularity, stretch: Stretch): void;
  validation(): void;
  /** Ends the long reading that is under way on this shelf; what was there before stays. */
  stop(shelf: 'histories' | 'regimes'): void;
}

/** More pages than any honest answer has: a service that never ends is not followed for ever. */
const MOST_PAGES = 200;

export function createReadings(window: Window<Channels>, ingest: Ingest): Readings {
  /** Why a symbol's history was last read to its end. */
  const reasons = new Map<string, string>();
  /** The reading under way on a shelf; another object there means that this one is over. */
  const underWay = new Map<Shelf, { readonly key: string }>();

  const begin = (shelf: Shelf, key: string, progress: number | null) => {
    const mine = { key };
    underWay.set(shelf, mine);
    ingest({ kind: 'reading.begun', shelf, key, progress });
    return {
      isOver: () => underWay.get(shelf) !== mine,
      failed(thrown: unknown) {
        if (underWay.get(shelf) === mine) ingest({ kind: 'reading.failed', shelf, key, message: messageOf(thrown) });
      },
    };
  };
  /** Follows the pages; null when another reading took its place. */
  const follow = async <Point extends { readonly at: string }>(
    shelf: Shelf,
    key: string,
    { from, to }: Stretch,
    page: (after: string | null) => Promise<{ readonly points: readonly Point[]; readonly next: string | null }>,
  ): Promise<Point[] | null> => {
    const { isOver, failed } = begin(shelf, key, 0);
    const points: Point[] = [];
    const asked = new Set<string>();
    let after: string | null = null;
    try {
      for (let count = 0; count < MOST_PAGES; count += 1) {
        const answer: { readonly points: readonly Point[]; readonly next: string | null } = await page(after);
        if (isOver()) return null;
        points.push(...answer.points);
        after = answer.next;
        if (after === null || asked.has(after)) break;
        asked.add(after);
        const reached = Date.parse(points.at(-1)?.at ?? '') || from;
        ingest({
          kind: 'reading.begun',
          shelf,
          key,
          progress: Math.max(0, Math.min(1, (reached - from) / Math.max(1, to - from))),
        });
      }
      return points;
    } catch (thrown) {
      failed(thrown);
      return null;
    }
  };

  return {
    factors(symbol) {
      const { isOver, failed } = begin('factors', symbol, null);
      window.call('factors.read', { symbol }).then((value) => {
        if (!isOver()) ingest({ kind: 'reading.done', shelf: 'factors', key: symbol, value });
      }, failed);
    },
    async history(symbol, stretch, reason) {
      if (reasons.get(symbol) === reason) return;
      const from = timestamp(stretch.from);
      const points = await follow<FactorPoint>('histories', symbol, stretch, (after) =>
        window.call('factors.page', { symbol, from, after }),
      );
      if (points === null) return;
      reasons.set(symbol, reason);
      ingest({ kind: 'reading.done', shelf: 'histories', key: symbol, value: { symbol, points } });
    },
    async regimes(symbol, asked, stretch) {
      const [from, to] = [timestamp(stretch.from), timestamp(stretch.to)];
      let granularity = asked;
      let keptAt: string | undefined;
      const points = await follow<RegimePoint>('regimes', `${symbol} ${asked}`, stretch, async (after) => {
        const page = await window.call('regime.page', { symbol, granularity, from, to, after });
        granularity = page.granularity;
        keptAt = page.kept_at;
        return page;
      });
      if (points === null) return;
      ingest({
        kind: 'reading.done',
        shelf: 'regimes',
        key: `${symbol} ${asked}`,
        value: { symbol, asked, granularity, ...stretch, points, keptAt },
      });
    },
    validation() {
      const { failed } = begin('validation', '', null);
      window
        .call('validation.read', {})
        .then((value) => ingest({ kind: 'reading.done', shelf: 'validation', key: '', value }), failed);
    },
    stop(shelf) {
      const stopped = underWay.get(shelf);
      underWay.delete(shelf);
      if (stopped !== undefined) ingest({ kind: 'reading.failed', shelf, key: stopped.key, message: 'Stopped.' });
    },
  };
}
