// Pure: how many decimals a price is written with.

/** A price of less is written as if it had this many decimals. */
const MOST = 12;

/** Currencies near 1 need four decimals; below a tenth, four digits count after the zeros (0.000008512). */
export function priceDigits(price: number): number {
  const size = Math.abs(price);
  if (size >= 10) return 2;
  return size >= 0.1 || size === 0 ? 4 : Math.min(MOST, 3 - Math.floor(Math.log10(size)));
}

/** Rounded to the decimals that it is written with, or to `least` where that is more. */
export function roundedPrice(price: number, least = 0): number {
  const scale = scaleOf(price, least);
  return Math.round(price * scale) / scale;
}

/** The next lower price with these decimals. */
export function priceBelow(price: number, least = 0): number {
  const scale = scaleOf(price, least);
  return (Math.ceil(price * scale) - 1) / scale;
}

const scaleOf = (price: number, least: number): number => 10 ** Math.max(least, priceDigits(price));
