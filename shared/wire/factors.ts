// Pure: schemas of the twelve factor dimensions, as the factor endpoints answer them.
import { z } from 'zod';
import { FACTOR_CODES, FACTOR_DIMENSIONS, type FactorDimension } from '../domain/factors.ts';
import { SymbolSchema, TimestampSchema } from './primitives.ts';
import { healthFields, listOf, StateSchema } from './records.ts';

const PowerSchema = z.number().min(0).max(1).nullable().meta({
  description: '0 to 1, higher means stronger influence; null only while warming up.',
});
const EXAMPLE_POWERS = [0.776, null, 0.753, null, 0.465, 0.137, null, 0.019, 0.349, 0.5, 0.492, 0.121];
const FIRST = FACTOR_DIMENSIONS[0] as FactorDimension;
const FactorTimestampSchema = TimestampSchema.meta({ description: 'Time of the values.' });

/** Keyed by dimension name in lower case. */
export const NamedPowersSchema = z
  .object(
    Object.fromEntries(
      FACTOR_DIMENSIONS.map(({ key, description }, index) => [
        key,
        PowerSchema.meta({ description: `${description}.`, example: EXAMPLE_POWERS[index] }),
      ]),
    ),
  )
  .meta({
    id: 'NamedPowers',
    description:
      'Power of each dimension, by its name in lower case; all twelve are always there, null only while warming up.',
  });
export type NamedPowers = z.infer<typeof NamedPowersSchema>;

export const DimensionSchema = z
  .object({
    code: z.enum(FACTOR_CODES).meta({ description: 'Code of the dimension, D-01 to D-12.', example: FIRST.code }),
    name: z.string().meta({ description: 'Name, for people.', example: FIRST.name }),
    power: PowerSchema.meta({ example: EXAMPLE_POWERS[0] }),
    description: z.string().meta({
      description: 'What the dimension is, in a few words.',
      example: FIRST.description,
    }),
    domain: z.string().meta({
      description: 'The market indicators that it is measured from.',
      example: FIRST.domain,
    }),
    icon: z.string().meta({ description: 'Identifier of an icon; fixed and documented.', example: FIRST.icon }),
    color: z.string().meta({
      description: 'Fixed documented string; never to be used as CSS.',
      example: FIRST.color,
    }),
  })
  .meta({ id: 'Dimension', description: 'One of the twelve factor dimensions.' });
export type DimensionRow = z.infer<typeof DimensionSchema>;

/** GET /factors without a range. */
export const FactorsSchema = z
  .object({
    symbol: SymbolSchema,
    timestamp: FactorTimestampSchema,
    state: StateSchema,
    factors: z
      .array(
        DimensionSchema.extend({
          contribution: z.number().min(-1).max(1).nullable().meta({
            description: 'Signed share of the present risk score; the shares sum to 1 in absolute value.',
            example: 0.12,
          }),
        }),
      )
      .meta({ description: 'The twelve dimensions in D-order, each with its share of the risk.' }),
    exposures: z
      .object(
        Object.fromEntries(
          FACTOR_DIMENSIONS.map(({ code, name }) => [
            code,
            z
              .number()
              .nullable()
              .meta({ description: `${name}.`, example: 1 }),
          ]),
        ),
      )
      .meta({
        description:
          "Factor code to beta against the market proxy's same dimension over a year; null with too few common days.",
      }),
    ...healthFields,
  })
  .meta({ id: 'Factors', description: 'What moves the risk of one symbol.' });
export type Factors = z.infer<typeof FactorsSchema>;

/** A row of GET /factors with a range: one per session day and the forming one, oldest first. */
export const FactorPointSchema = z
  .object({ symbol: SymbolSchema, timestamp: FactorTimestampSchema, powers: NamedPowersSchema })
  .meta({ id: 'FactorPoint', description: 'Powers of one symbol at one close.' });
export type FactorPoint = z.infer<typeof FactorPointSchema>;

/** GET /factors: one object without a range, a list with one. */
export const FactorsReplySchema = z.union([FactorsSchema, listOf(FactorPointSchema).extend(healthFields)]);

/** GET /api/archetypes/current: the powers by name, and the same as rows. */
export const ArchetypesSchema = z
  .object({
    symbol: SymbolSchema,
    timestamp: FactorTimestampSchema,
    powers: NamedPowersSchema,
    dimensions: z.array(DimensionSchema).meta({ description: 'The twelve dimensions as rows, in D-order.' }),
    ...healthFields,
  })
  .meta({ id: 'Archetypes', description: 'Present power of the twelve dimensions of one symbol.' });
export type Archetypes = z.infer<typeof ArchetypesSchema>;
