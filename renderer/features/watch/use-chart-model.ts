// Renderer: the chart model of a symbol: its timeline as read, carried on by the live row and the transitions heard since.
import { useEffect, useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { ALERTS_KEPT, type Timeline } from '../../../shared/channels/state.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { type ChartModel, dayOf, shapeChart } from '../../charts/model.ts';
import { useServices } from '../../services.ts';
import { useBlind, useBlindSince, useWorldMinute } from '../../store/sight.ts';
import type { Board, Slot } from '../../store/state.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { useAskAgain } from '../../use-ask-again.ts';

/** A back-fill moves the ledger many times; the chart is read again when it has come to rest, ms. */
const SETTLES = 1000;
const SCROLL_SETTLES = 150;

export interface ChartState {
  readonly slot: Slot<Timeline> | undefined;
  /** null until the timeline was read. */
  readonly model: ChartModel | null;
}

/** Reads the timeline when the symbol is chosen, when a day has closed, and when what was read may have holes. */
export function useChartModel(symbol: string): ChartState {
  const { timelines, clock } = useServices();
  const epoch = useBoard((board) => board.epoch);
  const row = useBoard((board) => board.rows[symbol] ?? null);
  const decidedDay = useBoard(lastDecidedDay);
  const outgrown = useBoard((board) => Math.floor(board.ledger.events / ALERTS_KEPT));
  const slot = useApp((state) => state.shelves.timelines[symbol]);
  const isNew = slot === undefined;
  useEffect(
    () => clock.after(isNew ? 0 : SETTLES, () => timelines.show(symbol, { epoch, day: decidedDay, outgrown })),
    [clock, timelines, symbol, epoch, decidedDay, outgrown, isNew],
  );
  useAskAgain(symbol, slot?.status, () => timelines.read(symbol));
  const timeline = slot?.value ?? null;
  // Its own alone: what other symbols do is no reason to draw this one again.
  const transitions = useBoard(useShallow((board) => transitionsOf(board, symbol)));
  const gaps = useBoard((board) => board.gaps);
  // To the minute: with every second, and with every word on the connection, it would be drawn again for a tenth of a pixel.
  const now = useWorldMinute();
  const blindSince = useBlindSince()?.world ?? null;
  const model = useMemo(() => {
    if (timeline === null) return null;
    return shapeChart(timeline, {
      row,
      transitions,
      gaps,
      unseenSince: blindSince,
      now,
    });
  }, [timeline, row, transitions, gaps, now, blindSince]);
  return { slot, model };
}

/** Reads the timelines of rows in view, one after the other, for their sparklines. @param symbols with spaces between */
export function useSparklines(symbols: string): void {
  const { timelines, clock } = useServices();
  // What is there is not read again; what failed is.
  const returns = useBoard((board) => board.returns);
  const decidedDay = useBoard(lastDecidedDay);
  const blind = useBlind();
  const covered = useBoard((board) =>
    symbols
      .split(' ')
      .filter((symbol) => board.rows[symbol]?.coverage === 'full')
      .join(' '),
  );
  useEffect(() => {
    if (blind || returns === 0) return;
    // While the list is scrolled, rows come and go; those that stay are read.
    return clock.after(SCROLL_SETTLES, () => timelines.fill(covered === '' ? [] : covered.split(' '), decidedDay));
  }, [timelines, clock, covered, decidedDay, returns, blind]);
}

const transitionsOf = ({ alerts }: Board, symbol: string): Transition[] =>
  alerts.flatMap(({ transition }) => (transition.symbol === symbol ? [transition] : []));

/** The session day of the newest decision of the list; null while there is none. */
function lastDecidedDay(board: Board): number | null {
  let newest: string | null = null;
  for (const { signal } of Object.values(board.rows))
    if (signal !== null && (newest === null || signal.decided_at > newest)) newest = signal.decided_at;
  return newest === null ? null : dayOf(Date.parse(newest));
}
