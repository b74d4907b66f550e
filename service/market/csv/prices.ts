// Service, market: parses price files into bars; skips bad rows and reports line and reason.
import Papa from 'papaparse';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import { inOneTurn, type Steps } from '../../steps.ts';
import { compactBar } from '../compact-bar.ts';
import type { RowDates } from './row-dates.ts';

export const PRICE_HEADER = 'symbol,date,open,high,low,close,volume';
const PRICES = ['open', 'high', 'low', 'close'] as const;
const REQUIRED = ['symbol', 'date', ...PRICES] as const;

/** Relative difference between two closes (50 basis points) above which files disagree. */
const DISAGREEMENT = 0.005;

/** Characters and rows processed between two turns of the event loop: some ms. */
const SLICE_CHARACTERS = 256 * 1024;
const SLICE_ROWS = 4_096;

/** Upper bound of the lines of a file. */
const MAX_LINES = 2 ** 30;

/** A problem in a file. Line 1 is the header; line 0 means the whole file. */
export interface CsvProblem {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table with line numbers. Column names are in lower case. */
export interface CsvTable {
  readonly columns: ReadonlyMap<string, number>;
  readonly rows: readonly CsvRow[];
}

/**
 * Parses CSV text; accepts a byte-order mark, CRLF, blank lines and quoted cells.
 * @returns the table, or one sentence about why the text is invalid
 */
export const readTable = (bytes: Uint8Array, required: readonly string[], header: string): CsvTable | string =>
  inOneTurn(readTableInSteps(bytes, required, header));

function* readTableInSteps(bytes: Uint8Array, required: readonly string[], header: string): Steps<CsvTable | string> {
  const read = yield* readRowsInSteps(bytes, ',');
  if (typeof read === 'string') return read;
  const [first, ...rows] = read;
  if (first === undefined) return `the file is empty; the first line must be ${header}`;
  const names = first.cells.map((name) => name.trim().toLowerCase());
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) return `column ${missing.join(', ')} is missing; the first line must be ${header}`;
  const twice = required.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) return `column ${twice} is there twice; the first line must be ${header}`;
  return { columns: new Map(names.map((name, index) => [name, index])), rows };
}

/**
 * Parses delimited text into its rows that are not blank, with line numbers.
 * @returns the rows, or one sentence about why the text is invalid
 */
export const readRows = (bytes: Uint8Array, delimiter: string): CsvRow[] | string =>
  inOneTurn(readRowsInSteps(bytes, delimiter));

function* readRowsInSteps(bytes: Uint8Array, delimiter: string): Steps<CsvRow[] | string> {
  const text = new TextDecoder('utf-8').decode(bytes);
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) return 'this is a web page, not prices; fetch the file again';
  if (text.includes('\u0000')) return 'this is not UTF-8 text; save it as CSV in UTF-8';
  const rows: CsvRow[] = [];
  // Only a quoted cell can span several lines.
  const linesOf = text.includes('"')
    ? (cells: readonly string[]): number => cells.join('').split('\n').length
    : (): number => 1;
  let line = 1;
  for (const slice of slicesOf(text)) {
    if (line > 1) yield;
    for (const cells of Papa.parse<string[]>(slice, { delimiter }).data) {
      // A row of empty cells before the header also counts as blank.
      const isBlank =
        rows.length === 0
          ? cells.every((cell) => cell.trim() === '')
          : cells.length < 2 && (cells[0] ?? '').trim() === '';
      if (!isBlank) rows.push({ line, cells });
      line += linesOf(cells);
    }
  }
  return rows;
}

/** Slices at line breaks, without them. A text with quotes is one slice, as a quoted cell may span lines. */
function* slicesOf(text: string): Generator<string> {
  const isSplittable = !text.includes('"');
  let from = 0;
  while (isSplittable && text.length - from > SLICE_CHARACTERS) {
    const end = text.indexOf('\n', from + SLICE_CHARACTERS);
    if (end === -1) break;
    yield text.slice(from, text[end - 1] === '\r' ? end - 1 : end);
    from = end + 1;
  }
  yield text.slice(from);
}

