// Pure: the twelve dimensions as endpoints tell them (specification 2.3; CONTRACT 3 to 5, "Records").
import { z } from 'zod';
import { FACTOR_CODES, FACTOR_DIMENSIONS } from '../domain/factors.ts';
import { SymbolSchema, TimestampSchema } from './primitives.ts';
import { listOf, StateSchema } from './records.ts';

/** 0..1, higher means stronger; null only while warming up. */
const PowerSchema = z.number().min(0).max(1).nullable();

/** Variant A: keyed by dimension name in lower case; all twelve are always there. */
export const NamedPowersSchema = z.object(Object.fromEntries(FACTOR_DIMENSIONS.map(({ key }) => [key, PowerSchema])));
export type NamedPowers = z.infer<typeof NamedPowersSchema>;

/** Variant B: a row per dimension, in D-order. */
export const DimensionSchema = z.object({
  code: z.enum(FACTOR_CODES),
  name: z.string(),
  power: PowerSchema,
  description: z.string(),
  domain: z.string(),
  icon: z.string(),
  color: z.string(),
});
export type DimensionRow = z.infer<typeof DimensionSchema>;

/** GET /factors without a range. */
export const FactorsSchema = z.object({
  symbol: SymbolSchema,
  timestamp: TimestampSchema,
  state: StateSchema,
  factors: z.array(
    DimensionSchema.extend({
      /** Signed share of the present risk score; the shares sum to 1 in absolute value. */
      contribution: z.number().min(-1).max(1).nullable(),
    }),
  ),
  /** Factor code to beta against the market proxy's same dimension, over a year; null with too few common days. */
  exposures: z.object(Object.fromEntries(FACTOR_CODES.map((code) => [code, z.number().nullable()]))),
});
export type Factors = z.infer<typeof FactorsSchema>;

/** A row of GET /factors with a range: one per session day and the forming one, oldest first. */
export const FactorPointSchema = z.object({
  symbol: SymbolSchema,
  timestamp: TimestampSchema,
  powers: NamedPowersSchema,
});
export type FactorPoint = z.infer<typeof FactorPointSchema>;

/** GET /factors: a list with a range, one object without. */
export const FactorsReplySchema = z.union([listOf(FactorPointSchema), FactorsSchema]);

/** GET /api/archetypes/current: variant A, and variant B beside it. */
export const ArchetypesSchema = z.object({
  symbol: SymbolSchema,
  timestamp: TimestampSchema,
  powers: NamedPowersSchema,
  dimensions: z.array(DimensionSchema),
});
export type Archetypes = z.infer<typeof ArchetypesSchema>;
