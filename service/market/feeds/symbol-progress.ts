// Service, market feeds: up to where the prices of one symbol are complete. Pure.
// A live row is used when nothing is missing before it; else it waits until the vendor's history has answered.
import { isOpen, nextClose, openTime } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import type { PriceFault } from '../types.ts';
import { CalendarPrices } from './calendar-prices.ts';
import type { KnownPrices } from './feed-market.ts';
import type { FeedBar, FeedError, FeedListing, FeedOffer, PriceFeed } from './price-feed.ts';

/** Steps after which a hole is reported, and after which silence is. */
const GAP_AFTER_MS = 2 * MINUTE_MS;
export const SILENT_AFTER_MS = 3 * MINUTE_MS;
/** Maximum number of pending rows; history brings the rest. */
const MAX_PENDING = 2_000;
/** The newest minute may come into the vendor's history late. */
const SETTLING_MS = MINUTE_MS;
const FIRST_RECHECK_MS = MINUTE_MS;
const LAST_RECHECK_MS = 60 * MINUTE_MS;
/** A close is overdue so long after the vendor's usual hour, and after what it says itself. */
const CLOSE_OVERDUE_MS = HOUR_MS;

/** Prices that should have come, though the vendor's plan allows for some delay. */
interface Overdue {
  /** A sentence for people. */
  readonly reason: string;
  /** When the first of them was due, wall ms. */
  readonly dueAt: number;
  /** End of the newest price, UTC ms. */
  readonly since: number;
}

export class SymbolProgress {
  readonly listing: FeedListing;
  readonly #offers: FeedOffer;
  /** Of all symbols of its calendar and host. */
  readonly prices: CalendarPrices;
  hasHistory = false;
  /** UTC ms up to which no close is missing. */
  closesTo = 0;
  /** UTC ms up to which no minute is missing; null: none is known. */
  minutesTo: number | null = null;
  /** Wall ms of the newest live row, also of an open bar; 0: none came. */
  lastRowAt = 0;
  /** What keeps its rows away, though the vendor answers for others; null: nothing. */
  fault: string | null = null;
  /** Wall ms of the newest question of history that brought a newer price; 0: none did. */
  #lastHistoryAt = 0;
  /** Rows that wait for history, oldest first; null: rows count as they come. */
  #pending: FeedBar[] | null = null;
  #pendingSince = 0;
  /** When a close that the vendor did not have yet is fetched again. */
  #recheckAt = 0;
  #rechecks = 0;
  /** The end of the day of the newest close. */
  #newestDay = 0;
  /** How long after its session the newest close came, ms; 0: not known. */
  #closeCameAfterMs = 0;

  constructor(
    listing: FeedListing,
    offers: FeedOffer,
    known: KnownPrices,
    prices = new CalendarPrices(listing.calendar, offers.delayMs),
  ) {
    this.listing = listing;
    this.#offers = offers;
    this.prices = prices;
    this.reset(known);
  }

