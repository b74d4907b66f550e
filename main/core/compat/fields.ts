// Main, core: reads single fields of a service's records tolerantly (docs/contract.md, client column).
import { CLAIMS } from '../../../shared/domain/claims.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { instantOf, timestamp } from '../../../shared/wire/primitives.ts';
import { AssetClassSchema, IN_QUESTION, type Transition } from '../../../shared/wire/records.ts';

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

/** A symbol in upper case; a slash, as in EUR/USD, is a hyphen. */
export function symbol(value: unknown): string | null {
  const given = text(value);
  if (given === null) return null;
  const folded = normalizeSymbol(given).replaceAll('/', '-');
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

/** Epoch seconds or milliseconds, as a number or as text: ten digits or more. */
const EPOCH = /^\d{10,}(\.\d+)?$/;

/**
 * An instant in any form of ISO 8601 that the service accepts too (docs/contract.md 16), with a blank in place
 * of the T, or as epoch seconds or milliseconds, as UTC with milliseconds; a time without a zone is UTC.
 */
export function instant(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return iso(value < 1e11 ? value * 1000 : value);
  const given = text(value)?.trim();
  if (given === undefined) return null;
  if (EPOCH.test(given)) return instant(Number(given));
  const compact = given
    .replace(/^([\d-]{8,10})\s+(?=\d)/, '$1T')
    .replace(/\s*(UTC|GMT)$/i, 'Z')
    .replaceAll(/\s+/g, '');
  const read = instantOf(compact);
  // The form of HTTP dates always has its zone.
  return iso(read ?? (/^[A-Z][a-z]{2}, \d{2} .* GMT$/.test(given) ? Date.parse(given) : Number.NaN));
}

/** True for the years 0 to 9999 of a timestamp: microseconds read as milliseconds are beyond them. */
export const EARLIEST = Date.UTC(-1, 12);
export const LATEST = Date.UTC(10_000, 0) - 1;
export const isPossible = (ms: number): boolean => ms >= EARLIEST && ms <= LATEST;
const iso = (ms: number): string | null => (isPossible(ms) ? timestamp(ms) : null);

export const assetClass = (value: unknown) =>
  AssetClassSchema.safeParse(typeof value === 'string' ? value.toLowerCase() : value).data ?? null;

export const oneOf = <Value>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((known) => known === value);
/** What the confidence of a transition is about, and how it depends on a price, where the service states it. */
export const claimed = (row: Fields): Pick<Transition, 'confidence_of' | 'in_question'> => {
  const [confidence_of, in_question] = [oneOf(CLAIMS, row.confidence_of), oneOf(IN_QUESTION, row.in_question)];
  return { ...(confidence_of && { confidence_of }), ...(in_question && { in_question }) };
};

/** A text, or a number as text: ids are either. */
export const word = (value: unknown): string | null => (finite(value) === null ? text(value) : String(value));

/** The usual names of the time of an event, the most exact first. */
const TIMES = [
  ...['occurred_at', 'transitioned_at', 'changed_at', 'entered_at', 'triggered_at', 'event_time'],
  ...['timestamp', 'time', 'at', 'ts', 'datetime', 'created_at'],
];

/** The first valid time among the usual field names. */
export function timeOf(row: Fields): string | null {
  for (const name of TIMES) {
    const found = instant(row[name]);
    if (found !== null) return found;
  }
  return null;
}

/** A price, which is positive; null for any other value. */
export const priceOf = (value: unknown): number | null => {
  const price = finite(value);
  return price !== null && price > 0 ? price : null;
};
