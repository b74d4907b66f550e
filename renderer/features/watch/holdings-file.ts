// Renderer, pure: reads and writes holdings as lines of symbol and amount, or as CSV.
// An amount is a weight or a quantity; the CSV may be of a broker or a spreadsheet.
import Papa from 'papaparse';
import { HOLDING_UNITS, type Holdings, MOST_HOLDINGS } from '../../../shared/domain/holdings.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';

export interface ReadHoldings {
  readonly holdings: Holdings;
  /** Lines that are no holding, as written. */
  readonly unread: readonly string[];
}

type Row = Holdings['rows'][number];
const SYMBOLS = ['symbol', 'ticker', 'instrument'];
const AMOUNTS: Readonly<Record<Holdings['unit'], readonly string[]>> = {
  weight: ['weight', 'weight %', 'weight_percent', 'share', 'value', 'market value'],
  quantity: ['quantity', 'qty', 'shares', 'units', 'amount'],
};

/** One line a symbol, as it is edited and copied. */
export const writeHoldings = ({ rows }: Holdings): string =>
  rows.map(({ symbol, amount }) => `${symbol}, ${amount}`).join('\n');

/** With a header, for other programs. A cell that a spreadsheet could take for a formula is marked as text. */
export const holdingsCsv = ({ unit, rows }: Holdings): string =>
  `${Papa.unparse(
    { fields: ['symbol', unit], data: rows.map(({ symbol, amount }) => [symbol, amount]) },
    { escapeFormulae: true, newline: '\n' },
  )}\n`;

/** "40", "40 %", "1,234.5", "12,5". */
function amountIn(cell: string): number | null {
  const text = cell.replace(/[%\s$€£']/g, '');
  const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.');
  const amount = /^\d*\.?\d+$/.test(plain) ? Number(plain) : Number.NaN;
  return amount > 0 && amount <= 1e15 ? amount : null;
}

/** "SPY, 40", "SPY 40 %", "SPY;40". null: it is empty. */
function typedLine(line: string): { symbol: string; amount: string; line: string } | null {
  if (line.trim() === '') return null;
  const [, symbol = '', amount = ''] = /^\s*([^\s,;]+)[\s,;]+(.*)$/.exec(line) ?? [];
  return { symbol, amount, line: line.trim() };
}

/** @param unit where no header names it. The amounts of a symbol that is written twice are added. */
export function readHoldings(text: string, unit: Holdings['unit']): ReadHoldings {
  const body = text.replace(/^\uFEFF/, '').trim();
  const [head = [], ...table] = body === '' ? [] : Papa.parse<string[]>(body, { skipEmptyLines: 'greedy' }).data;
  const names = head.map((cell) => cell.trim().toLowerCase());
  const symbolAt = names.findIndex((name) => SYMBOLS.includes(name));
  const named = HOLDING_UNITS.find((one) => names.some((name) => AMOUNTS[one].includes(name)));
  const hasHead = symbolAt !== -1 && named !== undefined;
  const amountAt = hasHead ? names.findIndex((name) => AMOUNTS[named].includes(name)) : -1;
  const lines = hasHead
    ? table.map((cells) => ({
        symbol: cells[symbolAt] ?? '',
        amount: cells[amountAt] ?? '',
        line: cells.map((cell) => cell.trim()).join(', '),
      }))
    : body.split(/\r?\n/).flatMap((line) => typedLine(line) ?? []);
  const amounts = new Map<string, number>();
  const unread: string[] = [];
  for (const { symbol: written, amount: cell, line } of lines) {
    const symbol = normalizeSymbol(written.replace(/^'/, ''));
    // A table of a broker has positions without an amount, and a line of totals.
    if (hasHead && cell.trim() === '') continue;
    const amount = amountIn(cell);
    if (amount === null || !isSymbol(symbol)) unread.push(line);
    else amounts.set(symbol, (amounts.get(symbol) ?? 0) + amount);
  }
  const rows: Row[] = [...amounts].slice(0, MOST_HOLDINGS).map(([symbol, amount]) => ({ symbol, amount }));
  return { holdings: { unit: hasHead ? named : unit, rows }, unread };
}
