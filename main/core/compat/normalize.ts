// Main, core: reads the service's records tolerantly (docs/contract.md, client column).
// It accepts known names and spellings, assumes and records missing values where possible, and refuses the
// rest with a reason.
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { type State, stateFromText, stateName } from '../../../shared/domain/states.ts';
import { AssetClassSchema } from '../../../shared/wire/records.ts';

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

const iso = (ms: number): string | null => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null);

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

/** A normalized row of /snapshot or /signal; the schema then decides. */
export function normalizeSignal(row: unknown): unknown {
  if (!isFields(row)) return row;
  const known = state(row.state_name, row.state);
  const updated = instant(row.updated_at ?? row.timestamp ?? row.decided_at);
  const decided = instant(row.decided_at) ?? updated;
  return {
    ...row,
    symbol: symbol(row.symbol ?? row.ticker) ?? row.symbol,
    name: text(row.name) ?? symbol(row.symbol ?? row.ticker) ?? '',
    asset_class: assetClass(row.asset_class ?? row.class) ?? 'equity',
    state: known ?? row.state,
    state_name: known === null ? row.state_name : stateName(known),
    confidence: percent(row.confidence),
    note: text(row.note) ?? '',
    since: instant(row.since) ?? decided,
    regime: text(row.regime),
    change_pct: finite(row.change_pct),
    base_rate: percent(row.base_rate),
    decided_at: decided,
    next_decision_at: instant(row.next_decision_at) ?? updated,
    updated_at: updated,
    model_version: text(row.model_version) ?? '',
  };
}

/** The regime in an answer of /regime/{symbol}, or null. */
export const regimeOf = (record: unknown): string | null =>
  isFields(record) ? (text(record.regime) ?? text(record.label) ?? text(record.name)) : null;

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
    regime: text(row.regime),
    price: finite(row.price ?? row.close),
  };
}
