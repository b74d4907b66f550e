// Renderer: exports the listed or chosen lines as a file.

import { type ReactNode, useMemo } from 'react';
import { callsOf, recordOf } from '../../../shared/channels/call-record.ts';
import type { CalendarOf } from '../../../shared/domain/sessions.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useKnownRecord } from '../../queries/hold-out.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { useAppStore, useSnapshot } from '../../store/store.ts';
import { calendarOf } from '../../store/symbol-calendar.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { csvBlob, jsonBlob, saveFile } from '../../ui/save-file.ts';
import { useOutcomeLabel } from '../inbox/index.ts';
import { alertCsv, alertRows } from './alert-file.ts';
import type { Line } from './filters.ts';
import { useView } from './view-store.ts';

export function ExportLines({ lines, label }: { lines: readonly Line[]; label: string }): ReactNode {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const store = useAppStore();
  const record = useKnownRecord();
  const mode = useView((state) => state.mode);
  const labelOf = useOutcomeLabel();
  const now = useWorldMinute();
  const rows = useMemo(() => {
    const of = (symbol: string, at: number) => {
      const found = record === null ? null : recordOf(record, symbol, at);
      return found === null ? null : callsOf(found.row.holdout);
    };
    const markets: CalendarOf = (...one) => {
      const { snapshot } = store.getState();
      return snapshot === null ? 'unknown' : calendarOf(snapshot, ...one);
    };
    return () => alertRows(lines, { calendarOf: markets, now, labelOf, callsOf: of });
  }, [lines, store, now, labelOf, record]);
  const name = `alerts-${texts.alerts.modes[mode].toLowerCase()}`;
  return (
    <ExportMenu
      label={label}
      onCsv={() => saveFile(`${name}.csv`, csvBlob(alertCsv(rows())))}
      onJson={() => saveFile(`${name}.json`, jsonBlob({ environment, lines: rows() }))}
    />
  );
}
