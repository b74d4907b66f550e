// Service: what goes into the engine and what comes out of it. The engine is pure: no clock, no I/O, no randomness.
import type { Powers } from '../../shared/domain/factors.ts';
import type { AssetClass } from '../../shared/domain/instruments.ts';
import type { Regime } from '../../shared/domain/regimes.ts';
import type { State } from '../../shared/domain/states.ts';

/** One bar of one symbol, adjusted for splits and dividends. */
export interface Bar {
  /** ISO session date, "2020-02-24". */
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Shares, contracts or coins; null where it is not known (never 0 for "not known"). */
  readonly volume: number | null;
}

export interface EngineInstrument {
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** Feeds factors of others and has no reading of its own (VIX). */
  readonly inputOnly?: boolean;
}

/** What the engine says of one symbol at one bar. Everything is computed from bars up to this one. */
export interface Reading {
  readonly date: string;
  readonly close: number;
  readonly state: State;
  /** Risk probability, 0..1: that the warned event follows; null while warming up or where the model has none. */
  readonly probability: number | null;
  /** Percent that the state is right; null where there is no value. */
  readonly confidence: number | null;
  /** Percent: how often the warned event follows any bar; null where there is no value. */
  readonly baseRate: number | null;
  readonly regime: Regime | null;
  /** Probability per regime, summing to 1; null while warming up. */
  readonly regimeProbabilities: Readonly<Record<Regime, number>> | null;
  readonly powers: Powers;
  /** Signed share of the present risk score per dimension, shares sum to 1 in absolute value; null where there is no value. */
  readonly contributions: Powers;
  /** The drawdown from the 21-bar high as a fraction of the breach threshold: 1 is a breach; null while warming up. */
  readonly drawdownFraction: number | null;
  /** The price at which a breach would happen; null while warming up. */
  readonly breachLevel: number | null;
}

/**
 * All symbols of one market together, because some factors compare symbols.
 *
 * Two kinds of state, on purpose. `closeDay` answers with the state that the rule gives on daily closes alone; it never depends on what was
 * peeked. The live state within a day has a memory of its own (a state once entered is left only below a lower bound, and a state of the closes
 * that has stood for less than five of them not at all), which whoever shows it live keeps and hands in as `from`: with no live state yet,
 * `last(symbol)?.state ?? 0`. Then `peekState(s, bar.close, from) === peek(s, bar, from).state`, and with `from` = the last close's state both
 * equal what `closeDay` would say of that bar.
 */
export interface Engine {
  readonly modelVersion: string;
  /**
   * Closes bars of one session day: at most one bar a symbol. A day may come in several parts (other symbols, later). Cost does not depend on
   * the length of history.
   * @returns one reading per bar whose symbol is not input-only
   * @throws RangeError when the day is not after a symbol's last one, a symbol is unknown, or a price is not a positive finite number; nothing is changed then
   */
  closeDay(date: string, bars: ReadonlyMap<string, Bar>): Map<string, Reading>;
  /**
   * What the engine would say if the forming bar closed now, coming from live state `from`; other symbols stand at their last close.
   * Changes nothing. null for a symbol without readings.
   */
  peek(symbol: string, forming: Bar, from: State): Reading | null;
  /** As `peek(...).state`, cheap enough for every tick: the rule on one price, coming from live state `from`. `from` itself for an unknown symbol. */
  peekState(symbol: string, price: number, from: State): State;
  /** Reading at the last closed bar, null before the first. */
  last(symbol: string): Reading | null;
  /** Date of the last bar closed, of inputs too; null before the first. What `MarketSource.closedDays` asks for. Needs no `this`. */
  readonly lastDate: (symbol: string) => string | null;
}
