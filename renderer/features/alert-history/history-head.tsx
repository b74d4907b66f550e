// Renderer: the head of the alert history: number of lines, episodes or transitions, export.
import { texts } from '../../../shared/text/texts.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { ExportLines } from './export-lines.tsx';
import { type History, hasOlder } from './use-lines.ts';
import { MODES, useView, view } from './view-store.ts';

export function HistoryHead({ lines, query }: History) {
  const mode = useView((state) => state.mode);
  const days = useView(({ filters }) => filters.days);
  const most = useView((state) => state.most);
  return (
    <>
      <span className="sub ell" role="status">
        {texts.alerts.counted(lines.shown.length, lines.all.length, mode)} ·{' '}
        {texts.alerts.filters.days(days).toLowerCase()}
        {query.page !== null && hasOlder(query.page, most) && texts.alerts.notOlder}
      </span>
      <span className="right row">
        <SegmentedControl
          label={texts.alerts.mode}
          value={mode}
          options={MODES.map((value) => ({ value, label: texts.alerts.modes[value] }))}
          onChange={view.setMode}
        />
        <ExportLines lines={lines.shown} label={texts.alerts.exportName} />
      </span>
    </>
  );
}
