// Service, sandbox world: the market source of the sandbox.
// A pure function of (seed, symbol, instant), with caches only.

import type { MarketScenario } from '../../../shared/domain/scenarios.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import type { Instrument, MarketSource } from '../types.ts';
import { FULL_SERVICE, type Listing, listings, VIX } from './catalogue.ts';
import { DailyWorld, type Path } from './daily.ts';
import { assertWithin, dateOf, dayOf, dayOfDate, FIRST_DAY, startOf } from './days.ts';
import { exp, keyOf, keyOfText, normalDraw, quoted } from './numbers.ts';
import { type Schedule, scheduleOf } from './scenarios.ts';
import { closedBar, Session } from './session.ts';
import { factorAt, referenceFor, type Shock, type ShockReference } from './shocks.ts';

export interface SyntheticMarketOptions {
  /** Any whole number. Worlds of different seeds share only their instruments. */
  readonly seed: number;
  /** Number of symbols with signals; the regime-only ones and VIX are additional. Default: all real names. */
  readonly symbols?: number;
  /** Default: ordinary days. */
  readonly scenario?: MarketScenario;
}

export interface SyntheticMarket extends MarketSource {
  /** The last price of a symbol at an instant (ms), shocks included, as quoted; NaN for an unknown symbol. */
  price(symbol: string, at: number): number;
  /** The same world with separate caches, for reading past days. */
  readonly past: PastPrices;
}

export interface PastPrices {
  /** Like `SyntheticMarket.price`. */
  price(symbol: string, at: number): number;
  /** The closed bar of a day; null for an unknown symbol. */
  bar(symbol: string, day: number): Bar | null;
  /** Standard deviation of a symbol's return on a day, a fraction; NaN for an unknown symbol. */
  deviation(symbol: string, day: number): number;
}

/**
 * Years of daily bars before the year of an instant: the windows of the factors need five, and the record should
 * be of about as many closes as ten years of an exchange have.
 */
const YEARS = 8;
const MAX_SYMBOLS = 9999;

/**
 * Creates the sandbox world. Prices never stop; a day is a calendar day in UTC. A bar has the volatility of a
 * trading day (the annual figure over the root of 252), so that thresholds and factors resemble those of real
 * daily bars. Methods throw RangeError for instants before 2002 or after 2099.
 * @throws RangeError when `seed` is not a whole number or `symbols` is not within 1..9999
 */
export function createSyntheticMarket({
  seed,
  symbols = FULL_SERVICE,
  scenario,
}: SyntheticMarketOptions): SyntheticMarket {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`the seed of the sandbox world is a whole number, not ${seed}`);
  if (!Number.isInteger(symbols) || symbols < 1 || symbols > MAX_SYMBOLS) {
    throw new RangeError(`the sandbox world has 1 to ${MAX_SYMBOLS} symbols, not ${symbols}`);
  }
  const key = keyOf(keyOf(0x5a17, seed | 0), Math.floor(seed / 4_294_967_296));
  const listed = listings(symbols);
  const daily = new DailyWorld(key, listed);
  const schedule = scenario === undefined ? null : scheduleOf(scenario);
  const createPricePaths = (): Map<string, PricePath> =>
    new Map(listed.map((listing) => [listing.symbol, new PricePath(key, listing, daily, schedule)]));
  const pricePaths = createPricePaths();
  pricePaths.set(VIX.symbol, new PricePath(key, VIX_LISTING, daily, schedule));
  // Separate, because each path caches a single day.
  const pastPaths = createPricePaths();
  const instruments: readonly Instrument[] = [...listed.map(plain), VIX];

  return {
    feed: 'sandbox',
    instruments,
    *closedDays(after, now) {
      assertWithin(now);
      const today = dayOf(now);
      const first = firstDayOf(now);
      daily.reach(today - 1);
      const missing = [...pricePaths].map(([symbol, pricePath]) => {
        const last = after(symbol);
        return { symbol, pricePath, from: last === null ? first : Math.max(first, dayOfDate(last) + 1) };
      });
      const from = missing.reduce((least, row) => Math.min(least, row.from), today);
      try {
        for (let day = from; day < today; day++) {
          const date = dateOf(day);
          const bars = new Map<string, Bar>();
          for (const row of missing) if (row.from <= day) bars.set(row.symbol, row.pricePath.closed(day, date));
          yield { date, closesAt: allAt(startOf(day + 1), bars), bars };
        }
      } finally {
        daily.forget(today);
      }
    },
    forming: (symbol, now) => pricePaths.get(symbol)?.forming(now) ?? null,
    formingClose: (symbol, now) => pricePaths.get(symbol)?.formingClose(now) ?? null,
    nextClose: (symbol, now) => (pricePaths.has(symbol) ? startOf(dayOf(now) + 1) : null),
    *decisions(symbol, from, to) {
      const pricePath = pricePaths.get(symbol);
      if (pricePath === undefined || pricePath.instrument.inputOnly) return;
      for (let at = pricePath.deliveredAt(from) + MINUTE_MS; at <= to; at += MINUTE_MS) yield at;
    },
    lowestOn: (symbol, now) => pricePaths.get(symbol)?.lowestOn(dayOf(now)) ?? null,
    price: (symbol, at) => pricePaths.get(symbol)?.price(at) ?? Number.NaN,
    ...(schedule !== null && {
      extremes: (symbol: string, instant: number) => pastPaths.get(symbol)?.extremesOn(dayOf(instant)) ?? null,
    }),
    past: pastOf(pastPaths, daily),
  };
}

