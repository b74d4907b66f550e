// Renderer: gives parts of a page the rows and the clock of the shown moment, through a store that derives from
// the window's own. Their components need not know that it is past.
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type ChartModel, shapeChart } from '../../charts/model.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useDrawnMoment, useIsPast } from '../../store/shown-moment.ts';
import type { AppState } from '../../store/state.ts';
import { type AppStore, StoreContext, useAppStore, useSnapshot } from '../../store/store.ts';
import { pastRow } from './past-rows.ts';

type Models = ReadonlyMap<string, ChartModel>;

const ShownStore = createContext<AppStore | null>(null);

/** Around a page, once: prepares the store of the shown moment. */
export function ShownMoment({ children }: { children: ReactNode }) {
  const present = useAppStore();
  const at = useDrawnMoment();
  const models = useModels(useIsPast());
  const store = useMemo(() => (at === null ? present : storeAsOf(present, models, at)), [present, models, at]);
  return <ShownStore value={store}>{children}</ShownStore>;
}

/** A part of the page that follows the shown moment. */
export const AsShown = ({ children }: { children: ReactNode }) => (
  <StoreContext value={useContext(ShownStore)}>{children}</StoreContext>
);

/** The days of every row, read once for all moments. @param enabled false: how far they are read by another part */
export function useDays(isPast: boolean, enabled: boolean) {
  const symbols = useSnapshot(({ rows }) => Object.keys(rows).sort().join(' '));
  const input = isPast && symbols !== '' ? { symbols: symbols.split(' ') } : null;
  return useChannelQuery('timelines.read', input, { enabled });
}

function useModels(isPast: boolean): Models {
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  const { data } = useDays(isPast, true);
  return useMemo(
    () =>
      new Map(
        (data?.timelines ?? []).map((timeline) => {
          const now = Date.parse(timeline.points.at(-1)?.at ?? '');
          return [timeline.symbol, shapeChart(timeline, { row: null, transitions: [], gaps, outageSince: null, now })];
        }),
      ),
    [data, gaps],
  );
}

function storeAsOf(present: AppStore, models: Models, at: number): AppStore {
  let of: AppState | null = null;
  let past: AppState | null = null;
  return {
    ...present,
    getState() {
      const state = present.getState();
      if (past === null || state !== of) past = stateAsOf(state, of, past, models, at);
      of = state;
      return past;
    },
  };
}

/** The rows stay the same objects while the present ones do. */
function stateAsOf(
  state: AppState,
  before: AppState | null,
  past: AppState | null,
  models: Models,
  at: number,
): AppState {
  const { snapshot } = state;
  if (snapshot === null) return state;
  const rows =
    before?.snapshot?.rows === snapshot.rows && past?.snapshot != null
      ? past.snapshot.rows
      : Object.fromEntries(
          Object.entries(snapshot.rows).map(([symbol, row]) => [symbol, pastRow(row, models.get(symbol), at)]),
        );
  return {
    ...state,
    link: 'up',
    snapshot: {
      ...snapshot,
      rows,
      alerts: [],
      local_alerts: [],
      // What was known then does not depend on the connection of now.
      connection: { ...snapshot.connection, outage: null, clock: { offset: at - snapshot.anchoredAt, speed: 0 } },
    },
  };
}
