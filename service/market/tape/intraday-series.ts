// Service, market, tape: the intraday bars of one symbol, as rows of numbers: an object takes three times the memory.
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';

/** Counts from its end on; its date is that of its session. */
export interface IntradayBar extends Omit<Bar, 'missing'> {
  /** World ms. */
  readonly start: number;
  readonly end: number;
}

/** Columns of a row. An absent volume is NaN; a date is its number of days since 1970. */
const [START, END, OPEN, HIGH, LOW, CLOSE, VOLUME, DAY] = [0, 1, 2, 3, 4, 5, 6, 7];
const WIDTH = 8;
const FIRST_CAPACITY = 64;
const GROWTH = 1.25;

/** Oldest first, with distinct starts. */
export class IntradaySeries {
  #rows = new Float64Array(FIRST_CAPACITY * WIDTH);
  /** Index of the oldest row; those before it were trimmed. */
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  start(index: number): number {
    return this.#number(index, START);
  }

  end(index: number): number {
    return this.#number(index, END);
  }

  /** Date of the session. */
  date(index: number): string {
    return dateOf(this.#number(index, DAY) * DAY_MS);
  }

  close(index: number): number {
    return this.#number(index, CLOSE);
  }

  /** @returns null outside of the series */
  at(index: number): IntradayBar | null {
    if (index < 0 || index >= this.#length) return null;
    const { open, high, low, close } = this.combined(index, index);
    const volume = this.#number(index, VOLUME);
    const prices = { open, high, low, close, volume: Number.isNaN(volume) ? null : volume };
    return { ...prices, start: this.start(index), end: this.end(index), date: this.date(index) };
  }

  /** Number of bars that start at an instant, ms, or before. */
  startedBy(instant: number): number {
    return this.#countTo(START, instant);
  }

  /** Number of bars that end at an instant, ms, or before. */
  endedBy(instant: number): number {
    return this.#countTo(END, instant);
  }

  /** Index of the first bar with the date of the one at `index`. */
  firstOfDate(index: number): number {
    const day = this.#number(index, DAY);
    let first = index;
    while (first > 0 && this.#number(first - 1, DAY) === day) first -= 1;
    return first;
  }

  /** One bar for those from `first` to `last`; its volume is that of the bars that have one, 0 without any. */
  combined(first: number, last: number): Pick<Bar, 'open' | 'high' | 'low' | 'close'> & { volume: number } {
    const [open, close] = [this.#number(first, OPEN), this.#number(last, CLOSE)];
    let [high, low, volume] = [this.#number(last, HIGH), this.#number(last, LOW), 0];
    for (let index = first; index <= last; index++) {
      high = Math.max(high, this.#number(index, HIGH));
      low = Math.min(low, this.#number(index, LOW));
      const part = this.#number(index, VOLUME);
      volume += Number.isNaN(part) ? 0 : part;
    }
    return { open, high, low, close, volume };
  }

  /** Adds a bar; replaces a bar with the same start. */
  put({ start, end, open, high, low, close, volume, date }: IntradayBar): void {
    const after = this.startedBy(start);
    const isKnown = after > 0 && this.start(after - 1) === start;
    const index = isKnown ? after - 1 : after;
    if (!isKnown) this.#insertAt(index);
    const row = [start, end, open, high, low, close, volume ?? Number.NaN, Date.parse(date) / DAY_MS];
    this.#rows.set(row, (this.#first + index) * WIDTH);
  }

  /** Sets the end of each bar to its start and a length, ms. */
  setLength(ms: number): void {
    for (let index = 0; index < this.#length; index++)
      this.#rows[(this.#first + index) * WIDTH + END] = this.start(index) + ms;
  }

  /** Removes the bars that ended by an instant, ms. */
  trim(instant: number): void {
    if (this.#length === 0 || this.end(0) > instant) return;
    const gone = this.endedBy(instant);
    this.#first += gone;
    this.#length -= gone;
  }

  #number(index: number, column: number): number {
    return this.#rows[(this.#first + index) * WIDTH + column] as number;
  }

  #countTo(column: number, instant: number): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#number(middle, column) <= instant) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insertAt(index: number): void {
    if ((this.#first + this.#length + 1) * WIDTH > this.#rows.length) this.#makeRoom();
    const at = (this.#first + index) * WIDTH;
    this.#rows.copyWithin(at + WIDTH, at, (this.#first + this.#length) * WIDTH);
    this.#length += 1;
  }

  /** Moves the rows over the trimmed ones, or into a larger array. */
  #makeRoom(): void {
    const rows = this.#rows.subarray(this.#first * WIDTH, (this.#first + this.#length) * WIDTH);
    const isTrimmed = this.#first > this.#length / 4;
    const target = isTrimmed ? this.#rows : new Float64Array(Math.ceil(this.#length * GROWTH) * WIDTH);
    target.set(rows);
    this.#rows = target;
    this.#first = 0;
  }
}
