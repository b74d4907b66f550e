// Conformance: validators of values; each returns a message about an error, or null.
import { FACTOR_DIMENSIONS } from '../shared/domain/factors.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
/** The values that are objects. */
export const objectsIn = (values: readonly unknown[]): Fields[] =>
  values.flatMap((value) => {
    const fields = fieldsOf(value);
    return fields === null ? [] : [fields];
  });
export const arrayOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);

/** ISO 8601: a date, or a date and time. */
export const isInstant = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(value) &&
  !Number.isNaN(Date.parse(value));

/** Time of a row, ms, under any usual name; NaN: unknown. */
export const timeOf = (row: Fields): number => {
  const at = row.occurred_at ?? row.timestamp ?? row.time ?? row.at ?? row.date ?? row.started_at ?? row.published_at;
  return isInstant(at) ? Date.parse(at) : Number.NaN;
};

/** A short text of a value. */
export const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

/** Identity of a row: its id, else its symbol and time; prices and creation times may change meanwhile. */
export function identityOf(row: unknown): string {
  const { id, event_id, symbol, timestamp, date } = fieldsOf(row) ?? {};
  const known = id ?? event_id;
  return known !== undefined
    ? String(known)
    : symbol === undefined
      ? JSON.stringify(row)
      : `${symbol} ${timestamp ?? date ?? ''}`;
}

type Kind = 'string' | 'number' | 'integer' | 'instant' | 'array' | 'object' | 'boolean';
const TESTS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isInteger,
  instant: isInstant,
  array: Array.isArray,
  object: (value) => fieldsOf(value) !== null,
  boolean: (value) => typeof value === 'boolean',
};

/** @param where for the message: "GET /signal" */
export function wrongFields(where: string, value: unknown, kinds: Readonly<Record<string, Kind>>): string | null {
  const fields = fieldsOf(value);
  if (fields === null) return `${where} is ${shown(value)} in the place of an object`;
  for (const [name, kind] of Object.entries(kinds))
    if (!TESTS[kind](fields[name]))
      return `${where}: ${name} is ${shown(fields[name])} in the place of ${kind === 'instant' ? 'an ISO 8601 time' : `a value of type ${kind}`}`;
  return null;
}

/** Names of dimensions are equal, whatever separates their words. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, ' ');
const NAMES: ReadonlyMap<string, string> = new Map(FACTOR_DIMENSIONS.map(({ code, name }) => [code, folded(name)]));

/** The map of variant A and the rows of variant B, anywhere in the body. */
export function powersIn(body: unknown): { map: Fields | null; rows: readonly Fields[] | null } {
  const fields = fieldsOf(body);
  const arrays = Array.isArray(body) ? [body] : Object.values(fields ?? {}).filter(Array.isArray);
  const rows = arrays.map(objectsIn).find((array) => array.some((row) => 'power' in row)) ?? null;
  return { map: fieldsOf(fields?.powers), rows };
}

const wrongPower = (name: string, power: unknown): string | null =>
  power === null || (typeof power === 'number' && power >= 0 && power <= 1)
    ? null
    : `the power of ${name} is ${shown(power)}, not 0.0 to 1.0`;

export function wrongMap(map: Fields): string | null {
  for (const [name, power] of Object.entries(map)) {
    if (name !== name.toLowerCase()) return `the key ${name} of powers is not in lower case`;
    const wrong = wrongPower(name, power);
    if (wrong !== null) return wrong;
  }
  const missing = [...NAMES.values()].find((name) => !Object.keys(map).map(folded).includes(name));
  return missing === undefined ? null : `powers has no ${missing}`;
}

export function wrongRows(rows: readonly Fields[]): string | null {
  for (const row of rows) {
    const wrong = wrongFields('a dimension', row, {
      name: 'string',
      code: 'string',
      description: 'string',
      domain: 'string',
      icon: 'string',
      color: 'string',
    });
    if (wrong !== null) return wrong;
    const name = NAMES.get(String(row.code));
    if (name === undefined) return `${shown(row.code)} is no code from D-01 to D-12`;
    if (folded(String(row.name)) !== name) return `${row.code} is called ${shown(row.name)}, not ${name}`;
    const power = wrongPower(String(row.name), row.power);
    if (power !== null) return power;
  }
  const missing = [...NAMES.keys()].find((code) => !rows.some((row) => row.code === code));
  return missing === undefined ? null : `there is no row ${missing}`;
}

/** Differences between the map of variant A and the rows of variant B, apart from rounding. */
export function differentPowers(map: Fields, rows: readonly Fields[]): string | null {
  for (const [name, power] of Object.entries(map)) {
    const row = rows.find((one) => folded(String(one.name)) === folded(name));
    if (row === undefined || typeof power !== 'number' || typeof row.power !== 'number') continue;
    if (Math.abs(power - row.power) > 0.01) return `${name} is ${power} in powers, and ${row.power} in its row`;
  }
  return null;
}

/** Ages, which change by themselves. */
export const AGES = /age|duration|elapsed|ago$/i;
/** The values of a row without its ages. */
export const lasting = (row: Fields): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([name]) => !AGES.test(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
