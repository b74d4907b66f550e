// Renderer: the chart model of a symbol: its timeline as read, carried on by the live row and the transitions received since.
import { useEffect, useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { MAX_ALERTS, type Timeline } from '../../../shared/channels/state.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { type ChartModel, dayOf, shapeChart } from '../../charts/model.ts';
import { useServices } from '../../services.ts';
import { useIsOffline, useOutageStart, useWorldMinute } from '../../store/connection-status.ts';
import type { CoreSnapshot, QueryResult } from '../../store/state.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { useRefetch } from '../../use-refetch.ts';

/** A back-fill moves the ledger many times; the chart is read again when it has come to rest, ms. */
const SETTLES = 1000;
const SCROLL_SETTLES = 150;

export interface ChartState {
  readonly query: QueryResult<Timeline> | undefined;
  /** null until the timeline was read. */
  readonly model: ChartModel | null;
}

/** Reads the timeline when the symbol is chosen, when a day has closed, and when what was read may have holes. */
export function useChartModel(symbol: string): ChartState {
  const { timelines, clock } = useServices();
  const epoch = useSnapshot((snapshot) => snapshot.epoch);
  const row = useSnapshot((snapshot) => snapshot.rows[symbol] ?? null);
  const decidedDay = useSnapshot(lastDecidedDay);
  const outgrown = useSnapshot((snapshot) => Math.floor(snapshot.ledger.events / MAX_ALERTS));
  const query = useApp((state) => state.queryCache.timelines[symbol]);
  const isNew = query === undefined;
  useEffect(
    () => clock.after(isNew ? 0 : SETTLES, () => timelines.show(symbol, { epoch, day: decidedDay, outgrown })),
    [clock, timelines, symbol, epoch, decidedDay, outgrown, isNew],
  );
  useRefetch(symbol, query?.status, () => timelines.read(symbol));
  const timeline = query?.value ?? null;
  // Its own alone: what other symbols do is no reason to draw this one again.
  const transitions = useSnapshot(useShallow((snapshot) => transitionsOf(snapshot, symbol)));
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  // To the minute: with every second, and with every word on the connection, it would be drawn again for a tenth of a pixel.
  const now = useWorldMinute();
  const outageSince = useOutageStart()?.world ?? null;
  const model = useMemo(() => {
    if (timeline === null) return null;
    return shapeChart(timeline, {
      row,
      transitions,
      gaps,
      outageSince,
      now,
    });
  }, [timeline, row, transitions, gaps, now, outageSince]);
  return { query, model };
}

/** Reads the timelines of rows in view, one after the other, for their sparklines. @param symbols with spaces between */
export function useSparklines(symbols: string): void {
  const { timelines, clock } = useServices();
  // What is there is not read again; what failed is.
  const returns = useSnapshot((snapshot) => snapshot.reconnects);
  const decidedDay = useSnapshot(lastDecidedDay);
  const isOffline = useIsOffline();
  const covered = useSnapshot((snapshot) =>
    symbols
      .split(' ')
      .filter((symbol) => snapshot.rows[symbol]?.coverage === 'full')
      .join(' '),
  );
  useEffect(() => {
    if (isOffline || returns === 0) return;
    // While the list is scrolled, rows come and go; those that stay are read.
    return clock.after(SCROLL_SETTLES, () => timelines.fill(covered === '' ? [] : covered.split(' '), decidedDay));
  }, [timelines, clock, covered, decidedDay, returns, isOffline]);
}

const transitionsOf = ({ alerts }: CoreSnapshot, symbol: string): Transition[] =>
  alerts.flatMap(({ transition }) => (transition.symbol === symbol ? [transition] : []));

/** The session day of the newest decision of the list; null while there is none. */
function lastDecidedDay(snapshot: CoreSnapshot): number | null {
  let newest: string | null = null;
  for (const { signal } of Object.values(snapshot.rows))
    if (signal !== null && (newest === null || signal.decided_at > newest)) newest = signal.decided_at;
  return newest === null ? null : dayOf(Date.parse(newest));
}
