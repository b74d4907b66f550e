// Pure: schemas of a symbol's regime and its history. Unknown names are data, never an error.
import { z } from 'zod';
import { GRANULARITIES } from '../domain/regimes.ts';
import { SymbolSchema, TimestampSchema } from './primitives.ts';
import {
  healthFields,
  listOf,
  ModelVersionNameSchema,
  PercentSchema,
  PriceSchema,
  RegimeNameSchema,
} from './records.ts';

const ConfidenceSchema = PercentSchema.nullable().meta({
  description:
    'Percent that the data gave this regime when they confirmed it last (decided_at): always the largest of probabilities. null while the model has none, and for a regime that the data have not favoured at any close yet.',
  example: 82.9,
});
const ProbabilitiesSchema = z.record(z.string(), z.number().min(0).max(1));
const PROBABILITIES_EXAMPLE = {
  calm_uptrend: 0.829486,
  volatile_uptrend: 0.015926,
  calm_downtrend: 0.151676,
  volatile_downtrend: 0.002912,
  stress: 0,
};

/** The condition that a candidate waits for. */
export const REGIME_WAITS = ['closes', 'normal_state', 'volatility', 'trend', 'hold'] as const;
export const RegimeCandidateSchema = z
  .object({
    regime: RegimeNameSchema,
    label: z.string().meta({ description: 'The label for people.', example: 'Volatile Downtrend' }),
    confidence: PercentSchema.meta({ description: 'Percent that the data give it at as_of.', example: 50.6 }),
    probabilities: ProbabilitiesSchema.meta({
      description: 'Regime to its probability by the data at as_of, 0 to 1.',
      example: {
        calm_uptrend: 0.018,
        volatile_uptrend: 0.45,
        calm_downtrend: 0.026,
        volatile_downtrend: 0.506,
        stress: 0,
      },
    }),
    closes_needed: z.number().int().nonnegative().meta({
      description:
        'Closes that it needs at least to become the regime, if the data stay as they are: a regime lasts for five closes, Stress until the state is Normal.',
      example: 3,
    }),
    waits_for: z.enum(REGIME_WAITS).meta({
      description:
        'closes: they are all that it needs. normal_state: Stress ends when the state is Normal. volatility, trend: not beyond the bound for a change yet. hold: a regime triggered in the sandbox holds for five minutes.',
      example: 'closes',
    }),
  })
  .meta({ description: 'The regime that the data favour now, while another one is in force.' });
export type RegimeCandidate = z.infer<typeof RegimeCandidateSchema>;

export const RegimeSchema = z
  .object({
    symbol: SymbolSchema,
    regime: RegimeNameSchema,
    label: z.string().meta({ description: 'The label for people.', example: 'Calm Uptrend' }),
    confidence: ConfidenceSchema,
    since: TimestampSchema.meta({ description: 'When the regime began.', example: '2025-12-29T00:00:00.000Z' }),
    as_of: TimestampSchema.meta({ description: 'The instant asked for; without one, the time of the answer.' }),
    decided_at: TimestampSchema.nullable().optional().meta({
      description:
        'When the data confirmed the regime last: as_of itself while there is a price within the day, else the last close, or an earlier one while the data favour another regime. null where confidence is.',
    }),
    probabilities: ProbabilitiesSchema.nullable().meta({
      description:
        'Regime to its probability at decided_at, 0 to 1; none is larger than that of the regime. null where confidence is.',
      example: PROBABILITIES_EXAMPLE,
    }),
    candidate: RegimeCandidateSchema.nullable().optional().meta({
      description:
        'The most probable regime at as_of where that is another one; null where the data favour the regime.',
    }),
    price: PriceSchema.nullable().optional().meta({
      description: 'The price at as_of, else the last one before it, in the currency of the instrument.',
      example: 524.72,
    }),
    change_pct: z
      .number()
      .nullable()
      .optional()
      .meta({ description: "Percent of that price against the previous session's close.", example: -0.14 }),
    ...healthFields,
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
    price: PriceSchema.nullable().optional().meta({
      description: 'The price at that instant, of a day its close; null where the market has none then.',
      example: 524.72,
    }),
  })
  .meta({ id: 'RegimePoint', description: 'Regime of one symbol at one instant of its history.' });
export type RegimePoint = z.infer<typeof RegimePointSchema>;

/** GET /regime/{symbol}/history. */
export const RegimeHistorySchema = listOf(RegimePointSchema).extend({
  granularity: z.enum(GRANULARITIES).optional().meta({
    description: 'Interval between the rows of this answer: never finer than the prices.',
    example: 'day',
  }),
  ...healthFields,
});
