// Renderer: the panel below the chart: moved factors, their history, the chart's data as tables.
// It shows one view at a time.

import { texts } from '../../../shared/text/texts.ts';
import type { ChartModel, StateChange } from '../../charts/model.ts';
import { preferences, usePreference, VIEWS, type View } from '../../store/preferences.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { FactorHistoryView, FactorsView } from '../factors/index.ts';
import { Record } from './record.tsx';

const LABELS: Readonly<{ [Name in View]: string }> = {
  moved: texts.factors.moved,
  history: texts.factors.history,
  transitions: texts.record.transitions,
  daily: texts.record.daily,
  gaps: texts.record.gaps,
};

interface DetailProps {
  readonly model: ChartModel;
  /** Points a change of state out in the chart. */
  readonly onShow: (stateChange: StateChange) => void;
}

export function Detail({ model, onShow }: DetailProps) {
  const view = usePreference((preference) => preference.view);
  const turnAt = model.stateChanges.at(-1)?.at ?? null;
  return (
    <>
      <div className="head record-head">
        <SegmentedControl
          label={texts.record.label}
          options={VIEWS.map((value) => ({ value, label: LABELS[value] }))}
          value={view}
          onChange={preferences.setView}
        />
      </div>
      <div className="detail">
        {view === 'moved' && <FactorsView symbol={model.symbol} turnAt={turnAt} />}
        {view === 'history' && <FactorHistoryView symbol={model.symbol} turnAt={turnAt} />}
        {(view === 'transitions' || view === 'daily' || view === 'gaps') && (
          <Record model={model} view={view} onShow={onShow} />
        )}
      </div>
    </>
  );
}
