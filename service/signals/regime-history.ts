// Service, signals: the regime of a symbol over time.
// Closes decide it; between them only an event of the log changes it (a triggered flip).

import { isRegime, regimeLabel } from '../../shared/domain/regimes.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { RegimePoint, RegimeRecord } from '../../shared/wire/regime.ts';
import type { Flip } from '../store/event-log.ts';
import type { ClosedRow } from './closed-row.ts';
import { percent } from './drafts.ts';
import { followRegime } from './regime-within.ts';
import type { Track } from './track.ts';

/** How far back the service serves regimes and factors, world ms. */
export const HISTORY_MS = 730 * DAY_MS;

/** The regime at an instant. */
interface ActiveRegime {
  readonly regime: string;
  /** Index of the last close that decided. */
  readonly index: number;
  readonly flip: Flip | null;
}

/** One symbol's regime over the past two years. Times in world ms. */
export class RegimeHistory {
  readonly #track: Track;
  readonly #flips: readonly Flip[];
  readonly #modelVersionAt: (instant: number) => string;
  /** Intraday price at an instant; null without one. */
  readonly #priceAt: (instant: number) => number | null;
  readonly #within: ReturnType<typeof followRegime>;
  /** Index of the first served close. */
  readonly #first: number;

  /** @param flips of the log, oldest first */
  constructor(
    track: Track,
    flips: readonly Flip[],
    now: number,
    at: { modelVersion(instant: number): string; price(instant: number): number | null },
  ) {
    this.#modelVersionAt = at.modelVersion;
    this.#priceAt = at.price;
    this.#within = followRegime(track);
    this.#track = track;
    this.#flips = flips;
    const first = track.days.findIndex((row) => row.closedAt >= now - HISTORY_MS && row.reading.regime !== null);
    this.#first = first === -1 ? track.days.length : first;
  }

  /** The first instant with a regime; null without any. */
  get begin(): number | null {
    return this.#track.days[this.#first]?.closedAt ?? null;
  }

  /** @returns null before the beginning */
  at(instant: number): RegimeRecord | null {
    const active = this.#activeAt(instant);
    if (active === null) return null;
    const { regime, index, flip } = active;
    const probabilities = this.#probabilities(index, instant);
    return {
      symbol: this.#track.instrument.symbol,
      regime,
      label: regimeLabel(regime),
      confidence: confidenceIn(probabilities, regime),
      since: timestamp(flip?.at ?? this.#since(index)),
      as_of: timestamp(instant),
      probabilities: probabilities === null ? null : six(probabilities),
      model_version: this.#modelVersionAt(instant),
    };
  }

  /** A row of the history: the regime at `instant`; null before the beginning. */
  point(instant: number): RegimePoint | null {
    const active = this.#activeAt(instant);
    if (active === null) return null;
    const { regime, index } = active;
    return {
      symbol: this.#track.instrument.symbol,
      timestamp: timestamp(instant),
      regime,
      confidence: confidenceIn(this.#probabilities(index, instant), regime),
    };
  }

  /** The served closes, oldest first. */
  closes(): readonly { readonly date: string; readonly at: number }[] {
    return this.#track.days.slice(this.#first).map(({ closedAt, reading }) => ({ date: reading.date, at: closedAt }));
  }

  #row(index: number): ClosedRow {
    return this.#track.days[index] as ClosedRow;
  }

  /** The probabilities at the close, or at the price of a later instant. */
  #probabilities(index: number, instant: number): Probabilities {
    const { closedAt, reading } = this.#row(index);
    const price = instant === closedAt ? null : this.#priceAt(instant);
    return price === null ? reading.regimeProbabilities : this.#within(index, price);
  }

  #activeAt(instant: number): ActiveRegime | null {
    const { days } = this.#track;
    let low = this.#first;
    let high = days.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#row(middle).closedAt <= instant) low = middle + 1;
      else high = middle;
    }
    const index = low - 1;
    if (index < this.#first) return null;
    // The log is complete from its start, so its last flip is the current regime, also when a hold-down
    // outlasts a close.
    const flip = this.#flips.findLast((one) => one.at <= instant) ?? null;
    const regime = flip?.to ?? this.#row(index).reading.regime;
    return regime === null ? null : { regime, index, flip };
  }

  /** The instant at which the closes entered the regime of this one. */
  #since(index: number): number {
    const { regime } = this.#row(index).reading;
    let first = index;
    while (this.#track.days[first - 1]?.reading.regime === regime) first -= 1;
    return this.#row(first).closedAt;
  }
}

type Probabilities = ClosedRow['reading']['regimeProbabilities'];

const confidenceIn = (probabilities: Probabilities, regime: string): number | null =>
  probabilities === null || !isRegime(regime) ? null : percent(100 * probabilities[regime]);

const six = (shares: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, Math.round(share * 1e6) / 1e6]));
