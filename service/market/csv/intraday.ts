// Service, market: intraday prices, from files whose rows have a time instead of a date.
// They form the day in progress; the daily row closes it.

import { isSession, newYorkNoon, type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import { type CsvProblem, readPrices, readTable } from './prices.ts';

export const INTRADAY_HEADER = 'symbol,time,open,high,low,close,volume';
const REQUIRED = ['symbol', 'open', 'high', 'low', 'close'] as const;
/** Columns that make a file an intraday one, with the zone of times that name none. */
const TIME_COLUMNS = { time_utc: 'utc', time_et: 'new-york', time: 'by-calendar' } as const;
type Zone = (typeof TIME_COLUMNS)[keyof typeof TIME_COLUMNS];

/** Assumed duration of a single bar. */
const USUAL_STEP = HOUR_MS;
/** A day without a further price for so long is no longer in progress. */
const STALE_AFTER = 5 * DAY_MS;

interface Part {
  /** World ms. A bar counts from its end. */
  readonly start: number;
  readonly end: number;
  /** Session day of the bar. */
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number | null;
}

/** Reports whether the header of a file has a time and no date. */
export function isIntraday(bytes: Uint8Array): boolean {
  const [first = ''] = new TextDecoder()
    .decode(bytes.subarray(0, 500))
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/, 1);
  const names = first.toLowerCase().split(',').map((name) => name.trim().replaceAll('"', '')); // biome-ignore format: one line
  return !names.includes('date') && names.some((name) => name in TIME_COLUMNS);
}

export class IntradayFolder {
  readonly problems: CsvProblem[] = [];
  readonly #bars = new Map<string, Part[]>();

  /** @param calendarOf calendar of a symbol with daily rows; null for other symbols */
  add(file: string, bytes: Uint8Array, calendarOf: (symbol: string) => SessionCalendar | null): void {
    const table = readTable(bytes, REQUIRED, INTRADAY_HEADER);
    const problem = (line: number, reason: string): void => void this.problems.push({ file, line, reason });
    if (typeof table === 'string') {
      problem(0, table);
      return;
    }
    const at = (name: string): number => table.columns.get(name) ?? -1;
    const timeColumn = Object.keys(TIME_COLUMNS).find((name) => at(name) !== -1) as keyof typeof TIME_COLUMNS;
    const columns = { symbol: at('symbol'), open: at('open'), high: at('high'), low: at('low'), close: at('close') };
    const strangers = new Set<string>();
    for (const { line, cells } of table.rows) {
      const read = readPrices(cells, columns, at('volume'));
      if (typeof read === 'string') {
        problem(line, read);
        continue;
      }
      const calendar = calendarOf(read.symbol);
      if (calendar === null) {
        if (!strangers.has(read.symbol))
          problem(line, `${read.symbol} has no daily rows; prices within the day need them`);
        strangers.add(read.symbol);
        continue;
      }
      const text = (cells[at(timeColumn)] ?? '').trim();
      const start = parseInstant(text, TIME_COLUMNS[timeColumn], calendar);
      if (start === null)
        problem(line, `"${text.slice(0, 30)}" is no time; write it as 2020-02-24T09:00 or with Z or an offset`);
      else this.#append(read, start, calendar, (reason) => problem(line, reason));
    }
    this.#close();
  }

  has(symbol: string): boolean {
    return this.#bars.has(symbol);
  }

  /** World ms at which the newest bar at `now` began; null: none. */
  newest(symbol: string, now: number): number | null {
    const bars = this.#bars.get(symbol) ?? [];
    return bars[countTo(bars, now) - 1]?.start ?? null;
  }

  /**
   * The day in progress at `now`, at the level of the daily rows: files are adjusted at different times, so
   * the last session in both gives their ratio.
   * @param daily closed bars, oldest first
   * @returns null before the first price, or when a daily row has closed the day
   */
  forming(symbol: string, calendar: SessionCalendar, daily: readonly Bar[], now: number): Bar | null {
    const bars = this.#bars.get(symbol) ?? [];
    const last = countTo(bars, now) - 1;
    const newest = bars[last];
    if (newest === undefined || now - newest.end > STALE_AFTER) return null;
    const { date } = newest;
    const known = daily.findLastIndex((bar) => bar.date <= date);
    const before = daily[daily[known]?.date === date ? known - 1 : known];
    if (before === undefined || isClosed(daily, calendar, date, now)) return null;
    let first = last;
    while (bars[first - 1]?.date === date) first -= 1;
    const level = levelOf(bars, first, daily, before.date);
    let [high, low, volume] = [newest.high, newest.low, 0];
    for (const part of bars.slice(first, last + 1)) {
      high = Math.max(high, part.high);
      low = Math.min(low, part.low);
      volume += part.volume ?? 0;
    }
    const open = (bars[first] as Part).open;
    high = Math.max(high, open, newest.close);
    low = Math.min(low, open, newest.close);
    // Price files have eight digits; more would be an artefact of the level.
    const levelled = (price: number): number => Number((price * level).toPrecision(8));
    return {
      date,
      open: levelled(open),
      high: levelled(high),
      low: levelled(low),
      close: levelled(newest.close),
      volume: volume === 0 ? null : volume,
    };
  }

