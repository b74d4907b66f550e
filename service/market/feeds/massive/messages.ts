// Service, Massive: the form of what it answers, as far as it is used.
import { z } from 'zod';
import { soundRows } from '../read-json.ts';

/** Of a day: `t` is not used, because the request names the date. */
const RowSchema = z.object({ o: z.number(), h: z.number(), l: z.number(), c: z.number(), v: z.number().nonnegative() });
export type MassiveRow = z.infer<typeof RowSchema>;

/** The whole market's day. Without trades there are no results. */
export const GroupedSchema = z.object({ results: z.array(RowSchema.extend({ T: z.string() })).default([]) });

/** Days of one symbol, by their start in New York, ms. */
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

/** Amounts of other currencies say nothing about a price in dollars. */
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
