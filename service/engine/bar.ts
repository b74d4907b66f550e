// Service, engine: a bar, the engine's input.

/** One bar of one symbol, adjusted for splits and dividends. */
export interface Bar {
  /** ISO session date, "2020-02-24". */
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Shares, contracts or coins; null when unknown (never 0). */
  readonly volume: number | null;
  /** Number of missing sessions between the previous bar and this one. Absent: 0. */
  readonly missing?: number;
}

/** @throws RangeError when a price is not a positive finite number */
export function assertPrices(symbol: string, bar: Bar): void {
  for (const price of [bar.open, bar.high, bar.low, bar.close]) {
    if (!(price > 0 && price < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`${symbol} ${bar.date}: ${price} is no price; every price is a positive number`);
    }
  }
}
