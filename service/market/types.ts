// Service, market: the interface of market sources.
// A source is pure in time: an instant always gives the same answer.
import type { AssetClass } from '../../shared/domain/instruments.ts';
import type { PriceAnswer, PriceDoubt } from '../../shared/domain/price-questions.ts';
import type { SessionCalendar } from '../../shared/domain/sessions.ts';
import type { Bar } from '../engine/types.ts';

export interface Instrument {
  readonly symbol: string;
  readonly name: string;
  readonly assetClass: AssetClass;
  /** Has a regime and no signal. */
  readonly regimeOnly: boolean;
  /** An input for other symbols, without a signal of its own (VIX). */
  readonly inputOnly: boolean;
  /** Where it trades; absent: in the sandbox. */
  readonly exchange?: SessionCalendar;
  /** Of its prices; absent: not known. */
  readonly currency?: string;
}

/**
 * Bars of one session day that close together. A day has several parts if its symbols close at different
 * instants (New York at 21:00 UTC, a coin at midnight) or rows come late, so that no symbol waits for
 * another's close.
 */
export interface ClosedDay {
  readonly date: string;
  /** World ms at which each symbol's bar closed. */
  readonly closesAt: ReadonlyMap<string, number>;
  readonly bars: ReadonlyMap<string, Bar>;
}

/**
 * quarantined: the newest price is a data fault, and is not used. question: a price may be one, and counts until
 * a decision. halted: trading is suspended. unlisted: the symbol no longer trades. gap: recent sessions are
 * missing. delayed: prices come late.
 */
export const PRICE_FAULTS = ['quarantined', 'question', 'halted', 'unlisted', 'gap', 'delayed'] as const;

export interface PriceFault {
  readonly kind: (typeof PRICE_FAULTS)[number];
  /** A sentence for people. */
  readonly reason: string;
  /** delayed: the delay, ms. */
  readonly delayMs?: number;
}

/** A price that may be a data fault, or was found to be one. */
export interface PriceInQuestion {
  readonly symbol: string;
  /** Session date, and the price: the close of that date, or the last one of a day in progress. */
  readonly date: string;
  readonly price: number;
  /** The close before. */
  readonly before: number;
  readonly doubt: PriceDoubt;
  /** New level over old level, if it is a split. */
  readonly factor: number;
  /** Volume and range of the day, were the price a fault, as multiples of the usual ones; null: not known. */
  readonly volume: number | null;
  readonly range: number | null;
  /** How it is used until there is an answer. */
  readonly countsAs: PriceAnswer;
  /** null: open. */
  readonly answer: PriceAnswer | null;
  /** A sentence for people; empty for a price that is one. */
  readonly reason: string;
}

export interface PriceDecision extends Pick<PriceInQuestion, 'symbol' | 'date'> {
  readonly answer: PriceAnswer;
  /** split: new level over old level. */
  readonly factor: number | null;
}

/** The bar of the session day in progress, at the traded level. */
export interface FormingBar extends Bar {
  /**
   * The previous close at the level of these prices, after a split or a dividend; the closed bars get that
   * level when the day closes. Absent: both have the same level.
   */
  readonly closeBefore?: number;
}

/** A range without prices that count, world ms. */
export interface PriceHole {
  readonly kind: 'gap' | 'quarantined';
  /** The last close before the range. */
  readonly from: number;
  /** The first close that counts again; null: the range lasts. */
  readonly to: number | null;
  /** A sentence for people. */
  readonly reason: string;
}

/** Changes of closed bars: by a split, a correction, a filled gap. */
export interface ChangingPast {
  /** Increments with each change that does not come with world time. */
  version(): number;
  /** First date of each symbol from which bars may have changed since a version; '' means all dates. */
  changedSince(version: number): ReadonlyMap<string, string>;
  /** First instant in (from, to], world ms, at which earlier bars change; null: none. */
  nextChange(from: number, to: number): number | null;
}

export interface AnnouncedActions {
  /** Of the feed. */
  readonly name: string;
  /** Why new ones may be missing, or null. */
  readonly error: string | null;
  /** How far ahead it announces them, ms. */
  readonly aheadMs: number;
  readonly actions: readonly { readonly kind: string; readonly symbol: string; readonly date: string }[];
}

export interface MarketSource {
  readonly instruments: readonly Instrument[];
  /** Name of the feed, for the field `source` of signals. Absent: not known. */
  readonly feed?: string;
  /** The fault in the prices of a symbol at `now`, or null. Absent: no faults. */
  readonly fault?: (symbol: string, now: number) => PriceFault | null;
  /**
   * The open price in question of a symbol at `now`, the newest that counts first; with a date, the one of that
   * date, also with its answer. Absent: none.
   */
  readonly question?: (symbol: string, now: number, date?: string) => PriceInQuestion | null;
  /**
   * Records the operator's decision about a price in question, and uses it at once. Absent: there are none.
   */
  readonly decide?: (decision: PriceDecision) => void;
  /** The ranges without prices that count, as known at `now`, oldest first. Absent: none. */
  readonly holes?: (symbol: string, now: number) => readonly PriceHole[];
  /**
   * Whether intraday prices may come after later instants were evaluated; each is evaluated at its own
   * instant.
   */
  readonly comesLate?: boolean;
  /** Whether prices are read at whole seconds alone. Absent: they are there at any time. */
  readonly isPolled?: boolean;
  /** Absent: closed bars of the past never change. */
  readonly revisions?: ChangingPast;
  /**
   * The bars known at `now` that closed after the caller's last ones, in order of closing. A quarantined bar
   * holds back the bars after it.
   * @param after date of the last known bar per symbol, null for none: `engine.lastDate`
   */
  closedDays(after: (symbol: string) => string | null, now: number): Iterable<ClosedDay>;
  /** The bar of the session day in progress at `now`; null: the source has none (daily files). */
  forming(symbol: string, now: number): FormingBar | null;
  /**
   * The last closed bar that counts at `now`, at the level known then; later splits and dividends change its
   * level. Absent: closed bars keep their level.
   */
  readonly lastBar?: (symbol: string, now: number) => Bar | null;
  /** The close of `forming` at a lower cost. Absent: use `forming`. */
  readonly formingClose?: (symbol: string, now: number) => number | null;
  /** World ms of the next close of the symbol after `now`; null: the source ends before it. */
  nextClose(symbol: string, now: number): number | null;
  /**
   * Instants in (from, to] at which the symbol's forming day is evaluated, ascending; none without a forming
   * bar.
   */
  decisions(symbol: string, from: number, to: number): Iterable<number>;
  /** The next instant of `decisions`, if it is known before its price. Absent: not known. */
  readonly nextDecision?: (symbol: string, now: number) => number | null;
  /**
   * A lower bound for all prices of the session day at `now`; null: not known. Looks ahead: use it only to
   * read the past. Absent: not known.
   */
  readonly lowestOn?: (symbol: string, now: number) => number | null;
  /**
   * Highest and lowest price of the closed day at an instant, if its bar leaves out temporary prices (the
   * shocks of a scenario). Absent: those of the bar.
   */
  readonly extremes?: (symbol: string, instant: number) => { readonly high: number; readonly low: number } | null;
  /** The corporate actions that the feed announces. Absent: it announces none. */
  readonly announced?: () => AnnouncedActions;
  /** False while the source cannot read prices; earlier prices remain. Absent: cannot fail. */
  readonly available?: () => boolean;
}
