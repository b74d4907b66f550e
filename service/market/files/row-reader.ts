// Service, price files: reads the rows of a file whose dialect is known.
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import type { ColumnRole, Positions } from './columns.ts';
import { type DateFormat, readWritten, type WrittenDate } from './dates.ts';
import { MAPPING_FILE, type Mapping } from './mapping.ts';
import { type Decimal, NO_VALUE, readNumber, readPriceCells, writtenNumber, writtenVolume } from './numbers.ts';
import { vendorSymbol } from './symbols.ts';
import type { CsvRow } from './table.ts';

/** How a file is written. */
export interface Dialect {
  /** Whose form it is; null: not known. */
  readonly source: string | null;
  /** '': cells of a sheet. */
  readonly delimiter: string;
  /** Key of the format in mapping.json. */
  readonly header: string;
  readonly names: readonly string[];
  readonly positions: Positions;
  readonly dateFormat: DateFormat;
  readonly decimal: Decimal;
  /** Zone of times without an offset, and of the dates of instants; null: that of the exchange. */
  readonly zone: string | null;
  /** Symbol of every row; null: a column has it. */
  readonly symbol: string | null;
  readonly isIntraday: boolean;
  /** Whether it is this product's own form. */
  readonly isOwn: boolean;
}

export interface PriceRow {
  readonly symbol: string;
  readonly when: WrittenDate;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** null: not known. */
  readonly volume: number | null;
}

/** Gives the prices of a row, or one sentence about why it has none. */
export type RowReader = (row: CsvRow) => PriceRow | string;

/** @param said symbols by what stands for them in the files, of mapping.json */
export function createRowReader(dialect: Dialect, said: Mapping['symbols'] = {}): RowReader {
  const { positions, dateFormat, decimal, names, isOwn, isIntraday } = dialect;
  const toNumber = decimal === '.' ? (text: string) => readNumber(text) ?? writtenNumber(text, '.') : commaNumber;
  const toVolume = (text: string): number | null =>
    NO_VALUE.test(text) ? 0 : (toNumber(text) ?? writtenVolume(text, decimal));
  const symbolOf = isOwn ? normalizeSymbol : vendorSymbol;
  const hasForm = dateFormat !== 'YYYY-MM-DD';
  return ({ cells }) => {
    if (cells.length !== names.length && !isPadded(cells, names.length))
      return `the row has ${cells.length} cells where the header has ${names.length}; write one cell per column`;
    const cell = (role: ColumnRole): string => (cells[positions[role]] ?? '').trim();
    const text = whenText(cells, positions);
    const when = readWritten(text, dateFormat);
    if (when === null && !isIntraday)
      return `"${text.slice(0, 30)}" is no date${hasForm ? ` of the form ${dateFormat}` : ''}; write it as 2020-02-24`;
    const named = cell('symbol');
    const symbol = dialect.symbol ?? (Object.hasOwn(said, named) ? said[named] : undefined) ?? symbolOf(named);
    if (!isSymbol(symbol))
      return `"${symbol.slice(0, 30)}" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -, or say one for it in ${MAPPING_FILE} (symbols)`;
    const prices = readPriceCells(
      (role) => {
        const written = cell(role);
        // Files or old rows with closes alone lack open, high and low.
        return role !== 'volume' && !isOwn && NO_VALUE.test(written) ? cell('close') : written;
      },
      toNumber,
      toVolume,
    );
    if (typeof prices === 'string') return prices;
    if (when === null) return `"${text.slice(0, 30)}" is no time; write it as 2020-02-24T09:00 or with Z or an offset`;
    if (positions.adjusted === -1) {
      const { open, high, low, close, volume } = prices;
      return { symbol, when, open, high, low, close, volume };
    }
    const adjusted = toNumber(cell('adjusted'));
    if (adjusted === null || adjusted <= 0)
      return `adjusted close "${cell('adjusted').slice(0, 30)}" is not a price; leave the column out to use the close`;
    return { symbol, when, ...scaled(prices, adjusted) };
  };
}

const commaNumber = (text: string): number | null => writtenNumber(text, ',');

const isPadded = (cells: readonly string[], width: number): boolean =>
  cells.length > width && cells.slice(width).every((cell) => cell.trim() === '');

/** The text of a row's date, with the time of its own column. */
export function whenText(cells: readonly string[], { date, time }: Positions): string {
  const day = (cells[date] ?? '').trim();
  const hour = time === -1 ? '' : (cells[time] ?? '').trim();
  return hour === '' ? day : `${day} ${hour}`;
}

/** All prices at the level of the adjusted close, with the volume that has the same traded value. */
function scaled<Prices extends Omit<PriceRow, 'symbol' | 'when'>>(prices: Prices, adjusted: number) {
  const factor = adjusted / prices.close;
  if (factor === 1) return prices;
  const { open, high, low, volume } = prices;
  const level = { open: open * factor, high: high * factor, low: low * factor, close: adjusted };
  return { ...level, volume: volume === null ? null : Math.round(volume / factor) };
}
