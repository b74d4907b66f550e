// Service, price files: the sheets of a workbook (XLSX) as rows of cells with line numbers.
import { posix } from 'node:path';
import type { IZipEntry } from 'adm-zip';
import { XMLParser } from 'fast-xml-parser';
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Part } from './archive.ts';
import { isHeader } from './columns.ts';
import type { CsvRow } from './table.ts';

const BOOK = 'xl/workbook.xml';
export const isWorkbook = (entries: readonly IZipEntry[]): boolean =>
  entries.some(({ entryName }) => entryName === BOOK);

/** Rows in which a sheet must name its columns. */
const HEAD_ROWS = 40;
/** Days from day 0 of serial dates to 1970; a workbook may count from 1904. */
const TO_1970 = { 1900: 25_569, 1904: 24_107 };
/** Formats of dates and times that a workbook need not define. */
const BUILT_IN_DATES = [14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47];

interface Element {
  readonly [name: string]: unknown;
}
const LISTS = ['sheet', 'Relationship', 'si', 'r', 'xf', 'numFmt', 'row', 'c'];
const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', removeNSPrefix: true, trimValues: false },
  ...{ parseTagValue: false, isArray: (name: string) => LISTS.includes(name) },
});
const childOf = (element: unknown, name: string): unknown => (element as Element | undefined)?.[name];
const listOf = (element: unknown, ...path: readonly string[]): readonly Element[] => {
  const found = path.reduce(childOf, element);
  return Array.isArray(found) ? found : [];
};
const textOf = (element: unknown): string =>
  typeof element === 'string' ? element : String(childOf(element, '#text') ?? '');
/** The text of a string, which may be in parts of several looks. */
const stringOf = (element: unknown): string => {
  const parts = listOf(element, 'r');
  return parts.length > 0 ? parts.map((part) => textOf(part.t)).join('') : textOf(childOf(element, 't'));
};

/**
 * The visible sheets that name columns of prices, or else the first; others are named.
 * @throws Error where the workbook is damaged
 */
export function* sheetsOf(file: string, entries: readonly IZipEntry[]): Generator<Part> {
  const xmlOf = (path: string): unknown => {
    const entry = entries.find(({ entryName }) => entryName === path);
    return entry === undefined ? undefined : parser.parse(entry.getData());
  };
  const book = childOf(xmlOf(BOOK), 'workbook');
  const relations = listOf(xmlOf('xl/_rels/workbook.xml.rels'), 'Relationships', 'Relationship');
  const targets = new Map(relations.map((one) => [one['@Id'], posix.resolve('/xl', String(one['@Target'])).slice(1)]));
  const readCell = cellReader(book, xmlOf('xl/sharedStrings.xml'), xmlOf('xl/styles.xml'));
  const sheets = listOf(book, 'sheets', 'sheet')
    .filter((sheet) => (sheet['@state'] ?? 'visible') === 'visible')
    .map((sheet) => {
      const rows = listOf(xmlOf(targets.get(sheet['@id']) ?? ''), 'worksheet', 'sheetData', 'row');
      return {
        name: String(sheet['@name']),
        rows: ofOneWidth(rows.flatMap((row, index) => rowOf(row, index, readCell))),
      };
    });
  const named = sheets.filter(({ rows }) => rows.slice(0, HEAD_ROWS).some(({ cells }) => isHeader(cells)));
  const read = named.length > 0 ? named : sheets.slice(0, 1);
  for (const sheet of sheets) {
    const name = `${file}/${sheet.name}`;
    if (read.includes(sheet)) yield { name: read.length === 1 ? file : name, content: sheet.rows };
    else if (sheet.rows.length > 0)
      yield { name, content: 'this sheet is not read, as none of its rows names columns of dates and closes' };
  }
}

type CellReader = (cell: Element) => string;

function cellReader(book: unknown, strings: unknown, styles: unknown): CellReader {
  const texts = listOf(strings, 'sst', 'si').map(stringOf);
  const dateFormats = new Set([
    ...BUILT_IN_DATES.map(String),
    ...listOf(styles, 'styleSheet', 'numFmts', 'numFmt')
      // Colours and texts are no parts of a date.
      .filter((one) => /[dmyhs]/i.test(String(one['@formatCode']).replace(/"[^"]*"|\[[^\]]*\]|\\.|General/gi, '')))
      .map((one) => String(one['@numFmtId'])),
  ]);
  const isDate = listOf(styles, 'styleSheet', 'cellXfs', 'xf').map((one) => dateFormats.has(String(one['@numFmtId'])));
  const isLater = ['1', 'true'].includes(String(childOf(childOf(book, 'workbookPr'), '@date1904')));
  const toMs = (serial: number): number => Math.round((serial - TO_1970[isLater ? 1904 : 1900]) * DAY_MS);
  return (cell) => {
    const value = textOf(cell.v);
    if (cell['@t'] === 's') return texts[Number(value)] ?? '';
    if (cell['@t'] === 'inlineStr') return stringOf(cell.is);
    if ((cell['@t'] ?? 'n') !== 'n' || value === '' || isDate[Number(cell['@s'])] !== true) return value;
    const [date = '', time = ''] = new Date(toMs(Number(value))).toISOString().split('T');
    // A serial below 1 is a time.
    return [Number(value) < 1 ? '' : date, Number(value) % 1 === 0 ? '' : time.slice(0, 8)].filter(Boolean).join(' ');
  };
}

/** Cells at the columns that they name: empty ones may be left out. */
function rowOf(row: Element, index: number, readCell: CellReader): CsvRow[] {
  const cells: string[] = [];
  for (const cell of listOf(row, 'c')) {
    const letters = /^[A-Z]{1,3}/.exec(String(cell['@r']))?.[0];
    const at =
      letters === undefined
        ? cells.length
        : [...letters].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1;
    while (cells.length < at) cells.push('');
    cells[at] = readCell(cell);
  }
  return cells.every((cell) => cell.trim() === '') ? [] : [{ line: Number(row['@r'] ?? index + 1), cells }];
}

/** Rows may lack the empty cells at their end. */
function ofOneWidth(rows: readonly CsvRow[]): readonly CsvRow[] {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return rows.map(({ line, cells }) => ({ line, cells: [...cells, ...Array<string>(width - cells.length).fill('')] }));
}
