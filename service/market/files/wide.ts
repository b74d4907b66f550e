// Service, price files: tables with the symbols side by side, as tables with a row a symbol.
import { isSymbol } from '../../../shared/domain/instruments.ts';
import { bareName, type ColumnRole, positionsOf, priceRoleOf } from './columns.ts';
import { NO_VALUE } from './numbers.ts';
import { CURRENCIES, isWord, symbolOfName, vendorSymbol } from './symbols.ts';
import type { CsvRow } from './table.ts';

/** In `columns` of mapping.json, for `symbol`: each column but the date is a symbol's closes. */
export const EACH_COLUMN = '*';

interface PriceColumn {
  readonly symbol: string;
  readonly role: ColumnRole;
}

/** Columns of a table; null: the date, or none. */
type Columns = readonly (PriceColumn | null)[];

export interface LongTable {
  readonly names: readonly string[];
  readonly rows: readonly CsvRow[];
}

/**
 * @param all rows of the file
 * @param top the first of them
 * @param file name of the file
 * @param isSaid whether a person said that each column is a symbol
 * @returns null: the symbols do not stand side by side, or that is not certain
 */
export function longTable(
  all: readonly CsvRow[],
  top: readonly (readonly string[])[],
  file: string,
  isSaid: boolean,
): LongTable | null {
  for (const [at, cells] of top.entries()) {
    const two = columnsOfTwo(cells, top[at + 1] ?? []);
    if (two !== null) {
      // pandas writes the name of the index alone in a third line.
      const isIndex = top[at + 2]?.every((cell, index) => (index === 0 ? /^\D*$/.test(cell) : cell === '')) === true;
      return turned(two, all.slice(at + (isIndex ? 3 : 2)));
    }
    const one = columnsOfOne(cells, file, isSaid);
    const isPrice = (cell: string, index: number): boolean =>
      one?.[index] == null || /\d/.test(cell) || NO_VALUE.test(cell);
    if (one !== null && top[at + 1]?.every(isPrice) === true) return turned(one, all.slice(at + 1));
  }
  return null;
}

const withoutNumber = (cell: string): string => cell.replace(/\.\d+$/, '');
/** Merged cells of sheets are empty behind the first one. */
const filled = (cells: readonly string[]): string[] => {
  let last = '';
  return cells.map((cell) => {
    last = cell.trim() === '' ? last : cell;
    return last;
  });
};

/** Columns by a line of symbols and a line of what is in each, in either order. */
function columnsOfTwo(first: readonly string[], second: readonly string[]): Columns | null {
  const pair = (symbols: readonly string[], roles: readonly string[]): Columns | null => {
    const whole = filled(symbols.slice(1));
    if (whole.length < 2 || roles.length !== symbols.length || !whole.every(hasLetter) || areUnits(symbols))
      return null;
    const columns = whole.map((name, at) => columnOf(name, priceRoleOf(bareName(withoutNumber(roles[at + 1] ?? '')))));
    return columns.every((column) => column !== null) && areDistinct(columns) ? [null, ...columns] : null;
  };
  return (
    pair(first, second) ??
    pair(
      second,
      first.map((cell, at) => (at === 0 ? cell : (filled(first.slice(1))[at - 1] ?? ''))),
    )
  );
}

/** A line of units below names of columns; TRY and ALL are shares too, where the line says that it has symbols. */
const areUnits = ([first = '', ...units]: readonly string[]): boolean =>
  positionsOf([bareName(first)]).symbol === -1 && units.some((unit) => CURRENCIES.has(unit.trim().toUpperCase()));

function columnOf(name: string, role: ColumnRole | undefined): PriceColumn | null {
  const symbol = vendorSymbol(name);
  return role === undefined || !isSymbol(symbol) || priceRoleOf(bareName(name)) !== undefined ? null : { symbol, role };
}

