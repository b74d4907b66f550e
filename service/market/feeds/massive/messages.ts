// Service, Massive: schemas of the used parts of its answers.
import { z } from 'zod';
import { soundRows } from '../read-json.ts';

/** A bar of a requested day, so that its time `t` is not needed. */
const RowSchema = z.object({ o: z.number(), h: z.number(), l: z.number(), c: z.number(), v: z.number().nonnegative() });
export type MassiveRow = z.infer<typeof RowSchema>;

/** A day of the whole market; no results on a day without trades. */
export const GroupedSchema = z.object({ results: z.array(RowSchema.extend({ T: z.string() })).default([]) });

/** Days of one symbol; `t` is the start of the day in New York, ms. */
export const RangeSchema = z.object({
  results: z.array(RowSchema.extend({ t: z.number().int() })).default([]),
  next_url: z.url().nullish(),
});

export const SplitsSchema = z.object({
  results: soundRows(
    z.object({
      ticker: z.string(),
      execution_date: z.iso.date(),
      split_from: z.number().positive(),
      split_to: z.number().positive(),
    }),
  ),
  next_url: z.url().nullish(),
});

/** Dividends in dollars; others are not comparable with the prices. */
export const DividendsSchema = z.object({
  results: soundRows(
    z.object({
      ticker: z.string(),
      ex_dividend_date: z.iso.date(),
      cash_amount: z.number().positive(),
      currency: z.literal('USD'),
    }),
  ),
  next_url: z.url().nullish(),
});

export const StatusSchema = z.object({
  serverTime: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), 'is no time')
    .transform((text) => Date.parse(text)),
});
