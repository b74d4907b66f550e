// Renderer: the regimes of a symbol by day, hour or minute for the range that is shown; read when what is there does not reach far enough.
import { useEffect } from 'react';
import type { Granularity } from '../../../shared/channels/queries.ts';
import type { TimeRange } from '../../charts/brush-range.ts';
import { STEP } from '../../charts/fine-model.ts';
import { useServices } from '../../services.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import type { QueryResult, RegimeSeries } from '../../store/state.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { useRefetch } from '../../use-refetch.ts';

/** Dragging the brush changes the range many times; it is read when it has come to rest, ms. */
const SETTLES = 400;
const DAY = 86_400_000;
/** A regime is decided once a day, so a series may end this many steps before now. */
const LAG = 6;

export interface RegimeSeriesState {
  readonly query: QueryResult<RegimeSeries> | undefined;
  /** The series when it covers the range, else null. */
  readonly series: RegimeSeries | null;
}

/** @param granularity null: none is wanted; @param range to whole days, ms */
export function useRegimeSeries(
  symbol: string,
  granularity: Granularity | null,
  { from, to }: TimeRange,
): RegimeSeriesState {
  const { queries, clock } = useServices();
  const isOffline = useIsOffline();
  const epoch = useSnapshot((snapshot) => snapshot.epoch);
  const query = useApp((state) =>
    granularity === null ? undefined : state.queryCache.regimes[`${symbol} ${granularity}`],
  );
  const begin = Math.floor(from / DAY) * DAY;
  const end = Math.ceil(to / DAY) * DAY;
  const known = query?.value ?? null;
  const lag = granularity === null ? 0 : LAG * STEP[granularity];
  const isCovered = known !== null && known.from <= begin && known.to + lag >= Math.min(to, end);
  const isFailed = query?.status === 'failed';
  const reads = granularity !== null && !isOffline && !isCovered && !isFailed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that returned is a reason to read again.
  useEffect(() => {
    if (!reads) return;
    return clock.after(SETTLES, () => queries.regimes(symbol, granularity, { from: begin, to: end }));
  }, [queries, clock, symbol, granularity, begin, end, epoch, reads]);
  useRefetch(granularity === null ? null : `${symbol} ${granularity}`, isOffline ? null : query?.status, () => {
    if (granularity !== null) queries.regimes(symbol, granularity, { from: begin, to: end });
  });
  return { query, series: isCovered ? known : null };
}
