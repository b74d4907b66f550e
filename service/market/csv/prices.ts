// Service, market: parses one price file into bars.
// Refuses a bad row with its line and the reason, and uses the rest.
import Papa from 'papaparse';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';

export const PRICE_HEADER = 'symbol,date,open,high,low,close,volume';
const PRICES = ['open', 'high', 'low', 'close'] as const;
const REQUIRED = ['symbol', 'date', ...PRICES] as const;

/** A close that differs from the previous one by this factor is reported. */
const JUMP = 10;

/** A problem in a file. Line 1 is the header; line 0 means the whole file. */
export interface CsvProblem {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** A table whose rows retain their line numbers. Column names are in lower case. */
export interface CsvTable {
  readonly columns: ReadonlyMap<string, number>;
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/**
 * Parses CSV text; accepts a byte-order mark, CRLF, blank lines and quoted cells.
 * @returns the table, or one sentence about why there is none
 */
export function readTable(bytes: Uint8Array, required: readonly string[], header: string): CsvTable | string {
  const text = new TextDecoder('utf-8').decode(bytes);
  if (text.includes('\u0000')) return 'this is not UTF-8 text; save it as CSV in UTF-8';
  const parsed = Papa.parse<string[]>(text, { delimiter: ',' }).data;
  const first = parsed.findIndex((cells) => cells.some((cell) => cell.trim() !== ''));
  if (first === -1) return `the file is empty; the first line must be ${header}`;
  const names = (parsed[first] ?? []).map((name) => name.trim().toLowerCase());
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) return `column ${missing.join(', ')} is missing; the first line must be ${header}`;
  const twice = required.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) return `column ${twice} is there twice; the first line must be ${header}`;
  const rows: { line: number; cells: string[] }[] = [];
  // Only a quoted cell can span several lines.
  const linesOf = text.includes('"')
    ? (cells: readonly string[]): number => cells.join('').split('\n').length
    : (): number => 1;
  let line = 1;
  for (let index = 0; index < parsed.length; index++) {
    const cells = parsed[index] as string[];
    if (index > first && (cells.length > 1 || (cells[0] ?? '').trim() !== '')) rows.push({ line, cells });
    line += linesOf(cells);
  }
  return { columns: new Map(names.map((name, index) => [name, index])), rows };
}

/**
 * Collects the bars of a folder, file after file. The dates of a symbol ascend; of two rows of one day the
 * first wins.
 */
export class PriceFolder {
  readonly bars = new Map<string, Bar[]>();
  readonly problems: CsvProblem[] = [];
  rows = 0;
  used = 0;
  /** Rows whose high or low was widened to contain open and close. */
  widened = 0;

  add(file: string, bytes: Uint8Array): void {
    const table = readTable(bytes, REQUIRED, PRICE_HEADER);
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
    for (const { line, cells } of table.rows) {
      this.rows += 1;
      const refusal =
        cells.length === width
          ? this.#take(cells, columns, volume)
          : `the row has ${cells.length} cells where the header has ${width}; write one cell per column`;
      if (refusal !== null) this.problems.push({ file, line, reason: refusal });
      else
        this.#warnOfJump(file, line, normalizeSymbol(cells[columns.symbol] ?? ''), (cells[columns.date] ?? '').trim());
    }
  }

  /** A tenfold move is rarely real, but which side is wrong is unknown, so the row is used. */
  #warnOfJump(file: string, line: number, symbol: string, date: string): void {
    const [before, bar] = this.bars.get(symbol)?.slice(-2) ?? [];
    if (before === undefined || bar?.date !== date) return;
    const times = bar.close / before.close;
    if (times > JUMP || times < 1 / JUMP) {
      const reason = `close ${bar.close} after ${before.close} looks like a split that is not adjusted; the row is used all the same`;
      this.problems.push({ file, line, reason });
    }
  }

  /** @returns why the row is refused, or null when it was added */
  #take(
    cells: readonly string[],
    columns: PriceColumns & { readonly date: number },
    volumeColumn: number,
  ): string | null {
    const date = (cells[columns.date] ?? '').trim();
    if (!isDate(date)) return `"${date.slice(0, 30)}" is no date; write it as 2020-02-24`;
    const read = readPrices(cells, columns, volumeColumn);
    if (typeof read === 'string') return read;
    const { symbol, volume, ...prices } = read;
    return this.#append(symbol, { date, ...this.#widen(prices), volume });
  }

  /** Rows of one symbol may come in any order and from several files. */
  #append(symbol: string, bar: Bar): string | null {
    const bars = this.bars.get(symbol) ?? [];
    const last = bars.at(-1);
    if (last === undefined) this.bars.set(symbol, bars);
    if (last === undefined || bar.date > last.date) bars.push(bar);
    else {
      const index = firstAfter(bars, bar.date);
      if (bars[index - 1]?.date === bar.date) return `${symbol} ${bar.date} is there already; the first row is kept`;
      bars.splice(index, 0, bar);
    }
    this.used += 1;
    return null;
  }

  /** Rounding of adjusted prices may leave open or close slightly outside the range. */
  #widen(prices: { open: number; high: number; low: number; close: number }): {
    open: number;
    high: number;
    low: number;
    close: number;
  } {
    const high = Math.max(prices.high, prices.open, prices.close);
    const low = Math.min(prices.low, prices.open, prices.close);
    if (high !== prices.high || low !== prices.low) this.widened += 1;
    return { ...prices, high, low };
  }
}

/** Positions of the cells of a row. */
export type PriceColumns = Readonly<Record<'symbol' | (typeof PRICES)[number], number>>;

/**
 * Symbol and prices of a row of any price file, or one sentence about why it has none.
 * @param volumeColumn -1: none
 */
export function readPrices(cells: readonly string[], columns: PriceColumns, volumeColumn: number) {
  const cell = (column: number): string => (cells[column] ?? '').trim();
  const symbol = normalizeSymbol(cell(columns.symbol));
  if (!isSymbol(symbol)) return `"${symbol.slice(0, 30)}" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -`;
  const prices = { open: 0, high: 0, low: 0, close: 0 };
  for (const name of PRICES) {
    const text = cell(columns[name]);
    const price = readNumber(text);
    if (price === null) return `${name} "${text.slice(0, 30)}" is not a number`;
    if (price <= 0) return `${name} ${text} is not a price; a price is above zero`;
    prices[name] = price;
  }
  if (prices.high < prices.low) return `high ${prices.high} is below low ${prices.low}`;
  const volumeText = volumeColumn === -1 ? '' : cell(volumeColumn);
  const volume = volumeText === '' ? 0 : readNumber(volumeText);
  if (volume === null)
    return `volume "${volumeText.slice(0, 30)}" is not a number; leave it empty when it is not known`;
  if (volume < 0) return `volume ${volumeText} is below zero`;
  return { symbol, ...prices, volume: volume === 0 ? null : volume };
}

/** Position of the first bar after `date` in bars sorted by date. */
export const firstAfter = (bars: readonly Bar[], date: string): number => countLeading(bars, (bar) => bar.date <= date);

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

function readNumber(text: string): number | null {
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
