// Service, market: decides by its date whether a daily row is a final close.
import { dayStatus, type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { sessionDate, type WrittenDate } from '../files/dates.ts';

/** Maximum difference between the clocks of the computers that write and read a file. */
const CLOCK_DIFFERENCE_MS = MINUTE_MS;
/** First years whose sessions at weekends are known: New York traded on Saturdays until 1952. */
const KNOWN_SINCE = { us: '1953', other: '2016' } as const;

/** A date of a calendar. */
interface RowDay {
  /** Close of its session, ms. */
  readonly close: number;
  readonly isWeekend: boolean;
}

export class RowDates {
  readonly #calendarOf: (symbol: string) => SessionCalendar;
  readonly #calendars = new Map<string, SessionCalendar>();
  /** Files of all symbols have the same days. */
  readonly #days = new Map<SessionCalendar, Map<string, RowDay>>();
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
    const { close } = this.#day(symbol, date);
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
    return this.#day(symbol, date).isWeekend;
  }

  #day(symbol: string, date: string): RowDay {
    const calendar = this.#calendar(symbol);
    const days = this.#days.get(calendar) ?? new Map<string, RowDay>();
    const known = days.get(date);
    if (known !== undefined) return known;
    const day = { close: sessionClose(calendar, date), isWeekend: isWeekend(calendar, date) };
    this.#days.set(calendar, days.set(date, day));
    return day;
  }

  #calendar(symbol: string): SessionCalendar {
    const known = this.#calendars.get(symbol);
    if (known !== undefined) return known;
    const calendar = this.#calendarOf(symbol);
    this.#calendars.set(symbol, calendar);
    return calendar;
  }
}

function isWeekend(calendar: SessionCalendar, date: string): boolean {
  if (calendar === 'fx' || calendar === 'always' || new Date(Date.parse(date)).getUTCDay() % 6 !== 0) return false;
  return date > KNOWN_SINCE[calendar === 'us' ? 'us' : 'other'] && dayStatus(calendar, date) === 'closed';
}
