// Pure: the hit rate of a symbol's calls on hold-out days.
import { DAY_MS } from '../lib/time.ts';
import type { ValidationRecord } from './queries.ts';

type Metrics = ValidationRecord['symbols'][number]['holdout'];

/**
 * Right calls of all calls. Late and undecided calls count as neither; a service that does not separate them
 * counts all.
 */
export const callsOf = ({ precision, n_signals, calls }: Pick<Metrics, 'precision' | 'n_signals' | 'calls'>): Calls =>
  calls === null
    ? { right: Math.round(precision * n_signals), calls: n_signals }
    : { right: calls.right, calls: calls.right + calls.wrong };

/** The alerts of a record: at daily closes, or within the day. */
export type AlertKind = 'closes' | 'live';

export interface KindRow {
  /** null: the service has one record for all alerts. */
  readonly kind: AlertKind | null;
  readonly row: ValidationRecord['symbols'][number];
}

/** Intraday prices older than this when the record was computed have ended. */
const ENDED_MS = 7 * DAY_MS;

/**
 * The record of a symbol's alerts at an instant, by their own kind; null where it was not scored.
 * @param at world ms; default: now, as of the record
 */
export function recordOf(
  { symbols, live = null, computed_at }: ValidationRecord,
  symbol: string,
  at: number = Date.parse(computed_at),
): KindRow | null {
  const closes = symbols.find((row) => row.symbol === symbol) ?? null;
  if (live === null) return closes === null ? null : { kind: null, row: closes };
  const within = live.symbols.find((row) => row.symbol === symbol);
  const window = live.windows.find((row) => row.symbol === symbol);
  if (within !== undefined && (window === undefined || isWithin(window, at, Date.parse(computed_at))))
    return { kind: 'live', row: within };
  return closes === null ? null : { kind: 'closes', row: closes };
}

function isWithin({ from, to }: { readonly from: string; readonly to: string }, at: number, computed: number): boolean {
  const last = Date.parse(to) + ENDED_MS;
  return at >= Date.parse(from) && (at <= last || computed <= last);
}

/** Right calls of all scored ones, in the hold-out window. */
export interface Calls {
  readonly right: number;
  readonly calls: number;
}

/** The calls of a symbol's alerts in the hold-out window; null without any, or where it was not scored. */
export function callsOfSymbol(record: ValidationRecord, symbol: string, at?: number): Calls | null {
  const found = recordOf(record, symbol, at);
  return found === null || found.row.holdout.n_signals === 0 ? null : callsOf(found.row.holdout);
}