  /**
   * Ends of bars in (from, to] at which the forming day is evaluated. Excludes the last one of a day that has
   * a daily row.
   */
  *decisions(
    symbol: string,
    calendar: SessionCalendar,
    daily: readonly Bar[],
    from: number,
    to: number,
  ): Generator<number> {
    const bars = this.#bars.get(symbol) ?? [];
    for (let index = countTo(bars, from); index < bars.length; index++) {
      const { end, date } = bars[index] as Part;
      if (end > to) return;
      if (!isClosed(daily, calendar, date, end)) yield end;
    }
  }

  #append(
    read: Exclude<ReturnType<typeof readPrices>, string>,
    start: number,
    calendar: SessionCalendar,
    problem: (reason: string) => void,
  ): void {
    const { symbol, ...prices } = read;
    const bars = this.#bars.get(symbol) ?? [];
    this.#bars.set(symbol, bars);
    const index = (bars.at(-1)?.start ?? 0) < start ? bars.length : bars.findIndex((part) => part.start >= start);
    if (bars[index]?.start === start) problem(`${symbol} has a bar from that time on already; the first row is kept`);
    else bars.splice(index, 0, { ...prices, start, end: start, date: sessionOf(calendar, start) });
  }

  /**
   * Bars are stamped with their start: they last as long as the shortest step between two, and at most to the
   * next.
   */
  #close(): void {
    for (const [symbol, bars] of this.#bars) {
      let step = Number.POSITIVE_INFINITY;
      for (let index = 1; index < bars.length; index++)
        step = Math.min(step, (bars[index] as Part).start - (bars[index - 1] as Part).start);
      const length = Number.isFinite(step) ? step : USUAL_STEP;
      this.#bars.set(symbol, bars.map((part) => ({ ...part, end: part.start + length }))); // biome-ignore format: one line
    }
  }
}

const isClosed = (daily: readonly Bar[], calendar: SessionCalendar, date: string, now: number): boolean =>
  (daily.at(-1)?.date ?? '') >= date && sessionClose(calendar, date) <= now;

/** Number of bars that ended by `now`. */
const countTo = (bars: readonly Part[], now: number): number => countLeading(bars, ({ end }) => end <= now);

/**
 * Ratio of daily to intraday level, at the last session before `first` whose close both have; 1 without one.
 */
function levelOf(bars: readonly Part[], first: number, daily: readonly Bar[], latest: string): number {
  const part = bars[first - 1];
  if (part === undefined || part.date > latest) return 1;
  const close = daily.findLast((bar) => bar.date <= part.date);
  return close?.date === part.date ? close.close / part.close : 1;
}

/** The session in progress at an instant, or the next one. */
function sessionOf(calendar: SessionCalendar, instant: number): string {
  for (let midnight = Math.floor(instant / DAY_MS) * DAY_MS - DAY_MS; ; midnight += DAY_MS) {
    const date = dateOf(midnight);
    if (isSession(calendar, date) && sessionClose(calendar, date) > instant) return date;
  }
}

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

function parseInstant(text: string, zone: Zone, calendar: SessionCalendar): number | null {
  const [, date, hours, minutes, offset] = TIME.exec(text) ?? [];
  if (date === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  if (Number.isNaN(Date.parse(date)) || !new Date(date).toISOString().startsWith(date)) return null;
  if (offset !== undefined) {
    const instant = Date.parse(text.replace(' ', 'T'));
    return Number.isNaN(instant) ? null : instant;
  }
  const isUtc = zone === 'utc' || (zone === 'by-calendar' && calendar === 'always');
  const time = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return isUtc ? Date.parse(date) + time : newYorkNoon(date) - 12 * HOUR_MS + time;
}
