// Renderer, pure: price alerts as a file; an unknown value is empty, never 0.
import Papa from 'papaparse';
import type { PriceAlert } from '../../../shared/channels/state.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';

const FIELDS = [
  'symbol',
  'asset_class',
  'at',
  'direction',
  'condition',
  'price',
  'price_at',
  'change_percent',
  'rule',
  'notification',
  'reason',
  'acknowledged_at',
  'note',
  'event_id',
] as const;
type FileRow = Readonly<Record<(typeof FIELDS)[number], string | number | null>>;

export const priceAlertRows = (alerts: readonly PriceAlert[]): FileRow[] =>
  alerts.map(({ crossing, at, notification_status, reason, acked_at, note, event_id }) => ({
    symbol: crossing.symbol,
    asset_class: crossing.asset_class,
    at,
    direction: crossing.direction,
    condition: texts.priceAlerts.condition(crossing.condition),
    price: crossing.price,
    price_at: crossing.price_at,
    change_percent: crossing.change_pct,
    rule: crossing.rule,
    notification: notification_status,
    reason: reason === null ? null : textOf(reason),
    acknowledged_at: acked_at,
    note: note === '' ? null : note,
    event_id,
  }));

/** A cell that a spreadsheet could take for a formula is marked as text. */
export const priceAlertCsv = (rows: readonly FileRow[]): string =>
  `${Papa.unparse({ fields: [...FIELDS], data: rows.map((row) => FIELDS.map((field) => row[field])) }, { escapeFormulae: true, newline: '\n' })}\n`;
