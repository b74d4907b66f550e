// Service, engine: the shape of the validation record (specification 2.2).
// `provenance` adds the data that a critical reader needs.
import type { Bar, EngineInstrument } from '../types.ts';
import type { Reliability } from './reliability.ts';

/** A market as a whole, for validation: every symbol's bars, oldest first, and their common order. */
export interface PastMarket {
  readonly instruments: readonly (EngineInstrument & { readonly inputOnly: boolean })[];
  bars(symbol: string): readonly Bar[];
  closedDays(
    after: (symbol: string) => string | null,
    now: number,
  ): Iterable<{ readonly date: string; readonly bars: ReadonlyMap<string, Bar> }>;
}

export type WindowName = 'full' | 'holdout';

/** §2.2, plus the counts that the ratios are made of. */
export interface WindowMetrics {
  readonly recall: number;
  readonly precision: number;
  readonly f1: number;
  readonly n_signals: number;
  readonly events: number;
  readonly tp: number;
  readonly fp: number;
  readonly late: number;
  readonly unresolved: number;
}

export interface StrictMetrics {
  readonly recall: number;
  readonly precision: number;
  readonly f1: number;
  readonly episodes: number;
  /** P(a bad bar | alert) / P(a bad bar). */
  readonly day_lift: number | null;
}

export interface PooledMetrics extends WindowMetrics {
  /** Share of bars in alert. */
  readonly in_alert: number;
  readonly false_alarms_a_year: number;
  readonly lead_bars: number | null;
  readonly strict: StrictMetrics;
}

export interface FitRecord {
  readonly version: string;
  readonly inputs: readonly string[];
  readonly ridge: number;
  readonly every_nth_bar: number;
  /**
   * The weights of a year apply to its bars. They are fitted on this many bars with an outcome known before
   * it; 0 when no bar had as many inputs.
   */
  readonly years: readonly {
    readonly year: number;
    readonly own: number;
    readonly fellows: number;
    readonly market: number;
  }[];
  /** SHA-256 of the fitted prices, per symbol, and the symbols of this record among them. */
  readonly prices: Readonly<Record<string, string>>;
  readonly seen: readonly string[];
}

export interface Validation {
  readonly computed_at: string;
  readonly symbols: readonly {
    readonly symbol: string;
    readonly full: WindowMetrics;
    readonly holdout: WindowMetrics;
  }[];
  readonly provenance: {
    readonly notes: string;
    readonly model_version: string;
    readonly scorer: Readonly<Record<string, number>>;
    /** The fit of the risk probability. */
    readonly fitted: FitRecord;
    readonly data_hash: string;
    readonly windows: readonly {
      readonly symbol: string;
      readonly from: string;
      readonly holdout_from: string;
      readonly to: string;
    }[];
    readonly too_short: readonly string[];
    readonly pooled: Readonly<Record<WindowName, PooledMetrics>>;
    readonly baselines: Readonly<Record<string, Readonly<Record<WindowName, PooledMetrics>>>>;
    readonly nulls: {
      /** The same alerts, shifted in time. */
      readonly shifted: Readonly<Record<WindowName, { readonly f1: number; readonly strict_f1: number }>>;
      /** The same rule on shuffled prices: the mechanical part of the scores. */
      readonly shuffled: Readonly<Record<WindowName, PooledMetrics>>;
    };
    readonly reliability: Readonly<Record<WindowName, Reliability | null>>;
  };
}
