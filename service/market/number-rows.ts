// Service, market: rows of numbers in one array: an object for each takes three times the memory.

const FIRST_CAPACITY = 64;
const GROWTH = 1.25;

/** Grows at both ends, because files may have the newest row first. */
export class NumberRows {
  readonly #width: number;
  #numbers: Float64Array<ArrayBuffer>;
  /** Index of the first row in `#numbers`. */
  #first = 0;
  #length = 0;

  /** @param capacity rows that need no larger array */
  constructor(width: number, capacity = FIRST_CAPACITY) {
    this.#width = width;
    this.#numbers = new Float64Array(capacity * width);
  }

  get length(): number {
    return this.#length;
  }

  get(index: number, column: number): number {
    return this.#numbers[(this.#first + index) * this.#width + column] as number;
  }

  set(index: number, row: readonly number[]): void {
    this.#numbers.set(row, (this.#first + index) * this.#width);
  }

  setColumn(index: number, column: number, value: number): void {
    this.#numbers[(this.#first + index) * this.#width + column] = value;
  }

  /** Number of rows whose value is at most the given one; the column ascends. */
  countTo(column: number, value: number): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.get(middle, column) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(index: number, row: readonly number[]): void {
    const width = this.#width;
    const isNearFirst = index < this.#length / 2;
    if (isNearFirst ? this.#first === 0 : (this.#first + this.#length + 1) * width > this.#numbers.length)
      this.#makeRoom(isNearFirst);
    const at = (this.#first + index) * width;
    if (isNearFirst) {
      this.#first -= 1;
      this.#numbers.copyWithin(this.#first * width, (this.#first + 1) * width, at);
    } else this.#numbers.copyWithin(at + width, at, (this.#first + this.#length) * width);
    this.#length += 1;
    this.set(index, row);
  }

  removeFirst(count: number): void {
    this.#first += count;
    this.#length -= count;
  }

  /** Moves the rows away from the end that grows: over removed ones, or into a larger array. */
  #makeRoom(isAtFirst: boolean): void {
    const width = this.#width;
    const rows = this.#numbers.subarray(this.#first * width, (this.#first + this.#length) * width);
    const capacity = this.#numbers.length / width;
    const hasRoom = capacity - this.#length > this.#length / 4;
    const target = hasRoom ? this.#numbers : new Float64Array(Math.ceil((this.#length + 1) * GROWTH) * width);
    this.#first = isAtFirst ? target.length / width - this.#length : 0;
    target.set(rows, this.#first * width);
    this.#numbers = target;
  }
}
