// Pure: what acting on High Risk brought, against holding and random alerts: figures, and what can be said of them.
import { z } from 'zod';

/** leave: nothing invested. half: half of it. hedge: as much of the market sold short. */
export const WAYS = ['leave', 'half', 'hedge'] as const;
export const WaySchema = z.enum(WAYS);
export type Way = z.infer<typeof WaySchema>;
/** What is computed unless the user chooses; the cost in percent. */
export const DEFAULT_WORTH = { way: 'leave', cost: 0.05 } as const satisfies { way: Way; cost: number };
/** What a hedge sells: the first of these with closes. */
export const WORTH_MARKETS = ['SPY', 'SPX'] as const;

/** Why a symbol has no figures: the service gives no closes of it, less than a year, or none of the market. */
export const WORTH_GAPS = ['no_closes', 'short', 'no_market'] as const;

/** 90 % of the cases are within. */
const BandSchema = z.strictObject({ low: z.number(), high: z.number() });
export type Band = z.infer<typeof BandSchema>;

/** A difference from holding; positive: better than holding. null without alerts, as nothing differs. */
const DifferenceSchema = z.strictObject({
  value: z.number(),
  /** Of histories that are made of blocks of this one. */
  interval: BandSchema.nullable(),
  /** Median, and 90 %, of random alerts of equal length. */
  random: BandSchema.extend({ median: z.number() }).nullable(),
  /** Share of the random alerts that were worse, 0..1. */
  beats: z.number().nullable(),
});
export type Difference = z.infer<typeof DifferenceSchema>;

/** One way of investing: money that 1 became, return a year, and the deepest fall below the highest, 0..1. */
const ResultSchema = z.strictObject({ money: z.number(), yearly: z.number(), fall: z.number() });
export type Result = z.infer<typeof ResultSchema>;

const count = z.number().int().nonnegative();
export const WorthSchema = z.strictObject({
  /** Days since 1970, of the first and the last close. */
  from: z.number().int(),
  to: z.number().int(),
  /** Periods in High Risk, over all symbols. */
  alerts: count,
  /** Share of the time that the rule was out, 0..1. */
  out: z.number(),
  turns: count,
  /** Costs of all turns, as a part of the money at the start. */
  paid: z.number(),
  holding: ResultSchema,
  acting: ResultSchema,
  /** 90 % of the random alerts. */
  random: z.strictObject({ money: BandSchema, yearly: BandSchema, fall: BandSchema }).nullable(),
  /** Of the yearly returns. */
  gain: DifferenceSchema,
  /** Of the deepest falls: what was cut. */
  cut: DifferenceSchema,
});
export type Worth = z.infer<typeof WorthSchema>;

const numbers = z.array(z.number());
/** The course of the money, with a few hundred points. */
export const CourseSchema = z.strictObject({
  /** Since 1970. */
  days: numbers,
  holding: numbers,
  acting: numbers,
  /** 90 % of the random alerts, at each point by itself; null without alerts. */
  random: z.strictObject({ money: z.array(BandSchema), below: z.array(BandSchema) }).nullable(),
  /** Parts below the highest so far, 0..1. */
  holdingBelow: numbers,
  actingBelow: numbers,
});
export type Course = z.infer<typeof CourseSchema>;

/** Share of random alerts that are as good, or as bad, by chance. */
const CHANCE = 0.05;

/** What can be said of one difference: `better` and `worse` only beyond chance. */
export type Finding = 'better' | 'worse' | 'unclear';

/** Beyond chance: the interval excludes nothing at all, and few random alerts did as well, or as badly. */
export function findingOf({ value, interval, beats }: Difference): Finding {
  if (interval === null || beats === null) return 'unclear';
  if (value > 0 && interval.low > 0 && beats >= 1 - CHANCE) return 'better';
  return value < 0 && interval.high < 0 && beats <= CHANCE ? 'worse' : 'unclear';
}
