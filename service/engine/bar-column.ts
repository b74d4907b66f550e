// Service, engine: stores all bars of one symbol in one array, a quarter of the size of objects.
import type { Bar } from './types.ts';

/** open, high, low, close, volume (NaN: unknown). */
const WIDTH = 5;
/** Initial capacity in bars; it grows by a half. */
const INITIAL_CAPACITY = 256;

export class BarColumn {
  readonly #dates: string[] = [];
  #numbers: Float64Array;

  constructor(capacity = INITIAL_CAPACITY) {
    this.#numbers = new Float64Array(capacity * WIDTH);
  }

  static of(bars: readonly Bar[]): BarColumn {
    const column = new BarColumn(bars.length);
    for (const bar of bars) column.push(bar);
    return column;
  }

  get length(): number {
    return this.#dates.length;
  }

  push({ date, open, high, low, close, volume }: Bar): void {
    const from = this.#dates.length * WIDTH;
    if (from === this.#numbers.length) {
      const larger = new Float64Array(from + WIDTH * Math.max(1, this.length >> 1));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#dates.push(date);
    this.#numbers[from] = open;
    this.#numbers[from + 1] = high;
    this.#numbers[from + 2] = low;
    this.#numbers[from + 3] = close;
    this.#numbers[from + 4] = volume ?? Number.NaN;
  }

  /** The bar at `index`, 0..length-1: a new object at each call. */
  at(index: number): Bar {
    const from = index * WIDTH;
    const number = (column: number): number => this.#numbers[from + column] as number;
    const volume = number(4);
    const known = Number.isNaN(volume) ? null : volume;
    return {
      date: this.#dates[index] as string,
      open: number(0),
      high: number(1),
      low: number(2),
      close: number(3),
      volume: known,
    };
  }

  /** All bars, oldest first: a new array at each call. */
  bars(): Bar[] {
    return this.#dates.map((_, index) => this.at(index));
  }
}
