// Renderer, connection: the table of gaps: cause, market time, and whether each is filled.
import { useMemo, useState } from 'react';
import { MAX_GAPS } from '../../../shared/channels/state.ts';
import { openTime, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import { fineSpan, preciseTime } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelPages } from '../../queries/use-channel-query.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import type { CoreSnapshot } from '../../store/state.ts';
import { useSnapshot } from '../../store/store.ts';
import { calendarOf } from '../../store/symbol-calendar.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { ErrorNotice } from '../../ui/loading-notice.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { gapText } from './lines.ts';

type Gap = CoreSnapshot['gaps'][number];

export function GapsTable() {
  const { gaps, more } = useGaps();
  const calendars = useCalendars();
  const isProvable = useSnapshot((snapshot) => snapshot.connection.provable);
  const isOffline = useIsOffline();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  if (gaps.length === 0) return <p className="sheet-empty">{texts.connection.gaps.none(isProvable, isOffline)}</p>;
  const columns: readonly Column<Gap>[] = [
    {
      name: texts.connection.gaps.from,
      cellClass: 'cond',
      cell: ({ from }) => preciseTime(Date.parse(from), zone, now),
    },
    {
      name: texts.connection.gaps.to,
      cellClass: 'cond',
      cell: ({ to }) => (to === null ? texts.connection.gaps.until : preciseTime(Date.parse(to), zone, now)),
    },
    {
      name: texts.connection.gaps.market,
      title: texts.connection.gaps.marketLong,
      className: 'num',
      cellClass: 'cond',
      cell({ from, to }) {
        const [start, end] = [Date.parse(from), to === null ? now : Date.parse(to)];
        return marketTime(Math.max(...calendars.map((calendar) => openTime(calendar, start, end))));
      },
    },
    {
      name: texts.connection.gaps.cause,
      cellClass: 't2 gap-cause',
      cellTitle: ({ cause }) => textOf(cause),
      cell: ({ cause }) => textOf(cause),
    },
    {
      name: texts.connection.gaps.now,
      cellClass: ({ closed }) => (closed ? 't2' : 'md'),
      cell: (gap) => (
        <IndicatorLine state={gap.closed ? 'ok' : 'degraded'} isAnnounced={false}>
          {gapText(gap)}
        </IndicatorLine>
      ),
    },
  ];
  return (
    <>
      <Table
        label={texts.connection.gaps.heading}
        className="gaps"
        columns={columns}
        rows={gaps}
        keyOf={({ id }) => String(id)}
      />
      {more.why !== null && (
        <ErrorNotice what={texts.connection.gaps.olderFailed} why={more.why} onRetry={more.retry} />
      )}
      {more.read !== null && (
        <button type="button" className="btn line gaps-older" onClick={more.read}>
          {texts.connection.gaps.older}
        </button>
      )}
    </>
  );
}

/** Those of the symbols that the service has a signal for; around the clock while it is known of none. */
function useCalendars(): readonly SessionCalendar[] {
  const rows = useSnapshot((snapshot) => snapshot.rows);
  const profile = useSnapshot((snapshot) => snapshot.profile);
  return useMemo(() => {
    const known = Object.values(rows).filter(({ signal }) => signal !== null);
    const calendars = new Set(known.map(({ symbol }) => calendarOf({ rows, profile }, symbol)));
    return calendars.size === 0 ? ['always'] : [...calendars];
  }, [rows, profile]);
}

/** The gaps, newest first: those of the snapshot, and older ones as far as the user asked for them. */
function useGaps() {
  const newest = useSnapshot((snapshot) => snapshot.gaps);
  const [wanted, setWanted] = useState(0);
  // The first page repeats what the snapshot has.
  const older = useChannelPages('gaps.list', wanted === 0 ? null : {}, { wants: (read) => read.length <= wanted });
  const known = new Map(older.pages.flatMap(({ gaps }) => gaps.map((gap) => [gap.id, gap] as const)));
  for (const gap of newest) known.set(gap.id, gap);
  const hasOlder = older.pages.length === 0 ? wanted === 0 && newest.length >= MAX_GAPS : older.hasNextPage;
  return {
    gaps: [...known.values()].sort((a, b) => b.id - a.id),
    more: {
      read: hasOlder ? () => setWanted((pages) => pages + 1) : null,
      why: older.error?.message ?? null,
      retry: older.retry,
    },
  };
}

const marketTime = (ms: number): string => (ms === 0 ? '0' : fineSpan(ms));
