// Service, engine: the last values of a series, in memory that does not grow.

/**
 * The last `size` numbers. Every value is stored twice, `size` apart, so that any run of last values lies in one piece.
 * Reading further back than was pushed gives NaN.
 */
export class RingBuffer {
  readonly size: number;
  readonly #values: Float64Array;
  /** Where the next value goes, 0..size-1. */
  #head = 0;
  /** What the last push replaced, for `undo`. */
  #replaced = Number.NaN;
  /** How many values were ever pushed. */
  count = 0;

  constructor(size: number) {
    this.size = size;
    this.#values = new Float64Array(2 * size).fill(Number.NaN);
  }

  push(value: number): void {
    this.#replaced = this.#values[this.#head] as number;
    this.#values[this.#head] = value;
    this.#values[this.#head + this.size] = value;
    this.#head = (this.#head + 1) % this.size;
    this.count += 1;
  }

  /** Takes the last push back; once after each push. */
  undo(): void {
    this.#head = (this.#head + this.size - 1) % this.size;
    this.#values[this.#head] = this.#replaced;
    this.#values[this.#head + this.size] = this.#replaced;
    this.count -= 1;
  }

  /** The value `k` pushes before the last one; `k` < size. */
  back(k: number): number {
    return this.#values[this.#head + this.size - 1 - k] as number;
  }

  /** Replaces the value `k` pushes before the last one. */
  set(k: number, value: number): void {
    const at = (this.#head + this.size - 1 - k) % this.size;
    this.#values[at] = value;
    this.#values[at + this.size] = value;
  }

  /** The last `n` values, oldest first; a view, valid until the next push. */
  tail(n: number): Float64Array {
    const end = this.#head + this.size;
    return this.#values.subarray(end - n, end);
  }
}
