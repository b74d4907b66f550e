// Service, market feeds: tracks up to when the prices of one symbol are complete. Pure.
// Uses a live row if nothing is missing before it; else holds it until history has answered.
import { isOpen, nextClose, openTime } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import type { PriceFault } from '../types.ts';
import { CalendarPrices } from './calendar-prices.ts';
import type { KnownPrices } from './feed-market.ts';
import type { FeedBar, FeedError, FeedListing, FeedOffer, PriceFeed } from './price-feed.ts';

/** Duration of a hole until it is reported, and of a silence. */
const GAP_AFTER_MS = 2 * MINUTE_MS;
export const SILENT_AFTER_MS = 3 * MINUTE_MS;
/** Maximum number of pending rows; history brings older ones. */
const MAX_PENDING = 2_000;
/** Delay with which the newest minute may enter the vendor's history. */
const SETTLING_MS = MINUTE_MS;
const FIRST_RECHECK_MS = MINUTE_MS;
const LAST_RECHECK_MS = 60 * MINUTE_MS;
/** Grace period after the usual or announced time. */
const CLOSE_OVERDUE_MS = HOUR_MS;

/** Missing prices that were due, even with the delay of the vendor's plan. */
interface Overdue {
  /** A sentence for people. */
  readonly reason: string;
  /** When the first missing price was due, wall ms. */
  readonly dueAt: number;
  /** End of the newest price, UTC ms. */
  readonly since: number;
}

export class SymbolProgress {
  readonly listing: FeedListing;
  readonly #offers: FeedOffer;
  /** Shared by all symbols of its calendar and host. */
  readonly prices: CalendarPrices;
  hasHistory = false;
  /** UTC ms up to which no close is missing. */
  closesTo = 0;
  /** UTC ms up to which no minute is missing; null: no minute is known. */
  minutesTo: number | null = null;
  /** Wall ms of the newest live row, even of an open bar; 0: none came. */
  lastRowAt = 0;
  /** The error that hides this symbol's rows while the vendor answers for others; null: none. */
  fault: string | null = null;
  /** Wall ms of the newest request for history that brought a newer price; 0: none did. */
  #lastHistoryAt = 0;
  /** Rows held until history answers, in order of receipt; null: rows count at once. */
  #pending: FeedBar[] | null = null;
  #pendingSince = 0;
  /** Wall ms at which a missing close is fetched again; 0: none is missing. */
  #recheckAt = 0;
  #rechecks = 0;
  /** End of the day of the newest close, UTC ms. */
  #newestDay = 0;
  /** Time from the session's close to the receipt of the newest close, ms; 0: not known. */
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

  /** Resets to the recorded prices. @param now limits times of receipt, after the clock was set back */
  reset({ hasHistory, lastDay, lastMinute }: KnownPrices, now = Number.POSITIVE_INFINITY): void {
    this.lastRowAt = Math.min(this.lastRowAt, now);
    this.#lastHistoryAt = Math.min(this.#lastHistoryAt, now);
    this.prices.setBack(now);
    this.hasHistory = hasHistory;
    // The end of the date: no session of it closes later.
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

  /** Records or clears the error that hid its rows; reports a changed error. */
  noteFault(error: FeedError | undefined, onError: (error: FeedError) => void): void {
    if (error !== undefined && error.message !== this.fault) onError(error);
    this.fault = error?.message ?? null;
  }

  /** Takes a live row. @returns the rows that count now; whether history must be requested */
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
   * @param at time of the request, wall ms
   * @returns the pending rows that count now; whether history must be requested again
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

  /** Whether an unknown close is due. */
  isCloseDue(now: number): boolean {
    const due = nextClose(this.listing.calendar, this.closesTo) + this.#offers.closeDelayMs <= now;
    return due || (this.#recheckAt > 0 && this.#recheckAt <= now);
  }

  /** Whether its session is open and no row came for `ms`. */
  isSilent(now: number, ms: number): boolean {
    const { calendar } = this.listing;
    if (!this.hasMinutes || !isOpen(calendar, now)) return false;
    return openTime(calendar, Math.max(this.lastRowAt, (this.minutesTo ?? 0) + this.#offers.delayMs), now) >= ms;
  }

  /** Whether its session is open and no newer price came for `ms`, even from history. */
  isQuiet(now: number, ms: number): boolean {
    const { calendar } = this.listing;
    if (!this.hasMinutes || !isOpen(calendar, now)) return false;
    return this.lastPriceAt === 0 || openTime(calendar, this.lastPriceAt, now) >= ms;
  }

  /** Whether its session was open for `ms` since `begunAt` without a live row. */
  isSilentSince(begunAt: number, now: number, ms: number): boolean {
    const since = Math.max(this.lastRowAt, begunAt);
    return this.hasMinutes && openTime(this.listing.calendar, since, now) >= ms + this.#offers.delayMs;
  }

  /** The missing prices that were due; null: none. */
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
    // History without newer rows means for one symbol that nobody traded it; for all, that the vendor
    // stopped.
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

  /** Whether no minute and no close is missing before a bar. */
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

  /**
   * Records the newest close. The vendor may publish a close late or never; intraday prices count meanwhile.
   */
  #noteCloses(newest: number, at: number): void {
    const settled = at - this.#offers.closeDelayMs;
    if (newest > this.#newestDay) {
      this.#lastHistoryAt = at;
      const afterMs = at - nextClose(this.listing.calendar, this.#newestDay);
      // Only for a close requested in vain before: else this computer may have been off. Ignores outages of
      // days.
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

/** Progress of each symbol of a feed. Symbols of one calendar and host share their `CalendarPrices`. */
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

/** End of the day of the newest daily bar, UTC ms; 0: none. */
const newestDay = (bars: readonly FeedBar[]): number =>
  bars.reduce((newest, { step, date }) => (step === 'day' ? Math.max(newest, Date.parse(date) + DAY_MS) : newest), 0);

const textOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
