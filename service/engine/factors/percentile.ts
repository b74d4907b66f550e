// Service, engine: where a value stands among its own last two years (MODELS 4, "Squash").
const SPAN = 504;
const LEAST = 126;

/** The code of no value: above all others. */
const NONE = 0x7fffffff;
/** Searches that go side by side. */
const LANES = 4;

/**
 * Mid-ranks of several series at once, each among its own last `span` values including the present one: in (0, 1), comparable across symbols,
 * no drift. NaN is a missing value: it ages and does not count.
 *
 * A bar costs a search and one move a series among sorted codes of four bytes, so that what is sorted of many symbols stays near the processor. A
 * code is the first digits of a value and, below them, the row where all of it is: values with the same first digits are compared there.
 */
export class PercentileWindows {
  readonly #series: number;
  readonly #span: number;
  /** The last values, a row a bar: what leaves lies in one piece. */
  readonly #rows: Float64Array;
  /** Codes in order, a series after the other; NONE where there is none. */
  readonly #sorted: Int32Array;
  readonly #stride: number;
  readonly #firstStep: number;
  /** The bits of a code that name a row. */
  readonly #rowBits: number;
  readonly #sizes: Int32Array;
  /** What was ranked last: values, codes without a row, where these belong among the sorted, ranks. */
  readonly #values: Float64Array;
  readonly #codes: Int32Array;
  readonly #to: Int32Array;
  readonly #ranks: Float64Array;
  /** The codes that the next push drops, NONE while the window is not full, and where they are among the sorted. */
  readonly #leaving: Int32Array;
  readonly #from: Int32Array;
  readonly #rounded = new Float32Array(1);
  readonly #roundedBits = new Int32Array(this.#rounded.buffer);
  /** The row of the next push. */
  #head = 0;
  #isFull = false;

  constructor(series: number, span = SPAN) {
    const lanes = LANES * Math.ceil(series / LANES);
    this.#series = series;
    this.#span = span;
    // Not by a power: V8 would keep a double and compute every index with it.
    this.#firstStep = 1 << (31 - Math.clz32(span));
    this.#rowBits = 2 * this.#firstStep - 1;
    // No power of two: the middles of all series would fall on the same few lines of the processor's cache.
    this.#stride = 2 * this.#firstStep + 16;
    this.#rows = new Float64Array(series * span).fill(Number.NaN);
    this.#sorted = new Int32Array(lanes * this.#stride).fill(NONE);
    this.#sizes = new Int32Array(lanes);
    this.#values = new Float64Array(series);
    this.#codes = new Int32Array(lanes).fill(NONE);
    this.#to = new Int32Array(lanes);
    this.#ranks = new Float64Array(series);
    this.#leaving = new Int32Array(lanes).fill(NONE);
    this.#from = new Int32Array(lanes);
  }

  /**
   * Ranks of the values if they were pushed now; NaN while fewer than 126 values of a series are known, or for NaN. A view, valid until the next
   * call.
   */
  rank(values: Float64Array): Float64Array {
    this.#values.set(values);
    for (let s = 0; s < this.#series; s++) this.#codes[s] = this.#codeOf(values[s] as number);
    this.#seek(this.#codes, this.#to);
    for (let s = 0; s < this.#series; s++) this.#ranks[s] = this.#rankOf(s);
    return this.#ranks;
  }

  /** Takes in the values that were ranked last. */
  push(): void {
    for (let s = 0; s < this.#series; s++) this.#replace(s);
    this.#rows.set(this.#values, this.#head * this.#series);
    this.#head = (this.#head + 1) % this.#span;
    this.#isFull ||= this.#head === 0;
    if (this.#isFull) this.#seekLeaving();
    else this.#from.set(this.#sizes);
  }

  /** Also moves the position of the code behind those of the same digits in earlier rows. */
  #rankOf(s: number): number {
    const code = this.#codes[s] as number;
    if (code === NONE) return Number.NaN;
    const value = this.#values[s] as number;
    const at = this.#to[s] as number;
    const leaves = (this.#leaving[s] as number) !== NONE;
    let to = at;
    let less = at - (leaves && (this.#from[s] as number) < at ? 1 : 0);
    let equal = 1;
    const last = code | this.#rowBits;
    for (let i = s * this.#stride + at; (this.#sorted[i] as number) <= last; i++) {
      const row = (this.#sorted[i] as number) & this.#rowBits;
      if (row < this.#head) to += 1;
      // What leaves is in the row that the value would take.
      if (row === this.#head) continue;
      const other = this.#rows[row * this.#series + s] as number;
      if (other < value) less += 1;
      else if (other === value) equal += 1;
    }
    this.#to[s] = to;
    const total = (this.#sizes[s] as number) + 1 - (leaves ? 1 : 0);
    return total < LEAST ? Number.NaN : (less + 0.5 * equal) / total;
  }

  /** Puts a code in and what leaves out, in one move. */
  #replace(s: number): void {
    const sorted = this.#sorted;
    const code = this.#codes[s] as number;
    const to = s * this.#stride + (this.#to[s] as number);
    const from = s * this.#stride + (this.#from[s] as number);
    const isMissing = code === NONE;
    const placed = isMissing ? NONE : code | this.#head;
    if (to > from) {
      sorted.copyWithin(from, from + 1, to);
      sorted[to - 1] = placed;
    } else {
      sorted.copyWithin(to + 1, to, from);
      sorted[to] = placed;
    }
    this.#sizes[s] = (this.#sizes[s] as number) + (isMissing ? 0 : 1) - (this.#leaving[s] === NONE ? 0 : 1);
  }

  /** At once, while the moves have just brought much of the sorted codes near: at the next bar they are far away again. */
  #seekLeaving(): void {
    const row = this.#head * this.#series;
    for (let s = 0; s < this.#series; s++) {
      const code = this.#codeOf(this.#rows[row + s] as number);
      this.#leaving[s] = code === NONE ? NONE : code | this.#head;
    }
    this.#seek(this.#leaving, this.#from);
  }

  /** The bits of the nearest float, in the order of numbers, without those of a row. */
  #codeOf(value: number): number {
    if (Number.isNaN(value)) return NONE;
    // With zero added, both zeros are one.
    this.#rounded[0] = value + 0;
    const bits = this.#roundedBits[0] as number;
    return (bits ^ ((bits >> 31) & NONE)) & ~this.#rowBits;
  }

  /**
   * How many sorted codes of each series are below its code. Without branches and four series at a time: each step waits for memory, and a branch
   * would be guessed wrong half of the time.
   */
  #seek(codes: Int32Array, positions: Int32Array): void {
    const sorted = this.#sorted;
    const stride = this.#stride;
    for (let s = 0; s < positions.length; s += LANES) {
      const a = codes[s] as number;
      const b = codes[s + 1] as number;
      const c = codes[s + 2] as number;
      const d = codes[s + 3] as number;
      const first = s * stride - 1;
      let toA = first;
      let toB = first + stride;
      let toC = first + 2 * stride;
      let toD = first + 3 * stride;
      for (let step = this.#firstStep; step > 0; step >>= 1) {
        toA += step & -+((sorted[toA + step] as number) < a);
        toB += step & -+((sorted[toB + step] as number) < b);
        toC += step & -+((sorted[toC + step] as number) < c);
        toD += step & -+((sorted[toD + step] as number) < d);
      }
      positions[s] = toA - first;
      positions[s + 1] = toB - first - stride;
      positions[s + 2] = toC - first - 2 * stride;
      positions[s + 3] = toD - first - 3 * stride;
    }
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
