// Pure: schema of the validation record: accuracy of the signals, and how it was measured.
import { z } from 'zod';
import { CeilingSchema, IntervalSchema, OutcomesSchema, UncertaintySchema } from './alert-outcomes.ts';
import { SymbolSchema, TimestampSchema } from './primitives.ts';
import { ModelVersionNameSchema } from './records.ts';

const share = (description: string, example: number) => z.number().min(0).max(1).meta({ description, example });
const count = (description: string, example: number) => z.number().int().nonnegative().meta({ description, example });
const text = (description: string, example: string) => z.string().meta({ description, example });
const bothWindows = <Value extends z.ZodType>(value: Value) => ({
  full: value.meta({ description: 'Over the whole window.' }),
  holdout: value.meta({ description: 'Over the hold-out window: time that the model was not fitted on.' }),
});
const windows = <Value extends z.ZodType>(value: Value, description: string) =>
  z.object(bothWindows(value)).meta({ description });

const ratios = {
  recall: share('Share of the warned events that were announced, 0 to 1.', 0.97619),
  precision: share('Share of the signals that the warned event followed, 0 to 1: tp / (tp + fp).', 0.331839),
  f1: share('Harmonic mean of recall and precision.', 0.495307),
};
const windowMetrics = {
  ...ratios,
  n_signals: count('Number of signals in the window.', 298),
  events: count('Number of warned events in the window.', 84),
  tp: count('Signals that the warned event followed.', 74),
  fp: count('Signals that no warned event followed.', 149),
  late: count('Signals that came after more than half of the fall.', 75),
  unresolved: count('Signals whose outcome is not known yet.', 0),
};

export const PooledSchema = z.object({
  ...windowMetrics,
  in_alert: share('Share of all bars that were in alert.', 0.356943),
  false_alarms_a_year: z.number().nonnegative().meta({
    description: 'Signals a year that no warned event followed, per symbol.',
    example: 3.177456,
  }),
  lead_bars: z.number().nullable().meta({
    description: 'Mean number of bars between signal and event; null without any.',
    example: 10.012195,
  }),
  strict: z
    .object({
      recall: ratios.recall.meta({ example: 0.650602 }),
      precision: ratios.precision.meta({ example: 0.191275 }),
      f1: ratios.f1.meta({ example: 0.295635 }),
      episodes: count('Number of episodes that count.', 83),
      day_lift: z.number().nullable().meta({
        description: 'How much likelier the event is on a day in alert than on any day.',
        example: 1.271389,
      }),
    })
    .meta({ description: 'The same with no credit for a fall already made.' }),
});

export const ReliabilitySchema = z.object({
  bars: count('Number of bars counted.', 9787),
  base_rate: share('How often the warned event follows any bar, 0 to 1.', 0.169408),
  bins: z
    .array(
      z.object({
        predicted: share('Mean predicted probability of the bin.', 0.05956),
        observed: share('Share of the bars that the warned event did follow.', 0.013292),
        bars: count('Number of bars counted.', 978),
        interval: IntervalSchema.optional().meta({
          description: 'Of the observed share: 90 % of resamples of symbols and years; null with too few years.',
        }),
      }),
    )
    .meta({ description: 'Bars sorted by predicted probability and cut into groups.' }),
  calibration_error: z.number().meta({
    description: 'Mean distance of predicted and observed share over the bins.',
    example: 0.056317,
  }),
  calibration_interval: IntervalSchema.optional().meta({
    description:
      'Of the calibration error, as for each bin; moved down by the mean growth, because noise only adds to a mean distance.',
  }),
  brier_skill: z.number().meta({
    description: 'Brier skill score against the base rate: above 0 is better than it.',
    example: 0.022321,
  }),
});

