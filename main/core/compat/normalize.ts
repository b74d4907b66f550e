// Main, core: reads the service's records tolerantly (docs/contract.md, client column).
// It accepts known names and spellings, assumes and records missing values where possible, and refuses the
// rest with a reason.
import { CLAIMS, type Claim } from '../../../shared/domain/claims.ts';
import { DATA_HEALTH } from '../../../shared/domain/data-health.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { type State, stateFromText, stateName } from '../../../shared/domain/states.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { AssetClassSchema, HELD_BY } from '../../../shared/wire/records.ts';

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

/** Characters of what is shown from a record; the original text of an event keeps the whole. */
const LONGEST_NOTE = 2_000;
const LONGEST_LABEL = 200;
export const fitsLabel = (given: string): boolean => given.length <= LONGEST_LABEL;
export const fitsNote = (given: string): boolean => given.length <= LONGEST_NOTE;
const shortened = (given: unknown, most: number): string | null => {
  const found = text(given);
  return found === null || found.length <= most ? found : `${found.slice(0, most - 1).toWellFormed()}…`;
};
/** A note, or another long text. */
export const note = (value: unknown): string | null => shortened(value, LONGEST_NOTE);
/** A name, a title, a version. */
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

/** Years 0 to 9999, which a timestamp can say: microseconds taken for milliseconds are beyond them. */
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
/** What a confidence is about, where the service says so. */
export const claimed = (value: unknown): { readonly confidence_of?: Claim } => {
  const claim = oneOf(CLAIMS, value);
  return claim === undefined ? {} : { confidence_of: claim };
};

/** A text, or a number as one: ids are either. */
export const word = (value: unknown): string | null => (finite(value) === null ? text(value) : String(value));

/** The first of the usual names of a time that holds one. */
export const timeOf = (row: Fields): string | null =>
  instant(row.occurred_at) ?? instant(row.timestamp) ?? instant(row.time) ?? instant(row.at);

/** Prices are positive; null where the value is none. */
export const priceOf = (value: unknown): number | null => {
  const price = finite(value);
  return price !== null && price > 0 ? price : null;
};

/** A row whose signal is an object of its own, with the fields of that object among its own. */
export function flattened(row: unknown): unknown {
  if (!isFields(row) || 'state' in row || 'to_state' in row) return row;
  const inner = [row.signal, row.transition, row.alert].find(isFields);
  return inner === undefined ? row : { ...inner, ...row };
}

/** A normalized row of /snapshot or /signal; the schema then decides. What the service does not say is null. */
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
    price: priceOf(row.price ?? row.last ?? row.close),
    change_pct: finite(row.change_pct),
    confidence_of: oneOf(CLAIMS, row.confidence_of),
    base_rate: percent(row.base_rate),
    held_by: oneOf(HELD_BY, row.held_by),
    breach_level: priceOf(row.breach_level) ?? undefined,
    price_withheld: row.price_withheld === true || undefined,
    data_health: oneOf(DATA_HEALTH, row.data_health),
    data_age_seconds: wholeOrNone(row.data_age_seconds),
    data_delay_seconds: wholeOrNone(row.data_delay_seconds),
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

/** A normalized range without prices; the schema then decides. */
export function normalizeHole(row: unknown): unknown {
  if (!isFields(row)) return row;
  return { ...row, from: instant(row.from), to: instant(row.to), reason: note(row.reason) ?? '' };
}

/** Open, high and low count only together, around the price; a volume that is none is left out. */
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
