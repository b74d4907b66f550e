// Service, engine: types of the validation record, by its wire schema, and of the validated market.
import type { z } from 'zod';
import type {
  LivePooledSchema,
  PooledSchema,
  ReliabilitySchema,
  ValidationSchema,
} from '../../../shared/wire/validation.ts';
import type { Bar, EngineInstrument } from '../types.ts';

/** A market for validation: the bars of each symbol, oldest first, and the days of all symbols in order. */
export interface PastMarket {
  readonly instruments: readonly (EngineInstrument & { readonly inputOnly: boolean })[];
  bars(symbol: string): readonly Bar[];
  closedDays(
    after: (symbol: string) => string | null,
    now: number,
  ): Iterable<{ readonly date: string; readonly bars: ReadonlyMap<string, Bar> }>;
}

export type WindowName = 'full' | 'holdout';

export type Validation = z.infer<typeof ValidationSchema>;
export type PooledMetrics = z.infer<typeof PooledSchema>;
export type WindowMetrics = Validation['symbols'][number][WindowName];
/** The record of intraday alerts. */
export type LiveValidation = NonNullable<Validation['live']>;
export type LiveMetrics = z.infer<typeof LivePooledSchema>;
export type StrictMetrics = PooledMetrics['strict'];
export type AlertOutcomes = NonNullable<Validation['alert_outcomes']>['pooled']['full'];
export type Uncertainty = NonNullable<NonNullable<Validation['provenance']['uncertainty']>['full']>;
export type FitRecord = Validation['provenance']['fitted'];
/** Ten bins with equal numbers of bars, by predicted probability. */
export type Reliability = z.infer<typeof ReliabilitySchema>;
