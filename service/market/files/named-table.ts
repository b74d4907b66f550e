// Service, price files: a table whose columns have fixed names, in the dialects of price files.
import { inOneTurn } from '../../steps.ts';
import { bareName } from './columns.ts';
import { delimiterOf } from './header.ts';
import { type FileProblem, readRowsInSteps } from './table.ts';
import { textOf } from './text.ts';

export interface NamedRow {
  readonly line: number;
  /** The trimmed text of a column; '' where the row or the file has none. */
  cell(name: string): string;
}

export interface NamedTable {
  readonly delimiter: string;
  readonly rows: readonly NamedRow[];
  /** Rows that are left out. */
  readonly problems: readonly FileProblem[];
  /** False: the text may end within a row. */
  readonly isEnded: boolean;
}

/** @returns the table, or one sentence about why the text is invalid */
export function readNamedTable(bytes: Uint8Array, required: readonly string[], header: string): NamedTable | string {
  const text = textOf(bytes);
  if (!text.ok) return text.error;
  const needed = required.map(bareName);
  const delimiter = delimiterOf(text.value, (cells) => needed.every((name) => cells.map(bareName).includes(name)));
  const [first, ...rows] = inOneTurn(readRowsInSteps(text.value, delimiter));
  if (first === undefined) return `the file is empty; the first line must be ${header}`;
  const names = first.cells.map(bareName);
  const missing = required.filter((_, index) => !names.includes(needed[index] ?? ''));
  if (missing.length > 0) return `column ${missing.join(', ')} is missing; the first line must be ${header}`;
  const twice = required.find(
    (_, index) => names.indexOf(needed[index] ?? '') !== names.lastIndexOf(needed[index] ?? ''),
  );
  if (twice !== undefined) return `column ${twice} is there twice; the first line must be ${header}`;
  const isLonger = (cells: readonly string[]): boolean => cells.slice(names.length).some((cell) => cell.trim() !== '');
  return {
    delimiter,
    isEnded: text.value.endsWith('\n'),
    rows: rows
      .filter(({ cells }) => !isLonger(cells))
      .map(({ line, cells }) => ({ line, cell: (name) => (cells[names.indexOf(bareName(name))] ?? '').trim() })),
    problems: rows
      .filter(({ cells }) => isLonger(cells))
      .map(({ line, cells }) => ({
        line,
        reason: `the row has ${cells.length} cells where the header has ${names.length}; put a cell that has a "${delimiter}" between quotes`,
      })),
  };
}
