// Renderer, pure: the table of validation: order of rows, intervals of shares, export as a file.
import Papa from 'papaparse';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { interval } from '../../../shared/domain/record-plots.ts';

export type Row = ValidationRecord['symbols'][number];
export type Metrics = Row['holdout'];
export const COLUMNS = ['symbol', 'events', 'signals', 'right', 'recall', 'precision', 'f1'] as const;
export type Column = (typeof COLUMNS)[number];
export interface Sort {
  readonly column: Column;
  readonly descending: boolean;
}

/** The interval of recall. null where the service does not report the number of events. */
export const recallInterval = ({ recall, events }: Metrics) =>
  events === null ? null : interval(recall * events, events);

export function precisionInterval({ precision, n_signals, calls }: Metrics) {
  return calls === null ? interval(precision * n_signals, n_signals) : interval(calls.right, calls.right + calls.wrong);
}

/** The recall; null without events, where the service may say 0. */
export const recallOf = ({ recall, events }: Metrics): number | null => (events === 0 ? null : recall);

export function precisionOf({ precision, n_signals, calls }: Metrics): number | null {
  return (calls === null ? n_signals : calls.right + calls.wrong) === 0 ? null : precision;
}

const figureOf = (row: Row, column: Column): number | string => {
  const { holdout } = row;
  switch (column) {
    case 'symbol':
      return row.symbol;
    case 'events':
      return holdout.events ?? -1;
    case 'signals':
      return holdout.n_signals;
    case 'right':
      return holdout.calls?.right ?? Math.round(holdout.precision * holdout.n_signals);
    case 'recall':
      return recallOf(holdout) ?? -1;
    case 'precision':
      return precisionOf(holdout) ?? -1;
    default:
      return holdout[column];
  }
};

/** Sorts by the hold-out figures; equal rows by symbol. */
export function inOrder(rows: readonly Row[], { column, descending }: Sort): Row[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [figureOf(a, column), figureOf(b, column)];
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
    return order === 0 ? a.symbol.localeCompare(b.symbol) : sign * order;
  });
}

/** A column that is chosen again reverses; numbers begin with the largest. */
export const nextSort = (now: Sort, column: Column): Sort =>
  now.column === column ? { column, descending: !now.descending } : { column, descending: column !== 'symbol' };

const FIELDS = ['recall', 'precision', 'f1', 'n_signals', 'events'] as const;

/**
 * Every line has its window, model, time of computation and kind of alerts, so that it stays clear when it is
 * copied elsewhere.
 */
export function recordCsv({ computed_at, model_version, symbols, live = null }: ValidationRecord): string {
  const fields = [
    'symbol',
    'window',
    ...FIELDS,
    'right',
    'wrong',
    'late',
    'holdout_from',
    'model_version',
    'computed_at',
    'alerts',
  ];
  const rows = [
    ...symbols.map((row) => ({ ...row, alerts: 'at_closes' })),
    ...(live?.symbols ?? []).map((row) => ({ ...row, alerts: 'within_day' })),
  ];
  const data = rows.flatMap((row) =>
    (['full', 'holdout'] as const).map((window) => {
      const { calls, ...metrics } = row[window];
      const counts = [calls?.right, calls?.wrong, calls?.late];
      return [
        row.symbol,
        window,
        ...FIELDS.map((name) => metrics[name]),
        ...counts,
        row.holdout_from,
        model_version,
        computed_at,
        row.alerts,
      ];
    }),
  );
  return `${Papa.unparse({ fields, data }, { escapeFormulae: true, newline: '\n' })}\n`;
}
