// Service, signals: the regime of a symbol over time.
// Closes decide it; between closes only a triggered flip in the log changes it.

import { isRegime, type Regime, regimeLabel } from '../../shared/domain/regimes.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { RegimePoint, RegimeRecord } from '../../shared/wire/regime.ts';
import { countLeading } from '../count-leading.ts';
import type { Engine } from '../engine/types.ts';
import type { FormingBar } from '../market/types.ts';
import type { Flip } from '../store/event-log.ts';
import type { ClosedRow } from './closed-row.ts';
import { percent } from './drafts.ts';
import { levelOver } from './price-level.ts';
import { candidateOf, mostProbable, type Shares, six } from './regime-decision.ts';
import { followRegime } from './regime-within.ts';
import { lastRow, type Track } from './track.ts';

/** Maximum age of served regimes and factors, world ms. */
export const HISTORY_MS = 730 * DAY_MS;
/** Significant digits of a converted price: further digits are an artefact. */
const DIGITS = 10;

/** The regime at an instant. */
interface ActiveRegime {
  readonly regime: string;
  /** Index of the deciding close. */
  readonly index: number;
  readonly flip: Flip | null;
}

interface PastPrices {
  /** Intraday price at an instant; null: none. */
  price(instant: number): Pick<FormingBar, 'close' | 'closeBefore' | 'missing'> | null;
  /** The last bar as known at an instant. Absent: closed bars have kept their level. */
  lastBar?(instant: number): Pick<FormingBar, 'date' | 'close'> | null;
}

/** An intraday price, and its level over that of the closes. */
interface Quote {
  readonly price: number;
  readonly level: number;
  /** Sessions before its day without a bar. */
  readonly missing: number;
}

/** One symbol's regime over the past two years. Times in world ms. */
export class RegimeHistory {
  readonly #track: Track;
  readonly #flips: readonly Flip[];
  readonly #modelVersionAt: (instant: number) => string;
  readonly #prices: PastPrices;
  readonly #within: ReturnType<typeof followRegime>;
  /** Index of the first served close. */
  readonly #first: number;

  /** @param flips of the log, oldest first */
  constructor(
    track: Track,
    flips: readonly Flip[],
    now: number,
    at: PastPrices & Pick<Engine, 'volatilityStates'> & { modelVersion(instant: number): string },
  ) {
    this.#modelVersionAt = at.modelVersion;
    this.#prices = at;
    this.#within = followRegime(track, at.volatilityStates);
    this.#track = track;
    this.#flips = flips;
    const firstSince = (instant: number): number =>
      track.days.findIndex((row) => row.closedAt >= instant && row.reading.regime !== null);
    const recent = firstSince(now - HISTORY_MS);
    // If prices ended earlier, serves the two years before the last close.
    const first = recent === -1 ? firstSince((lastRow(track)?.closedAt ?? now) - HISTORY_MS) : recent;
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
    const forming = this.#formingAt(index, instant);
    const present = this.#present(index, forming);
    const decision = this.#decision(active, this.#dataAt(index, forming, instant), present.probabilities);
    const since = this.#since(index);
    const official = { regime, index, since, target: present.target };
    return {
      symbol: this.#track.instrument.symbol,
      regime,
      label: regimeLabel(regime),
      confidence: confidenceIn(decision, regime),
      since: timestamp(flip?.at ?? this.#row(since).closedAt),
      as_of: timestamp(instant),
      decided_at: decision === null ? null : timestamp(decision.at),
      probabilities: decision === null ? null : six(decision.probabilities),
      candidate: present.probabilities === null ? null : candidateOf(this.#track.days, official, present.probabilities),
      ...this.#quote(index, forming),
      model_version: this.#modelVersionAt(instant),
    };
  }

  /** A row of the history at `instant`; null before the beginning. */
  point(instant: number): RegimePoint | null {
    const active = this.#activeAt(instant);
    if (active === null) return null;
    const { regime, index } = active;
    const forming = this.#formingAt(index, instant);
    const dataAt = this.#dataAt(index, forming, instant);
    const decision = this.#decision(active, dataAt, this.#present(index, forming).probabilities);
    const { closedAt, reading } = this.#row(index);
    return {
      symbol: this.#track.instrument.symbol,
      timestamp: timestamp(instant),
      regime,
      confidence: confidenceIn(decision, regime),
      price: instant === closedAt ? reading.close : (forming?.price ?? null),
    };
  }

  /** The served closes, oldest first. */
  closes(): readonly { readonly date: string; readonly at: number }[] {
    return this.#track.days.slice(this.#first).map(({ closedAt, reading }) => ({ date: reading.date, at: closedAt }));
  }

  #row(index: number): ClosedRow {
    return this.#track.days[index] as ClosedRow;
  }

  /**
   * Price and change: of the intraday price from the last close, or of the last close from the previous one.
   */
  #quote(index: number, forming: Quote | null): { price: number; change_pct: number | null } {
    const last = this.#row(index).reading.close;
    const price = forming?.price ?? last;
    const before = forming === null ? this.#track.days[index - 1]?.reading.close : last * forming.level;
    return { price, change_pct: before === undefined ? null : Math.round((price / before - 1) * 10_000) / 100 };
  }

