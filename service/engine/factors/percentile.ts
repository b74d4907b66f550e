// Service, engine: the rank of a value among the last two years of its series.
const SPAN = 504;
const LEAST = 126;

/**
 * Mid-rank of a value among the last `span` values of a series, including itself: in (0, 1), comparable
 * across symbols, without drift. NaN is a missing value, which takes up time but has no rank.
 */
export class PercentileWindow {
  readonly #span: number;
  /** The last values in order of time; `#head` is the oldest, and the slot of the next. */
  readonly #values: Float64Array;
  #head = 0;
  /** The values without the missing ones, ascending; `#size` of them. */
  readonly #sorted: Float64Array;
  #size = 0;
  /** The value ranked last, and the number of smaller ones: a push after its rank need not search again. */
  #ranked = Number.NaN;
  #belowRanked = 0;

  constructor(span = SPAN) {
    this.#span = span;
    this.#values = new Float64Array(span).fill(Number.NaN);
    this.#sorted = new Float64Array(span + 1);
  }

  /**
   * Rank that the value would have if it were pushed; NaN for NaN, and while fewer than 126 values are known.
   */
  rank(value: number): number {
    if (Number.isNaN(value)) return Number.NaN;
    const oldest = this.#values[this.#head] as number;
    const total = this.#size + (Number.isNaN(oldest) ? 1 : 0);
    if (total < LEAST) return Number.NaN;
    const below = this.#below(value);
    this.#ranked = value;
    this.#belowRanked = below;
    let end = below;
    while (end < this.#size && this.#sorted[end] === value) end += 1;
    const less = below - (oldest < value ? 1 : 0);
    const equal = end - below + 1 - (oldest === value ? 1 : 0);
    return (less + 0.5 * equal) / total;
  }

  push(value: number): void {
    const sorted = this.#sorted;
    const oldest = this.#values[this.#head] as number;
    // Where the oldest is, and where the value belongs: the end for a missing one, which is not among them.
    const from = Number.isNaN(oldest) ? this.#size : this.#below(oldest);
    const to = Number.isNaN(value) ? this.#size : value === this.#ranked ? this.#belowRanked : this.#below(value);
    // One move closes the gap of the one and opens that of the other.
    if (from < to) sorted.copyWithin(from, from + 1, to);
    else sorted.copyWithin(to + 1, to, from);
    if (!Number.isNaN(value)) sorted[from < to ? to - 1 : to] = value;
    if (Number.isNaN(oldest)) this.#size += 1;
    if (Number.isNaN(value)) this.#size -= 1;
    this.#ranked = Number.NaN;
    this.#values[this.#head] = value;
    this.#head = this.#head + 1 === this.#span ? 0 : this.#head + 1;
  }

  /** Copies the values in order of time. */
  save(): Float64Array {
    const saved = new Float64Array(this.#span);
    saved.set(this.#values.subarray(this.#head));
    saved.set(this.#values.subarray(0, this.#head), this.#span - this.#head);
    return saved;
  }

  /** Fills a new window of the same span with what another saved. */
  restore(saved: Float64Array): void {
    this.#values.set(saved);
    const known = saved.filter((value) => !Number.isNaN(value)).sort();
    this.#sorted.set(known);
    this.#size = known.length;
  }

  /** Number of smaller values. */
  #below(value: number): number {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Mean of the values that are not NaN; NaN without any. */
export function meanOf(...values: readonly number[]): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? Number.NaN : sum / count;
}
