// Service, price files: the sheets of a workbook (XLSX) as rows of cells with line numbers.
/// <reference path="./saxen.d.ts" />
import { posix } from 'node:path';
import { Parser } from 'saxen';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { isHeader } from './columns.ts';
import type { CsvRow, Part, Sheet } from './table.ts';
import type { ZipEntry } from './zip.ts';

const BOOK = 'xl/workbook.xml';
export const isWorkbook = (entries: readonly ZipEntry[]): boolean => entries.some(({ name }) => name === BOOK);

/** Rows in which a sheet must name its columns. */
const HEAD_ROWS = 40;
/** Rows that are filled between two turns. */
const SLICE_ROWS = 16_384;
/** Cells of a sheet, empty ones before others included. */
const MAX_CELLS = 20_000_000;
/** Days from day 0 of serial dates to 1970; a workbook may count from 1904. */
const TO_1970 = { 1900: 25_569, 1904: 24_107 };
/** Formats of dates and times that a workbook need not define. */
const BUILT_IN_DATES = [14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47];

type Attributes = Readonly<Record<string, string | undefined>>;
interface Handlers {
  readonly open: (name: string, attributes: Attributes) => void;
  /** With the text of the element. */
  readonly close?: (name: string, text: string) => void;
}

/** Names are given without the prefix of their namespace. @throws Error */
function scan(xml: string, { open, close }: Handlers): void {
  const parser = new Parser();
  let text = '';
  const bare = (name: string): string => name.slice(name.indexOf(':') + 1);
  parser.on('openTag', (name, attributes, decode) => {
    text = '';
    open(
      bare(name),
      Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [bare(key), decode(value)])),
    );
  });
  parser.on('text', (value, decode) => {
    text += decode(value);
  });
  parser.on('closeTag', (name) => {
    close?.(bare(name), text);
    text = '';
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.parse(xml);
}

/** Characters of a sheet that are read between two turns of the event loop: some ms. */
const SLICE_CHARACTERS = 128 * 1024;

/** Scans all elements of a name that stand beside each other, slice by slice. */
function* scanInSteps(xml: string, element: 'row' | 'si', handlers: Handlers): Generator<undefined, void> {
  let from = xml.search(new RegExp(`<(\\w+:)?${element}[\\s>]`));
  const last = xml.lastIndexOf(`${element}>`) + element.length + 1;
  const end = new RegExp(`</(\\w+:)?${element}>`, 'g');
  while (from !== -1 && from < last) {
    end.lastIndex = from + SLICE_CHARACTERS;
    const to = end.test(xml) ? end.lastIndex : last;
    scan(`<slice>${xml.slice(from, to)}</slice>`, handlers);
    from = to;
    yield;
  }
}

/**
 * The visible sheets that name columns of prices, or else the first; others are named. Between them undefined lets
 * others have their turn.
 * @throws Error where the workbook is damaged
 */
export function* sheetsOf(file: string, entries: readonly ZipEntry[]): Generator<Part | undefined> {
  const bytesOf = (path: string) => entries.find(({ name }) => name === path)?.unpack();
  const xmlOf = (path: string): string => bytesOf(path)?.toString('utf8') ?? '<none/>';
  const listed: { readonly name: string; readonly id: string }[] = [];
  let isLater = false;
  scan(xmlOf(BOOK), {
    open: (element, { name = '', id = '', state = 'visible', date1904 = '' }) => {
      if (element === 'sheet' && state === 'visible') listed.push({ name, id });
      if (element === 'workbookPr') isLater = ['1', 'true'].includes(date1904);
    },
  });
  const paths = new Map<string, string>();
  scan(xmlOf('xl/_rels/workbook.xml.rels'), {
    open: (_, { Id, Target = '' }) => Id !== undefined && paths.set(Id, posix.resolve('/xl', Target).slice(1)),
  });
  const texts = yield* stringsInSteps(xmlOf('xl/sharedStrings.xml'));
  const isDate = dateStyles(xmlOf('xl/styles.xml'));
  const readCell = ({ t = 'n', s = '' }: Attributes, text: string): string => {
    if (t === 's') return texts[Number(text)] ?? '';
    return t === 'n' && text !== '' && isDate[Number(s)] === true
      ? dateOf(Number(text), TO_1970[isLater ? 1904 : 1900])
      : text;
  };
  const sheets: Sheet[] = [];
  for (const { name, id } of listed) {
    const bytes = bytesOf(paths.get(id) ?? '');
    yield;
    const xml = bytes?.toString('utf8') ?? '';
    yield;
    sheets.push({ name, rows: yield* rowsInSteps(xml, readCell) });
  }
  const named = sheets.filter(({ rows }) => rows.slice(0, HEAD_ROWS).some(({ cells }) => isHeader(cells)));
  const read = named.length > 0 ? named : sheets.slice(0, 1);
  for (const sheet of sheets) {
    const name = `${file}/${sheet.name}`;
    if (read.includes(sheet)) yield { name: read.length === 1 ? file : name, content: sheet };
    else if (sheet.rows.length > 0)
      yield { name, content: 'this sheet is not read, as none of its rows names columns of dates and closes' };
  }
}

/** Shared strings, which may be in parts of several looks. Their pronunciation is no part. */
function* stringsInSteps(xml: string): Generator<undefined, string[]> {
  const texts: string[] = [];
  let isSpoken = false;
  yield* scanInSteps(xml, 'si', {
    open: (name) => {
      if (name === 'si') texts.push('');
      if (name === 'rPh') isSpoken = true;
    },
    close: (name, text) => {
      if (name === 't' && !isSpoken) texts[texts.length - 1] += text;
      if (name === 'rPh') isSpoken = false;
    },
  });
  return texts;
}

/** Whether each style of cells is that of dates or times. */
function dateStyles(xml: string): boolean[] {
  const formats = new Set(BUILT_IN_DATES.map(String));
  const styles: boolean[] = [];
  let isCell = false;
  scan(xml, {
    open: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'cellXfs') isCell = true;
      if (name === 'xf' && isCell) styles.push(formats.has(numFmtId));
      // Colours and texts are no parts of a date.
      const bare = formatCode.replace(/"[^"]*"|\[[^\]]*\]|\\.|General/gi, '');
      if (name === 'numFmt' && /[dmyhs]/i.test(bare)) formats.add(numFmtId);
    },
    close: (name) => {
      if (name === 'cellXfs') isCell = false;
    },
  });
  return styles;
}