const FittedSchema = z.object({
  version: text('Version of the fit.', 'fp1-1'),
  inputs: z.array(z.string()).meta({
    description: 'Names of the inputs of the risk probability, in their order.',
    example: ['drawdown', 'volatility_change', 'common_drawdown'],
  }),
  ridge: z.number().meta({ description: 'Weight of the squared weights in the fit.', example: 100 }),
  every_nth_bar: count('Neighbouring bars say nearly the same: only every third or so is fitted on.', 3),
  years: z
    .array(
      z.object({
        year: z.int().meta({ description: 'The year on whose bars the weights are used.', example: 2026 }),
        own: count("Bars of which at least the symbol's own inputs are known.", 58143),
        fellows: count('Bars with the inputs of the other symbols; 0: too few for weights of their own.', 49696),
        market: count('Bars with inputs of a market panel; 0: the model has none.', 0),
      }),
    )
    .meta({
      description: 'One row a year: on how many bars, known before the year began, its weights were fitted.',
    }),
  prices: z.record(z.string(), z.string()).meta({
    description: 'SHA-256 of the prices that were fitted on, by symbol; 16 digits.',
    example: { SPY: 'f9d284b7bf49abb4' },
  }),
  seen: z.array(SymbolSchema).meta({
    description:
      'Symbols of this record whose series is exactly one of the fit: each year used earlier years of it only.',
    example: [],
  }),
  left_out: z.array(z.array(SymbolSchema)).optional().meta({
    description:
      'Groups of like symbols: only these are scored, each by weights that were fitted on the other symbols of these prices. Absent: none.',
    example: [],
  }),
});

const SymbolRowsSchema = z
  .array(z.object({ symbol: SymbolSchema, ...bothWindows(z.object(windowMetrics)) }))
  .meta({ description: 'One row per symbol.' });
const WindowRowsSchema = z
  .array(
    z.object({
      symbol: SymbolSchema,
      from: text('First session day of the window.', '2015-05-20'),
      holdout_from: text('First session day of the hold-out window.', '2022-12-06'),
      to: text('Last session day of the window.', '2026-03-01'),
    }),
  )
  .meta({ description: 'Which days each symbol was scored on.' });

const nullableShare = (description: string, example: number) => share(description, example).nullable();

export const LivePooledSchema = z.object({
  ...windowMetrics,
  false_alarms_a_year: z.number().nonnegative().meta({
    description: 'Signals a year that no warned event followed, per symbol.',
    example: 9.2,
  }),
  lead_bars: z.number().nullable().meta({
    description: 'Mean number of closes from the signal to the event, that of the event included; null without any.',
    example: 9.6,
  }),
  strict_precision: nullableShare(
    'Share of the signals after which the price fell by a whole threshold: no credit for a fall already made. null without any.',
    0.04,
  ),
  chance: z
    .object({
      precision: nullableShare('`precision` of these signals; null without any.', 0.07),
      strict_precision: nullableShare('`strict_precision` of these signals; null without any.', 0.04),
    })
    .meta({ description: 'The same signals at other sessions, as far from the close before.' }),
  within_day: count('Signals that began within a session.', 250),
  median_minutes: z.number().nonnegative().nullable().meta({
    description: 'Median duration of those, minutes, at most to the close; null without any.',
    example: 16,
  }),
  held_to_close: count('Those that lasted to the close of their session.', 5),
});

const LiveSchema = z
  .object({
    symbols: SymbolRowsSchema,
    windows: WindowRowsSchema,
    pooled: windows(LivePooledSchema, 'All symbols together.'),
    notes: text('What was replayed and counted, in words.', 'The rule that announces alerts, replayed price by price.'),
  })
  .meta({
    description:
      'The same for alerts within the day: the rule that announces them, replayed over all prices within the day. A signal is the first High Risk of a session, at its price, at most one in 21 sessions. null: no symbol has a year of prices within the day. Symbols that are not in it are announced at closes, and `symbols` beside it is their record.',
  });

