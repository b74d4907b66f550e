// Pure: the validation record (specification 2.2; CONTRACT, "Records"): how often the signals were right, and what is needed to doubt the numbers.
import { z } from 'zod';
import { SymbolSchema, TimestampSchema } from './primitives.ts';

const ShareSchema = z.number().min(0).max(1);
const CountSchema = z.number().int().nonnegative();
const both = <Value extends z.ZodType>(value: Value) => z.object({ full: value, holdout: value });

const ratios = { recall: ShareSchema, precision: ShareSchema, f1: ShareSchema };
/** Beside the four of the specification: what was to be caught, and what became of the signals. precision is tp / (tp + fp). */
const windowMetrics = {
  ...ratios,
  n_signals: CountSchema,
  events: CountSchema,
  tp: CountSchema,
  fp: CountSchema,
  /** Too late to be right: more than half of the fall had been made. */
  late: CountSchema,
  /** Too recent to have an outcome. */
  unresolved: CountSchema,
};

export const PooledSchema = z.object({
  ...windowMetrics,
  in_alert: ShareSchema,
  false_alarms_a_year: z.number().nonnegative(),
  lead_bars: z.number().nullable(),
  /** The same with no credit for a fall already made. */
  strict: z.object({ ...ratios, episodes: CountSchema, day_lift: z.number().nullable() }),
});

export const ReliabilitySchema = z.object({
  bars: CountSchema,
  base_rate: ShareSchema,
  bins: z.array(z.object({ predicted: ShareSchema, observed: ShareSchema, bars: CountSchema })),
  calibration_error: z.number(),
  brier_skill: z.number(),
});

export const ValidationSchema = z.object({
  computed_at: TimestampSchema,
  symbols: z.array(z.object({ symbol: SymbolSchema, ...both(z.object(windowMetrics)).shape })),
  provenance: z.object({
    notes: z.string(),
    model_version: z.string(),
    /** The scorer's parameters. */
    scorer: z.record(z.string(), z.number()),
    /** What was fitted where: the parameters of the risk probability. */
    fitted: z.object({
      version: z.string(),
      inputs: z.array(z.string()),
      ridge: z.number(),
      every_nth_bar: CountSchema,
      /** A year's weights come from this many bars whose outcome was known before it began, by how many inputs they have; 0: no such weights. */
      years: z.array(z.object({ year: z.int(), own: CountSchema, fellows: CountSchema, market: CountSchema })),
      /** SHA-256 of the prices that were fitted on, per symbol. */
      prices: z.record(z.string(), z.string()),
      /** Symbols of this record whose prices are among them. */
      seen: z.array(SymbolSchema),
    }),
    /** SHA-256 of the prices that were used. */
    data_hash: z.string(),
    windows: z.array(z.object({ symbol: SymbolSchema, from: z.string(), holdout_from: z.string(), to: z.string() })),
    /** Symbols with too little history to be scored. */
    too_short: z.array(SymbolSchema),
    pooled: both(PooledSchema),
    baselines: z.record(z.string(), both(PooledSchema)),
    nulls: z.object({
      /** The same alerts at other times. */
      shifted: both(z.object({ f1: ShareSchema, strict_f1: ShareSchema })),
      /** The same rule on prices whose order is shuffled: what is mechanical. */
      shuffled: both(PooledSchema),
    }),
    reliability: both(ReliabilitySchema.nullable()),
  }),
});
