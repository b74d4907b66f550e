// Service: where prices come from. A market source is pure in time: the same instant always gives the same answer.
import type { AssetClass } from '../../shared/domain/instruments.ts';
import type { Bar } from '../engine/types.ts';

export interface Instrument {
  readonly symbol: string;
  readonly name: string;
  readonly assetClass: AssetClass;
  /** Has a regime and no signal. */
  readonly regimeOnly: boolean;
  /** Moves prices of others or feeds a factor, and is not a signal of its own (VIX). */
  readonly inputOnly: boolean;
}

/**
 * Bars of one session day that close together. A day comes in parts when its symbols close at different instants (New York at 21:00 UTC,
 * a coin at midnight) or when a file brings a row late: so nobody waits for a stranger's close.
 */
export interface ClosedDay {
  readonly date: string;
  /** World time, ms, at which each symbol's bar closed. */
  readonly closesAt: ReadonlyMap<string, number>;
  readonly bars: ReadonlyMap<string, Bar>;
}

export interface MarketSource {
  readonly instruments: readonly Instrument[];
  /**
   * What closed at or before `now` and is not taken in yet, in order of closing.
   * @param after date of the last bar taken in per symbol, null for none: `engine.lastDate`
   */
  closedDays(after: (symbol: string) => string | null, now: number): Iterable<ClosedDay>;
  /** The bar of the session day in progress at `now`, or null where the source has none (daily files). */
  forming(symbol: string, now: number): Bar | null;
  /** World time, ms, of the next close of the symbol after `now`; null when the source ends before it. */
  nextClose(symbol: string, now: number): number | null;
  /** Instants in (from, to] at which the symbol's forming day is evaluated, ascending; empty where there is no forming bar. */
  decisions(symbol: string, from: number, to: number): Iterable<number>;
  /** False while prices cannot be had from where they come; what came before stays. Missing where that cannot happen. */
  readonly available?: () => boolean;
}
