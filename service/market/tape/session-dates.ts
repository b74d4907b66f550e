// Service, market, tape: a cache of closes of session dates and distances between them.
// The bars of all symbols ask for the same ones.
import { isSession, type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';

/** Sessions are counted so far; a longer gap is a gap all the same. */
const MAX_DAYS = 400;

export class SessionDates {
  readonly #calendar: SessionCalendar;
  readonly #closes = new Map<string, number>();
  /** The last question about each date: mostly about the session after it. */
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
