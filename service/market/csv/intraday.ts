// Service, market: reads intraday prices from files whose rows have a time instead of a date.
// They form the day in progress; the daily row closes it.

import { isSession, newYorkNoon, type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { type IntradayBar, IntradayBars } from '../tape/intraday-bars.ts';
import { type CsvProblem, readPrices, readTable } from './prices.ts';

export const INTRADAY_HEADER = 'symbol,time,open,high,low,close,volume';
const REQUIRED = ['symbol', 'open', 'high', 'low', 'close'] as const;
/** Time columns of intraday files, with the zone of times without an offset. */
const TIME_COLUMNS = { time_utc: 'utc', time_et: 'new-york', time: 'by-calendar' } as const;
type Zone = (typeof TIME_COLUMNS)[keyof typeof TIME_COLUMNS];

/** Assumed duration of the only bar of a symbol. */
const USUAL_STEP = HOUR_MS;

/** Whether the header of a file has a time column and no date. */
export function isIntraday(bytes: Uint8Array): boolean {
  const [first = ''] = new TextDecoder()
    .decode(bytes.subarray(0, 500))
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/, 1);
  const names = first
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replaceAll('"', ''));
  return !names.includes('date') && names.some((name) => name in TIME_COLUMNS);
}

export class IntradayFolder extends IntradayBars {
  readonly problems: CsvProblem[] = [];

  constructor() {
    super(true, false);
  }

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

  #append(
    read: Exclude<ReturnType<typeof readPrices>, string>,
    start: number,
    calendar: SessionCalendar,
    problem: (reason: string) => void,
  ): void {
    const { symbol, ...prices } = read;
    const bars = this.bars.get(symbol) ?? [];
    this.bars.set(symbol, bars);
    const index = (bars.at(-1)?.start ?? 0) < start ? bars.length : bars.findIndex((part) => part.start >= start);
    if (bars[index]?.start === start) problem(`${symbol} has a bar from that time on already; the first row is kept`);
    else bars.splice(index, 0, { ...prices, start, end: start, date: sessionOf(calendar, start) });
  }

  /** Sets the ends of the bars: each lasts as long as the shortest step between two starts. */
  #close(): void {
    for (const [symbol, bars] of this.bars) {
      let step = Number.POSITIVE_INFINITY;
      for (let index = 1; index < bars.length; index++)
        step = Math.min(step, (bars[index] as IntradayBar).start - (bars[index - 1] as IntradayBar).start);
      const length = Number.isFinite(step) ? step : USUAL_STEP;
      this.bars.set(
        symbol,
        bars.map((part) => ({ ...part, end: part.start + length })),
      );
    }
  }
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