  /**
   * The intraday price at an instant after the close; null at the close, or without a price. A price of a
   * closed day is converted to the level of the closes beside it.
   */
  #formingAt(index: number, instant: number): Quote | null {
    const { closedAt, reading } = this.#row(index);
    const found = instant === closedAt ? null : this.#prices.price(instant);
    if (found === null) return null;
    const level = levelOver(reading, found, this.#prices.lastBar?.(instant));
    const { missing = 0 } = found;
    if (level === 1 || index === this.#track.days.length - 1) return { price: found.close, level, missing };
    return { price: Number((found.close / level).toPrecision(DIGITS)), level: 1, missing };
  }

  /** World ms of the newest data at an instant: the instant itself with an intraday price, else the close. */
  #dataAt(index: number, forming: Quote | null, instant: number): number {
    return forming === null ? this.#row(index).closedAt : instant;
  }

  /** Probabilities and target by the intraday price, else by the close. */
  #present(index: number, forming: Quote | null): { probabilities: Shares | null; target: Regime | null } {
    const { reading } = this.#row(index);
    if (forming !== null)
      return (
        this.#within(index, forming.price / forming.level, forming.missing) ?? { probabilities: null, target: null }
      );
    const { regime, regimeProbabilities: probabilities } = reading;
    // The rule's target is needed only if the data favour another regime.
    const isFavoured = probabilities === null || regime === null || mostProbable(probabilities, regime) === regime;
    const target = isFavoured || index === 0 ? null : (this.#within(index - 1, reading.close)?.target ?? null);
    return { probabilities, target };
  }

  /** The latest instant at which the data favoured the regime in force; null: never. */
  #decision({ regime, index, flip }: ActiveRegime, dataAt: number, present: Shares | null): Decision | null {
    if (present !== null && mostProbable(present, regime) === regime) return { at: dataAt, probabilities: present };
    const begin = flip?.at ?? this.#row(this.#since(index)).closedAt;
    for (let at = index; at >= 0 && this.#row(at).closedAt >= begin; at--) {
      const { regimeProbabilities: probabilities } = this.#row(at).reading;
      if (probabilities !== null && mostProbable(probabilities, regime) === regime)
        return { at: this.#row(at).closedAt, probabilities };
    }
    return null;
  }

  #activeAt(instant: number): ActiveRegime | null {
    const index = countLeading(this.#track.days, ({ closedAt }) => closedAt <= instant) - 1;
    if (index < this.#first) return null;
    // The log is complete from its start, so its last flip is the current regime, also when a hold-down
    // outlasts a close.
    const flip = this.#flips.findLast((one) => one.at <= instant) ?? null;
    const regime = flip?.to ?? this.#row(index).reading.regime;
    return regime === null ? null : { regime, index, flip };
  }

  /** Index of the first close of the run with the regime of this close. */
  #since(index: number): number {
    const { regime } = this.#row(index).reading;
    let first = index;
    while (this.#track.days[first - 1]?.reading.regime === regime) first -= 1;
    return first;
  }
}

/** World ms at which the data favoured the regime in force, and the probabilities then. */
interface Decision {
  readonly at: number;
  readonly probabilities: Shares;
}

const confidenceIn = (decision: Decision | null, regime: string): number | null =>
  decision === null || !isRegime(regime) ? null : percent(100 * decision.probabilities[regime]);
