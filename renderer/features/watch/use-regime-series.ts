// Renderer: a symbol's regimes by day, hour or minute; reads when the shown range is not covered.
import { useMemo, useRef } from 'react';
import type { Granularity } from '../../../shared/channels/queries.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { TimeRange } from '../../charts/chart-range.ts';
import { MAX_LAG_STEPS, type RegimeSeries, STEP } from '../../charts/fine-model.ts';
import { useChannelSeries, useSettled } from '../../queries/use-channel-query.ts';

/** Dragging the brush changes the range often; read when it settles, ms. */
const SETTLE_MS = 400;

export interface RegimeSeriesQuery {
  /** The series, if it covers the range; else null. */
  readonly series: RegimeSeries | null;
  /** The last series, whatever it covers. */
  readonly known: RegimeSeries | null;
  /** 0..1 while loading, else null. */
  readonly progress: number | null;
  /** The error as text, or null. */
  readonly problem: string | null;
  readonly retry: () => void;
  readonly stop: () => void;
}

interface KnownSeries {
  readonly subject: string;
  readonly range: TimeRange;
}

/** @param granularity null: none; @param from,to rounded to whole days, ms */
export function useRegimeSeries(
  symbol: string,
  granularity: Granularity | null,
  { from, to }: TimeRange,
): RegimeSeriesQuery {
  const begin = Math.floor(from / DAY_MS) * DAY_MS;
  const end = Math.ceil(to / DAY_MS) * DAY_MS;
  const subject = `${symbol} ${granularity}`;
  const isSettled = useSettled(`${subject} ${begin} ${end}`, SETTLE_MS);
  /** The requested range. A new range replaces it once it settles, if it exceeds this one. */
  const asked = useRef<KnownSeries | null>(null);
  const lag = granularity === null || granularity === 'day' ? 0 : MAX_LAG_STEPS * STEP[granularity];
  const covers = (series: KnownSeries): boolean =>
    series.range.from <= begin && series.range.to + lag >= Math.min(to, end);
  if (isSettled && granularity !== null && (asked.current?.subject !== subject || !covers(asked.current)))
    asked.current = { subject, range: { from: begin, to: end } };
  const range = asked.current?.subject === subject ? asked.current.range : null;
  const input =
    range === null || granularity === null
      ? null
      : { symbol, granularity, from: timestamp(range.from), to: timestamp(range.to) };
  const query = useChannelSeries('regime.page', input, { subject });
  const { complete } = query;
  const known = useMemo((): RegimeSeries | null => {
    const last = complete?.pages.at(-1);
    if (complete === null || last === undefined) return null;
    return {
      granularity: last.granularity,
      from: Date.parse(complete.input.from),
      to: Date.parse(complete.input.to),
      points: complete.pages.flatMap(({ points }) => points),
      cachedAt: last.cached_at,
    };
  }, [complete]);
  const isCovered = known !== null && known.from <= begin && known.to + lag >= Math.min(to, end);
  return {
    series: isCovered ? known : null,
    known,
    progress: query.isFetching && range !== null ? progressOf(query.pages, range) : null,
    problem: query.error?.message ?? (query.isStopped ? texts.common.stopped : null),
    retry: query.retry,
    stop: query.stop,
  };
}

/** The share of the range that the pages cover, 0..1. */
export function progressOf(
  pages: readonly { readonly points: readonly { readonly at: string }[] }[],
  { from, to }: TimeRange,
): number {
  const reached = Date.parse(pages.at(-1)?.points.at(-1)?.at ?? '') || from;
  return Math.max(0, Math.min(1, (reached - from) / Math.max(1, to - from)));
}
