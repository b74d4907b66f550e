// Pure: the regime of a symbol at an instant, and its history (specification 4.3; CONTRACT, "Records"). Unknown names are data, never an error.
import { z } from 'zod';
import { SymbolSchema, TimestampSchema } from './primitives.ts';
import { PercentSchema } from './records.ts';

/** GET /regime/{symbol}. A regime is decided at a bar's close and stays until another one is. */
export const RegimeSchema = z.object({
  symbol: SymbolSchema,
  regime: z.string(),
  /** The label for people. */
  label: z.string(),
  /** Percent that the model gives this regime at this instant; the current one was decided at the last close. */
  confidence: PercentSchema.nullable(),
  /** When the regime began. */
  since: TimestampSchema,
  /** The instant asked for; without one, the time of the answer. */
  as_of: TimestampSchema,
  /** Regime to 0..1; null while the model has none. */
  probabilities: z.record(z.string(), z.number().min(0).max(1)).nullable(),
  model_version: z.string(),
});
export type RegimeRecord = z.infer<typeof RegimeSchema>;

/** A row of GET /regime/{symbol}/history, oldest first. */
export const RegimePointSchema = z.object({
  symbol: SymbolSchema,
  timestamp: TimestampSchema,
  regime: z.string(),
  /** Of this instant, also within a day. */
  confidence: PercentSchema.nullable(),
});
export type RegimePoint = z.infer<typeof RegimePointSchema>;

export const GRANULARITIES = ['day', 'hour', 'minute'] as const;