export const ValidationSchema = z
  .object({
    computed_at: TimestampSchema.meta({ description: 'When the metrics were computed, in the time of the world.' }),
    symbols: SymbolRowsSchema,
    live: LiveSchema.nullable().optional(),
    alert_outcomes: OutcomesSchema.optional(),
    provenance: z
      .object({
        notes: text(
          'Origin and computation, in words.',
          '3 symbols, scored bar by bar with what was known at each close. In the hold-out window 28 % of the High Risk signals were followed by the warned event and 100 % of the events were announced. A fall is itself part of the event, so a good part of these figures is mechanical: `nulls.shuffled` shows what the same rule scores on prices whose order is shuffled, `nulls.shifted` what the same alerts score at other times, and `strict` gives no credit for a fall already made.',
        ),
        model_version: ModelVersionNameSchema,
        scorer: z.record(z.string(), z.number()).meta({
          description: "The scorer's parameters.",
          example: {
            horizon: 21,
            merge: 21,
            warm_up: 504,
            holdout_share: 0.3,
            ahead: 0.5,
            threshold_multiple: 1.5,
            shifts: 12,
            seed: 7,
          },
        }),
        fitted: FittedSchema.meta({
          description: 'What was fitted where: the yearly weights of the risk probability.',
        }),
        data_hash: text(
          'SHA-256 of the prices that were used.',
          'fb2a8f2b6b8a0ab5920cb4f666f6ce63a823bea28f6e00582049941c0e954ad5',
        ),
        windows: WindowRowsSchema,
        too_short: z.array(SymbolSchema).meta({
          description: 'Symbols with too little history to be scored.',
          example: [],
        }),
        pooled: windows(PooledSchema, 'All symbols together.'),
        baselines: z.record(z.string(), windows(PooledSchema, 'One simple rule.')).meta({
          description: 'The same figures for simple rules, by the name of the rule.',
          example: {},
        }),
        nulls: z
          .object({
            shifted: windows(
              z.object({
                f1: ratios.f1.meta({ example: 0.261318 }),
                strict_f1: share('f1 with no credit for a fall already made.', 0.22296),
              }),
              'The same alerts at other times.',
            ),
            shuffled: windows(PooledSchema, 'The same rule on prices whose order is shuffled: what is mechanical.'),
          })
          .meta({ description: 'What chance alone scores by the same rules.' }),
        reliability: windows(
          ReliabilitySchema.nullable(),
          'How predicted and observed shares compare: the probability of a new event, at all bars outside one; null without bars.',
        ),
        high_risk_reliability: windows(
          ReliabilitySchema.nullable(),
          'The same for the published chance at bars in High Risk, of whichever fall it claims.',
        ).optional(),
        uncertainty: windows(
          UncertaintySchema.nullable(),
          'How uncertain the figures are: symbols and years resampled together; null with fewer than three years.',
        ).optional(),
        ceilings: z
          .record(z.string(), CeilingSchema)
          .meta({
            description:
              'What an observer who knows the true volatility ahead scores in simulated worlds without information on direction, by the name of the world: more than that is no skill, or look-ahead.',
            example: {},
          })
          .optional(),
      })
      .meta({ description: 'Where the artifact comes from and how it was computed.' }),
  })
  .meta({
    id: 'Validation',
    description: 'How often the signals were right, and what is needed to doubt the numbers.',
  });

/** Ten years of one symbol: what is needed to compute what acting on High Risk would have brought. */
export const PastClosesSchema = z
  .object({
    symbol: SymbolSchema,
    dates: z.array(z.iso.date()).meta({
      description: 'Session days that were scored, oldest first; at most those of the last ten years.',
      example: ['2026-02-26', '2026-02-27'],
    }),
    closes: z.array(z.number().positive()).meta({
      description: 'The adjusted close of each day.',
      example: [512.4, 498.75],
    }),
    high_risk: z
      .array(
        z.object({
          from: z.iso.date().meta({ description: 'The first close in High Risk.', example: '2026-02-27' }),
          to: z.iso.date().meta({ description: 'The last one.', example: '2026-02-27' }),
        }),
      )
      .meta({ description: 'The periods whose closes were High Risk, by what was known at each close.' }),
  })
  .meta({ id: 'PastCloses', description: 'The scored closes of one symbol, and which of them were High Risk.' });
export type PastCloses = z.infer<typeof PastClosesSchema>;