/** Columns by their names: "AAPL.Close", "Close AAPL", "('Close', 'AAPL')", or symbols alone. */
function columnsOfOne(cells: readonly string[], file: string, isSaid: boolean): Columns | null {
  const names = cells.map((cell) => cell.replace(/[()'"]/g, ' ').trim());
  const bare = names.map(bareName);
  const { date, close } = positionsOf(bare);
  // An index that R and pandas write has no name, or that of an index.
  const at = date === -1 && (isSaid || ['', 'index'].includes(bare[0] ?? '-')) ? 0 : date;
  if (at === -1 || (close !== -1 && !isSaid)) return null;
  const others = names.filter((name, index) => index !== at && name !== '');
  const isAlone = others.length === 1 && symbolOfName(file).candidates.includes(vendorSymbol(others[0] ?? ''));
  // HI and LO are shares, and abbreviations.
  const isShort = others.includes('HI') && others.includes('LO');
  const areSymbols = (others.length > 1 || isAlone) && !isShort && others.every(isTicker);
  const columns = names.map((name, index): PriceColumn | null | undefined => {
    if (index === at || name === '') return null;
    // Rows whose symbol is none are refused with their cure.
    const alone = isSaid ? { symbol: name, role: 'close' as const } : areSymbols ? columnOf(name, 'close') : null;
    return namedColumn(name) ?? alone ?? undefined;
  });
  const known = columns.filter((column) => column !== undefined);
  if (known.length < columns.length || !known.some((column) => column !== null)) return null;
  return areDistinct(known.filter((column) => column !== null)) ? known : null;
}

/** Names of columns that are computed from prices. */
const INDICATOR = /^(SMA|EMA|WMA|RSI|MACD|ATR|ADX|OBV|VWAP)\d*$/;
const hasLetter = (name: string): boolean => /\p{L}/u.test(name) && !NO_VALUE.test(name);
/** As publishers write a symbol, which is no word: AAPL, ^GSPC, 7203.T, "AAPL US Equity". */
const isTicker = (name: string): boolean =>
  /^[\^A-Z0-9][A-Z0-9.=/-]*( [A-Z]{2})?( (Equity|Index|Curncy|Comdty))?$/.test(name) &&
  hasLetter(name) &&
  !isWord(name) &&
  !INDICATOR.test(name) &&
  columnOf(name, 'close') !== null;

/** A name with a symbol and what is in the column, in either order. */
function namedColumn(name: string): PriceColumn | null {
  for (const { index, 0: sign } of name.matchAll(/[\s._,|:-]+/g)) {
    const [left, right] = [name.slice(0, index), name.slice(index + sign.length)];
    for (const [symbol, role] of [
      [left, right],
      [right, left],
    ] as const)
      if (isTicker(symbol) && columnOf(symbol, priceRoleOf(bareName(role))) !== null)
        return columnOf(symbol, priceRoleOf(bareName(role)));
  }
  return null;
}

const areDistinct = (columns: readonly PriceColumn[]): boolean =>
  new Set(columns.map(({ symbol, role }) => `${symbol} ${role}`)).size === columns.length;

/** A row for each symbol that has a value in a row. */
function turned(columns: Columns, rows: readonly CsvRow[]): LongTable {
  const known = columns.flatMap((column, at) => (column === null ? [] : [{ ...column, at }]));
  const roles = [...new Set(known.map(({ role }) => role))];
  const date = columns.indexOf(null);
  const symbols = [...Map.groupBy(known, ({ symbol }) => symbol)].map(([symbol, own]) => ({
    symbol,
    positions: roles.map((role) => own.find((column) => column.role === role)?.at ?? -1),
  }));
  const turnedRow = ({ line, cells }: CsvRow): CsvRow[] => {
    if (cells.length < columns.length) return [{ line, cells }];
    return symbols.flatMap(({ symbol, positions }) => {
      const values = positions.map((at) => cells[at] ?? '');
      if (values.every((value) => NO_VALUE.test(value.trim()))) return [];
      return [{ line, cells: [symbol, cells[date] ?? '', ...values] }];
    });
  };
  return {
    names: ['symbol', 'date', ...roles.map((role) => (role === 'adjusted' ? 'adj close' : role))],
    rows: rows.flatMap(turnedRow),
  };
}