function pastOf(pricePaths: ReadonlyMap<string, PricePath>, daily: DailyWorld): PastPrices {
  return {
    price: (symbol, at) => pricePaths.get(symbol)?.price(at) ?? Number.NaN,
    bar(symbol, day) {
      daily.reach(day);
      return pricePaths.get(symbol)?.closed(day, dateOf(day)) ?? null;
    },
    deviation(symbol, day) {
      daily.reach(day);
      return pricePaths.get(symbol)?.deviation(day) ?? Number.NaN;
    },
  };
}

/** History starts with a year, so that a restart later in the year computes from the same bars. */
function firstDayOf(now: number): number {
  return Math.max(FIRST_DAY + 1, dayOf(Date.UTC(new Date(now).getUTCFullYear() - YEARS, 0, 1)));
}

/** Maps every symbol of a day to one instant. */
function allAt(instant: number, bars: ReadonlyMap<string, Bar>): ReadonlyMap<string, number> {
  const result = new Map<string, number>();
  for (const symbol of bars.keys()) result.set(symbol, instant);
  return result;
}

const plain = ({ symbol, name, assetClass, regimeOnly, inputOnly }: Instrument): Instrument => ({
  symbol,
  name,
  assetClass,
  regimeOnly,
  inputOnly,
});

/** Intraday deviation of the volatility index. */
const INDEX_DEVIATION = 0.055;
const VIX_LISTING: Listing = { ...VIX, level: 0, growth: 0, pull: 0, own: 0, loadings: {}, volume: null, surprises: 0 };

/** One instrument's price path. Caches the last day and slot. */
class PricePath {
  readonly instrument: Listing;
  /** Offset of the symbol's prices within a minute (ms). */
  readonly #offset: number;
  /** null: ordinary days, without shocks. */
  readonly #schedule: Schedule | null;
  readonly #key: number;
  readonly #daily: DailyWorld;
  /** null for the volatility index, which is computed from the market's variance. */
  readonly #path: Path | null;
  #session: Session | null = null;
  #reference: ShockReference | null = null;
  #slot = Number.NaN;
  #shock: Shock | null = null;
  readonly #closedExtremes = new Map<number, { readonly high: number; readonly low: number }>();
  /** Highest and lowest of the first `minutes` prices of the session's day. */
  #extremes = { minutes: 0, high: 0, low: 0 };

  constructor(world: number, instrument: Listing, daily: DailyWorld, schedule: Schedule | null) {
    this.instrument = instrument;
    this.#schedule = schedule;
    this.#daily = daily;
    this.#path = daily.path(instrument.symbol);
    this.#key = keyOfText(keyOf(world, 3), instrument.symbol);
    this.#offset = (keyOf(this.#key, 4) % 60) * 1000;
  }

