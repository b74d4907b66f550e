// Pure: prices that may be faults of the data, and what they can be.

/** price: it counts. split: earlier prices are adjusted to it. no_price: it is not used. */
export const PRICE_ANSWERS = ['price', 'split', 'no_price'] as const;
export type PriceAnswer = (typeof PRICE_ANSWERS)[number];

/** split: of all prices, in the ratio of one. level: in another ratio. stray: a single wrong price. */
export const PRICE_DOUBTS = ['split', 'level', 'stray'] as const;
export type PriceDoubt = (typeof PRICE_DOUBTS)[number];

/** Most old shares of a ratio. */
const MOST_OLD = 10;

/**
 * The ratio of a split, new shares for old ones: 4:1 for a factor of 0.25, 1:10 for 10.
 * @param factor new level of the prices over the old one
 */
export function splitRatio(factor: number): string {
  for (let given = 1; given <= MOST_OLD; given++) {
    const shares = given / factor;
    if (shares >= 0.95 && Math.abs(shares - Math.round(shares)) < 0.001 * shares)
      return `${Math.round(shares)}:${given}`;
  }
  const old = Math.round(factor);
  if (factor > 1 && Math.abs(factor - old) < 0.001 * factor) return `1:${old}`;
  return factor < 1 ? `${Number((1 / factor).toPrecision(5))}:1` : `1:${Number(factor.toPrecision(5))}`;
}

/** New level of the prices over the old one: 0.25 for "4:1"; null: the text is not a ratio. */
export function splitFactor(ratio: string): number | null {
  const [, after, before] = /^(\d{1,6}(?:\.\d{1,6})?):(\d{1,6}(?:\.\d{1,6})?)$/.exec(ratio) ?? [];
  const factor = Number(before) / Number(after);
  return factor > 0 && factor < Number.POSITIVE_INFINITY ? factor : null;
}
