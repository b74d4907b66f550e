// Service, market: collects the daily bars of price files; skips bad rows and reports line and reason.
import type { Progress } from '../../../shared/lib/progress.ts';
import type { Bar } from '../../engine/types.ts';
import type { Steps } from '../../steps.ts';
import { type BarList, BarSeries, dayOf } from '../bar-series.ts';
import { widened } from '../files/numbers.ts';
import type { OpenTable } from '../files/price-table.ts';
import type { PriceRow } from '../files/row-reader.ts';
import type { CsvProblem } from '../files/table.ts';
import { RepeatedRows } from './repeated-rows.ts';
import type { RowDates } from './row-dates.ts';

/** Rows processed between two turns of the event loop: some ms. */
const SLICE_ROWS = 4_096;
/** Share of the time of a file after which its text is parsed. */
const PARSED = 0.5;

/** Refused rows that are listed of a file; a wrong file has millions. */
const MAX_LISTED = 1_000;
/** Upper bound of the lines of a file. */
const MAX_LINES = 2 ** 30;

/** Collects the bars of a folder, file after file, by ascending date. The first row of a date wins. */
export class PriceFolder {
  #bars = new Map<string, BarSeries>();
  /** Days of the bars that were taken; shorter than a second copy of them. */
  #taken: ReadonlyMap<string, Int32Array> = new Map();
  readonly problems: CsvProblem[] = [];
  rows = 0;
  used = 0;
  readonly #dates: RowDates;
  /** Weekend rows of the current file. */
  #weekends: { readonly line: number; readonly row: string }[] = [];
  /** Rows of the current file whose days are there already. */
  #repeated = new RepeatedRows();
  readonly #files: string[] = [];
  /** For each bar: number of its file times MAX_LINES, plus its line. */
  readonly #locations = new Map<string, number[]>();
  /** Number of rows whose high or low was widened to contain open and close. */
  widened = 0;

  constructor(dates: RowDates) {
    this.#dates = dates;
  }

  get symbols(): string[] {
    return [...this.#locations.keys()];
  }

  has(symbol: string): boolean {
    return this.#locations.has(symbol);
  }

  /** The bars by symbol. They are the caller's then: this folder keeps their dates and locations alone. */
  takeBars(): ReadonlyMap<string, BarList> {
    const bars = this.#bars;
    this.#bars = new Map();
    this.#taken = new Map([...bars].map(([symbol, rows]) => [symbol, rows.days()]));
    return bars;
  }

  /**
   * Adds the rows of a file.
   * @param writtenAt wall ms of the last write of the file
   * @param progress of a share of the file
   */
  *addInSteps(
    file: string,
    { rows, read, dialect }: OpenTable,
    writtenAt: number,
    progress: (share: number) => Progress,
  ): Steps<void> {
    this.#files.push(file);
    this.#weekends = [];
    this.#repeated = new RepeatedRows();
    let refused = 0;
    for (const [index, written] of rows.entries()) {
      const { line } = written;
      this.rows += 1;
      if (this.rows % SLICE_ROWS === 0) yield progress(PARSED + ((1 - PARSED) * index) / rows.length);
      const row = read(written);
      const refusal = typeof row === 'string' ? row : this.#take(row, dialect.zone, line, writtenAt);
      if (refusal === null) continue;
      refused += 1;
      if (refused <= MAX_LISTED) this.problems.push({ file, line, reason: refusal });
    }
    if (refused > MAX_LISTED) {
      const reason = `${refused - MAX_LISTED} more rows of this file are refused; the first ${MAX_LISTED} are listed`;
      this.problems.push({ file, line: 0, reason });
    }
    this.problems.push(...this.#repeated.problems(file));
    const [first] = this.#weekends;
    if (first === undefined) return;
    const all = this.#weekends.length;
    const reason = `${first.row} is a day at a weekend, on which its exchange does not trade (${all} such ${all === 1 ? 'row' : 'rows'}, used as they are); write the date of the session at the exchange, or the calendar in instruments.csv`;
    this.problems.push({ file, line: first.line, reason });
  }

  /**
   * File and line of the row of a symbol's date, after the bars were taken; line 0: no such row.
   * @param date absent: the first one
   */
  locationOf(symbol: string, date?: string): { readonly file: string; readonly line: number } {
    const index = date === undefined ? 0 : (this.#taken.get(symbol)?.indexOf(dayOf(date)) ?? -1);
    const location = this.#locations.get(symbol)?.[index];
    return location === undefined ? { file: symbol, line: 0 } : this.#place(location);
  }

  #place(location: number): { readonly file: string; readonly line: number } {
    return { file: this.#files[Math.floor(location / MAX_LINES)] ?? '', line: location % MAX_LINES };
  }

  /** Adds a row. @returns the reason of a refusal, or null */
  #take(row: PriceRow, zone: string | null, line: number, writtenAt: number): string | null {
    const { symbol, when, open, close, volume } = row;
    const date = this.#dates.dateOf(symbol, when, zone);
    const refusal = this.#dates.refusal(symbol, date, writtenAt);
    if (refusal !== null) return refusal;
    if (this.#dates.isWeekend(symbol, date)) this.#weekends.push({ line, row: `${symbol} ${date}` });
    const { high, low } = widened(row);
    if (high !== row.high || low !== row.low) this.widened += 1;
    this.#append(symbol, { date, open, high, low, close, volume }, line);
    return null;
  }

  /** Inserts a bar by date: rows of a symbol may come in any order and from several files. */
  #append(symbol: string, bar: Bar, line: number): void {
    const bars = this.#bars.get(symbol) ?? new BarSeries();
    const locations = this.#locations.get(symbol) ?? [];
    if (bars.length === 0) {
      this.#bars.set(symbol, bars);
      this.#locations.set(symbol, locations);
    }
    const index = bars.countTo(bar.date);
    const known = index === 0 ? undefined : bars.at(index - 1);
    if (known?.date === bar.date) {
      const kept = { ...this.#place(locations[index - 1] ?? 0), close: known.close };
      this.#repeated.add({ symbol, date: bar.date, line, close: bar.close, kept });
      return;
    }
    bars.insert(index, bar);
    locations.splice(index, 0, (this.#files.length - 1) * MAX_LINES + line);
    this.used += 1;
  }
}