/** Collects the bars of a folder, file after file, by ascending date. The first row of a date wins. */
export class PriceFolder {
  #bars = new Map<string, Bar[]>();
  /** Dates of the bars that were taken; shorter than a second copy of them. */
  #taken: ReadonlyMap<string, readonly string[]> = new Map();
  readonly problems: CsvProblem[] = [];
  rows = 0;
  used = 0;
  readonly #dates: RowDates;
  /** Weekend rows of the current file. */
  #weekends: { readonly line: number; readonly row: string }[] = [];
  readonly #files: string[] = [];
  /** For each bar: number of its file times MAX_LINES, plus its line. */
  readonly #locations = new Map<string, number[]>();
  /** Number of rows whose high or low was widened to contain open and close. */
  widened = 0;

  constructor(dates: RowDates) {
    this.#dates = dates;
  }

  get symbols(): string[] {
    return [...this.#locations.keys()];
  }

  /** The bars by symbol. They are the caller's then: this folder keeps their dates and locations alone. */
  takeBars(): ReadonlyMap<string, readonly Bar[]> {
    const bars = this.#bars;
    this.#bars = new Map();
    this.#taken = new Map([...bars].map(([symbol, rows]) => [symbol, rows.map(({ date }) => date)]));
    return bars;
  }

  /** Parses a file. @param writtenAt wall ms of the last write of the file */
  *addInSteps(file: string, bytes: Uint8Array, writtenAt: number): Steps<void> {
    this.#files.push(file);
    const table = yield* readTableInSteps(bytes, REQUIRED, PRICE_HEADER);
    if (typeof table === 'string') {
      this.problems.push({ file, line: 0, reason: table });
      return;
    }
    if (table.rows.length === 0) this.problems.push({ file, line: 0, reason: 'there is no row below the header' });
    const width = table.columns.size;
    const at = (name: string): number => table.columns.get(name) ?? -1;
    const columns = {
      symbol: at('symbol'),
      date: at('date'),
      open: at('open'),
      high: at('high'),
      low: at('low'),
      close: at('close'),
    };
    const volume = at('volume');
    this.#weekends = [];
    for (const { line, cells } of table.rows) {
      this.rows += 1;
      if (this.rows % SLICE_ROWS === 0) yield;
      const refusal =
        cells.length === width
          ? this.#take(cells, columns, volume, line, writtenAt)
          : `the row has ${cells.length} cells where the header has ${width}; write one cell per column`;
      if (refusal !== null) this.problems.push({ file, line, reason: refusal });
    }
    const [first] = this.#weekends;
    if (first === undefined) return;
    const all = this.#weekends.length;
    const reason = `${first.row} is a day at a weekend, on which shares do not trade (${all} such ${all === 1 ? 'row' : 'rows'}, used as they are); write the date of the session in New York, or the calendar in instruments.csv`;
    this.problems.push({ file, line: first.line, reason });
  }

  /**
   * File and line of the row of a symbol's date, after the bars were taken; line 0: no such row.
   * @param date absent: the first one
   */
  locationOf(symbol: string, date?: string): { readonly file: string; readonly line: number } {
    const dates = this.#taken.get(symbol) ?? [];
    const index = date === undefined ? 0 : countLeading(dates, (one) => one <= date) - 1;
    const location = date === undefined || dates[index] === date ? this.#locations.get(symbol)?.[index] : undefined;
    if (location === undefined) return { file: symbol, line: 0 };
    return { file: this.#files[Math.floor(location / MAX_LINES)] ?? symbol, line: location % MAX_LINES };
  }

  /** Adds a row. @returns the reason of a refusal, or null */
  #take(
    cells: readonly string[],
    columns: PriceColumns & { readonly date: number },
    volumeColumn: number,
    line: number,
    writtenAt: number,
  ): string | null {
    const date = (cells[columns.date] ?? '').trim();
    if (!isDate(date)) return `"${date.slice(0, 30)}" is no date; write it as 2020-02-24`;
    const read = readPrices(cells, columns, volumeColumn);
    if (typeof read === 'string') return read;
    const { symbol, ...prices } = read;
    const refusal = this.#dates.refusal(symbol, date, writtenAt);
    if (refusal !== null) return refusal;
    if (this.#dates.isWeekend(symbol, date)) this.#weekends.push({ line, row: `${symbol} ${date}` });
    const bar = compactBar({ date, ...widened(prices) });
    if (bar.high !== prices.high || bar.low !== prices.low) this.widened += 1;
    return this.#append(symbol, bar, line);
  }

  /** Inserts a bar by date: rows of a symbol may come in any order and from several files. */
  #append(symbol: string, bar: Bar, line: number): string | null {
    const bars = this.#bars.get(symbol) ?? [];
    const locations = this.#locations.get(symbol) ?? [];
    const location = (this.#files.length - 1) * MAX_LINES + line;
    const last = bars.at(-1);
    if (last === undefined) {
      this.#bars.set(symbol, bars);
      this.#locations.set(symbol, locations);
    }
    if (last === undefined || bar.date > last.date) {
      bars.push(bar);
      locations.push(location);
    } else {
      const index = firstAfter(bars, bar.date);
      const known = bars[index - 1];
      if (known?.date === bar.date) return this.#refuseSecond(symbol, known, bar, locations[index - 1] ?? 0);
      bars.splice(index, 0, bar);
      locations.splice(index, 0, location);
    }
    this.used += 1;
    return null;
  }

  #refuseSecond(symbol: string, known: Bar, bar: Bar, location: number): string {
    const kept = `${symbol} ${bar.date} is there already; the first row is kept`;
    const file = this.#files[Math.floor(location / MAX_LINES)];
    if (file === this.#files.at(-1) || Math.abs(bar.close / known.close - 1) <= DISAGREEMENT) return kept;
    return `${kept}: ${file} has close ${known.close}, this file ${bar.close}`;
  }
}

/** Positions of the cells of a row. */
export type PriceColumns = Readonly<Record<'symbol' | (typeof PRICES)[number], number>>;

/**
 * Reads symbol and prices of a row of any price file.
 * @param volumeColumn -1: none
 * @returns them, or one sentence about why the row is invalid
 */
export function readPrices(cells: readonly string[], columns: PriceColumns, volumeColumn: number) {
  const cell = (column: number): string => (cells[column] ?? '').trim();
  const symbol = normalizeSymbol(cell(columns.symbol));
  if (!isSymbol(symbol)) return `"${symbol.slice(0, 30)}" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -`;
  const read = readPriceCells((name) => cell(name === 'volume' ? volumeColumn : columns[name]), readNumber);
  return typeof read === 'string' ? read : { symbol, ...read };
}

/**
 * Reads prices and volume.
 * @param cell the trimmed text of a column; '' for no volume
 * @param toNumber parses a number; null: the text is not a number
 * @returns them, or one sentence about why they are invalid
 */
export function readPriceCells(
  cell: (name: (typeof PRICES)[number] | 'volume') => string,
  toNumber: (text: string) => number | null,
) {
  const prices = { open: 0, high: 0, low: 0, close: 0 };
  for (const name of PRICES) {
    const text = cell(name);
    const price = toNumber(text);
    if (price === null) return `${name} "${text.slice(0, 30)}" is not a number`;
    if (price <= 0) return `${name} ${text} is not a price; a price is above zero`;
    prices[name] = price;
  }
  if (prices.high < prices.low) return `high ${prices.high} is below low ${prices.low}`;
  const volumeText = cell('volume');
  const volume = volumeText === '' ? 0 : toNumber(volumeText);
  if (volume === null)
    return `volume "${volumeText.slice(0, 30)}" is not a number; leave it empty when it is not known`;
  if (volume < 0) return `volume ${volumeText} is below zero`;
  return { ...prices, volume: volume === 0 ? null : volume };
}

/** Widens the range to contain open and close, which rounding of adjusted prices may leave outside. */
export function widened<Prices extends { open: number; high: number; low: number; close: number }>(
  prices: Prices,
): Prices {
  return {
    ...prices,
    high: Math.max(prices.high, prices.open, prices.close),
    low: Math.min(prices.low, prices.open, prices.close),
  };
}

/** Position of the first bar after `date` in bars sorted by date. */
export const firstAfter = (bars: readonly Bar[], date: string): number => countLeading(bars, (bar) => bar.date <= date);

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

export function readNumber(text: string): number | null {
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
