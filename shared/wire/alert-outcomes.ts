// Pure: schemas of the outcomes of alerts, and of the uncertainty of the scores.
import { z } from 'zod';
import { SymbolSchema } from './primitives.ts';

const share = (description: string, example: number) =>
  z.number().min(0).max(1).nullable().meta({ description, example });
const ratio = (description: string, example: number) => z.number().min(0).max(1).meta({ description, example });
const figure = (description: string, example: number) => z.number().nullable().meta({ description, example });
const count = (description: string, example: number) => z.number().int().nonnegative().meta({ description, example });

const QuartilesSchema = z
  .object({
    median: z.number().meta({ description: 'Half of them are below.', example: 8 }),
    lower: z.number().meta({ description: 'A quarter of them is below.', example: 3 }),
    upper: z.number().meta({ description: 'Three quarters of them are below.', example: 15 }),
  })
  .nullable();

const AfterSchema = z
  .object({
    bars: count('Bars with a known next month.', 1412),
    loss: ratio('After this share of them the price fell by the threshold within 21 bars.', 0.134),
    half_loss: ratio('By half of it.', 0.357),
    mean_return: z.number().meta({ description: 'Mean return of the next 21 bars, percent.', example: 1.78 }),
    volatility: z.number().nonnegative().meta({
      description: 'Mean volatility of the next 21 bars over that of the 252 before.',
      example: 1.27,
    }),
  })
  .nullable();

export const AlertOutcomesSchema = z.object({
  years: z
    .number()
    .nonnegative()
    .meta({ description: 'Years of prices that were scored, over all symbols.', example: 26.4 }),
  signals_a_year: figure('Signals a year and symbol.', 3.64),
  false_alarms_a_year: figure('Those that no warned event followed.', 1.7),
  alert_bars: QuartilesSchema.meta({ description: 'Length of an alert, bars; null without any.' }),
  bars_to_breach: QuartilesSchema.meta({
    description: 'From the announcement of an event to its breach, bars; null without any.',
  }),
  bars_to_trough: QuartilesSchema.meta({ description: 'To the lowest close of the event.' }),
  half_ahead: share('Share of the events that were announced with half of the threshold ahead.', 0.62),
  before_half_of_fall: share('Share whose first alert came before half of the whole fall.', 0.49),
  on_eve_of_breach: share('Share in alert at the close before the breach.', 0.68),
  after_alert: AfterSchema.meta({ description: 'What came after bars in alert; null without any.' }),
  otherwise: AfterSchema.meta({ description: 'What came after all other bars.' }),
});

const outcomesOfWindows = {
  full: AlertOutcomesSchema.meta({ description: 'Over the whole window.' }),
  holdout: AlertOutcomesSchema.meta({ description: 'Over the hold-out window.' }),
};
export const OutcomesSchema = z
  .object({
    symbols: z
      .array(z.object({ symbol: SymbolSchema, ...outcomesOfWindows }))
      .meta({ description: 'One row per symbol.' }),
    pooled: z.object(outcomesOfWindows).meta({ description: 'All symbols together.' }),
  })
  .meta({
    description:
      'What to expect of the alerts at closes: how many, how early, and what came after them. An alert says that moves get wider, not that prices fall: the mean return after alerts is not lower.',
  });

export const IntervalSchema = z
  .object({
    low: z.number().meta({ description: 'A twentieth of the resamples is below.', example: 0.372 }),
    high: z.number().meta({ description: 'A twentieth of the resamples is above.', example: 0.448 }),
  })
  .nullable();
const intervals = {
  f1: IntervalSchema.meta({ description: 'Of f1.' }),
  strict_f1: IntervalSchema.meta({ description: 'Of the strict f1.' }),
  day_lift: IntervalSchema.meta({ description: 'Of the day lift.' }),
  brier_skill: IntervalSchema.meta({ description: 'Of the Brier skill; null for a rule without probabilities.' }),
  loss_in_alert: IntervalSchema.meta({ description: 'Of `loss` after bars in alert.' }),
  loss_otherwise: IntervalSchema.meta({ description: 'Of `loss` after all other bars.' }),
};

export const UncertaintySchema = z.object({
  years: count('Calendar years that were resampled.', 26),
  resamples: count('Number of resamples, of symbols and years together.', 500),
  intervals: z.object(intervals).meta({ description: '90 % of the resamples are within; null without data.' }),
  against: z.string().meta({ description: 'The baseline of `differences`.', example: 'dd_tuned' }),
  differences: z.object(intervals).meta({
    description:
      'Of the figure minus that of the baseline, on the same resamples. With zero within it the two cannot be told apart.',
  }),
});

export const CeilingSchema = z
  .object({
    f1: z.number().meta({ description: 'Best f1 of two bounds on the true chance.', example: 0.436 }),
    strict_f1: z.number().meta({ description: 'Its f1 with no credit for a fall already made.', example: 0.114 }),
    day_lift: z.number().meta({ description: 'Its day lift.', example: 1 }),
  })
  .meta({ description: 'One simulated world.' });
