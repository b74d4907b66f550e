// Pure: schemas of a symbol's regime and its history. Unknown names are data, never an error.
import { z } from 'zod';
import { SymbolSchema, TimestampSchema } from './primitives.ts';
import { ModelVersionNameSchema, PercentSchema, RegimeNameSchema } from './records.ts';

/** The current probability is that of the last close, since a regime changes at closes only. */
const ConfidenceSchema = PercentSchema.nullable().meta({
  description: 'Percent that the model gives this regime at this instant; null while the model has none.',
  example: 82.9,
});

export const RegimeSchema = z
  .object({
    symbol: SymbolSchema,
    regime: RegimeNameSchema,
    label: z.string().meta({ description: 'The label for people.', example: 'Calm Uptrend' }),
    confidence: ConfidenceSchema,
    since: TimestampSchema.meta({ description: 'When the regime began.', example: '2025-12-29T00:00:00.000Z' }),
    as_of: TimestampSchema.meta({ description: 'The instant asked for; without one, the time of the answer.' }),
    probabilities: z
      .record(z.string(), z.number().min(0).max(1))
      .nullable()
      .meta({
        description: 'Regime to its probability, 0 to 1; null while the model has none.',
        example: {
          calm_uptrend: 0.829486,
          volatile_uptrend: 0.015926,
          calm_downtrend: 0.151676,
          volatile_downtrend: 0.002912,
          stress: 0,
        },
      }),
    model_version: ModelVersionNameSchema,
  })
  .meta({ id: 'Regime', description: 'Regime of one symbol at an instant.' });
export type RegimeRecord = z.infer<typeof RegimeSchema>;

/** A row of GET /regime/{symbol}/history, oldest first. */
export const RegimePointSchema = z
  .object({
    symbol: SymbolSchema,
    timestamp: TimestampSchema.meta({ description: 'Time of the values.', example: '2026-02-01T00:00:00.000Z' }),
    regime: RegimeNameSchema,
    confidence: ConfidenceSchema,
  })
  .meta({ id: 'RegimePoint', description: 'Regime of one symbol at one instant of its history.' });
export type RegimePoint = z.infer<typeof RegimePointSchema>;

export const GRANULARITIES = ['day', 'hour', 'minute'] as const;
