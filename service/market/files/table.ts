// Service, price files: delimited text as rows of cells with line numbers, in steps.
import Papa from 'papaparse';
import type { Steps } from '../../steps.ts';

/** Characters processed between two turns of the event loop: some ms. */
const SLICE_CHARACTERS = 256 * 1024;

/** Rows of a file; each takes some 100 bytes. */
export const MAX_ROWS = 10_000_000;

/** A problem in a file. Line 1 is the first one; line 0 means the whole file. */
export interface FileProblem {
  readonly line: number;
  readonly reason: string;
}

export interface CsvProblem extends FileProblem {
  readonly file: string;
}

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The content of a file: its bytes, or a sheet. */
export type Content = Uint8Array | Sheet;

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly CsvRow[];
}

/** A file, or one in an archive or a workbook. */
export interface Part {
  readonly name: string;
  /** One sentence about why there is none: it cannot be read, or has no prices. */
  readonly content: Content | string;
  /** Whether it may have rows that cannot be read now. */
  readonly isLost?: boolean;
  /** Number of the parts; default: 1. */
  readonly of?: number;
}

/** A row of a text without quotes, which is split when it is read: files have millions, and their cells are large. */
class UnquotedRow implements CsvRow {
  readonly line: number;
  readonly #text: string;
  readonly #delimiter: string;

  constructor(line: number, text: string, delimiter: string) {
    this.line = line;
    this.#text = text;
    this.#delimiter = delimiter;
  }

  get cells(): readonly string[] {
    return this.#text.split(this.#delimiter);
  }
}

/** Spreadsheets write rows of empty cells. */
const isBlank = (cells: readonly string[]): boolean =>
  (cells[0] ?? '').trim() === '' && cells.every((cell) => cell.trim() === '');

/** The rows that are not blank, of too many the first. */
export function* readRowsInSteps(text: string, delimiter: string): Steps<CsvRow[]> {
  const rows: CsvRow[] = [];
  let line = 1;
  if (text.includes('"')) {
    for (const cells of cellsOf(text, delimiter)) {
      if (!isBlank(cells)) rows.push({ line, cells });
      line += linesIn(cells);
    }
    return rows;
  }
  for (let from = 0, slice = SLICE_CHARACTERS; from <= text.length && rows.length <= MAX_ROWS; line += 1) {
    const end = text.indexOf('\n', from);
    const row = text.slice(from, end === -1 ? text.length : end);
    const mayBeBlank = row === '' || /^[\s,;|]/.test(row);
    if (!mayBeBlank || !isBlank(row.split(delimiter))) rows.push(new UnquotedRow(line, row, delimiter));
    from = end === -1 ? text.length + 1 : end + 1;
    if (from < slice) continue;
    slice += SLICE_CHARACTERS;
    yield;
  }
  return rows;
}

export const CUT_ROW =
  'the file ends within this row, and its program may be writing it; no known price is withdrawn. Where it stays so, complete the row or delete it';

/** Takes away a last row that ends the text with fewer cells than the one above. @returns its line; null: there is none */
export function takeCutRow(text: string, rows: CsvRow[]): number | null {
  const [above, last] = rows.slice(-2);
  const isCut = last !== undefined && !text.endsWith('\n') && last.cells.length < (above?.cells.length ?? 0);
  return isCut ? (rows.pop()?.line ?? null) : null;
}

/** From a quote that no other one closes on, quotes are characters: no cell takes in the rows below it. */
function cellsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  const how = { delimiter, newline: '\n' } as const;
  const { data, errors } = Papa.parse<string[]>(text, how);
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken?.row === undefined) return data;
  const before = data.slice(0, broken.row);
  const from = before.reduce((at, cells) => at + linesIn(cells), 0);
  const rest = text.split('\n').slice(from).join('\n');
  return [...before, ...Papa.parse<string[]>(rest, { ...how, quoteChar: '\u0000' }).data];
}

const linesIn = (cells: readonly string[]): number => cells.join('').split('\n').length;
