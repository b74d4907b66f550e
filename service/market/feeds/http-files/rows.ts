// Service, price files over HTTP: parses a file into daily prices by symbol.
// Skips bad rows and reports their line numbers.
import { isSession, type SessionCalendar } from '../../../../shared/domain/sessions.ts';
import type { Bar } from '../../../engine/types.ts';
import { readNumber, readPriceCells, readRows, widened } from '../../csv/prices.ts';
import { readDate } from './dates.ts';
import type { Column, Columns, FileSettings } from './settings.ts';

/** Texts that stand for a missing value. */
const NO_VALUE = /^(|\.|-|n\/?a|nan|nd|null)$/i;
const USUAL_COLUMNS: Columns = {
  date: 'date',
  open: 'open',
  high: 'high',
  low: 'low',
  close: 'close',
  volume: 'volume',
};

export interface FileProblem {
  /** 0 means the whole file. */
  readonly line: number;
  readonly reason: string;
}

export interface FileContents {
  /** Bars by the symbol's name in the file, in upper case, oldest first; by '' in a file of one symbol. */
  readonly bars: ReadonlyMap<string, readonly Bar[]>;
  readonly problems: readonly FileProblem[];
}

/** Whether rows name their symbol. */
export const hasSymbolColumn = ({ url, columns, symbols }: FileSettings): boolean =>
  columns === undefined ? !url.includes('{symbol}') && Object.keys(symbols).length > 1 : columns.symbol !== undefined;

/** @returns the prices, or one sentence about why the file has none */
export function readFile(bytes: Uint8Array, settings: FileSettings, calendar: SessionCalendar): FileContents | string {
  const rows = readRows(bytes, settings.delimiter);
  if (typeof rows === 'string') return rows;
  const header = settings.hasHeader ? rows.shift() : undefined;
  const columns = columnsOf(settings, header?.cells ?? null);
  if (typeof columns === 'string') return columns;
  const bars = new Map<string, Map<string, Bar>>();
  const problems: FileProblem[] = [];
  for (const { line, cells } of rows) {
    const read = readRow(cells, columns, settings, calendar);
    if (read === null) continue;
    if (typeof read === 'string') {
      problems.push({ line, reason: read });
      continue;
    }
    const known = bars.get(read.name) ?? new Map<string, Bar>();
    bars.set(read.name, known);
    if (known.has(read.bar.date))
      problems.push({ line, reason: `${read.bar.date} is there already; the first row is kept` });
    else known.set(read.bar.date, read.bar);
  }
  if (bars.size === 0) {
    const [first] = problems;
    return first === undefined
      ? 'it has no row with a price'
      : `none of its rows is a price; line ${first.line}: ${first.reason}`;
  }
  const sorted = [...bars].map(
    ([name, list]) => [name, [...list.values()].sort((a, b) => (a.date < b.date ? -1 : 1))] as const,
  );
  return { bars: new Map(sorted), problems };
}

/** Positions from 0; -1: the file has no such column. */
type Positions = Readonly<Record<keyof Columns, number>>;

function columnsOf(settings: FileSettings, header: readonly string[] | null): Positions | string {
  const names = header?.map((name) => name.trim().toLowerCase()) ?? [];
  const given = settings.columns ?? { ...USUAL_COLUMNS, ...(hasSymbolColumn(settings) ? { symbol: 'symbol' } : {}) };
  const positions = { symbol: -1, date: -1, open: -1, high: -1, low: -1, close: -1, volume: -1 };
  for (const name of Object.keys(positions) as (keyof Columns)[]) {
    const column: Column | undefined = given[name];
    if (column === undefined) continue;
    positions[name] = typeof column === 'number' ? column - 1 : names.indexOf(column.toLowerCase());
    // By default, the volume column is optional.
    const isOptional = settings.columns === undefined && name === 'volume';
    if (positions[name] === -1 && !isOptional)
      return `column ${column} is missing; the first line is "${names.join(settings.delimiter).slice(0, 120)}"`;
  }
  return positions;
}

/** @returns null for a row without a close, which is not an error: a holiday, or a price not known yet */
function readRow(
  cells: readonly string[],
  columns: Positions,
  { dateFormat, zone, decimal }: FileSettings,
  calendar: SessionCalendar,
): { name: string; bar: Bar } | string | null {
  const cell = (name: keyof Columns): string => (cells[columns[name]] ?? '').trim();
  if (NO_VALUE.test(cell('close'))) return null;
  const date = readDate(cell('date'), dateFormat, zone);
  if (date === null) return `"${cell('date').slice(0, 30)}" is no date of the form ${dateFormat}`;
  if (!isSession(calendar, date))
    return `${date} is no session of the calendar ${calendar}; are date format, zone and calendar right?`;
  const prices = readPriceCells(
    (name) => {
      const text = cell(name);
      if (name === 'volume') return NO_VALUE.test(text) ? '' : text;
      // Files or old rows with closes alone lack open, high and low.
      return NO_VALUE.test(text) ? cell('close') : text;
    },
    (text) => numberOf(text, decimal),
  );
  if (typeof prices === 'string') return prices;
  return { name: columns.symbol === -1 ? '' : cell('symbol').toUpperCase(), bar: { date, ...widened(prices) } };
}

/** Numbers with digits in groups of three, by decimal sign. */
const GROUPED = {
  '.': /^[+-]?\d{1,3}([,\s\u00a0\u202f]\d{3})+(\.\d+)?$/,
  ',': /^[+-]?\d{1,3}([.\s\u00a0\u202f]\d{3})+(,\d+)?$/,
} as const;
const GROUP_SIGN = { '.': /[,\s\u00a0\u202f]/g, ',': /[.\s\u00a0\u202f]/g } as const;

function numberOf(text: string, decimal: '.' | ','): number | null {
  const plain = GROUPED[decimal].test(text) ? text.replaceAll(GROUP_SIGN[decimal], '') : text;
  if (decimal === '.') return readNumber(plain);
  return plain.includes('.') ? null : readNumber(plain.replace(',', '.'));
}
