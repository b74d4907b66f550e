// Main, core: reads the service's records tolerantly (docs/contract.md, client column).
// It accepts known names and spellings, assumes missing values where possible and records the assumption, and
// rejects the rest with a reason.
import { CLAIMS } from '../../../shared/domain/claims.ts';
import { DATA_HEALTH } from '../../../shared/domain/data-health.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { type State, stateFromText, stateName } from '../../../shared/domain/states.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import {
  AssetClassSchema,
  HELD_BY,
  IN_QUESTION,
  PriceQuestionSchema,
  type Transition,
} from '../../../shared/wire/records.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
export const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
export const percent = (value: unknown): number | null => {
  const number = finite(value);
  return number === null || number < 0 || number > 100 ? null : number;
};

export function symbol(value: unknown): string | null {
  const given = text(value);
  if (given === null) return null;
  const folded = normalizeSymbol(given);
  return isSymbol(folded) ? folded : null;
}

/** Most characters of displayed values; the original text of an event is stored whole. */
const LONGEST_NOTE = 2_000;
const LONGEST_LABEL = 200;
export const fitsLabel = (given: string): boolean => given.length <= LONGEST_LABEL;
export const fitsNote = (given: string): boolean => given.length <= LONGEST_NOTE;
const shortened = (given: unknown, most: number): string | null => {
  const found = text(given);
  return found === null || found.length <= most ? found : `${found.slice(0, most - 1).toWellFormed()}…`;
};
/** Shortens a note or another long text. */
export const note = (value: unknown): string | null => shortened(value, LONGEST_NOTE);
/** Shortens a name, a title or a version. */
export const label = (value: unknown): string | null => shortened(value, LONGEST_LABEL);

/**
 * An instant in any format of ISO 8601 (docs/contract.md 16) or as epoch seconds or milliseconds, as UTC with
 * milliseconds; a time without a zone is UTC.
 */
export function instant(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return iso(value < 1e11 ? value * 1000 : value);
  const given = text(value)?.trim();
  if (given === undefined || !/^\d{4}-\d{2}-\d{2}/.test(given)) return null;
  const isNaive = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[\d:.,]*$/.test(given);
  return iso(Date.parse(isNaive ? `${given.replace(' ', 'T')}Z` : given));
}

/** True for the years 0 to 9999 of a timestamp: microseconds read as milliseconds are beyond them. */
export const EARLIEST = Date.UTC(-1, 12);
export const LATEST = Date.UTC(10_000, 0) - 1;
export const isPossible = (ms: number): boolean => ms >= EARLIEST && ms <= LATEST;
const iso = (ms: number): string | null => (isPossible(ms) ? timestamp(ms) : null);

/**
 * A state by text in any spelling, else by integer 0/1/2. An unknown state ranks as Elevated, never as Normal
 * (docs/contract.md 1).
 * @returns null when no candidate names a state
 */
export function state(...candidates: readonly unknown[]): State | null {
  let isUnknown = false;
  for (const candidate of candidates) {
    if (candidate === 0 || candidate === 1 || candidate === 2) return candidate;
    if (typeof candidate === 'string' && candidate !== '') {
      const named = stateFromText(candidate) ?? (/^[012]$/.test(candidate) ? state(Number(candidate)) : null);
      if (named !== null) return named;
      isUnknown = true;
    } else if (typeof candidate === 'number') isUnknown = true;
  }
  return isUnknown ? 1 : null;
}

export const assetClass = (value: unknown) =>
  AssetClassSchema.safeParse(typeof value === 'string' ? value.toLowerCase() : value).data ?? null;

const wholeOrNone = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
const oneOf = <Value>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((known) => known === value);
/** What the confidence of a transition is about, and how it depends on a price, where the service states it. */
export const claimed = (row: Fields): Pick<Transition, 'confidence_of' | 'in_question'> => {
  const [confidence_of, in_question] = [oneOf(CLAIMS, row.confidence_of), oneOf(IN_QUESTION, row.in_question)];
  return { ...(confidence_of && { confidence_of }), ...(in_question && { in_question }) };
};

/** A text, or a number as text: ids are either. */
export const word = (value: unknown): string | null => (finite(value) === null ? text(value) : String(value));

/** The first valid time among the usual field names. */
export const timeOf = (row: Fields): string | null =>
  instant(row.occurred_at) ?? instant(row.timestamp) ?? instant(row.time) ?? instant(row.at);

/** A price, which is positive; null for any other value. */
export const priceOf = (value: unknown): number | null => {
  const price = finite(value);
  return price !== null && price > 0 ? price : null;
};

const progressOf = (value: unknown): number | undefined => {
  const progress = finite(value);
  return progress !== null && progress >= 0 ? progress : undefined;
};

/** Merges the fields of a nested signal object into its row. */
export function flattened(row: unknown): unknown {
  if (!isFields(row) || 'state' in row || 'to_state' in row) return row;
  const inner = [row.signal, row.transition, row.alert].find(isFields);
  return inner === undefined ? row : { ...inner, ...row };
}

/** A normalized row of /snapshot or /signal, for validation by the schema. Missing values are null. */
export function normalizeSignal(row: unknown): unknown {
  if (!isFields(row)) return row;
  const known = state(row.state_name, row.state);
  return {
    ...row,
    symbol: symbol(row.symbol ?? row.ticker) ?? row.symbol,
    name: label(row.name) ?? symbol(row.symbol ?? row.ticker) ?? '',
    asset_class: assetClass(row.asset_class ?? row.class),
    state: known ?? row.state,
    state_name: known === null ? row.state_name : stateName(known),
    confidence: percent(row.confidence),
    note: note(row.note) ?? '',
    since: instant(row.since),
    regime: label(row.regime),
    regime_as_of: instant(row.regime_as_of) ?? undefined,
    price: priceOf(row.price ?? row.last ?? row.close),
    change_pct: finite(row.change_pct),
    confidence_of: oneOf(CLAIMS, row.confidence_of),
    base_rate: percent(row.base_rate),
    held_by: oneOf(HELD_BY, row.held_by),
    breach_level: priceOf(row.breach_level) ?? undefined,
    breach_progress: progressOf(row.breach_progress),
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
  const known = state(row.state_name, row.state);
  return {
    ...row,
    symbol: symbol(row.symbol) ?? row.symbol,
    timestamp: instant(row.timestamp ?? row.date ?? row.time),
    state: known ?? row.state,
    state_name: known === null ? row.state_name : stateName(known),
    confidence: percent(row.confidence),
    worst_state: state(row.worst_state) ?? undefined,
    changes: wholeOrNone(row.changes),
    model_state: state(row.model_state) ?? undefined,
    confidence_of: oneOf(CLAIMS, row.confidence_of),
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
