// Renderer, connection: the table of gaps: cause, market time, and whether each is filled.
import { openTime, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import type { CoreSnapshot } from '../../store/state.ts';
import { useSnapshot } from '../../store/store.ts';
import { connectionText as messages } from '../../text/connection.ts';
import { fineSpan, preciseTime } from '../../text/format.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { gapText } from './lines.ts';

type Gap = CoreSnapshot['gaps'][number];

export function GapsTable() {
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  // The calendar of shares; a sandbox is always open.
  const calendar = sessionCalendarOf('etf', environment);
  if (gaps.length === 0) return <p className="sheet-empty">{messages.gaps.none}</p>;
  const columns: readonly Column<Gap>[] = [
    { name: messages.gaps.from, cellClass: 'cond', cell: ({ from }) => preciseTime(Date.parse(from), zone, now) },
    {
      name: messages.gaps.to,
      cellClass: 'cond',
      cell: ({ to }) => (to === null ? messages.gaps.until : preciseTime(Date.parse(to), zone, now)),
    },
    {
      name: messages.gaps.market,
      title: messages.gaps.marketLong,
      className: 'num',
      cellClass: 'cond',
      cell: ({ from, to }) => marketTime(openTime(calendar, Date.parse(from), to === null ? now : Date.parse(to))),
    },
    {
      name: messages.gaps.cause,
      cellClass: 't2 gap-cause',
      cellTitle: ({ cause }) => cause,
      cell: ({ cause }) => cause,
    },
    {
      name: messages.gaps.now,
      cellClass: ({ closed }) => (closed ? 't2' : 'md'),
      cell: (gap) => (
        <IndicatorLine state={gap.closed ? 'ok' : 'degraded'} isAnnounced={false}>
          {gapText(gap)}
        </IndicatorLine>
      ),
    },
  ];
  return (
    <Table
      label={messages.gaps.heading}
      className="gaps"
      columns={columns}
      rows={[...gaps].sort((a, b) => b.id - a.id)}
      keyOf={({ id }) => String(id)}
    />
  );
}

const marketTime = (ms: number): string => (ms === 0 ? '0' : fineSpan(ms));
