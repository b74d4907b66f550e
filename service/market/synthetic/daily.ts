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

/** Days before the first one asked for that are kept too: a shock refers to a year. */
const DAYS_BEFORE = 300;
const GROWTH = 1.25;

/** Numbers by day since the first day of the world, from one day on. */
export class Series {
  /** Index of the first number that is kept. */
  readonly first: number;
  /** Index after the last one. */
  length = 0;
  /** Buffer with spare capacity; replaced when full. */
  #values: Float64Array;

  /** @param last index up to which the buffer has room */
  constructor(first = 0, last = first) {
    this.first = first;
    this.#values = new Float64Array(last - first + DAYS_BEFORE);
  }

  push(value: number): void {
    const index = this.length++ - this.first;
    if (index < 0) return;
    if (index === this.#values.length) {
      const larger = new Float64Array(Math.ceil(index * GROWTH));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[index] = value;
  }

  /** A copy that keeps the numbers from a later index on. */
  from(first: number): Series {
    const copy = new Series(first, this.length);
    copy.#values.set(this.#values.subarray(first - this.first, this.length - this.first));
    copy.length = this.length;
    return copy;
  }

  /** NaN outside the kept range. */
  at(index: number): number {
    return index < this.length ? (this.#values[index - this.first] ?? Number.NaN) : Number.NaN;
  }
}

/** What the returns of all instruments have in common, by factor. */
interface CommonParts {
  readonly moves: readonly Series[];
  readonly variances: readonly Series[];
  /** The market's own log variance before each day: one longer than the moves. */
  readonly market: Series;
}

/** The draws of one instrument up to a day. */
interface Draws {
  readonly closes: Series;
  readonly deviations: Series;
  readonly own: Part;
  readonly surprise: () => number;
  gap: number;
}

/** Daily closes of one instrument. Draws follow from one another; only the days that are asked for are kept. */
export class Path {
  readonly listing: Listing;
  readonly #key: number;
  readonly #common: CommonParts;
  readonly #loads: readonly { readonly factor: number; readonly load: number }[];
  /** Logarithm of the long-run path at the first day, and its growth per day. */
  readonly #level: number;
  readonly #growth: number;
  readonly #spread: number;
  #draws: Draws | null = null;

  constructor(seed: number, listing: Listing, common: CommonParts) {
    this.listing = listing;
    this.#common = common;
    this.#key = keyOfText(keyOf(seed, 2), listing.symbol);
    this.#loads = FACTORS.flatMap(({ name }, index) => {
      const load = listing.loadings[name];
      return load === undefined ? [] : [{ factor: index, load }];
    });
    this.#spread = (SURPRISE * listing.own) / 100 / Math.sqrt(252);
    this.#growth = listing.growth / DAYS_A_YEAR;
    this.#level = ln(listing.level) + this.#growth * (FIRST_DAY - LEVEL_DAY);
  }

  /** The close of a day already drawn by `DailyWorld.reach`, by its index since the first day of the world. */
  closeAt(index: number): number {
    return this.#drawn(index).closes.at(index);
  }

  /** Deviation of the draw of the return of a day. */
  deviationAt(index: number): number {
    return this.#drawn(index).deviations.at(index);
  }

  /** Keeps no day long before the one of an index. A day that is asked for again is drawn again. */
  forget(index: number): void {
    const [draws, first] = [this.#draws, index - DAYS_BEFORE];
    if (draws === null || draws.closes.first > first - DAYS_BEFORE) return;
    this.#draws = { ...draws, closes: draws.closes.from(first), deviations: draws.deviations.from(first) };
  }

  /** The draws that keep a day, and have all days that are reached. */
  #drawn(index: number): Draws {
    const { length } = this.#common.moves[0] as Series;
    const isKept = this.#draws !== null && this.#draws.closes.first <= Math.max(0, index);
    const draws = isKept ? (this.#draws as Draws) : this.#begin(Math.max(0, index - DAYS_BEFORE), length);
    this.#draws = draws;
    if (draws.closes.length < length) this.#draw(draws, length);
    return draws;
  }

  #begin(first: number, last: number): Draws {
    const draws: Draws = {
      closes: new Series(first, last),
      deviations: new Series(first, last),
      own: new Part(this.#key, { ...OWN_RETURN_MODEL, volatility: this.listing.own }, MARKET_RETURN_MODEL),
      surprise: stream(keyOf(this.#key, 3)),
      gap: 0,
    };
    draws.closes.push(quoted(exp(this.#level)));
    draws.deviations.push(0.01);
    return draws;
  }

  /** Draws the days before index `end`. */
  #draw(draws: Draws, end: number): void {
    const { moves, variances, market } = this.#common;
    const components = this.#loads.map(({ factor, load }) => ({
      load,
      moves: moves[factor] as Series,
      variances: variances[factor] as Series,
    }));
    const { own, surprise } = draws;
    const oftenness = this.listing.surprises / DAYS_A_YEAR;
    for (let index = draws.closes.length; index < end; index++) {
      own.step(market.at(index));
      let { move, variance } = own;
      for (const part of components) {
        move += part.load * part.moves.at(index);
        variance += part.load * part.load * part.variances.at(index);
      }
      if (oftenness > 0 && unit(surprise()) < oftenness) {
        const jump = this.#spread * normalDraw(surprise(), surprise());
        move += jump;
        variance += jump * jump;
      }
      draws.gap = draws.gap * (1 - this.listing.pull) + move;
      draws.closes.push(quoted(exp(this.#level + this.#growth * index + draws.gap)));
      draws.deviations.push(Math.sqrt(variance));
    }
  }
}

/**
 * Paths of all instruments of one seed. Draws each day once, in order, and keeps it; draws do not depend on
 * the order of calls.
 */
export class DailyWorld {
  readonly #factors: readonly Part[];
  readonly #common: CommonParts = {
    moves: FACTORS.map(() => new Series()),
    variances: FACTORS.map(() => new Series()),
    market: new Series(),
  };
  readonly #outlook = new Series();
  readonly #paths: ReadonlyMap<string, Path>;

  constructor(seed: number, listings: readonly Listing[]) {
    this.#factors = FACTORS.map(
      ({ name, returnModel }) => new Part(keyOfText(keyOf(seed, 1), name), returnModel, MARKET_RETURN_MODEL),
    );
    this.#foresee();
    this.#paths = new Map(listings.map((listing) => [listing.symbol, new Path(seed, listing, this.#common)]));
  }

  /** Draws all days up to and including `day`. */
  reach(day: number): void {
    const { moves, variances, market } = this.#common;
    const last = day - FIRST_DAY;
    for (let index = (moves[0] as Series).length; index <= last; index++) {
      for (const [at, part] of this.#factors.entries()) {
        part.step(at === 0 ? 0 : market.at(index));
        (moves[at] as Series).push(part.move);
        (variances[at] as Series).push(part.variance);
      }
      this.#foresee();
    }
  }

  /**
   * Closes by day since the first day of the world, and the deviation of each day's return. Call `reach`
   * first.
   */
  path(symbol: string): Path | null {
    return this.#paths.get(symbol) ?? null;
  }

  /** Frees the days long before `day`. */
  forget(day: number): void {
    for (const path of this.#paths.values()) path.forget(day - FIRST_DAY);
  }

  /**
   * The market's expected log variance over the 21 days from `day` on, as of the close of the previous day.
   */
  marketOutlook(day: number): number {
    return this.#outlook.at(day - FIRST_DAY);
  }

  #foresee(): void {
    const market = this.#factors[0] as Part;
    this.#common.market.push(market.own);
    this.#outlook.push(market.outlook);
  }
}
