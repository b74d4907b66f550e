// Service, market: decides by its date whether a daily row is a final close.
import { dayStatus, type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { sessionDate, type WrittenDate } from '../files/dates.ts';

/** Maximum difference between the clocks of the computers that write and read a file. */
const CLOCK_DIFFERENCE_MS = MINUTE_MS;
/** First years whose sessions at weekends are known: New York traded on Saturdays until 1952. */
const KNOWN_SINCE = { us: '1953', other: '2016' } as const;

export class RowDates {
  readonly #calendarOf: (symbol: string) => SessionCalendar;
  readonly #calendars = new Map<string, SessionCalendar>();
  readonly #now: number;

  /** @param now wall ms; 0: not known */
  constructor(calendarOf: (symbol: string) => SessionCalendar, now: number) {
    this.#calendarOf = calendarOf;
    this.#now = now;
  }

  /** The session of a row. @param zone of its file, if one is said */
  dateOf(symbol: string, when: WrittenDate, zone: string | null): string {
    return when.instant === null ? when.date : sessionDate(when, this.#calendar(symbol), zone);
  }

  /**
   * The reason why the row of a date is not a final close, or null. A file written more than a day before the
   * close is not refused as early: archives and copies may set any time.
   * @param writtenAt wall ms of the last write of the file
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

  /**
   * Whether a symbol of an exchange has a row on a weekend without a session. Many files of currencies have Sunday
   * rows.
   */
  isWeekend(symbol: string, date: string): boolean {
    const calendar = this.#calendar(symbol);
    if (calendar === 'fx' || calendar === 'always' || new Date(Date.parse(date)).getUTCDay() % 6 !== 0) return false;
    return date > KNOWN_SINCE[calendar === 'us' ? 'us' : 'other'] && dayStatus(calendar, date) === 'closed';
  }

  #calendar(symbol: string): SessionCalendar {
    const calendar = this.#calendars.get(symbol) ?? this.#calendarOf(symbol);
    this.#calendars.set(symbol, calendar);
    return calendar;
  }
}
