// Service, market feeds: detects that a calendar's symbols all stopped getting prices. Pure.
// One share without trades is quiet; no newer price of any symbol means a silent vendor.
import { isOpen, openTime, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';

/** Session time without a newer price that makes a silence, if every minute usually has one. */
const SILENT_MS = 4 * MINUTE_MS;
/** The same if the usual interval between prices is not known. */
const UNKNOWN_MS = HOUR_MS;
/** Multiple of the mean interval's excess over a minute that is added to SILENT_MS. */
const INTERVALS = 10;
/** Number of minutes with prices from which the interval is measured. */
const MEASURED = 20;

export interface Silence {
  /** End of the newest price, UTC ms. */
  readonly since: number;
  /** When a newer price was due, wall ms. */
  readonly dueAt: number;
}

export class CalendarPrices {
  readonly #calendar: SessionCalendar;
  readonly #delayMs: number;
  /** Ends of the newest minutes with prices, ascending. */
  readonly #minutes: number[] = [];
  /** Wall ms at which the newest minute came. */
  #cameAt = 0;
  /** Cache: callers ask for all symbols at the same instant. */
  #result: { readonly now: number; readonly silence: Silence | null } | null = null;

  /** @param delayMs delay of prices in the vendor's plan */
  constructor(calendar: SessionCalendar, delayMs: number) {
    this.#calendar = calendar;
    this.#delayMs = delayMs;
  }

  /** Records that the price of the minute ending at `end` came at `at`. */
  note(end: number, at: number): void {
    const minutes = this.#minutes;
    const newest = minutes.at(-1) ?? 0;
    if (end > newest) {
      this.#cameAt = Math.max(this.#cameAt, at);
      this.#result = null;
    }
    if (end <= (minutes.length < MEASURED ? 0 : (minutes[0] ?? 0)) || minutes.includes(end)) return;
    minutes.splice(minutes.findLastIndex((known) => known < end) + 1, 0, end);
    if (minutes.length > MEASURED) minutes.shift();
    this.#result = null;
  }

  /** Corrects times of receipt after `now`: the clock was set back. */
  setBack(now: number): void {
    this.#cameAt = Math.min(this.#cameAt, now);
    this.#result = null;
  }

  /** The silence at `now`; null: prices come as usual, the market is closed, or no price is known. */
  silence(now: number): Silence | null {
    if (this.#result?.now !== now) this.#result = { now, silence: this.#silenceAt(now) };
    return this.#result.silence;
  }

  #silenceAt(now: number): Silence | null {
    const since = this.#minutes.at(-1);
    const shown = now - this.#delayMs;
    if (since === undefined || !isOpen(this.#calendar, now) || !isOpen(this.#calendar, shown)) return null;
    const silent = openTime(this.#calendar, this.#cameAt - this.#delayMs, shown);
    if (silent <= SILENT_MS || silent <= this.#limit(since)) return null;
    const next = (Math.floor(this.#cameAt / MINUTE_MS) + 1) * MINUTE_MS;
    // After a price from before the session, the first minute of the session is due.
    const isWithin = isOpen(this.#calendar, next - this.#delayMs - 1);
    return { since, dueAt: isWithin ? next : (Math.floor((now - silent) / MINUTE_MS) + 1) * MINUTE_MS };
  }

  #limit(newest: number): number {
    const [oldest] = this.#minutes;
    if (oldest === undefined || this.#minutes.length < MEASURED) return UNKNOWN_MS;
    const interval = openTime(this.#calendar, oldest, newest) / (MEASURED - 1);
    return SILENT_MS + INTERVALS * Math.max(0, interval - MINUTE_MS);
  }
}
