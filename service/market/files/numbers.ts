// Service, price files: numbers as people write them, and the prices of a row.
import { decimalMarks } from '../../../shared/lib/written-number.ts';

export const PRICES = ['open', 'high', 'low', 'close'] as const;
export type PriceName = (typeof PRICES)[number];
export type Decimal = '.' | ',';

/** The close first: in a file of closes alone it is each of them. */
const FROM_CLOSE = PRICES.toReversed();

/** How far rounding and odd lots put open and close outside of low and high, as a factor. */
const OUTSIDE = 1.1;

/** Cells for what a file does not know. */
export const NO_VALUE = /^(|\.|[-\u2013\u2014]+|n\/?a|#n\/a.*|nan|nd|null|none)$/i;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

export function readNumber(text: string): number | null {
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Numbers with digits in groups of three, by decimal mark; those of India are in groups of two above: 5,48,22,100. */
const GROUPED = {
  '.': /^[+-]?\d{1,3}((,\d{2})*,\d{3}|([,\s'\u2019]\d{3})+)(\.\d+)?$/,
  ',': /^[+-]?\d{1,3}([.\s'\u2019]\d{3})+(,\d+)?$/,
} as const;
const GROUP_SIGN = { '.': /[,\s'\u2019]/g, ',': /[.\s'\u2019]/g } as const;
/** A sign or a code of a currency before or after a number. */
const CURRENCY = /^(?:\p{Sc}|[A-Z]{3}\b)\s*|\s*(?:\p{Sc}|\b[A-Z]{3})$/gu;

/** "1234.5", "1,234.5", "$185.64"; with a decimal comma "1.234,5". */
export function writtenNumber(text: string, decimal: Decimal): number | null {
  const bare = text.replace(CURRENCY, '');
  const plain = GROUPED[decimal].test(bare) ? bare.replaceAll(GROUP_SIGN[decimal], '') : bare;
  if (decimal === '.') return readNumber(plain);
  return plain.includes('.') ? null : readNumber(plain.replace(',', '.'));
}

const SIZES: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** As `writtenNumber`, also "45.2M", for a volume. */
export function writtenVolume(text: string, decimal: Decimal): number | null {
  const size = SIZES[text.slice(-1).toUpperCase()];
  const value = writtenNumber(size === undefined ? text : text.slice(0, -1).trimEnd(), decimal);
  return value === null || size === undefined ? value : Math.round(value * size);
}

/**
 * The decimal mark that the numbers of a file show.
 * @param couldBePoint whether a lone point can only be a decimal one
 * @returns null: they are read either way, such as 1.234 or 1,234
 */
export function decimalOf(cells: readonly string[], couldBePoint: boolean): Decimal | null {
  const marks = decimalMarks(cells);
  if (marks.point !== marks.comma) return marks.point > marks.comma ? '.' : ',';
  if (marks.point > 0) return null;
  const bare = cells.filter((cell) => /\d[.,]\d/.test(cell));
  return bare.length === 0 || (couldBePoint && bare.every((cell) => !cell.includes(','))) ? '.' : null;
}

/**
 * Reads prices and volume.
 * @param cell the trimmed text of a column; '' for no volume
 * @param toNumber parses a number; null: the text is not a number
 * @returns them, or one sentence about why they are invalid
 */
export function readPriceCells(
  cell: (name: PriceName | 'volume') => string,
  toNumber: (text: string) => number | null,
  toVolume = toNumber,
) {
  const prices = { open: 0, high: 0, low: 0, close: 0 };
  for (const name of FROM_CLOSE) {
    const text = cell(name);
    const price = toNumber(text);
    if (price === null) return `${name} "${text.slice(0, 30)}" is not a number`;
    if (price <= 0) return `${name} ${text} is not a price; a price is above zero`;
    prices[name] = price;
  }
  if (prices.high < prices.low) return `high ${prices.high} is below low ${prices.low}`;
  for (const name of ['open', 'close'] as const) {
    const isOutside = prices[name] > prices.high * OUTSIDE || prices[name] * OUTSIDE < prices.low;
    // A row of closes alone may have an open.
    if (isOutside && (name === 'close' || prices.high > prices.low))
      return `${name} ${prices[name]} is not between low ${prices.low} and high ${prices.high}; correct the row, or say which column is the ${name}`;
  }
  const volumeText = cell('volume');
  const volume = volumeText === '' ? 0 : toVolume(volumeText);
  if (volume === null)
    return `volume "${volumeText.slice(0, 30)}" is not a number; leave it empty when it is not known`;
  if (volume < 0) return `volume ${volumeText} is below zero`;
  const { open, high, low, close } = prices;
  return { open, high, low, close, volume: volume === 0 ? null : volume };
}

/** The range that also contains open and close, which rounding of adjusted prices may leave outside. */
export const widened = ({ open, high, low, close }: Readonly<Record<PriceName, number>>) => ({
  high: Math.max(high, open, close),
  low: Math.min(low, open, close),
});
