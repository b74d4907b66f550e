// Service, market: what the date of a daily row says about it: its session is over, or not, or there is none.
import { type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';

/** Clocks of the computers that write and read a file differ by less. */
const CLOCK_DIFFERENCE_MS = MINUTE_MS;
/** New York traded on Saturdays until 1952. */
const WEEKS_OF_FIVE_DAYS = '1953';

export class RowDates {
  readonly #calendarOf: (symbol: string) => SessionCalendar;
  readonly #calendars = new Map<string, SessionCalendar>();
  readonly #now: number;

  /** @param now wall ms; 0: not known */
  constructor(calendarOf: (symbol: string) => SessionCalendar, now: number) {
    this.#calendarOf = calendarOf;
    this.#now = now;
  }

  /**
   * Why the row of a date is no close, or null. Only the last day before the close counts as its session: archives and
   * copies may give a file any time.
   * @param writtenAt wall ms at which its file was written last
   */
  refusal(symbol: string, date: string, writtenAt: number): string | null {
    const close = sessionClose(this.#calendar(symbol), date);
    if (this.#now > 0 && close > Math.max(this.#now, writtenAt) + DAY_MS)
      return `${symbol} ${date} is in the future; write the date of its session`;
    const early = close - writtenAt;
    if (early <= CLOCK_DIFFERENCE_MS || early > DAY_MS) return null;
    const time = new Date(close).toISOString().slice(11, 16);
    return `${symbol} ${date} was written before the close of its session (${time} UTC); it counts once the file is written after that`;
  }

  /** Whether a share has no session on the weekday of a date. Currencies have rows of Sunday evening in many files. */
  isWeekend(symbol: string, date: string): boolean {
    return (
      this.#calendar(symbol) === 'us' && date > WEEKS_OF_FIVE_DAYS && new Date(Date.parse(date)).getUTCDay() % 6 === 0
    );
  }

  #calendar(symbol: string): SessionCalendar {
    const calendar = this.#calendars.get(symbol) ?? this.#calendarOf(symbol);
    this.#calendars.set(symbol, calendar);
    return calendar;
  }
}
