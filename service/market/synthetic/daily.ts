// Service, sandbox world: the daily closes of every instrument, from the first day of the world.
// Log returns are sums of common factors and an own part (return-model.ts). A weak pull towards a long-run
// path keeps prices plausible in any year; within a month it is invisible.
import { FACTORS, type Listing, MARKET_RETURN_MODEL, OWN_RETURN_MODEL, SURPRISE } from './catalogue.ts';
import { FIRST_DAY } from './days.ts';
import { exp, keyOf, keyOfText, ln, normalDraw, quoted, stream, unit } from './numbers.ts';
import { Part } from './return-model.ts';

const DAYS_A_YEAR = 365.25;
/** Start of 2026, the date of the listings' levels. */
const LEVEL_DAY = 20_454;

/** Initial capacity of a series: until 2028. */
const CAPACITY = 10_500;

/** Numbers by day since the first day of the world. */
export class Series {
  /** Buffer with spare capacity; replaced when full. */
  values = new Float64Array(CAPACITY);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Float64Array(this.values.length + (this.values.length >> 2));
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  /** NaN outside the pushed range. */
  at(index: number): number {
    return index < this.length ? (this.values[index] ?? Number.NaN) : Number.NaN;
  }
}

/** Daily closes of one instrument. */
export class Path {
  readonly listing: Listing;
  readonly closes = new Series();
  /** Deviation of the draw of each day's return. */
  readonly deviations = new Series();
  readonly #loads: readonly { readonly factor: number; readonly load: number }[];
  /** Logarithm of the long-run path at the first day, and its growth per day. */
  readonly #level: number;
  readonly #growth: number;
  readonly #own: Part;
  readonly #surprise: () => number;
  readonly #spread: number;
  #gap = 0;

  constructor(seed: number, listing: Listing) {
    this.listing = listing;
    const key = keyOfText(keyOf(seed, 2), listing.symbol);
    this.#loads = FACTORS.flatMap(({ name }, index) => {
      const load = listing.loadings[name];
      return load === undefined ? [] : [{ factor: index, load }];
    });
    this.#own = new Part(key, { ...OWN_RETURN_MODEL, volatility: listing.own }, MARKET_RETURN_MODEL);
    this.#surprise = stream(keyOf(key, 3));
    this.#spread = (SURPRISE * listing.own) / 100 / Math.sqrt(252);
    this.#growth = listing.growth / DAYS_A_YEAR;
    this.#level = ln(listing.level) + this.#growth * (FIRST_DAY - LEVEL_DAY);
    this.closes.push(quoted(exp(this.#level)));
    this.deviations.push(0.01);
  }

  /** Draws days up to `last` (index since the first day). */
  reach(last: number, moves: readonly Series[], variances: readonly Series[], market: Series): void {
    const components = this.#loads.map(({ factor, load }) => ({
      load,
      moves: (moves[factor] as Series).values,
      variances: (variances[factor] as Series).values,
    }));
    const loud = market.values;
    const oftenness = this.listing.surprises / DAYS_A_YEAR;
    for (let index = this.closes.length; index <= last; index++) {
      this.#own.step(loud[index] as number);
      let move = this.#own.move;
      let variance = this.#own.variance;
      for (const part of components) {
        move += part.load * (part.moves[index] as number);
        variance += part.load * part.load * (part.variances[index] as number);
      }
      if (oftenness > 0 && unit(this.#surprise()) < oftenness) {
        const jump = this.#spread * normalDraw(this.#surprise(), this.#surprise());
        move += jump;
        variance += jump * jump;
      }
      this.#gap = this.#gap * (1 - this.listing.pull) + move;
      this.closes.push(quoted(exp(this.#level + this.#growth * index + this.#gap)));
      this.deviations.push(Math.sqrt(variance));
    }
  }
}

/**
 * Paths of all instruments of one seed. Draws each day once, in order, and keeps it; draws do not depend on
 * the order of calls.
 */
export class DailyWorld {
  readonly #factors: readonly Part[];
  readonly #moves = FACTORS.map(() => new Series());
  readonly #variances = FACTORS.map(() => new Series());
  /** The market's own log variance before each day: one longer than the moves. */
  readonly #market = new Series();
  readonly #outlook = new Series();
  readonly #paths: ReadonlyMap<string, Path>;

  constructor(seed: number, listings: readonly Listing[]) {
    this.#factors = FACTORS.map(
      ({ name, returnModel }) => new Part(keyOfText(keyOf(seed, 1), name), returnModel, MARKET_RETURN_MODEL),
    );
    this.#foresee();
    this.#paths = new Map(listings.map((listing) => [listing.symbol, new Path(seed, listing)]));
  }

  /** Draws all days up to and including `day`. */
  reach(day: number): void {
    const last = day - FIRST_DAY;
    if (last < (this.#moves[0] as Series).length) return;
    for (let index = (this.#moves[0] as Series).length; index <= last; index++) {
      const market = this.#market.at(index);
      for (const [at, part] of this.#factors.entries()) {
        part.step(at === 0 ? 0 : market);
        (this.#moves[at] as Series).push(part.move);
        (this.#variances[at] as Series).push(part.variance);
      }
      this.#foresee();
    }
    for (const path of this.#paths.values()) path.reach(last, this.#moves, this.#variances, this.#market);
  }

  /**
   * Closes by day since the first day of the world, and the deviation of each day's return. Call `reach`
   * first.
   */
  path(symbol: string): Path | null {
    return this.#paths.get(symbol) ?? null;
  }

  /**
   * The market's expected log variance over the 21 days from `day` on, as of the close of the previous day.
   */
  marketOutlook(day: number): number {
    return this.#outlook.at(day - FIRST_DAY);
  }

  #foresee(): void {
    const market = this.#factors[0] as Part;
    this.#market.push(market.own);
    this.#outlook.push(market.outlook);
  }
}
