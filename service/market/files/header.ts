// Service, price files: finds the line that names the columns, below a preamble or in place of none.
import Papa from 'papaparse';
import { isSymbol } from '../../../shared/domain/instruments.ts';
import { bareName, COLUMN_ROLES, type ColumnRole, isHeader, type Positions, positionsOf } from './columns.ts';
import { type GivenFormat, MAPPING_FILE } from './mapping.ts';
import { vendorSymbol } from './symbols.ts';
import type { CsvRow } from './table.ts';
import { positionsByNumbers } from './unnamed.ts';
import { EACH_COLUMN, longTable } from './wide.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Rows in which a header is looked for, and their characters. */
const HEAD_ROWS = 40;
const HEAD_CHARACTERS = 32 * 1024;
/** The columns of this product's own form, which are read as they are. */
const OWN = ['symbol', 'date', 'time', 'time_utc', 'time_et', 'open', 'high', 'low', 'close', 'volume'];
const OWN_NEEDED = ['symbol', 'open', 'high', 'low', 'close'];

/** End of the key of a format whose symbols stand side by side. */
export const BY_SYMBOL = ' by symbol';

export interface Head {
  /** The bare names, or "7 columns": the key of the format in mapping.json. */
  readonly header: string;
  /** As written; empty without a header. */
  readonly names: readonly string[];
  readonly positions: Positions;
  readonly rows: readonly CsvRow[];
  /** Symbol that lines above the header name; null: none. */
  readonly symbol: string | null;
  readonly isOwn: boolean;
}

export type GivenFor = (header: string) => GivenFormat;

/** The delimiter with which a line is a header, or else that of the most columns. */
export function delimiterOf(text: string, isHead = isHeader): string {
  const start = text.slice(0, HEAD_CHARACTERS);
  const found = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(start, { delimiter, preview: HEAD_ROWS, skipEmptyLines: true });
    const width = median(data);
    const hasDate = data.some((cells) => cells.length === width && positionsOf(cells.map(bareName)).date !== -1);
    return { delimiter, names: data.some(isHead) ? 2 : Number(width > 1 && hasDate), width };
  });
  const [best] = found.toSorted((a, b) => b.names - a.names || b.width - a.width);
  return best?.delimiter ?? ',';
}

const median = (rows: readonly (readonly string[])[]): number =>
  rows.map((cells) => cells.length).toSorted((a, b) => a - b)[rows.length >> 1] ?? 0;

/** @returns one sentence where the columns cannot be told apart */
export function headOf(all: readonly CsvRow[], givenFor: GivenFor, file: string): Head | string {
  const lower = all[0]?.cells.map((name) => name.trim().toLowerCase()) ?? [];
  const isOwn = OWN_NEEDED.every((name) => lower.includes(name)) && lower.every((name) => OWN.includes(name));
  if (isOwn) return headFrom(lower, all.slice(1), {}, null, true);
  const top = all.slice(0, HEAD_ROWS).map(({ cells }) => cells);
  const hasNone = givenFor('').hasHeader === false;
  const width = median(top);
  const wanted = Object.values(givenFor('').columns ?? {}).flatMap((one) =>
    typeof one === 'string' ? bareName(one) : [],
  );
  const isWanted = (row: readonly string[]): boolean =>
    wanted.length > 0 ? wanted.every((name) => row.map(bareName).includes(name)) : isHeader(row);
  const isSaid = top.some((cells) => givenFor(keyOf(cells.map(bareName))).columns?.symbol === EACH_COLUMN);
  const long = hasNone || wanted.length > 0 ? null : longTable(all, top, file, isSaid);
  if (long !== null) {
    const { names, rows } = long;
    return headFrom(names, rows, givenFor, null, false, `${names.slice(1).join(',')}${BY_SYMBOL}`);
  }
  const named = hasNone ? -1 : top.findIndex(isWanted);
  const at = named === -1 ? top.findIndex((cells) => cells.length === width) : named;
  const line = top[at] ?? [];
  // A line with a number is a row of prices, and no header.
  const isRow = hasNone || (named === -1 && line.some((cell) => /^\s*\d/.test(cell)));
  const above = symbolAbove(top.slice(0, at));
  return headFrom(isRow ? line.map(() => '') : line, all.slice(isRow ? at : at + 1), givenFor, above, false);
}

/** Key of a format in mapping.json. */
const keyOf = (bare: readonly string[]): string =>
  bare.every((name) => name === '') ? `${bare.length} columns` : bare.join(',');

function headFrom(
  names: readonly string[],
  rows: readonly CsvRow[],
  givenFor: GivenFor | Record<string, never>,
  symbol: string | null,
  isOwn: boolean,
  header = keyOf(names.map(bareName)),
): Head | string {
  const bare = names.map(bareName);
  const given = typeof givenFor === 'function' ? (givenFor(header).columns ?? {}) : {};
  const found = bare.some((name) => name !== '') ? null : positionsByNumbers(rows.map(({ cells }) => cells));
  const positions: Record<ColumnRole, number> = { ...(found ?? positionsOf(bare)) };
  for (const role of COLUMN_ROLES) {
    const [at, column] = [positions[role], given[role]];
    if (column === undefined) {
      if (found === null && at !== -1 && bare.lastIndexOf(bare[at] ?? '') !== at)
        return `column ${bare[at]} is there twice; leave one, or say in ${MAPPING_FILE} which one counts (columns)`;
      continue;
    }
    const position = typeof column === 'number' ? column - 1 : bare.indexOf(bareName(column ?? ''));
    positions[role] = column === null ? -1 : position;
    if (column !== null && (position === -1 || position >= names.length))
      return `column ${column} is missing; the first line is "${names.join(',').slice(0, 120)}"`;
  }
  return { header, names, positions, rows, symbol, isOwn };
}

/** "Security,AAPL US Equity" above the header. */
export function symbolAbove(rows: readonly (readonly string[])[]): string | null {
  for (const cells of rows) {
    const at = cells.findIndex((cell) => ['security', 'symbol', 'ticker'].includes(bareName(cell)));
    const symbol = at === -1 ? '' : vendorSymbol(cells[at + 1] ?? '');
    if (isSymbol(symbol)) return symbol;
  }
  return null;
}
