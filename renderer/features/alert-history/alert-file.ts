// Renderer, pure: the lines of the alert history as a file; an unknown value is empty, never 0.

import Papa from 'papaparse';
import { type CalendarOf, openTime } from '../../../shared/domain/sessions.ts';
import { stateName } from '../../../shared/domain/states.ts';
import { textOf } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Outcome } from '../../store/alert-outcome.ts';
import { startOf } from './episodes.ts';
import type { Line } from './filters.ts';

const FIELDS = [
  'symbol',
  'asset_class',
  'peak',
  'present',
  'started',
  'ended',
  'clock_seconds',
  'market_seconds',
  'confidence_percent',
  'regime',
  'right_calls',
  'calls',
  'outcome',
  'reason',
  'acknowledged_at',
  'note',
  'transitions',
  'event_id',
  'model_version',
] as const;
type FileRow = Readonly<Record<(typeof FIELDS)[number], string | number | null>>;

interface FileContext {
  readonly calendarOf: CalendarOf;
  /** World time, ms. */
  readonly now: number;
  /** The outcome as text. */
  readonly labelOf: (outcome: Outcome) => string;
  /**
   * Right and all calls in the hold-out window, for the kind of the symbol's alerts at an instant (world
   * time, ms).
   */
  readonly callsOf: (symbol: string, at: number) => { readonly right: number; readonly calls: number } | null;
}

export function alertRows(lines: readonly Line[], { calendarOf, now, labelOf, callsOf }: FileContext): FileRow[] {
  return lines.map((line) => {
    const { transition, acked_at, reason } = line.subject.alert;
    const [start, end] = [startOf(line), line.to ?? now];
    const calendar = calendarOf(transition.symbol, transition.asset_class);
    const record = line.peak === 2 ? callsOf(transition.symbol, Date.parse(transition.occurred_at)) : null;
    return {
      symbol: transition.symbol,
      asset_class: transition.asset_class,
      peak: stateName(line.peak),
      present: line.present === null ? null : stateName(line.present),
      started: line.from === null ? null : timestamp(line.from),
      ended: line.to === null ? null : timestamp(line.to),
      clock_seconds: line.from === null ? null : Math.round((end - start) / 1000),
      market_seconds: line.from === null ? null : Math.round(openTime(calendar, start, end) / 1000),
      confidence_percent: line.isPeakOlder === true ? null : transition.confidence,
      regime: transition.regime,
      right_calls: record?.right ?? null,
      calls: record?.calls ?? null,
      outcome: labelOf(line.outcome),
      reason: reason === null ? null : textOf(reason),
      acknowledged_at: acked_at,
      note: line.subject.alert.note === '' ? null : line.subject.alert.note,
      transitions: line.rows.length,
      event_id: transition.event_id,
      model_version: transition.model_version,
    };
  });
}

/** A cell that a spreadsheet could take for a formula is marked as text. */
export const alertCsv = (rows: readonly FileRow[]): string =>
  `${Papa.unparse({ fields: [...FIELDS], data: rows.map((row) => FIELDS.map((field) => row[field])) }, { escapeFormulae: true, newline: '\n' })}\n`;
