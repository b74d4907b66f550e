// Pure: what a window reads from the service through the core when it needs it: factors and their history, the history of regimes, the record of validation.
// Long readings come page by page, so that a window can show how far it is, and stop.
import { z } from 'zod';
import { FACTOR_CODES } from '../domain/factors.ts';
import { SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { GRANULARITIES } from '../wire/regime.ts';
import { ValidationDetailsSchema } from './validation.ts';

/** This computer's time when it was heard. There: the service could not be asked, and this is what it said last. */
const cached = { cached_at: TimestampSchema.optional() };

const PowerSchema = z.number().min(0).max(1).nullable();

/** The twelve dimensions at a moment; what a service names besides them comes after, without a code. */
export const FactorSheetSchema = z.strictObject({
  symbol: SymbolSchema,
  at: TimestampSchema,
  factors: z.array(
    z.strictObject({
      code: z.enum(FACTOR_CODES).nullable(),
      name: z.string(),
      /** 0..1: share of the last two years' days that were below. null: no value, which is not 0. */
      power: PowerSchema,
      /** Signed share of the present risk score; in absolute value they sum to 1. null where the service tells none. */
      contribution: z.number().nullable(),
    }),
  ),
  ...cached,
});
export type FactorSheet = z.infer<typeof FactorSheetSchema>;

const pageOf = <Point extends z.ZodType>(point: Point) => ({
  symbol: SymbolSchema,
  /** Oldest first. */
  points: z.array(point),
  /** What to ask the next page with; null at the end. */
  next: z.string().nullable(),
  ...cached,
});

/** One day a point: each close, and the forming day. */
export const FactorPointSchema = z.strictObject({
  at: TimestampSchema,
  powers: z.strictObject(
    Object.fromEntries(FACTOR_CODES.map((code) => [code, PowerSchema])) as Record<
      (typeof FACTOR_CODES)[number],
      typeof PowerSchema
    >,
  ),
});
export type FactorPoint = z.infer<typeof FactorPointSchema>;
export const FactorPageSchema = z.strictObject(pageOf(FactorPointSchema));
export type FactorPage = z.infer<typeof FactorPageSchema>;

export const GranularitySchema = z.enum(GRANULARITIES);
export type Granularity = z.infer<typeof GranularitySchema>;

export const RegimePointSchema = z.strictObject({
  at: TimestampSchema,
  regime: z.string(),
  confidence: z.number().nullable(),
});
export const RegimePageSchema = z.strictObject({
  ...pageOf(RegimePointSchema),
  /** What was read; coarser than what was asked for where the plan gives no finer one. */
  granularity: GranularitySchema,
});
/** The regime of a symbol now, and what the model gives each of them. */
export const RegimeNowSchema = z.strictObject({
  symbol: SymbolSchema,
  regime: z.string(),
  /** When it began; null where the service does not tell. */
  since: TimestampSchema.nullable(),
  /** Percent that the model gives it now: it was decided at the last close, so another may have more. */
  confidence: z.number().nullable(),
  /** 0..1, likeliest first; empty where the service tells none. */
  probabilities: z.array(z.strictObject({ regime: z.string(), probability: z.number().min(0).max(1) })),
  ...cached,
});
export type RegimeNow = z.infer<typeof RegimeNowSchema>;
export type RegimePoint = z.infer<typeof RegimePointSchema>;
export type RegimePage = z.infer<typeof RegimePageSchema>;

const MetricsSchema = z.strictObject({
  recall: z.number(),
  precision: z.number(),
  f1: z.number(),
  n_signals: z.number().int().nonnegative(),
  /** How many events there were to catch; null where the service does not tell. */
  events: z.number().int().nonnegative().nullable(),
  /** What became of the signals: right, wrong, too late to be right. The undecided are left. null where the service does not tell. */
  calls: z
    .strictObject({
      right: z.number().int().nonnegative(),
      wrong: z.number().int().nonnegative(),
      late: z.number().int().nonnegative(),
    })
    .nullable(),
});
/** How often the signals were right. */
export const ValidationRecordSchema = z.strictObject({
  computed_at: TimestampSchema,
  model_version: z.string().nullable(),
  notes: z.string(),
  details: ValidationDetailsSchema,
  symbols: z.array(
    z.strictObject({
      symbol: SymbolSchema,
      full: MetricsSchema,
      holdout: MetricsSchema,
      /** First day of the hold-out window; null where the service does not tell. */
      holdout_from: z.iso.date().nullable(),
    }),
  ),
  ...cached,
});
export type ValidationRecord = z.infer<typeof ValidationRecordSchema>;
