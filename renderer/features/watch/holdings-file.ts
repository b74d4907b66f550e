// Renderer, pure: reads holdings from pasted lines and CSV, writes CSV, checks their table.
// An amount is a weight or a quantity; the CSV may be of a broker or a spreadsheet.
import Papa from 'papaparse';
import { HOLDING_UNITS, type Holdings, MAX_HOLDINGS } from '../../../shared/domain/holdings.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { texts } from '../../../shared/text/texts.ts';
import { readDraft, typedNumber } from '../../ui/form/schemas.ts';

/** A row as it is typed. */
export interface TypedHolding {
  readonly symbol: string;
  readonly amount: string;
}

export interface HoldingsDraft {
  unit: Holdings['unit'];
  rows: TypedHolding[];
}

export interface ReadHoldings {
  readonly holdings: Holdings;
  /** Rows that are no holdings, as written. */
  readonly unread: readonly TypedHolding[];
  /** Number of symbols that were left out because a list holds no more. */
  readonly beyond: number;
}

const { holdings: text } = texts.lists;

type Row = Holdings['rows'][number];
const SYMBOLS = ['symbol', 'ticker', 'instrument'];
const AMOUNTS: Readonly<Record<Holdings['unit'], readonly string[]>> = {
  weight: ['weight', 'weight %', 'weight_percent', 'share', 'value', 'market value'],
  quantity: ['quantity', 'qty', 'shares', 'units', 'amount'],
};

/** Column names that a list without holdings uses for other things. */
const AMBIGUOUS_NAMES = ['share', 'value', 'market value', 'amount'];
const CLEAR_NAMES = Object.values(AMOUNTS).flatMap((names) => names.filter((name) => !AMBIGUOUS_NAMES.includes(name)));

export const BLANK: TypedHolding = { symbol: '', amount: '' };
export const isBlank = ({ symbol, amount }: TypedHolding): boolean => symbol.trim() === '' && amount.trim() === '';

/** Rows that are no holdings stay in the table, where the user can correct them. */
export function draftOf({ holdings, unread }: Omit<ReadHoldings, 'beyond'>): HoldingsDraft {
  const rows = [...holdings.rows.map(({ symbol, amount }) => ({ symbol, amount: String(amount) })), ...unread];
  return { unit: holdings.unit, rows: rows.length === 0 ? [BLANK] : rows };
}

/** Blank rows hold nothing. */
export const holdingsSchema = readDraft<HoldingsDraft, Holdings>(({ unit, rows }) => {
  const problems: Record<string, string> = {};
  const amounts = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    if (isBlank(row)) continue;
    const symbol = normalizeSymbol(row.symbol);
    const amount = amountIn(row.amount);
    if (!isSymbol(symbol)) problems[`rows.${index}.symbol`] = text.symbolWrong;
    else if (amounts.has(symbol)) problems[`rows.${index}.symbol`] = text.heldTwice(symbol);
    if (amount === null) problems[`rows.${index}.amount`] = text.amountWrong;
    amounts.set(symbol, amount ?? 0);
  }
  if (Object.keys(problems).length > 0) return err(problems);
  return ok({ unit, rows: [...amounts].map(([symbol, amount]) => ({ symbol, amount })) });
});

/** The number and the sum of the readable rows, for the line below the table. */
export function totalOf(rows: readonly TypedHolding[]): { readonly count: number; readonly sum: number } {
  const amounts = rows.flatMap(({ symbol, amount }) => (symbol.trim() === '' ? [] : (amountIn(amount) ?? [])));
  return { count: amounts.length, sum: amounts.reduce((sum, amount) => sum + amount, 0) };
}

/**
 * Writes a CSV with a header, for other programs. A cell that a spreadsheet could take for a formula is
 * marked as text.
 */
export const holdingsCsv = ({ unit, rows }: Holdings): string =>
  `${Papa.unparse(
    { fields: ['symbol', unit], data: rows.map(({ symbol, amount }) => [symbol, amount]) },
    { escapeFormulae: true, newline: '\n' },
  )}\n`;

/** "40", "40 %", "1,234.5", "12,5". */
function amountIn(cell: string): number | null {
  const amount = typedNumber(cell.replace(/[%\s$€£']/g, ''));
  return amount > 0 && amount <= 1e15 ? amount : null;
}

/** "SPY, 40", "SPY 40 %", "SPY;40". null: it is empty. */
function typedLine(line: string): TypedHolding | null {
  if (line.trim() === '') return null;
  const [, symbol = line.trim(), amount = ''] = /^\s*([^\s,;]+)[\s,;]+(.*)$/.exec(line) ?? [];
  return { symbol, amount: amount.trim() };
}

const parse = (content: string, preview = 0): string[][] =>
  content === '' ? [] : Papa.parse<string[]>(content, { skipEmptyLines: 'greedy', preview }).data;
const namesIn = (head: readonly string[]): string[] => head.map((cell) => cell.trim().toLowerCase());

/** Reports whether a header names symbols, and their weights or quantities. */
export function hasHoldings(content: string): boolean {
  const names = namesIn(parse(content.replace(/^\uFEFF/, '').trim(), 1)[0] ?? []);
  return [SYMBOLS, CLEAR_NAMES].every((known) => names.some((name) => known.includes(name)));
}

/**
 * Reads holdings, and adds the amounts of a symbol that is written twice.
 * @param unit applies where no header names one
 */
export function readHoldings(content: string, unit: Holdings['unit']): ReadHoldings {
  const body = content.replace(/^\uFEFF/, '').trim();
  const [head = [], ...table] = parse(body);
  const names = namesIn(head);
  const symbolAt = names.findIndex((name) => SYMBOLS.includes(name));
  const named = HOLDING_UNITS.find((one) => names.some((name) => AMOUNTS[one].includes(name)));
  const hasHead = symbolAt !== -1 && named !== undefined;
  const amountAt = hasHead ? names.findIndex((name) => AMOUNTS[named].includes(name)) : -1;
  const lines = hasHead
    ? table.map((cells) => ({ symbol: cells[symbolAt]?.trim() ?? '', amount: cells[amountAt]?.trim() ?? '' }))
    : body.split(/\r?\n/).flatMap((line) => typedLine(line) ?? []);
  const amounts = new Map<string, number>();
  const unread: TypedHolding[] = [];
  for (const line of lines) {
    const symbol = normalizeSymbol(line.symbol.replace(/^'/, ''));
    // A table of a broker has positions without an amount, and a line of totals.
    if (hasHead && line.amount === '') continue;
    const amount = amountIn(line.amount);
    if (amount === null || !isSymbol(symbol)) unread.push(line);
    else amounts.set(symbol, (amounts.get(symbol) ?? 0) + amount);
  }
  const rows: Row[] = [...amounts].slice(0, MAX_HOLDINGS).map(([symbol, amount]) => ({ symbol, amount }));
  return { holdings: { unit: hasHead ? named : unit, rows }, unread, beyond: amounts.size - rows.length };
}
