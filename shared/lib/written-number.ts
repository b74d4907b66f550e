// Pure: which decimal mark the numbers of a file have, as people and programs write them.

export const bareNumber = (cell: string): string => cell.replace(/[%\s$€£'\u2019]/g, '');
/** "1.234,5" as "1,234.5", and the reverse. */
export const swapped = (digits: string): string => digits.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ','));

/**
 * A number whose point cannot separate thousands, or whose commas must: 0.125, 1200.5, 12.5, 1.2345,
 * 1,234.567, 1,234,567.
 */
const DECIMAL = /^\D*((0|\d{4,})\.\d+|\d+\.(\d{1,2}|\d{4,})|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,})\D*$/;

/** How many cells must have a decimal point, and how many a decimal comma; 1.200 says neither. */
export function decimalMarks(cells: readonly string[]): { readonly point: number; readonly comma: number } {
  const bare = cells.map(bareNumber);
  return {
    point: bare.filter((cell) => DECIMAL.test(cell)).length,
    comma: bare.filter((cell) => DECIMAL.test(swapped(cell))).length,
  };
}

/**
 * Says whether numbers of a file have a decimal comma. Some must say so: 1.200 alone says nothing, except
 * between semicolons, which programs write where the comma is the decimal mark.
 */
export function hasCommaDecimals(cells: readonly string[], isSemicolon: boolean): boolean {
  const { point, comma } = decimalMarks(cells);
  if (comma > 0) return isSemicolon || point === 0;
  return isSemicolon && point === 0 && cells.some((cell) => /\d\.\d{3}\D*$/.test(bareNumber(cell)));
}
