// Service, engine: the types of the engine's input and output.
// The engine is pure: no clock, no I/O, no randomness.
import type { Claim } from '../../shared/domain/claims.ts';
import type { Powers } from '../../shared/domain/factors.ts';
import type { AssetClass } from '../../shared/domain/instruments.ts';
import type { Regime } from '../../shared/domain/regimes.ts';
import type { State } from '../../shared/domain/states.ts';
import type { Bar } from './bar.ts';
import type { PooledTallies, Tally } from './base-rate.ts';
import type { BreadthState } from './factors/breadth.ts';
import type { FactorState } from './factors/own.ts';
import type { PanelState } from './factors/panel.ts';
import type { OutcomeState } from './outcomes.ts';
import type { RegimeMemory } from './regime-rule.ts';
import type { RingState } from './ring-buffer.ts';
import type { VolatilityStates } from './risk/volatility-states.ts';
import type { RulePart, StateRun } from './state-rule.ts';
import type { ThresholdState } from './threshold.ts';

export type { Bar } from './bar.ts';

export interface EngineInstrument {
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** Whether it is an input for other symbols, without a reading of its own (VIX). */
  readonly inputOnly?: boolean;
}

/** The engine's values for one symbol at one bar, computed from bars up to this one. */
export interface Reading {
  readonly date: string;
  readonly close: number;
  readonly state: State;
  /** True if only a calm market keeps the state from High Risk. */
  readonly isWithheld: boolean;
  /** The part of the rule behind a state out of Normal; null in Normal and while warming up. */
  readonly rule: RulePart | null;
  /**
   * Probability that the warned event follows, 0..1; null while warming up or when the model has none. Small
   * while an event lasts, because only a new one counts.
   */
  readonly probability: number | null;
  /** The claim to which confidence and base rate refer. */
  readonly claim: Claim;
  /**
   * Probability that the state is right about the claim, percent; null without a value. In High Risk, from the
   * probability and the record of High Risk.
   */
  readonly confidence: number | null;
  /** Share of bars after which the claimed event follows, percent; null without a value. */
  readonly baseRate: number | null;
  readonly regime: Regime | null;
  /** Probability per regime, summing to 1; null while warming up. */
  readonly regimeProbabilities: Readonly<Record<Regime, number>> | null;
  readonly powers: Powers;
  /**
   * Signed share of the current risk score per dimension, absolute values summing to 1; null without a value.
   */
  readonly contributions: Powers;
  /**
   * The drawdown from the 21-bar high as a fraction of the breach threshold (1 is a breach); null while
   * warming up.
   */
  readonly drawdownFraction: number | null;
  /** The price of a breach; null while warming up. */
  readonly breachLevel: number | null;
}

/** What the engine remembers of one symbol. */
export interface TrackState {
  readonly threshold: ThresholdState;
  readonly history: readonly RingState[];
  readonly regime: RegimeMemory;
  readonly factors: FactorState;
  readonly outcomes: OutcomeState;
  readonly event: Tally;
  readonly furtherFall: Tally;
  readonly highRisk: Tally;
  readonly run: StateRun;
  readonly last: Reading | null;
}

/**
 * All that an engine remembers: plain objects, arrays and Float64Arrays, which a structured clone copies.
 * About 80 KB a symbol.
 */
export interface EngineState {
  /** Version of the state, and the options of the engine on which it depends. */
  readonly key: string;
  /** Of each instrument, in their order; `track` is null for an input-only one. */
  readonly symbols: readonly { readonly lastDate: string | null; readonly track: TrackState | null }[];
  readonly panel: PanelState;
  readonly breadth: BreadthState;
  readonly pooled: PooledTallies;
}

/**
 * The engine of all symbols of one market, because some factors compare symbols.
 * There are two kinds of state. `closeDay` returns the state that the rule gives on daily closes alone; it
 * never depends on peeks. The live state within a day has its own memory: a state is left only below a lower
 * bound, and a state of the closes only after five closes in it. The caller keeps that memory and passes it
 * as `from`; without a live state, `last(symbol)?.state ?? 0`. Then `peekState(s, bar.close, from) ===
 * peek(s, bar, from).state`, and with `from` = the state of the last close both equal the state that
 * `closeDay` would give that bar.
 */
export interface Engine {
  readonly modelVersion: string;
  /** The volatility states by which a bar after a bar of `date` gets its regime. */
  readonly volatilityStates: (date: string) => VolatilityStates;
  /**
   * Closes bars of one session day: at most one bar per symbol. A day may come in several parts (other
   * symbols, later). The cost does not depend on the length of the history.
   * @returns one reading per bar whose symbol is not input-only
   * @throws RangeError when the day is not after a symbol's last one, a symbol is unknown, or a price is not
   *   a positive finite number; the engine is then unchanged
   */
  closeDay(date: string, bars: ReadonlyMap<string, Bar>): Map<string, Reading>;
  /**
   * The reading if the forming bar closed now, from live state `from`; other symbols are at their last close.
   * Changes nothing. null for a symbol without readings.
   */
  peek(symbol: string, forming: Bar, from: State): Reading | null;
  /**
   * Equals `peek(...).state`, cheap enough for every tick: applies the rule to one price, from live state
   * `from`. Returns `from` for an unknown symbol.
   * @param missing as `Bar.missing`; default: 0
   */
  peekState(symbol: string, price: number, from: State, missing?: number): State;
  /**
   * False if `peekState` cannot rise to High Risk at this price: a fraction of its cost, for long runs of prices.
   * @param missing as in `peekState`
   */
  mayBeginHighRisk(symbol: string, price: number, missing?: number): boolean;
  /** Reading at the last closed bar, null before the first. */
  last(symbol: string): Reading | null;
  /**
   * Date of the last closed bar, inputs included; null before the first. An argument for
   * `MarketSource.closedDays`. Needs no `this`.
   */
  readonly lastDate: (symbol: string) => string | null;
  /**
   * A copy of the state, for `createEngine`: the engines then answer alike to the last bit. Each track is copied
   * when it is read, because all together are 40 MB of 500 symbols: read them before the next close.
   */
  save(): EngineState;
}
