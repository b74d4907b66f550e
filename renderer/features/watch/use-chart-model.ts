// Renderer: the chart model of a symbol: its timeline, extended by live row and recent transitions.
import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Row } from '../../../shared/channels/state.ts';
import { appliesIn } from '../../../shared/settings/alert-rules.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { type ChartModel, shapeChart } from '../../charts/model.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useOutageStart, useWorldMinute } from '../../store/connection-status.ts';
import type { CoreSnapshot } from '../../store/state.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { alertLevelsOf } from '../alert-rules/index.ts';

export interface ChartState {
  readonly query: ReturnType<typeof useTimeline>;
  /** null until the timeline is read. */
  readonly model: ChartModel | null;
}

const useTimeline = (symbol: string) => useChannelQuery('timeline.read', { symbol });

export function useChartModel(symbol: string): ChartState {
  const row = useSnapshot((snapshot) => snapshot.rows[symbol] ?? null);
  const query = useTimeline(symbol);
  const timeline = query.data ?? null;
  // Only of this symbol: transitions of other symbols must not redraw the chart.
  const transitions = useSnapshot(useShallow((snapshot) => transitionsOf(snapshot, symbol)));
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  // Rounded to the minute: a redraw every second would move the end by a tenth of a pixel.
  const now = useWorldMinute();
  const outageSince = useOutageStart()?.world ?? null;
  const alertLevels = useAlertLevels(row);
  const model = useMemo(() => {
    if (timeline === null) return null;
    return shapeChart(timeline, {
      row,
      transitions,
      gaps,
      outageSince,
      alertLevels,
      now,
    });
  }, [timeline, row, transitions, gaps, now, outageSince, alertLevels]);
  return { query, model };
}

/** The prices of a symbol at which rules notify: the same list while nothing changed. */
function useAlertLevels(row: Row | null): readonly number[] {
  const rules = useApp(({ features }) => features.alerting?.rules);
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const profile = useSnapshot((snapshot) => snapshot.profile.name);
  const levels = useMemo(() => {
    const own = (rules ?? []).flatMap(({ rule }) => (rule === null || !appliesIn(rule, profile) ? [] : rule));
    return row === null ? [] : alertLevelsOf(own, row, watchlists);
  }, [rules, watchlists, profile, row]);
  const key = levels.join(' ');
  return useMemo(() => (key === '' ? [] : key.split(' ').map(Number)), [key]);
}

const transitionsOf = ({ alerts }: CoreSnapshot, symbol: string): Transition[] =>
  alerts.flatMap(({ transition }) => (transition.symbol === symbol ? [transition] : []));
