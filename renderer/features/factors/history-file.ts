// Renderer, pure: a symbol's powers as CSV, one row per day; a missing value is empty, never 0.
import Papa from 'papaparse';
import type { FactorPoint } from '../../../shared/channels/queries.ts';
import { FACTOR_DIMENSIONS } from '../../../shared/domain/factors.ts';

export function historyCsv(symbol: string, points: readonly FactorPoint[]): string {
  const fields = ['symbol', 'time', ...FACTOR_DIMENSIONS.map(({ key }) => key.replaceAll(' ', '_'))];
  const data = points.map(({ at, powers }) => [symbol, at, ...FACTOR_DIMENSIONS.map(({ code }) => powers[code])]);
  return `${Papa.unparse({ fields, data }, { escapeFormulae: true, newline: '\n' })}\n`;
}