/** A serial date as "2024-01-16 16:00:00". One below 1 is a time, a whole one a date. */
function dateOf(serial: number, to1970: number): string {
  const at = new Date(Math.round((serial - to1970) * DAY_MS));
  if (Number.isNaN(at.getTime())) return String(serial);
  const [date = '', time = ''] = at.toISOString().split('T');
  return [serial < 1 ? '' : date, serial % 1 === 0 ? '' : time.slice(0, 8)].filter(Boolean).join(' ');
}

function* rowsInSteps(
  xml: string,
  readCell: (cell: Attributes, text: string) => string,
): Generator<undefined, CsvRow[]> {
  const rows: { line: number; cells: string[] }[] = [];
  let cell: Attributes = {};
  let [width, count] = [0, 0];
  yield* scanInSteps(xml, 'row', {
    open: (name, attributes) => {
      if (name === 'row') rows.push({ line: Number(attributes.r ?? rows.length + 1), cells: [] });
      if (name === 'c') cell = attributes;
    },
    close: (name, text) => {
      const cells = rows.at(-1)?.cells;
      if (cells === undefined || !['v', 't'].includes(name)) return;
      // Empty cells may be left out.
      const letters = /^[A-Z]{1,3}/.exec(cell.r ?? '')?.[0] ?? '';
      const at = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      for (; cells.length <= at; count += 1) cells.push('');
      if (count > MAX_CELLS) throw new Error(`a sheet has more than ${MAX_CELLS} cells`);
      if (at === -1) cells.push(readCell(cell, text));
      else cells[at] += readCell(cell, text);
      width = Math.max(width, cells.length);
    },
  });
  for (const [index, { cells }] of rows.entries()) {
    while (cells.length < width) cells.push('');
    if (index % SLICE_ROWS === 0) yield;
  }
  return rows.filter(({ cells }) => cells.some((text) => text.trim() !== ''));
}
