// Renderer: the head of the alert history: number of lines, episodes or transitions, export.
import { alerts as messages } from '../../text/alerts.ts';
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
        {messages.counted(lines.shown.length, lines.all.length, mode)} · {messages.filters.days(days).toLowerCase()}
        {query.page !== null && hasOlder(query.page, most) && messages.notOlder}
      </span>
      <span className="right row">
        <SegmentedControl
          label={messages.mode}
          value={mode}
          options={MODES.map((value) => ({ value, label: messages.modes[value] }))}
          onChange={view.setMode}
        />
        <ExportLines lines={lines.shown} label={messages.exportName} />
      </span>
    </>
  );
}
