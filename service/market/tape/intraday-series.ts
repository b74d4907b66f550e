// Service, market, tape: the intraday bars of one symbol.
import type { Bar } from '../../engine/types.ts';
import { dateOfDay, dayOf } from '../bar-series.ts';
import { NumberRows } from '../number-rows.ts';

/** Counts from its end on; its date is that of its session. */
export interface IntradayBar extends Omit<Bar, 'missing'> {
  /** World ms. */
  readonly start: number;
  readonly end: number;
}

/** Columns of a row. An absent volume is NaN; a date is its number of days since 1970. */
const [START, END, OPEN, HIGH, LOW, CLOSE, VOLUME, DAY] = [0, 1, 2, 3, 4, 5, 6, 7];
const WIDTH = 8;

/** Oldest first, with distinct starts. */
export class IntradaySeries {
  readonly #rows = new NumberRows(WIDTH);

  get length(): number {
    return this.#rows.length;
  }

  start(index: number): number {
    return this.#rows.get(index, START);
  }

  end(index: number): number {
    return this.#rows.get(index, END);
  }

  /** Date of the session. */
  date(index: number): string {
    return dateOfDay(this.#rows.get(index, DAY));
  }

  close(index: number): number {
    return this.#rows.get(index, CLOSE);
  }

  /** @returns null outside of the series */
  at(index: number): IntradayBar | null {
    if (index < 0 || index >= this.length) return null;
    const { open, high, low, close } = this.combined(index, index);
    const volume = this.#rows.get(index, VOLUME);
    const prices = { open, high, low, close, volume: Number.isNaN(volume) ? null : volume };
    return { ...prices, start: this.start(index), end: this.end(index), date: this.date(index) };
  }

  /** Number of bars that start at an instant, ms, or before. */
  startedBy(instant: number): number {
    return this.#rows.countTo(START, instant);
  }

  /** Number of bars that end at an instant, ms, or before. */
  endedBy(instant: number): number {
    return this.#rows.countTo(END, instant);
  }

  /** Index of the first bar with the date of the one at `index`. */
  firstOfDate(index: number): number {
    const day = this.#rows.get(index, DAY);
    let first = index;
    while (first > 0 && this.#rows.get(first - 1, DAY) === day) first -= 1;
    return first;
  }

  /** One bar for those from `first` to `last`; its volume is that of the bars that have one, 0 without any. */
  combined(first: number, last: number): Pick<Bar, 'open' | 'high' | 'low' | 'close'> & { volume: number } {
    const [open, close] = [this.#rows.get(first, OPEN), this.#rows.get(last, CLOSE)];
    let [high, low, volume] = [this.#rows.get(last, HIGH), this.#rows.get(last, LOW), 0];
    for (let index = first; index <= last; index++) {
      high = Math.max(high, this.#rows.get(index, HIGH));
      low = Math.min(low, this.#rows.get(index, LOW));
      const part = this.#rows.get(index, VOLUME);
      volume += Number.isNaN(part) ? 0 : part;
    }
    return { open, high, low, close, volume };
  }

  /** Adds a bar; replaces a bar with the same start. */
  put({ start, end, open, high, low, close, volume, date }: IntradayBar): void {
    const after = this.startedBy(start);
    const isKnown = after > 0 && this.start(after - 1) === start;
    const index = isKnown ? after - 1 : after;
    const row = [start, end, open, high, low, close, volume ?? Number.NaN, dayOf(date)];
    if (isKnown) this.#rows.set(index, row);
    else this.#rows.insert(index, row);
  }

  /** Sets the end of each bar to its start and a length, ms. */
  setLength(ms: number): void {
    for (let index = 0; index < this.length; index++) this.#rows.setColumn(index, END, this.start(index) + ms);
  }

  /** Removes the bars that ended by an instant, ms. */
  trim(instant: number): void {
    if (this.length > 0 && this.end(0) <= instant) this.#rows.removeFirst(this.endedBy(instant));
  }
}
