// Service, engine: the rank of a value among the last two years of its series.
const SPAN = 504;
const LEAST = 126;

/**
 * Mid-ranks of the values of series that get them together, each among the last `span` values of its series
 * with itself: in (0, 1), comparable across symbols, without drift. NaN is a missing value, which takes up
 * time but has no rank. `rank` previews the next values, `push` adds them.
 */
export class PercentileWindow {
  readonly #series: number;
  readonly #span: number;
  /** The last values by time, those of one time side by side; `#head` is the oldest, and the slot of the next. */
  readonly #values: Float64Array;
  #head = 0;
  /** The values of each series without the missing ones, ascending; `#sizes` of them, from its number * span. */
  readonly #sorted: Float64Array;
  readonly #sizes: Uint16Array;
  /** The values ranked last, and where they belong in `#sorted`. */
  readonly #next: Float64Array;
  readonly #places: Uint16Array;
  readonly #ranks: Float64Array;
  // For the searches.
  readonly #oldest: Float64Array;
  readonly #oldestPlaces: Uint16Array;
  readonly #left: Uint16Array;

  constructor(series = 1, span = SPAN) {
    this.#series = series;
    this.#span = span;
    this.#values = new Float64Array(series * span).fill(Number.NaN);
    this.#sorted = new Float64Array(series * span);
    this.#sizes = new Uint16Array(series);
    this.#next = new Float64Array(series);
    this.#places = new Uint16Array(series);
    this.#ranks = new Float64Array(series);
    this.#oldest = new Float64Array(series);
    this.#oldestPlaces = new Uint16Array(series);
    this.#left = new Uint16Array(series);
  }

  /**
   * Ranks that the values would have if they were pushed; NaN for NaN, and while fewer than 126 values are known.
   * @param values one of each series
   * @returns valid until the next call
   */
  rank(values: ArrayLike<number>): Float64Array {
    this.#next.set(values);
    this.#search(this.#next, this.#places);
    for (let series = 0; series < this.#series; series++) this.#ranks[series] = this.#rank(series);
    return this.#ranks;
  }

  /** Adds the values that were ranked last. */
  push(): void {
    const at = this.#head * this.#series;
    for (let series = 0; series < this.#series; series++) this.#oldest[series] = this.#values[at + series] as number;
    this.#search(this.#oldest, this.#oldestPlaces);
    for (let series = 0; series < this.#series; series++) this.#replace(series);
    this.#values.set(this.#next, at);
    this.#head = this.#head + 1 === this.#span ? 0 : this.#head + 1;
  }

  #rank(series: number): number {
    const value = this.#next[series] as number;
    const oldest = this.#values[this.#head * this.#series + series] as number;
    const size = this.#sizes[series] as number;
    const total = size + (Number.isNaN(oldest) ? 1 : 0);
    if (total < LEAST || Number.isNaN(value)) return Number.NaN;
    const start = series * this.#span;
    const place = this.#places[series] as number;
    let end = place;
    while (end < start + size && this.#sorted[end] === value) end += 1;
    const less = place - start - (oldest < value ? 1 : 0);
    const equal = end - place + 1 - (oldest === value ? 1 : 0);
    return (less + 0.5 * equal) / total;
  }

  /** Replaces the oldest value of a series by the next among the sorted ones. */
  #replace(series: number): void {
    const sorted = this.#sorted;
    const value = this.#next[series] as number;
    const isKnown = !Number.isNaN(value);
    const wasKnown = !Number.isNaN(this.#oldest[series] as number);
    const size = this.#sizes[series] as number;
    // A missing value is not among them, as if behind the last.
    const end = series * this.#span + size;
    const from = wasKnown ? (this.#oldestPlaces[series] as number) : end;
    const to = isKnown ? (this.#places[series] as number) : end;
    // One move closes the gap of the one and opens that of the other.
    if (from < to) sorted.copyWithin(from, from + 1, to);
    else sorted.copyWithin(to + 1, to, from);
    if (isKnown) sorted[from < to ? to - 1 : to] = value;
    this.#sizes[series] = size + Number(isKnown) - Number(wasKnown);
  }

  /**
   * Finds the first sorted value of each series that is not smaller than its value. All series go one step at
   * a time, and none branches on a comparison, so that their reads from memory overlap.
   */
  #search(values: Float64Array, places: Uint16Array): void {
    const left = this.#left;
    left.set(this.#sizes);
    for (let series = 0; series < this.#series; series++) places[series] = series * this.#span;
    for (let most = this.#span; most > 0; most >>= 1) {
      for (let series = 0; series < this.#series; series++) {
        const half = ((left[series] as number) + 1) >> 1;
        if (half === 0) continue;
        const place = places[series] as number;
        const isSmaller = (this.#sorted[place + half - 1] as number) < (values[series] as number);
        places[series] = place + half * Number(isSmaller);
        left[series] = (left[series] as number) - half;
      }
    }
  }

  /** Copies the values in order of time. */
  save(): Float64Array {
    const oldest = this.#head * this.#series;
    const saved = new Float64Array(this.#values.length);
    saved.set(this.#values.subarray(oldest));
    saved.set(this.#values.subarray(0, oldest), saved.length - oldest);
    return saved;
  }

  /** Fills a new window of as many series and the same span with what another saved. */
  restore(saved: Float64Array): void {
    this.#values.set(saved);
    for (let series = 0; series < this.#series; series++) {
      const known = saved.filter((value, at) => at % this.#series === series && !Number.isNaN(value)).sort();
      this.#sorted.set(known, series * this.#span);
      this.#sizes[series] = known.length;
    }
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
