// Service, market, tape: caches closes of session dates, and numbers of sessions between dates.
import { isSession, type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';

/** Maximum number of days searched for sessions; a longer gap counts as this one. */
const MAX_DAYS = 400;

export class SessionDates {
  readonly #calendar: SessionCalendar;
  readonly #closes = new Map<string, number>();
  /** The last result of `between` for each `from`: mostly asked for the next bar. */
  readonly #between = new Map<string, { readonly to: string; readonly sessions: number }>();

  constructor(calendar: SessionCalendar) {
    this.#calendar = calendar;
  }

  /** World ms of the close of a date. */
  close(date: string): number {
    let close = this.#closes.get(date);
    if (close === undefined) {
      close = sessionClose(this.#calendar, date);
      this.#closes.set(date, close);
    }
    return close;
  }

  /** Sessions between two dates, both excluded. */
  between(from: string, to: string): number {
    const known = this.#between.get(from);
    if (known?.to === to) return known.sessions;
    let sessions = 0;
    const [first, last] = [Date.parse(from), Date.parse(to)];
    for (let at = first + DAY_MS, days = 0; at < last && days < MAX_DAYS; at += DAY_MS, days++)
      if (isSession(this.#calendar, dateOf(at))) sessions += 1;
    this.#between.set(from, { to, sessions });
    return sessions;
  }
}
