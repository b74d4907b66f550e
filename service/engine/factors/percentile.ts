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
    let end = below;
    while (end < this.#size && this.#sorted[end] === value) end += 1;
    const less = below - (oldest < value ? 1 : 0);
    const equal = end - below + 1 - (oldest === value ? 1 : 0);
    return (less + 0.5 * equal) / total;
  }

  push(value: number): void {
    const sorted = this.#sorted;
    const oldest = this.#values[this.#head] as number;
    if (!Number.isNaN(oldest)) {
      const from = this.#below(oldest);
      sorted.copyWithin(from, from + 1, this.#size);
      this.#size -= 1;
    }
    if (!Number.isNaN(value)) {
      const to = this.#below(value);
      sorted.copyWithin(to + 1, to, this.#size);
      sorted[to] = value;
      this.#size += 1;
    }
    this.#values[this.#head] = value;
    this.#head = (this.#head + 1) % this.#span;
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
