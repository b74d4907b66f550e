// Main, core: reads the powers of the dimensions in any format (docs/contract.md 3, 4).
// The answer is a map, or rows at the top level or in its only array.
import { FACTOR_CODES, FACTOR_DIMENSIONS, type FactorCode, type Powers } from '../../../shared/domain/factors.ts';
import { type Fields, finite, isFields, text } from './fields.ts';

/** A dimension as a service names it; `code`: null for a dimension beyond the twelve. */
export interface NamedFactor {
  readonly code: FactorCode | null;
  readonly name: string;
  /** 0..1; null when absent, never 0. */
  readonly power: number | null;
  /** Signed share of the risk score; null when absent. */
  readonly contribution: number | null;
}

/** All twelve in D-order, then further dimensions of the service; null for an answer without powers. */
export function readFactors(answer: unknown): NamedFactor[] | null {
  const given = isFields(answer) && isFields(answer.powers) ? fromMap(answer.powers) : fromRows(answer);
  if (given === null) return null;
  const known = FACTOR_DIMENSIONS.map(
    ({ code, name }) => given.find((factor) => factor.code === code) ?? { code, name, power: null, contribution: null },
  );
  return [...known, ...given.filter((factor) => factor.code === null)];
}

/** Powers of the twelve dimensions, as in a row of history. */
export function readPowers(answer: unknown): Powers | null {
  const factors = readFactors(answer);
  if (factors === null) return null;
  return Object.fromEntries(FACTOR_CODES.map((code, index) => [code, factors[index]?.power ?? null])) as Powers;
}

function fromMap(powers: Fields): NamedFactor[] {
  return Object.entries(powers).map(([key, value]) => {
    const code = codeOf(key);
    return { code, name: nameOf(code, key), power: power(value), contribution: null };
  });
}

function fromRows(answer: unknown): NamedFactor[] | null {
  const rows = Array.isArray(answer) ? answer : isFields(answer) ? rowsOf(answer) : null;
  if (rows === null) return null;
  return rows.filter(isFields).map((row) => {
    const given = text(row.name) ?? text(row.code) ?? '';
    const code = codeOf(text(row.code) ?? '') ?? codeOf(given);
    return { code, name: nameOf(code, given), power: power(row.power), contribution: finite(row.contribution) };
  });
}

function rowsOf(answer: Fields): unknown[] | null {
  const named = [answer.factors, answer.dimensions].find(Array.isArray);
  if (named !== undefined) return named;
  const arrays = Object.values(answer).filter(Array.isArray);
  return arrays.length === 1 ? (arrays[0] ?? null) : null;
}

const fold = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');
const BY_NAME = new Map(
  FACTOR_DIMENSIONS.flatMap(({ code, name }) => [
    [fold(code), code],
    [fold(name), code],
  ]),
);
const codeOf = (name: string): FactorCode | null => BY_NAME.get(fold(name)) ?? null;
const nameOf = (code: FactorCode | null, given: string): string =>
  FACTOR_DIMENSIONS.find((dimension) => dimension.code === code)?.name ?? given;

function power(value: unknown): number | null {
  const number = finite(value);
  return number === null || number < 0 || number > 1 ? null : number;
}
