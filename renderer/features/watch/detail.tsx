// Renderer: the panel below the chart: moved factors, their history, the chart's data as tables.
// It shows one view at a time; wide windows show radar and table side by side, as one view.

import { texts } from '../../../shared/text/texts.ts';
import type { ChartModel, StateChange } from '../../charts/model.ts';
import { preferences, usePreference, VIEWS, type View } from '../../store/preferences.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { FactorHistoryView, FactorsView } from '../factors/index.ts';
import { Record } from './record.tsx';

const LABELS: Readonly<{ [Name in View]: string }> = {
  moved: texts.factors.moved,
  radar: texts.factors.radar,
  history: texts.factors.history,
  transitions: texts.record.transitions,
  daily: texts.record.daily,
  gaps: texts.record.gaps,
};
const WIDE = VIEWS.filter((view) => view !== 'radar');

interface DetailProps {
  readonly model: ChartModel;
  /** Points a change of state out in the chart. */
  readonly onShow: (stateChange: StateChange) => void;
}

export function Detail({ model, onShow }: DetailProps) {
  const chosen = usePreference((preference) => preference.view);
  // A window without room for both shows the radar as a view of its own (design notes, "Grid").
  const narrow = useMedia('(max-width: 1320px), (max-height: 700px)');
  const view = !narrow && chosen === 'radar' ? 'moved' : chosen;
  const turnAt = model.stateChanges.at(-1)?.at ?? null;
  return (
    <>
      <div className="head record-head">
        <SegmentedControl
          label={texts.record.label}
          options={(narrow ? VIEWS : WIDE).map((value) => ({ value, label: LABELS[value] }))}
          value={view}
          onChange={preferences.setView}
        />
      </div>
      <div className="detail">
        {view === 'moved' && <FactorsView symbol={model.symbol} turnAt={turnAt} show={narrow ? 'table' : 'both'} />}
        {view === 'radar' && <FactorsView symbol={model.symbol} turnAt={turnAt} show="radar" />}
        {view === 'history' && <FactorHistoryView symbol={model.symbol} turnAt={turnAt} />}
        {(view === 'transitions' || view === 'daily' || view === 'gaps') && (
          <Record model={model} view={view} onShow={onShow} />
        )}
      </div>
    </>
  );
}
