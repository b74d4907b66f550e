// Pure: the optional parts of a validation record; other services report less.
import { z } from 'zod';
import { SymbolSchema } from '../wire/primitives.ts';

const count = z.number().int().nonnegative();
const both = <Value extends z.ZodType>(value: Value) => z.strictObject({ full: value, holdout: value });

const callCounts = {
  recall: z.number(),
  precision: z.number(),
  f1: z.number(),
  n_signals: count,
  events: count,
  /** Counts of right, wrong, late and undecided calls. */
  right: count,
  wrong: count,
  late: count,
  undecided: count,
};

/** All symbols together. */
export const PooledScoreSchema = z.strictObject({
  ...callCounts,
  /** Share of bars in alert. */
  in_alert: z.number(),
  false_alarms_a_year: z.number(),
  /** Bars between the call and the event, on average. */
  lead_bars: z.number().nullable(),
  /** Gives no credit for a fall that had already happened. */
  strict_f1: z.number(),
  /** How many times likelier a bad day is during an alert. */
  day_lift: z.number().nullable(),
});
export type PooledScore = z.infer<typeof PooledScoreSchema>;

/** A baseline that the model must beat, by its F1; null where that window was not computed. */
export const BaselineSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['rule', 'null', 'ceiling']),
  ...both(z.number().nullable()).shape,
});
export type Baseline = z.infer<typeof BaselineSchema>;

const IntervalSchema = z.strictObject({ low: z.number(), high: z.number() }).nullable();
export type Interval = NonNullable<z.infer<typeof IntervalSchema>>;

/** Calibration of a probability: bars grouped by forecast. */
export const ReliabilityCurveSchema = z.strictObject({
  bars: count,
  base_rate: z.number(),
  calibration_error: z.number(),
  brier_skill: z.number(),
  /** 90 % interval of the calibration error; null: the service gives none. So of each bin's outcome. */
  interval: IntervalSchema,
  /** Ascending by forecast, 0..1. */
  bins: z.array(z.strictObject({ said: z.number(), happened: z.number(), bars: count, interval: IntervalSchema })),
});
export type ReliabilityCurve = z.infer<typeof ReliabilityCurveSchema>;

/** Alerts within the day, all symbols together. */
export const LiveScoreSchema = z.strictObject({
  ...callCounts,
  false_alarms_a_year: z.number(),
  lead_bars: z.number().nullable(),
  /** Gives no credit for a fall that had already happened. */
  strict_precision: z.number().nullable(),
  /** Both shares for the same calls at other sessions. */
  chance: z.strictObject({ precision: z.number().nullable(), strict_precision: z.number().nullable() }),
  /** Calls that began within a session, their median duration, and those that lasted to its close. */
  within_day: count,
  median_minutes: z.number().nullable(),
  held_to_close: count,
});
export type LiveScore = z.infer<typeof LiveScoreSchema>;
export const LivePairSchema = both(LiveScoreSchema);

const QuartilesSchema = z.strictObject({ median: z.number(), lower: z.number(), upper: z.number() }).nullable();
const AfterSchema = z
  .strictObject({
    bars: count,
    /** Shares of the bars after which the price fell by the threshold, and by half of it, within 21 bars. */
    loss: z.number(),
    half_loss: z.number(),
    /** Of the next 21 bars, percent. */
    mean_return: z.number(),
    /** Of the next 21 bars, relative to the usual value. */
    volatility: z.number(),
  })
  .nullable();

/** Expected outcomes of alerts. Lengths in bars; null: no cases. */
export const AlertOutcomesSchema = z.strictObject({
  years: z.number(),
  signals_a_year: z.number().nullable(),
  false_alarms_a_year: z.number().nullable(),
  alert_bars: QuartilesSchema,
  bars_to_breach: QuartilesSchema,
  bars_to_trough: QuartilesSchema,
  /** Shares of the events. */
  half_ahead: z.number().nullable(),
  before_half_of_fall: z.number().nullable(),
  on_eve_of_breach: z.number().nullable(),
  after_alert: AfterSchema,
  otherwise: AfterSchema,
});
export type AlertOutcomes = z.infer<typeof AlertOutcomesSchema>;

const intervals = {
  f1: IntervalSchema,
  strict_f1: IntervalSchema,
  day_lift: IntervalSchema,
  brier_skill: IntervalSchema,
  loss_in_alert: IntervalSchema,
  loss_otherwise: IntervalSchema,
};

/** 90 % intervals of the scores, and of their differences from a baseline. */
export const UncertaintySchema = z.strictObject({
  years: count,
  intervals: z.strictObject(intervals),
  against: z.string(),
  differences: z.strictObject(intervals),
});
export type Uncertainty = z.infer<typeof UncertaintySchema>;

export const ValidationDetailsSchema = z.strictObject({
  pooled: both(PooledScoreSchema).nullable(),
  baselines: z.array(BaselineSchema),
  /** Of the probability on all days, and of the published chance on days in High Risk. */
  reliability: both(ReliabilityCurveSchema.nullable()),
  high_risk: both(ReliabilityCurveSchema.nullable()),
  /** For all symbols together, and for each. */
  outcomes: z
    .strictObject({
      ...both(AlertOutcomesSchema).shape,
      symbols: z.array(z.strictObject({ symbol: SymbolSchema, ...both(AlertOutcomesSchema).shape })),
    })
    .nullable(),
  uncertainty: both(UncertaintySchema.nullable()),
  /** The scorer's parameters by name. */
  scorer: z.record(z.string(), z.number()),
  /** Symbols with too little history, and symbols whose earlier prices were part of the fit. */
  too_short: z.array(SymbolSchema),
  seen: z.array(SymbolSchema).nullable(),
  /** First and last day of each symbol. */
  windows: z.array(z.strictObject({ symbol: SymbolSchema, from: z.iso.date(), to: z.iso.date() })),
  data_hash: z.string().nullable(),
});
export type ValidationDetails = z.infer<typeof ValidationDetailsSchema>;