  /** Begins with what is recorded. @param now what came later, came before the clock was set back */
  reset({ hasHistory, lastDay, lastMinute }: KnownPrices, now = Number.POSITIVE_INFINITY): void {
    this.lastRowAt = Math.min(this.lastRowAt, now);
    this.#lastHistoryAt = Math.min(this.#lastHistoryAt, now);
    this.prices.setBack(now);
    this.hasHistory = hasHistory;
    // The day after its date: no session closes later.
    this.closesTo = lastDay === null ? 0 : Date.parse(lastDay) + DAY_MS;
    this.#newestDay = this.closesTo;
    this.minutesTo = lastMinute;
    if (lastMinute !== null) this.prices.note(lastMinute, lastMinute + this.#offers.delayMs);
    this.#pending = null;
    this.#recheckAt = 0;
  }

  get hasMinutes(): boolean {
    return this.#offers.steps.includes('minute');
  }

  /** Wall ms at which the newest price came; 0: none came. */
  get lastPriceAt(): number {
    return Math.max(this.lastRowAt, this.#lastHistoryAt);
  }

  /** Notes what kept its rows out of an answer, or that nothing did, and calls with an error that is another one. */
  noteFault(error: FeedError | undefined, onError: (error: FeedError) => void): void {
    if (error !== undefined && error.message !== this.fault) onError(error);
    this.fault = error?.message ?? null;
  }

  /** @returns the rows that count now; whether history must be asked */
  offer(bar: FeedBar, now: number): { readonly counts: readonly FeedBar[]; readonly asks: boolean } {
    this.lastRowAt = now;
    const { calendar } = this.listing;
    if (bar.step === 'minute' && openTime(calendar, bar.start, bar.end) === 0) return { counts: [], asks: false };
    if (bar.step === 'minute') this.prices.note(bar.end, now);
    const isWhole = bar.step === 'day' || this.#isNext(bar.start);
    const asks = !isWhole && this.#pending === null;
    if (asks) [this.#pending, this.#pendingSince] = [[], now];
    if (!bar.isClosed) return { counts: [], asks };
    if (this.#pending !== null) {
      this.#pending.push(bar);
      if (this.#pending.length > MAX_PENDING) this.#pending.shift();
      return { counts: [], asks };
    }
    if (bar.step === 'minute') this.minutesTo = Math.max(this.minutesTo ?? 0, bar.end);
    return { counts: [bar], asks };
  }

  /** Marks the daily history as complete. */
  gotHistory(bars: readonly FeedBar[], at: number): void {
    this.hasHistory = true;
    this.#noteCloses(newestDay(bars), at);
  }

  /**
   * Takes the closed bars of an answer of history.
   * @param at when it was asked, wall ms
   * @returns the rows that were held and count now; whether history must be asked again
   */
  answered(bars: readonly FeedBar[], at: number, now: number): { readonly counts: FeedBar[]; readonly asks: boolean } {
    const settled = Math.floor((at - this.#offers.delayMs) / MINUTE_MS) * MINUTE_MS - SETTLING_MS;
    const known = this.minutesTo ?? 0;
    if (bars.some(({ step, end }) => step === 'minute' && end > known)) this.#lastHistoryAt = at;
    for (const { step, end } of bars) if (step === 'minute') this.prices.note(end, at);
    if (this.hasMinutes)
      this.minutesTo = bars.reduce(
        (to, { step, end }) => (step === 'minute' ? Math.max(to, end) : to),
        Math.max(known, settled),
      );
    this.#noteCloses(newestDay(bars), at);
    const pending = this.#pending ?? [];
    const { lastRowAt } = this;
    this.#pending = null;
    const counts: FeedBar[] = [];
    let asks = false;
    for (const bar of pending) {
      const offered = this.offer(bar, now);
      counts.push(...offered.counts);
      asks ||= offered.asks;
    }
    this.lastRowAt = lastRowAt;
    return { counts, asks };
  }

  /** Whether a close is due that is not known yet. */
  isCloseDue(now: number): boolean {
    const due = nextClose(this.listing.calendar, this.closesTo) + this.#offers.closeDelayMs <= now;
    return due || (this.#recheckAt > 0 && this.#recheckAt <= now);
  }

  /** Whether its session is open, and no row came for `ms`. */
  isSilent(now: number, ms: number): boolean {
    const { calendar } = this.listing;
    if (!this.hasMinutes || !isOpen(calendar, now)) return false;
    return openTime(calendar, Math.max(this.lastRowAt, (this.minutesTo ?? 0) + this.#offers.delayMs), now) >= ms;
  }

  /** Whether its session is open, and no newer price came for `ms`, though its history may have answered. */
  isQuiet(now: number, ms: number): boolean {
    const { calendar } = this.listing;
    if (!this.hasMinutes || !isOpen(calendar, now)) return false;
    return this.lastPriceAt === 0 || openTime(calendar, this.lastPriceAt, now) >= ms;
  }

  /** Whether its session was open for so long, ms, since `begunAt` without a live row. */
  isSilentSince(begunAt: number, now: number, ms: number): boolean {
    const since = Math.max(this.lastRowAt, begunAt);
    return this.hasMinutes && openTime(this.listing.calendar, since, now) >= ms + this.#offers.delayMs;
  }

  /** Prices that have not come though they were due; null: none. */
  overdue(feed: string, now: number): Overdue | null {
    const { symbol, calendar } = this.listing;
    const { delayMs } = this.#offers;
    if (!this.hasMinutes) return this.#overdueClose(feed, now);
    if (!isOpen(calendar, now)) return null;
    const since = this.minutesTo;
    if (since !== null && openTime(calendar, since + delayMs, now) > SILENT_AFTER_MS + MINUTE_MS) {
      const dueAt = now - openTime(calendar, since + delayMs, now) + MINUTE_MS;
      return {
        reason: `${feed} has sent no price of ${symbol} after ${textOf(since)}, though its session is open`,
        dueAt,
        since,
      };
    }
    // History that answers without newer rows says of one symbol that nobody traded it; of all, that the vendor stopped.
    const silence = this.prices.silence(now);
    if (silence === null) return null;
    return {
      reason: `${feed} has sent no price of any symbol after ${textOf(silence.since)}, though the session of ${symbol} is open`,
      ...silence,
    };
  }

  health(feed: string, now: number): PriceFault | null {
    const { symbol } = this.listing;
    const { delayMs } = this.#offers;
    const since = this.minutesTo;
    if (this.#pending !== null && now - this.#pendingSince > GAP_AFTER_MS)
      return {
        kind: 'gap',
        reason: `Prices of ${symbol} ${since === null ? '' : `after ${textOf(since)} `}are missing; ${feed} is asked for them, and nothing is decided before they are there`,
      };
    const overdue = this.overdue(feed, now);
    if (overdue !== null) return { kind: 'delayed', reason: overdue.reason, delayMs: now - overdue.since };
    if (delayMs === 0) return null;
    return {
      kind: 'delayed',
      reason: `Prices of ${feed} come ${Math.round(delayMs / MINUTE_MS)} minutes late`,
      delayMs,
    };
  }

  /** Whether neither a minute nor a close is missing between what is known and a bar. */
  #isNext(start: number): boolean {
    const { calendar } = this.listing;
    if (!this.hasHistory || this.minutesTo === null) return false;
    if (openTime(calendar, this.minutesTo, start) > 0) return false;
    return nextClose(calendar, this.closesTo) > start;
  }

  #overdueClose(feed: string, now: number): Overdue | null {
    if (this.#newestDay === 0) return null;
    const { symbol, calendar } = this.listing;
    const { closeDelayMs } = this.#offers;
    const close = nextClose(calendar, this.#newestDay);
    if (now < close + Math.max(closeDelayMs, this.#closeCameAfterMs) + CLOSE_OVERDUE_MS) return null;
    const date = dateOf(this.#newestDay - DAY_MS);
    const reason = `${feed} has sent no close of ${symbol} after that of ${date}, though the next one is due`;
    return { reason, dueAt: close + closeDelayMs, since: close };
  }

  /** The vendor may publish a close later than it says, or never, and then prices within the day count all the same. */
  #noteCloses(newest: number, at: number): void {
    const settled = at - this.#offers.closeDelayMs;
    if (newest > this.#newestDay) {
      this.#lastHistoryAt = at;
      const afterMs = at - nextClose(this.listing.calendar, this.#newestDay);
      // Only of one that was asked for in vain before: this computer may have been off. An outage of days is no habit.
      this.#closeCameAfterMs = this.#newestDay > 0 && this.#rechecks > 0 && afterMs < DAY_MS ? afterMs : 0;
    }
    this.#newestDay = Math.max(newest, this.#newestDay);
    const isMissing = nextClose(this.listing.calendar, this.#newestDay) <= settled;
    this.#rechecks = isMissing ? this.#rechecks + 1 : 0;
    this.#recheckAt = isMissing
      ? at + Math.min(LAST_RECHECK_MS, FIRST_RECHECK_MS * 2 ** Math.min(10, this.#rechecks - 1))
      : 0;
    this.closesTo = Math.max(this.closesTo, settled);
  }
}

/** Of each symbol of a feed. Those of one calendar and one host are judged together. */
export function progressOf(
  feed: PriceFeed,
  listings: readonly FeedListing[],
  known: (symbol: string) => KnownPrices,
): ReadonlyMap<string, SymbolProgress> {
  const prices = new Map<string, CalendarPrices>();
  return new Map(
    listings.map((listing) => {
      const { symbol, calendar } = listing;
      const source = feed.sourceOf?.(symbol) ?? null;
      const offers = source?.offers ?? feed.offers;
      const key = `${calendar} ${source?.name ?? ''}`;
      const shared = prices.get(key) ?? new CalendarPrices(calendar, offers.delayMs);
      prices.set(key, shared);
      return [symbol, new SymbolProgress(listing, offers, known(symbol), shared)];
    }),
  );
}

/** The end of the day of the newest daily bar; 0: there is none. */
const newestDay = (bars: readonly FeedBar[]): number =>
  bars.reduce((newest, { step, date }) => (step === 'day' ? Math.max(newest, Date.parse(date) + DAY_MS) : newest), 0);

const textOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
