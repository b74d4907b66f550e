// Service, market: the daily bars of one symbol.
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { Bar } from '../engine/types.ts';
import { NumberRows } from './number-rows.ts';

/** Bars, oldest first, one for each date. An array of them is such a list. */
export interface BarList extends Iterable<Bar> {
  readonly length: number;
  /** Counts from the end if negative, as `Array.at`. */
  at(index: number): Bar | undefined;
}

/** Columns of a row. A date is its number of days since 1970, an absent volume NaN. */
const [DAY, OPEN, HIGH, LOW, CLOSE, VOLUME] = [0, 1, 2, 3, 4, 5];
const WIDTH = 6;

/** Bars without `missing`, 48 bytes each; `at` makes an object. */
export class BarSeries implements BarList {
  readonly #rows: NumberRows;

  /** @param capacity number of bars that need no more memory */
  constructor(capacity?: number) {
    this.#rows = new NumberRows(WIDTH, capacity);
  }

  static of(bars: readonly Omit<Bar, 'missing'>[]): BarSeries {
    const series = new BarSeries(bars.length);
    for (const bar of bars) series.insert(series.length, bar);
    return series;
  }

  get length(): number {
    return this.#rows.length;
  }

  at(index: number): Bar | undefined {
    const rows = this.#rows;
    const row = index < 0 ? index + rows.length : index;
    if (row < 0 || row >= rows.length) return undefined;
    const volume = rows.get(row, VOLUME);
    return {
      date: dateOfDay(rows.get(row, DAY)),
      open: rows.get(row, OPEN),
      high: rows.get(row, HIGH),
      low: rows.get(row, LOW),
      close: rows.get(row, CLOSE),
      volume: Number.isNaN(volume) ? null : volume,
    };
  }

  *[Symbol.iterator](): Generator<Bar> {
    for (let index = 0; index < this.length; index++) yield this.at(index) as Bar;
  }

  /** Number of bars up to a date. */
  countTo(date: string): number {
    return this.#rows.countTo(DAY, dayOf(date));
  }

  /** The days of all bars, see `dayOf`. */
  days(): Int32Array {
    return Int32Array.from({ length: this.length }, (_, index) => this.#rows.get(index, DAY));
  }

  insert(index: number, { date, open, high, low, close, volume }: Omit<Bar, 'missing'>): void {
    this.#rows.insert(index, [dayOf(date), open, high, low, close, volume ?? Number.NaN]);
  }
}

/** Bars that are made when they are read. */
export class BarView implements BarList {
  readonly length: number;
  readonly #barAt: (index: number) => Bar;

  constructor(length: number, barAt: (index: number) => Bar) {
    this.length = length;
    this.#barAt = barAt;
  }

  at(index: number): Bar | undefined {
    const from = index < 0 ? index + this.length : index;
    return from < 0 || from >= this.length ? undefined : this.#barAt(from);
  }

  *[Symbol.iterator](): Generator<Bar> {
    for (let index = 0; index < this.length; index++) yield this.#barAt(index);
  }
}

/** One string for each date, because every symbol has the same ones; and its day. */
const dates = new Map<number, string>();
const daysOfDates = new Map<string, number>();

/** Number of days since 1970; NaN for another text than a date. */
export function dayOf(date: string): number {
  const known = daysOfDates.get(date);
  if (known !== undefined) return known;
  const day = Date.parse(date) / DAY_MS;
  if (Number.isInteger(day)) daysOfDates.set(date, day);
  return day;
}

export function dateOfDay(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = dateOf(day * DAY_MS);
  dates.set(day, date);
  return date;
}
