// Renderer, pure: the table of positions as typed text: from lines, to CSV, and what is wrong in it.
import Papa from 'papaparse';
import { type Holdings, MAX_HOLDINGS } from '../../../shared/domain/holdings.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { hasCommaDecimals } from '../../../shared/lib/written-number.ts';
import { texts } from '../../../shared/text/texts.ts';
import { readDraft } from '../../ui/form/schemas.ts';
import { createPositions, digitsOf, numberIn, type PositionRow, readRow, type WrittenRow } from './position-row.ts';
import { readSheet, type Sheet } from './position-sheet.ts';

export interface HoldingsDraft {
  unit: Holdings['unit'];
  rows: WrittenRow[];
}

const { holdings: text } = texts.lists;

export const BLANK: WrittenRow = { symbol: '', amount: '', cost: '', currency: '' };
export const isBlank = (row: WrittenRow): boolean => Object.values(row).every((cell) => cell.trim() === '');

const written = ({ symbol, amount, cost, currency = '' }: PositionRow): WrittenRow => ({
  symbol,
  amount: digitsOf(amount),
  currency,
  cost: cost === undefined ? '' : digitsOf(cost),
});

/** @param unread rows that are no positions: they stay in the table, where the user can correct them */
export function draftOf({ unit, rows: held }: Holdings, unread: readonly WrittenRow[] = []): HoldingsDraft {
  const rows = [...held.map(written), ...unread];
  return { unit, rows: rows.length === 0 ? [BLANK] : rows };
}

const sentence = (why: string): string => `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;

/** Blank rows hold nothing. Weights have no cost and no currency. */
export const holdingsSchema = readDraft<HoldingsDraft, Holdings>(({ unit, rows }) => {
  const problems: Record<string, string> = {};
  const held = new Map<string, PositionRow>();
  for (const [index, row] of rows.entries()) {
    if (isBlank(row)) continue;
    const read = readRow(unit === 'weight' ? { ...row, cost: '', currency: '' } : row);
    if (!read.ok) problems[`rows.${index}.${read.error.field}`] = sentence(read.error.why);
    else if (read.value.unreadCost !== null) problems[`rows.${index}.cost`] = text.costWrong;
    else if (held.has(read.value.position.symbol))
      problems[`rows.${index}.symbol`] = text.heldTwice(read.value.position.symbol);
    else held.set(read.value.position.symbol, read.value.position);
  }
  return Object.keys(problems).length > 0 ? err(problems) : ok({ unit, rows: [...held.values()] });
});

/** The number and the sum of the readable rows, for the line below the table. */
export function totalOf(rows: readonly WrittenRow[]): { readonly count: number; readonly sum: number } {
  const amounts = rows.flatMap(({ symbol, amount }) => {
    const value = numberIn(amount, false);
    return symbol.trim() === '' || !(value > 0) ? [] : [value];
  });
  return { count: amounts.length, sum: amounts.reduce((sum, amount) => sum + amount, 0) };
}

/** The columns of a CSV that the positions fill: their unit, then cost and currency where one has them. */
export const filledFields = ({ unit, rows }: Holdings): readonly string[] => [
  unit,
  ...(['cost', 'currency'] as const).filter((field) => rows.some((row) => row[field] !== undefined)),
];
/** A row of these columns. */
export const fieldsOf = ({ amount, cost, currency }: PositionRow, unit: Holdings['unit']) => ({
  [unit]: digitsOf(amount),
  cost: cost === undefined ? '' : digitsOf(cost),
  currency: currency ?? '',
});

/**
 * Writes a CSV with a header, for other programs. A cell that a spreadsheet could take for a formula is
 * marked as text.
 */
export function holdingsCsv(holdings: Holdings): string {
  const data = holdings.rows.map((row) => ({ symbol: row.symbol, ...fieldsOf(row, holdings.unit) }));
  const fields = ['symbol', ...filledFields(holdings)];
  return `${Papa.unparse({ fields, data }, { escapeFormulae: true, newline: '\n' })}\n`;
}

/** Between cells of which none is the cost for certain: joined by a blank, two numbers would be read as one. */
const BETWEEN = ' / ';

/**
 * "SPY, 40", "SPY 1,200 98.5 USD", "SPY;40;98,5;USD", "SPY,40,98.5,USD": symbol, amount, cost, currency. A comma
 * without a blank behind the symbol separates all cells; otherwise commas are within numbers.
 */
function cellsOf(line: string): WrittenRow {
  const delimiter = ['\t', ';'].find((one) => line.includes(one)) ?? (/^\s*[^\s,]+,\S/.test(line) ? ',' : null);
  const cells =
    delimiter === null
      ? line.trim().replace(/\s+%/, '%').split(/,?\s+/)
      : (Papa.parse<string[]>(line, { delimiter }).data[0] ?? []).map((cell) => cell.trim());
  const [symbol = '', amount = '', ...rest] = cells;
  const currency = rest.find((cell) => /^[a-z]{3}$/i.test(cell)) ?? '';
  return { symbol, amount, cost: rest.filter((cell) => cell !== '' && cell !== currency).join(BETWEEN), currency };
}

export interface ReadLines {
  readonly holdings: Holdings;
  /** Rows that are no positions, as written. */
  readonly unread: readonly WrittenRow[];
  readonly isFirstUnread: boolean;
  /** Number of symbols that were left out because a list holds no more. */
  readonly beyond: number;
}

/** Reads lines without a header, and adds the amounts of a symbol that is written twice. */
export function readLines(content: string, unit: Holdings['unit']): ReadLines {
  const lines = content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const written = lines.map(cellsOf);
  const isCommaDecimal = hasCommaDecimals(
    written.flatMap(({ amount, cost }) => [amount, ...cost.split(BETWEEN)]),
    lines.some((line) => line.includes(';')),
  );
  // As the table reads them, unread rows too: a user who corrects one cell keeps the numbers of the others.
  const inPoints = (cell: string): string => {
    const value = isCommaDecimal ? numberIn(cell, true) : Number.NaN;
    return Number.isNaN(value) ? cell : digitsOf(value);
  };
  const positions = createPositions();
  const unread: WrittenRow[] = [];
  for (const { symbol, amount, cost, currency } of written) {
    const row = { symbol, amount: inPoints(amount), cost: cost.split(BETWEEN).map(inPoints).join(BETWEEN), currency };
    const read = readRow(row);
    if (!read.ok || read.value.unreadCost !== null || positions.add(read.value.position) !== null) unread.push(row);
  }
  const all = positions.all();
  const rows = all.slice(0, MAX_HOLDINGS);
  const isFirstUnread = unread.length > 0 && unread[0]?.symbol === written[0]?.symbol;
  return { holdings: { unit, rows }, unread, isFirstUnread, beyond: all.length - rows.length };
}

/** Text that is pasted or in a file: a table with a header, or lines. */
export function readText(content: string, unit: Holdings['unit']): Sheet | ReadLines {
  const sheet = readSheet(content);
  const lines = readLines(content, unit);
  // A first line that is no position, above others, is a header in other words; a header has no numbers.
  const isHead = (names: readonly string[]): boolean => lines.isFirstUnread && !/\d/.test(names.slice(1).join());
  const hasHead = sheet !== null && (sheet.columns !== null || (sheet.rows.length > 0 && isHead(sheet.names)));
  return hasHead ? sheet : lines;
}
