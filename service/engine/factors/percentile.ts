// Service, engine: where a value stands among its own last two years (MODELS 4, "Squash").
const SPAN = 504;
const LEAST = 126;

/**
 * Mid-ranks of several series at once, each among its own last `span` values including the present one: in (0, 1), comparable across symbols,
 * no drift. NaN is a missing value: it ages and does not count.
 *
 * Values are kept sorted, so that a bar costs a search and one move a series. A search waits for memory at every step, so that those of all
 * series go side by side, step by step, and without branches.
 */
export class PercentileWindows {
  readonly #series: number;
  readonly #span: number;
  /** The last values, a row a bar: what leaves lies in one piece. */
  readonly #rows: Float64Array;
  /** Sorted values, a series after the other; Infinity where there is none. */
  readonly #sorted: Float64Array;
  readonly #stride: number;
  readonly #firstStep: number;
  readonly #sizes: Int32Array;
  /** Values that were ranked last, where each belongs among the sorted, and its rank. */
  readonly #values: Float64Array;
  readonly #to: Int32Array;
  readonly #ranks: Float64Array;
  /** The values that the next push drops, NaN while the window is not full, and where they are among the sorted. */
  readonly #leaving: Float64Array;
  readonly #from: Int32Array;
  #head = 0;
  #isFull = false;

  constructor(series: number, span = SPAN) {
    this.#series = series;
    this.#span = span;
    this.#firstStep = 2 ** Math.floor(Math.log2(span));
    // No power of two: the middles of all series would fall on the same few lines of the processor's cache.
    this.#stride = 2 * this.#firstStep + 8;
    this.#rows = new Float64Array(series * span).fill(Number.NaN);
    this.#sorted = new Float64Array(series * this.#stride).fill(Number.POSITIVE_INFINITY);
    this.#sizes = new Int32Array(series);
    this.#values = new Float64Array(series);
    this.#to = new Int32Array(series);
    this.#ranks = new Float64Array(series);
    this.#leaving = new Float64Array(series).fill(Number.NaN);
    this.#from = new Int32Array(series);
  }

  /**
   * Ranks of the values if they were pushed now; NaN while fewer than 126 values of a series are known, or for NaN. A view, valid until the next
   * call.
   */
  rank(values: Float64Array): Float64Array {
    this.#values.set(values);
    this.#seek(this.#values, this.#to);
    const ranks = this.#ranks;
    for (let s = 0; s < ranks.length; s++) ranks[s] = this.#rankOf(s);
    return ranks;
  }

  /** Takes in the values that were ranked last. */
  push(): void {
    const row = this.#head * this.#series;
    this.#head = (this.#head + 1) % this.#span;
    const next = this.#head * this.#series;
    this.#isFull ||= this.#head === 0;
    for (let s = 0; s < this.#series; s++) {
      this.#replace(s);
      this.#rows[row + s] = this.#values[s] as number;
      this.#leaving[s] = this.#rows[next + s] as number;
    }
    // Looked for now, while the moves have just brought much of the sorted values near: at the next bar they are far away again.
    if (this.#isFull) this.#seek(this.#leaving, this.#from);
  }

  #rankOf(s: number): number {
    const value = this.#values[s] as number;
    if (Number.isNaN(value)) return Number.NaN;
    const leaving = this.#leaving[s] as number;
    const size = this.#sizes[s] as number;
    const total = size + 1 - (Number.isNaN(leaving) ? 0 : 1);
    if (total < LEAST) return Number.NaN;
    const at = this.#to[s] as number;
    const first = s * this.#stride;
    const less = at - (leaving < value ? 1 : 0);
    let equal = leaving === value ? 0 : 1;
    for (let i = at; i < size && this.#sorted[first + i] === value; i++) equal += 1;
    return (less + 0.5 * equal) / total;
  }

  /** Puts a value in and what leaves out, in one move. */
  #replace(s: number): void {
    const sorted = this.#sorted;
    const value = this.#values[s] as number;
    const first = s * this.#stride;
    const size = this.#sizes[s] as number;
    const isMissing = Number.isNaN(value);
    const leavesNone = Number.isNaN(this.#leaving[s] as number);
    const to = first + (isMissing ? size : (this.#to[s] as number));
    const from = first + (leavesNone ? size : (this.#from[s] as number));
    if (to > from) {
      sorted.copyWithin(from, from + 1, to);
      sorted[to - 1] = isMissing ? Number.POSITIVE_INFINITY : value;
    } else {
      sorted.copyWithin(to + 1, to, from);
      if (!isMissing) sorted[to] = value;
    }
    this.#sizes[s] = size + (isMissing ? 0 : 1) - (leavesNone ? 0 : 1);
  }

  /** How many sorted values of each series are below its value. */
  #seek(values: Float64Array, places: Int32Array): void {
    const sorted = this.#sorted;
    const series = this.#series;
    const stride = this.#stride;
    for (let s = 0; s < series; s++) places[s] = s * stride;
    for (let step = this.#firstStep; step > 0; step >>= 1) {
      for (let s = 0; s < series; s++) {
        const place = places[s] as number;
        const isBelow = +((sorted[place + step - 1] as number) < (values[s] as number));
        places[s] = place + (step & -isBelow);
      }
    }
    for (let s = 0; s < series; s++) places[s] = (places[s] as number) - s * stride;
  }
}

/** One series. */
export class PercentileWindow {
  readonly #windows: PercentileWindows;
  readonly #value = new Float64Array(1);

  constructor(span = SPAN) {
    this.#windows = new PercentileWindows(1, span);
  }

  /** As `PercentileWindows.rank`. */
  rank(value: number): number {
    this.#value[0] = value;
    return this.#windows.rank(this.#value)[0] as number;
  }

  push(value: number): void {
    this.rank(value);
    this.#windows.push();
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