  /** The bar of a day already drawn by `reach`. */
  closed(day: number, date: string): Bar {
    const key = keyOf(this.#key, day);
    if (this.#path === null) {
      return closedBar(key, date, this.#volatilityIndex(day), this.#volatilityIndex(day + 1), INDEX_DEVIATION, null);
    }
    const close = this.#path.closeAt(day - FIRST_DAY);
    const open = this.#path.closeAt(day - FIRST_DAY - 1);
    const deviation = this.deviation(day);
    return closedBar(key, date, open, close, deviation, this.#volume(day, Math.abs(close / open - 1), deviation));
  }

  /**
   * The instant of the last price at `now`, ms. One comes a minute, as from a feed, and the state is decided by
   * it: a price that moves on would contradict the state until the next one.
   */
  deliveredAt(now: number): number {
    return Math.floor((now - this.#offset) / MINUTE_MS) * MINUTE_MS + this.#offset;
  }

  price(now: number): number {
    const at = this.deliveredAt(now);
    const session = this.#sessionOf(dayOf(at));
    return quoted(session.price(at) * this.#factor(session, at));
  }

  #shocksOf(day: number): Shock[] {
    const schedule = this.#schedule;
    if (schedule === null) return [];
    const session = this.#sessionOf(day);
    const found: Shock[] = [];
    for (let slot = schedule.slotOf(startOf(day)); slot <= schedule.slotOf(startOf(day + 1) - 1); slot++) {
      const shock = this.#shockIn(session, slot);
      if (shock !== null && shock.length > 0) found.push(shock);
    }
    return found;
  }

  /** Highest and lowest price of a closed day, including shocks, which its bar leaves out. */
  extremesOn(day: number): { readonly high: number; readonly low: number } {
    const known = this.#closedExtremes.get(day);
    if (known !== undefined) return known;
    let { high, low } = this.#sessionOf(day).bar;
    for (const shock of this.#shocksOf(day)) {
      const [from = 0, to = 0] = [shock[0]?.at, shock.at(-1)?.at];
      for (let at = this.deliveredAt(from - 1) + MINUTE_MS; at <= to; at += MINUTE_MS) {
        const price = this.price(at);
        high = Math.max(high, price);
        low = Math.min(low, price);
      }
    }
    this.#closedExtremes.set(day, { high, low });
    return { high, low };
  }

  /** A lower bound of a day's prices: the lowest price without shocks, times the deepest shock. */
  lowestOn(day: number): number {
    if (this.#schedule === null) {
      this.#daily.reach(day);
      return this.closed(day, dateOf(day)).low;
    }
    const deepest = this.#shocksOf(day)
      .flat()
      .reduce((least, { factor }) => Math.min(least, factor), 1);
    return quoted(this.#sessionOf(day).bar.low * deepest * (1 - 1e-6));
  }

  /** null before the first price of the day. */
  formingClose(now: number): number | null {
    return dayOf(this.deliveredAt(now)) === dayOf(now) ? this.price(now) : null;
  }

  forming(now: number): Bar | null {
    const at = this.deliveredAt(now);
    const day = dayOf(now);
    assertWithin(now);
    if (dayOf(at) !== day) return null;
    const session = this.#sessionOf(day);
    const { date, open, volume } = session.bar;
    const close = this.price(at);
    const minute = Math.floor((at - startOf(day)) / MINUTE_MS);
    const { high, low } = this.#extremesUpTo(day, minute);
    const passed = (at - startOf(day)) / DAY_MS;
    return {
      date,
      open,
      high: Math.max(open, high, close),
      low: Math.min(open, low, close),
      close,
      volume: volume === null ? null : Math.max(1, Math.round(volume * passed)),
    };
  }

  #extremesUpTo(day: number, minute: number): { readonly high: number; readonly low: number } {
    const extremes = this.#extremes;
    if (extremes.minutes > minute + 1) this.#extremes.minutes = 0;
    for (; extremes.minutes <= minute; extremes.minutes++) {
      const price = this.price(startOf(day) + this.#offset + extremes.minutes * MINUTE_MS);
      if (extremes.minutes === 0) {
        extremes.high = price;
        extremes.low = price;
      } else {
        extremes.high = Math.max(extremes.high, price);
        extremes.low = Math.min(extremes.low, price);
      }
    }
    return extremes;
  }

  #factor(session: Session, at: number): number {
    if (this.#schedule === null) return 1;
    const slot = this.#schedule.slotOf(at);
    if (slot !== this.#slot) {
      this.#slot = slot;
      this.#shock = this.#shockIn(session, slot);
    }
    return this.#shock === null ? 1 : factorAt(this.#shock, at);
  }

  #shockIn(session: Session, slot: number): Shock | null {
    const reference = this.#reference;
    return reference === null || this.#schedule === null
      ? null
      : this.#schedule.shockOf(this.instrument, this.#key, slot, reference, (ms) => session.price(ms));
  }

  #sessionOf(day: number): Session {
    if (this.#session?.day === day) return this.#session;
    assertWithin(startOf(day));
    this.#daily.reach(day);
    this.#session = new Session(keyOf(this.#key, day), day, this.closed(day, dateOf(day)), this.deviation(day));
    const isMoved = this.#schedule !== null && !this.instrument.regimeOnly;
    this.#reference = isMoved && this.#path !== null ? referenceFor(this.#path, day) : null;
    this.#slot = Number.NaN;
    this.#extremes.minutes = 0;
    return this.#session;
  }

  deviation(day: number): number {
    return this.#path === null ? INDEX_DEVIATION : this.#path.deviationAt(day - FIRST_DAY);
  }

  /**
   * VIX at the open of a day: the volatility expected from the variance then known, plus its premium, in
   * percent a year.
   */
  #volatilityIndex(day: number): number {
    const variance = 0.85 * exp(this.#daily.marketOutlook(day)) + 0.15;
    return quoted(22 * Math.sqrt(variance) * (1 + 0.02 * normalDraw(keyOf(this.#key, day), keyOf(this.#key, -day))));
  }

  /** Volume grows with the day's move and with its volatility; weekends have little. */
  #volume(day: number, move: number, deviation: number): number | null {
    const { volume, own, loadings } = this.instrument;
    if (volume === null) return null;
    const usual = (own + 17 * Math.abs(loadings.market ?? 1)) / 1600;
    const weekday = (day + 4) % 7;
    const quiet = weekday === 0 || weekday === 6 ? 0.6 : 1;
    const noise = exp(0.4 * normalDraw(keyOf(this.#key, day ^ 0x6c62), keyOf(this.#key, day ^ 0x272e)));
    return Math.max(1, Math.round(volume * quiet * noise * (0.45 + (0.35 * deviation + 0.3 * move) / usual)));
  }
}
