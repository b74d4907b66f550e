// Main, core: normalizes the rows of signals and of history, for validation by their schemas.
// It assumes missing values where possible, and leaves the rest to the schema.

import { CLAIMS } from '../../../shared/domain/claims.ts';
import { DATA_HEALTH } from '../../../shared/domain/data-health.ts';
import { ALL_CALENDARS } from '../../../shared/domain/sessions.ts';
import { stateName } from '../../../shared/domain/states.ts';
import { HELD_BY, PriceQuestionSchema } from '../../../shared/wire/records.ts';
import {
  assetClass,
  type Fields,
  finite,
  instant,
  isFields,
  label,
  note,
  oneOf,
  percent,
  priceOf,
  symbol,
  text,
  timeOf,
} from './fields.ts';
import { readState, state } from './read-state.ts';
import { statesOf } from './record-fields.ts';

const progressOf = (value: unknown): number | undefined => {
  const progress = finite(value);
  return progress !== null && progress >= 0 ? progress : undefined;
};

/** What a confidence is about, how usual that is, and how far it is to the breach. */
const claimOf = (row: Fields) => ({
  confidence_of: oneOf(CLAIMS, row.confidence_of),
  base_rate: percent(row.base_rate),
  breach_level: priceOf(row.breach_level) ?? undefined,
  breach_progress: progressOf(row.breach_progress),
});

const wholeOrNone = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** A normalized row of /snapshot or /signal, for validation by the schema. Missing values are null. */
export function normalizeSignal(row: unknown): unknown {
  if (!isFields(row)) return row;
  const known = readState(...statesOf(row));
  return {
    ...row,
    symbol: symbol(row.symbol) ?? row.symbol,
    name: label(row.name) ?? symbol(row.symbol) ?? '',
    asset_class: assetClass(row.asset_class),
    exchange: oneOf(ALL_CALENDARS, text(row.exchange)?.toLowerCase()),
    currency: /^[A-Z]{3,5}$/i.exec(text(row.currency) ?? '')?.[0],
    state: known?.state ?? row.state,
    state_name: known === null ? row.state_name : stateName(known.state),
    state_word: known?.word,
    confidence: percent(row.confidence),
    note: note(row.note) ?? '',
    since: instant(row.since) ?? instant(row.entered_at) ?? instant(row.state_since),
    regime: label(row.regime),
    regime_as_of: instant(row.regime_as_of) ?? undefined,
    price: priceOf(row.price ?? row.last ?? row.close),
    change_pct: finite(row.change_pct),
    ...claimOf(row),
    held_by: oneOf(HELD_BY, row.held_by),
    price_withheld: row.price_withheld === true || undefined,
    data_health: oneOf(DATA_HEALTH, row.data_health),
    data_age_seconds: wholeOrNone(row.data_age_seconds),
    data_delay_seconds: wholeOrNone(row.data_delay_seconds),
    price_question: PriceQuestionSchema.safeParse(row.price_question).data,
    decided_at: instant(row.decided_at),
    next_decision_at: instant(row.next_decision_at),
    updated_at: instant(row.updated_at) ?? timeOf(row) ?? instant(row.decided_at),
    model_version: label(row.model_version) ?? '',
  };
}

/** The regime in an answer of /regime/{symbol}, or null. */
export const regimeOf = (record: unknown): string | null =>
  isFields(record) ? (label(record.regime) ?? label(record.label) ?? label(record.name)) : null;

/** A normalized row of /history. */
export function normalizeHistoryPoint(row: unknown): unknown {
  if (!isFields(row)) return row;
  const known = state(...statesOf(row));
  return {
    ...row,
    symbol: symbol(row.symbol) ?? row.symbol,
    timestamp: instant(row.timestamp ?? row.date) ?? timeOf(row),
    state: known ?? row.state,
    state_name: known === null ? row.state_name : stateName(known),
    confidence: percent(row.confidence),
    worst_state: state(row.worst_state) ?? undefined,
    changes: wholeOrNone(row.changes),
    model_state: state(row.model_state) ?? undefined,
    ...claimOf(row),
    model_confidence: percent(row.model_confidence),
    regime: label(row.regime),
    price: finite(row.price ?? row.close),
    ...tradingOf(row),
  };
}

/** A normalized range without prices, for validation by the schema. */
export function normalizeHole(row: unknown): unknown {
  if (!isFields(row)) return row;
  return { ...row, from: instant(row.from), to: instant(row.to), reason: note(row.reason) ?? '' };
}

/** Open, high and low count only together and around the price; an invalid volume is omitted. */
function tradingOf(row: Readonly<Record<string, unknown>>) {
  const [open, high, low, price, traded] = [row.open, row.high, row.low, row.price ?? row.close, row.volume].map(
    finite,
  );
  const volume = traded != null && traded >= 0 ? traded : undefined;
  const isRange =
    open != null &&
    high != null &&
    low != null &&
    price != null &&
    low > 0 &&
    low <= Math.min(open, price) &&
    high >= Math.max(open, price);
  return isRange ? { open, high, low, volume } : { open: undefined, high: undefined, low: undefined, volume };
}
