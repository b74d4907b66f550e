// Service, engine: the validation record in its wire schema, and the market behind it.
import type { z } from 'zod';
import type {
  LivePooledSchema,
  PooledSchema,
  ReliabilitySchema,
  ValidationSchema,
} from '../../../shared/wire/validation.ts';
import type { Bar, EngineInstrument } from '../types.ts';

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

export type Validation = z.infer<typeof ValidationSchema>;
export type PooledMetrics = z.infer<typeof PooledSchema>;
export type WindowMetrics = Validation['symbols'][number][WindowName];
/** Of alerts within the day. */
export type LiveValidation = NonNullable<Validation['live']>;
export type LiveMetrics = z.infer<typeof LivePooledSchema>;
export type StrictMetrics = PooledMetrics['strict'];
export type AlertOutcomes = NonNullable<Validation['alert_outcomes']>['pooled']['full'];
export type Uncertainty = NonNullable<NonNullable<Validation['provenance']['uncertainty']>['full']>;
export type FitRecord = Validation['provenance']['fitted'];
/** Ten bins of equally many bars, by predicted probability. */
export type Reliability = z.infer<typeof ReliabilitySchema>;
