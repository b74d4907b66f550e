// Renderer, pure: one written row of a book as a position, or why it is none. Typed, pasted and imported rows.
import { CURRENCY_PATTERN, type Holdings } from '../../../shared/domain/holdings.ts';
import { isSymbol, symbolIn } from '../../../shared/domain/instruments.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { bareNumber, swapped } from '../../../shared/lib/written-number.ts';
import { texts } from '../../../shared/text/texts.ts';
import { typedNumber } from '../../ui/form/schemas.ts';

const { left } = texts.book;
export type PositionRow = Holdings['rows'][number];

/** A row as it is written. */
export interface WrittenRow {
  readonly symbol: string;
  readonly amount: string;
  readonly cost: string;
  readonly currency: string;
}

export interface RowOptions {
  /** The file's word for what it is: "Stocks", "OPT"; empty: it has none. */
  readonly kind?: string;
  /** The file says so beside an amount without a sign. */
  readonly isShort?: boolean;
  /** Numbers are written 1.234,56. */
  readonly isCommaDecimal?: boolean;
  /** The cost is of all, not of one. */
  readonly isCostTotal?: boolean;
}

/** Why a row is no position, and the field that says so. */
export interface RowFault {
  readonly field: keyof WrittenRow;
  readonly why: string;
}

/** Cells for what a broker does not know. */
const UNKNOWN = /^(|-+|n\/?a|\u2013|\u2014)$/i;
const TOTAL = /^((account|positions?|grand|sub)[ -]?)?totals?$/i;
const OPTION_KIND = /option|warrant|^(opt|fop|war|iopt)$/i;
const CASH_KIND = /cash|money market|forex|^fx$/i;
const OTHER_KIND = /bond|fixed income|treasur|bill|future|^fut$|cfd|commodit|structured/i;
/** "AAPL240119C150", "AAPL 01/19/2024 150.00 C", "AAPL 19JAN24 150 C". */
const OPTION_SYMBOL = /\d{6}[CP]\d|\d\/\d{2,4}\s.*[CP]$|\d{2}[A-Z]{3}\d{2}\s[\d.]+\s[CP]$/i;
const CASH_SYMBOL = /cash|\*\*$|pending activity/i;

/** "40", "40 %", "$1,234.5", "12,5", "(3)" for less than none. NaN: no number. */
export function numberIn(cell: string, isCommaDecimal: boolean): number {
  const bare = bareNumber(cell);
  const [, minus = '', digits = ''] = /^\(?([-\u2212+]?)(.*?)\)?$/.exec(bare) ?? [];
  const size = typedNumber(isCommaDecimal ? swapped(digits) : digits);
  return bare.startsWith('(') || (minus !== '' && minus !== '+') ? -size : size;
}

/** The digits that `numberIn` reads back as the number: String() writes 9e-7. */
export const digitsOf = (value: number): string =>
  String(value).includes('e')
    ? value.toLocaleString('en-US', { useGrouping: false, maximumSignificantDigits: 17 })
    : String(value);

/** A quotient without the digits that nobody paid. */
const rounded = (value: number): number => Number(value.toPrecision(8));

/** The position, and the cost cell that could not be read, or null; else why it is none. */
export function readRow(
  written: WrittenRow,
  { kind = '', isShort = false, isCommaDecimal = false, isCostTotal = false }: RowOptions = {},
): Result<{ readonly position: PositionRow; readonly unreadCost: string | null }, RowFault> {
  const cell = written.symbol.trim();
  const symbol = symbolIn(cell);
  const no = (field: keyof WrittenRow, why: string) => err({ field, why });
  if (TOTAL.test(cell)) return no('symbol', left.total);
  if (OPTION_KIND.test(kind) || OPTION_SYMBOL.test(cell)) return no('symbol', left.option);
  if (CASH_KIND.test(kind) || (!isSymbol(symbol) && CASH_SYMBOL.test(cell))) return no('symbol', left.cash);
  if (OTHER_KIND.test(kind)) return no('symbol', left.other(kind));
  if (!isSymbol(symbol)) return no('symbol', left.symbol(cell));
  const given = UNKNOWN.test(written.amount.trim()) ? '' : written.amount.trim();
  const amount = numberIn(given, isCommaDecimal);
  if (amount < 0 || isShort) return no('amount', left.short);
  if (!(amount > 0 && amount <= 1e15)) return no('amount', left.amount(given));
  // Upper case would make pence pounds. No three letters are cents of a rand.
  const currency = written.currency.trim().replace(/^GBp$/, 'GBX').toUpperCase();
  if (currency === 'ZAC') return no('currency', left.cents);
  if (currency !== '' && !CURRENCY_PATTERN.test(currency)) return no('currency', left.currency(written.currency));
  const paid = written.cost.trim();
  const cost = rounded(Math.abs(numberIn(paid, isCommaDecimal)) / (isCostTotal ? amount : 1));
  const hasCost = Number.isFinite(cost) && cost <= 1e15;
  return ok({
    position: {
      symbol,
      amount,
      ...(hasCost ? { cost } : {}),
      ...(currency === '' ? {} : { currency }),
    },
    unreadCost: hasCost || UNKNOWN.test(paid) ? null : paid,
  });
}

/** Collects positions; a symbol that is written again is added, at the mean cost. */
export function createPositions() {
  const positions = new Map<string, PositionRow>();
  return {
    /** null, or why it cannot be added. */
    add(one: PositionRow): RowFault | null {
      const known = positions.get(one.symbol);
      if (known !== undefined && known.currency !== one.currency)
        return { field: 'currency', why: left.currencies(one.symbol, known.currency ?? '') };
      const { symbol, currency } = one;
      const amount = one.amount + (known?.amount ?? 0);
      const paid = (row: PositionRow): number => row.amount * (row.cost ?? Number.NaN);
      const cost = (paid(one) + (known === undefined ? 0 : paid(known))) / amount;
      positions.set(symbol, {
        symbol,
        amount,
        ...(Number.isNaN(cost) ? {} : { cost: known === undefined ? (one.cost ?? 0) : rounded(cost) }),
        ...(currency === undefined ? {} : { currency }),
      });
      return null;
    },
    all: (): PositionRow[] => [...positions.values()],
  };
}
