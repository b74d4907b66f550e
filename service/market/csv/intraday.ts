// Service, market: reads intraday prices from files whose rows have a time instead of a date.
// They form the day in progress; the daily row closes it.

import {
  dayStatus,
  isSession,
  midnightIn,
  type SessionCalendar,
  sessionOn,
  zoneOf,
} from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { instantOf } from '../files/dates.ts';
import type { OpenTable } from '../files/price-table.ts';
import type { PriceRow } from '../files/row-reader.ts';
import type { CsvProblem } from '../files/table.ts';
import { IntradayBars } from '../tape/intraday-bars.ts';
import { INSTRUMENT_FILE } from './instruments.ts';

/** Assumed duration of the only bar of a symbol. */
const USUAL_STEP = HOUR_MS;

const OWN_TIMES = ['time_utc', 'time_et', 'time'];

/** Whether a file probably has times, by its header alone: it is parsed after the daily ones then. */
export function hasTimes(bytes: Uint8Array): boolean {
  const [first = ''] = new TextDecoder()
    .decode(bytes.subarray(0, 500))
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/, 1);
  const names = first
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replaceAll('"', ''));
  return names.includes('symbol') && !names.includes('date') && names.some((name) => OWN_TIMES.includes(name));
}

export class IntradayFolder extends IntradayBars {
  readonly problems: CsvProblem[] = [];

  constructor() {
    super(true, false);
  }

  /** @param calendarOf calendar of a symbol with daily rows; null for other symbols */
  add(file: string, { rows, read, dialect }: OpenTable, calendarOf: (symbol: string) => SessionCalendar | null): void {
    const problem = (line: number, reason: string): void => void this.problems.push({ file, line, reason });
    const strangers = new Set<string>();
    for (const written of rows) {
      const { line } = written;
      const row = read(written);
      if (typeof row === 'string') {
        problem(line, row);
        continue;
      }
      const calendar = calendarOf(row.symbol);
      if (calendar === null) {
        if (!strangers.has(row.symbol))
          problem(line, `${row.symbol} has no daily rows; prices within the day need them`);
        strangers.add(row.symbol);
        continue;
      }
      const start = startOf(row, dialect.zone, calendar);
      if (start !== null) this.#append(row, start, calendar, (reason) => problem(line, reason));
      else if (!strangers.has(row.symbol))
        problem(line, `${row.symbol} has times of an exchange that is not known; name it in ${INSTRUMENT_FILE}`);
      if (start === null) strangers.add(row.symbol);
    }
    this.#close();
  }

  #append(
    { symbol, when: _, ...prices }: PriceRow,
    start: number,
    calendar: SessionCalendar,
    problem: (reason: string) => void,
  ): void {
    const bars = this.seriesOf(symbol);
    const before = bars.startedBy(start);
    if (before > 0 && bars.start(before - 1) === start)
      problem(`${symbol} has a bar from that time on already; the first row is kept`);
    else bars.put({ ...prices, start, end: start, date: sessionOf(calendar, start) });
  }

  /** Sets the ends of the bars: each lasts as long as the shortest step between two starts. */
  #close(): void {
    for (const bars of this.bars.values()) {
      let step = Number.POSITIVE_INFINITY;
      for (let index = 1; index < bars.length; index++)
        step = Math.min(step, bars.start(index) - bars.start(index - 1));
      bars.setLength(Number.isFinite(step) ? step : USUAL_STEP);
    }
  }
}

/** The session in progress at an instant, or the next one. */
function sessionOf(calendar: SessionCalendar, instant: number): string {
  for (let midnight = Math.floor(instant / DAY_MS) * DAY_MS - DAY_MS; ; midnight += DAY_MS) {
    const date = dateOf(midnight);
    const { open, close } = sessionOn(calendar, date);
    const mayBeHoliday = dayStatus(calendar, date) === 'expected_closed' && open <= instant;
    if ((isSession(calendar, date) || mayBeHoliday) && close > instant) return date;
  }
}

/** The instant of a row; times without a zone are those of the exchange. null: it is not known. */
function startOf({ when }: PriceRow, zone: string | null, calendar: SessionCalendar): number | null {
  if (when.instant !== null) return when.instant;
  const minute = when.minute ?? 0;
  if (zone !== null) return instantOf(when.date, minute, zone);
  return calendar === 'unknown' ? null : midnightIn(zoneOf(calendar), when.date) + minute * MINUTE_MS;
}
