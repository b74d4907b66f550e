// Service, engine: where a value stands among its own last two years (MODELS 4, "Squash").
const SPAN = 504;
const LEAST = 126;

/**
 * Mid-rank of a value among the last `span` values including itself: in (0, 1), comparable across symbols, no drift. Values are kept sorted,
 * so that a bar costs a binary search and one move. NaN is a missing value: it ages and does not count.
 */
export class PercentileWindow {
  readonly #span: number;
  readonly #raw: Float64Array;
  readonly #sorted: Float64Array;
  #pushed = 0;
  #size = 0;
  #sought = 0;
  #soughtAt = -1;

  constructor(span = SPAN) {
    this.#span = span;
    this.#raw = new Float64Array(span);
    this.#sorted = new Float64Array(span);
  }

  /** Rank of `value` if it were pushed now; NaN while fewer than 126 values are known, or for NaN. Changes nothing. */
  rank(value: number): number {
    if (Number.isNaN(value)) return Number.NaN;
    const leaving = this.#leaving();
    const total = this.#size + 1 - (Number.isNaN(leaving) ? 0 : 1);
    if (total < LEAST) return Number.NaN;
    const at = this.#position(value);
    const less = at - (leaving < value ? 1 : 0);
    let equal = leaving === value ? 0 : 1;
    for (let i = at; i < this.#size && this.#sorted[i] === value; i++) equal += 1;
    return (less + 0.5 * equal) / total;
  }

  push(value: number): void {
    const leaving = this.#leaving();
    const sorted = this.#sorted;
    const to = Number.isNaN(value) ? this.#size : this.#position(value);
    const from = Number.isNaN(leaving) ? this.#size : this.#position(leaving);
    this.#raw[this.#pushed % this.#span] = value;
    this.#pushed += 1;
    this.#soughtAt = -1;
    if (to > from) {
      sorted.copyWithin(from, from + 1, to);
      sorted[to - 1] = value;
    } else {
      sorted.copyWithin(to + 1, to, from);
      sorted[to] = value;
    }
    this.#size += (Number.isNaN(value) ? 0 : 1) - (Number.isNaN(leaving) ? 0 : 1);
  }

  /** The value that the next push drops; NaN while the window is not full. */
  #leaving(): number {
    return this.#pushed < this.#span ? Number.NaN : (this.#raw[this.#pushed % this.#span] as number);
  }

  /** How many sorted values are below `value`. Remembers the last answer, because what is ranked is mostly pushed next. */
  #position(value: number): number {
    if (this.#soughtAt >= 0 && this.#sought === value) return this.#soughtAt;
    const sorted = this.#sorted;
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    this.#sought = value;
    this.#soughtAt = low;
    return low;
  }
}

/** Mean of the values that are there; NaN when none is. */
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
