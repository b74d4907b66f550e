// Service, market: the interface of market sources.
// A source is pure in time: the same instant always gives the same answer.
import type { AssetClass } from '../../shared/domain/instruments.ts';
import type { Bar } from '../engine/types.ts';

export interface Instrument {
  readonly symbol: string;
  readonly name: string;
  readonly assetClass: AssetClass;
  /** Has a regime and no signal. */
  readonly regimeOnly: boolean;
  /** Feeds prices or factors of others, and has no signal of its own (VIX). */
  readonly inputOnly: boolean;
}

/**
 * Bars of one session day that close together. A day has several parts when its symbols close at different
 * instants (New York at 21:00 UTC, a coin at midnight) or when a file brings a row late: so no symbol waits
 * for another's close.
 */
export interface ClosedDay {
  readonly date: string;
  /** World time, ms, at which each symbol's bar closed. */
  readonly closesAt: ReadonlyMap<string, number>;
  readonly bars: ReadonlyMap<string, Bar>;
}

/**
 * quarantined: the newest prices look like a fault of the data, and are not used until that is known. halted: trading
 * is suspended. unlisted: the symbol trades no longer. gap: sessions are missing among the last ones. delayed: the feed
 * sends prices late.
 */
export const PRICE_FAULTS = ['quarantined', 'halted', 'unlisted', 'gap', 'delayed'] as const;

export interface PriceFault {
  readonly kind: (typeof PRICE_FAULTS)[number];
  /** A sentence for people. */
  readonly reason: string;
  /** Of delayed prices: how far they are behind, ms. */
  readonly delayMs?: number;
}

/** The session day in progress, at the level that is traded. */
export interface FormingBar extends Bar {
  /**
   * The close before at the level of these prices, where a split or a dividend gave them another one. The closed bars get
   * it when the day closes. Absent: they have one level.
   */
  readonly closeBefore?: number;
}

/** A range, world ms, without prices that count. */
export interface PriceHole {
  readonly kind: 'gap' | 'quarantined';
  /** The close before it. */
  readonly from: number;
  /** The close that counts again; null: it lasts. */
  readonly to: number | null;
  /** A sentence for people. */
  readonly reason: string;
}

/** Closed bars that are other ones later: after a split, a correction, a filled gap. */
export interface ChangingPast {
  /** Changes with every change that does not come with world time. */
  version(): number;
  /** First date, for each symbol, from which bars may have changed since that version; empty for all of them. */
  changedSince(version: number): ReadonlyMap<string, string>;
  /** First instant in (from, to], world ms, at which the bars before it change; null: none. */
  nextChange(from: number, to: number): number | null;
}

export interface MarketSource {
  readonly instruments: readonly Instrument[];
  /** Name of the feed, in the field `source` of signals. Absent: not known. */
  readonly feed?: string;
  /** What keeps the prices of a symbol from being used at `now`, or what is missing in them. Absent: nothing. */
  readonly fault?: (symbol: string, now: number) => PriceFault | null;
  /** The ranges without prices that count, as known at `now`, oldest first. Absent: there are none. */
  readonly holes?: (symbol: string, now: number) => readonly PriceHole[];
  /** Whether prices within the day may come after others were evaluated; each is then evaluated at its own instant. */
  readonly comesLate?: boolean;
  /** Absent: closed bars of the past never change. */
  readonly revisions?: ChangingPast;
  /**
   * The bars that are known at `now` and closed after the last known ones, in order of closing. A bar that is
   * quarantined keeps back those after it.
   * @param after date of the last known bar per symbol, null for none: `engine.lastDate`
   */
  closedDays(after: (symbol: string) => string | null, now: number): Iterable<ClosedDay>;
  /** The bar of the session day in progress at `now`, or null when the source has none (daily files). */
  forming(symbol: string, now: number): FormingBar | null;
  /**
   * The last closed bar that counts at `now`, at the level of then: splits and dividends that come later give it another
   * one. Absent: closed bars keep their level.
   */
  readonly lastBar?: (symbol: string, now: number) => Bar | null;
  /** The close of `forming`, where that costs less. Absent: ask `forming`. */
  readonly formingClose?: (symbol: string, now: number) => number | null;
  /** World time, ms, of the next close of the symbol after `now`; null when the source ends before it. */
  nextClose(symbol: string, now: number): number | null;
  /**
   * Instants in (from, to] at which the symbol's forming day is evaluated, ascending; empty without a forming
   * bar.
   */
  decisions(symbol: string, from: number, to: number): Iterable<number>;
  /** The next instant of `decisions`, where it is known before its price is. Absent: it is not. */
  readonly nextDecision?: (symbol: string, now: number) => number | null;
  /**
   * A price that the forming bar of the session day at `now` never closes below, of that whole day; null when
   * the source knows none. Only for reading the past: it looks ahead. Absent: none is known.
   */
  readonly lowestOn?: (symbol: string, now: number) => number | null;
  /**
   * Highest and lowest price of the closed day that an instant belongs to, where its bar leaves out what was undone
   * within the day (the sandbox's shocks). Absent: those of the bar.
   */
  readonly extremes?: (symbol: string, instant: number) => { readonly high: number; readonly low: number } | null;
  /**
   * False while the source cannot read prices; earlier prices remain. Absent for sources that cannot fail.
   */
  readonly available?: () => boolean;
}
