// Pure: channels for data that a window reads on demand: factors, regimes, the validation record.
// Long results come page by page, so that a window can show progress and stop.
import { z } from 'zod';
import { FACTOR_CODES } from '../domain/factors.ts';
import { GRANULARITIES } from '../domain/regimes.ts';
import { SymbolParamSchema, SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { AssetClassSchema, HistoryPointSchema, StateSchema, TransitionSchema } from '../wire/records.ts';
import { REGIME_WAITS } from '../wire/regime.ts';
import { LivePairSchema, ValidationDetailsSchema } from './validation.ts';

/** This computer's time of the cached answer. Set where the service could not be reached. */
const cached = { cached_at: TimestampSchema.optional() };

const PowerSchema = z.number().min(0).max(1).nullable();

/** The twelve dimensions at an instant; further ones that a service names follow, without a code. */
export const FactorSheetSchema = z.strictObject({
  symbol: SymbolSchema,
  at: TimestampSchema,
  factors: z.array(
    z.strictObject({
      code: z.enum(FACTOR_CODES).nullable(),
      name: z.string(),
      /** 0..1: share of the days of the last two years with a lower value. null: no value, which is not 0. */
      power: PowerSchema,
      /**
       * Signed share of the present risk score; the absolute values sum to 1. null where the service reports
       * none.
       */
      contribution: z.number().nullable(),
    }),
  ),
  ...cached,
});
export type FactorSheet = z.infer<typeof FactorSheetSchema>;

/** Data of a symbol's chart: closed days and the forming one, and every transition within them. */
export const TimelineSchema = z.strictObject({
  symbol: SymbolSchema,
  points: z.array(
    z.strictObject({
      at: TimestampSchema,
      /** null: not known. */
      price: z.number().positive().nullable(),
      state: StateSchema,
      regime: z.string().nullable(),
      confidence: z.number().nullable(),
      /** As of a signal; absent where the service does not report them. */
      ...HistoryPointSchema.pick({ confidence_of: true, base_rate: true, breach_level: true, breach_progress: true })
        .shape,
      /** Absent together: the service has closes only. */
      open: z.number().positive().optional(),
      high: z.number().positive().optional(),
      low: z.number().positive().optional(),
      volume: z.number().nonnegative().optional(),
    }),
  ),
  transitions: z.array(TransitionSchema),
  /** Ranges without usable prices; absent: the service reports none. */
  holes: z
    .array(
      z.strictObject({
        from: TimestampSchema,
        /** null: until now. */
        to: TimestampSchema.nullable(),
        reason: z.string(),
      }),
    )
    .optional(),
  ...cached,
});
export type Timeline = z.infer<typeof TimelineSchema>;
/** The timelines that are known, in the requested order. */
export const TimelineListSchema = z.strictObject({ timelines: z.array(TimelineSchema) });
export type TimelineList = z.infer<typeof TimelineListSchema>;

/** Symbols that the service covers, for search and for messages about uncovered symbols. */
export const InstrumentsSchema = z.strictObject({
  instruments: z.array(
    z.strictObject({
      symbol: SymbolSchema,
      /** null: unknown. */
      name: z.string().nullable(),
      asset_class: AssetClassSchema.nullable(),
    }),
  ),
  /** False: the list is incomplete, so that an absent symbol may be covered. */
  is_whole: z.boolean(),
  ...cached,
});
export type Instruments = z.infer<typeof InstrumentsSchema>;

const pageOf = <Point extends z.ZodType>(point: Point) => ({
  symbol: SymbolSchema,
  /** Oldest first. */
  points: z.array(point),
  /** The `after` of the next page; null at the end. */
  next: z.string().nullable(),
  ...cached,
});

/** One point per day: each close, and the forming day. */
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
  /** The price at that instant, for a day its close; absent: the service reports none. */
  price: z.number().positive().optional(),
});
export const RegimePageSchema = z.strictObject({
  ...pageOf(RegimePointSchema),
  /** The granularity delivered; coarser than requested where the plan has no finer one. */
  granularity: GranularitySchema,
});
/** The current regime of a symbol, and the model's probability of each. */
export const RegimeNowSchema = z.strictObject({
  symbol: SymbolSchema,
  regime: z.string(),
  /** When it began; null where the service does not report it. */
  since: TimestampSchema.nullable(),
  /** Percent at the last confirmation by the data; null: the service reports none. */
  confidence: z.number().nullable(),
  /** When the data confirmed it last; null where the service does not report it. */
  decidedAt: TimestampSchema.nullable().optional(),
  /** A different regime that the data favour now, or null. */
  candidate: z
    .strictObject({
      regime: z.string(),
      /** Percent by current data. */
      confidence: z.number(),
      /** Closes until it may take over; null where the service does not report it, as `waitsFor`. */
      closesNeeded: z.number().int().nonnegative().nullable(),
      waitsFor: z.enum(REGIME_WAITS).nullable(),
    })
    .nullable()
    // Absent in an answer that an earlier version cached.
    .optional(),
  /** Age of an old last price; absent: it is current, or its age is unknown. */
  staleSeconds: z.number().nonnegative().optional(),
  /** 0..1, likeliest first, as of the confirmation; empty where the service reports none. */
  probabilities: z.array(z.strictObject({ regime: z.string(), probability: z.number().min(0).max(1) })),
  ...cached,
});
export type RegimeNow = z.infer<typeof RegimeNowSchema>;
export type RegimePoint = z.infer<typeof RegimePointSchema>;
export type RegimePage = z.infer<typeof RegimePageSchema>;

/** A symbol's time out of Normal, as the service has it. */
export const EpisodeSchema = z.strictObject({
  symbol: SymbolSchema,
  peak_state: StateSchema,
  started_at: TimestampSchema,
  /** null while it is open. */
  ended_at: TimestampSchema.nullable(),
  /** event_ids, oldest first; those from before the service's log are missing. */
  transitions: z.array(z.string()),
  /** It began before the service's log, which has its beginning from the closes. */
  before_log: z.literal(true).optional(),
});
export type Episode = z.infer<typeof EpisodeSchema>;
/** An instant at which a symbol was out of Normal. */
export const OpenEpisodeSchema = z.strictObject({ symbol: SymbolParamSchema, at: TimestampSchema });
export type OpenEpisode = z.infer<typeof OpenEpisodeSchema>;
export const MAX_OPEN_EPISODES = 500;
export const EpisodeListSchema = z.strictObject({ episodes: z.array(EpisodeSchema) });
export type EpisodeList = z.infer<typeof EpisodeListSchema>;

/** Number of trading days in the states by day. */
export const STATE_DAYS = 30;
const ShareSchema = z.number().min(0).max(1);
const CountSchema = z.number().int().nonnegative();
/** The states of each symbol on each of the last trading days. */
export const StateDaysSchema = z.strictObject({
  /** Oldest first; the last one is today, or the last day on which the market opened. */
  days: z.array(z.iso.date()).length(STATE_DAYS),
  /** In the requested order. */
  rows: z.array(
    z.strictObject({
      symbol: SymbolSchema,
      /** null: no record. */
      cells: z
        .array(
          z
            .strictObject({
              /** The worst state from the opening to the next one. */
              state: StateSchema,
              /** Shares of the session so far at High Risk and at Elevated. 0 if only after the close. */
              high: ShareSchema,
              elevated: ShareSchema,
            })
            .nullable(),
        )
        .length(STATE_DAYS),
      /** Alerts of High Risk in the ledger on these days: all, those that the fall followed, those decided, those whose time is not over. */
      alerts: CountSchema,
      fell: CountSchema,
      decided: CountSchema,
      open: CountSchema,
    }),
  ),
});
export type StateDays = z.infer<typeof StateDaysSchema>;

/** What happened on one trading day, from its opening to the next one or to now. */
export const StateDaySchema = z.strictObject({
  from: TimestampSchema,
  /** The end of the session, or now. */
  to: TimestampSchema,
  /** Number of symbols at High Risk at the opening, and of those without a known state then. */
  high: CountSchema,
  unknown: CountSchema,
  /** Oldest first, at most MAX_DAY_CHANGES. */
  changes: z.array(
    z.strictObject({
      symbol: SymbolSchema,
      at: TimestampSchema,
      /** null: unknown. */
      from_state: StateSchema.nullable(),
      to_state: StateSchema,
      /** Number of symbols at High Risk after it. */
      high: CountSchema,
    }),
  ),
  /** Number of later changes that are left out. */
  left_out: CountSchema,
});
export type StateDay = z.infer<typeof StateDaySchema>;
export const MAX_DAY_CHANGES = 1_000;

/** Number of trading days in the number of High Risks by day. */
export const HIGH_RISK_DAYS = 90;
/** How many of the symbols were High Risk on each of the last trading days, for any time. */
export const HighRiskDaysSchema = z.strictObject({
  /** As of the states by day. */
  days: z.array(z.iso.date()).length(HIGH_RISK_DAYS),
  /** null: the states of most symbols are unknown. */
  counts: z.array(CountSchema.nullable()).length(HIGH_RISK_DAYS),
});

const MetricsSchema = z.strictObject({
  recall: z.number(),
  precision: z.number(),
  f1: z.number(),
  n_signals: z.number().int().nonnegative(),
  /** Number of events to predict; null where the service does not report it. */
  events: z.number().int().nonnegative().nullable(),
  /**
   * Outcomes of the signals: right, wrong, too late to be right. Undecided ones are left out. null where the
   * service does not report them.
   */
  calls: z
    .strictObject({
      right: z.number().int().nonnegative(),
      wrong: z.number().int().nonnegative(),
      late: z.number().int().nonnegative(),
    })
    .nullable(),
});
const ScoredSymbolsSchema = z.array(
  z.strictObject({
    symbol: SymbolSchema,
    full: MetricsSchema,
    holdout: MetricsSchema,
    /** First day of the hold-out window; null where the service does not report it. */
    holdout_from: z.iso.date().nullable(),
  }),
);
/** Hit rates of the signals at daily closes and within the day. */
export const ValidationRecordSchema = z.strictObject({
  computed_at: TimestampSchema,
  model_version: z.string().nullable(),
  notes: z.string(),
  details: ValidationDetailsSchema,
  symbols: ScoredSymbolsSchema,
  /** null: the service reports none. Absent in an answer that an earlier version kept. */
  live: z
    .strictObject({
      symbols: ScoredSymbolsSchema,
      pooled: LivePairSchema.nullable(),
      /** First and last day of each symbol. */
      windows: ValidationDetailsSchema.shape.windows,
      notes: z.string(),
    })
    .nullable()
    .optional(),
  ...cached,
});
export type ValidationRecord = z.infer<typeof ValidationRecordSchema>;
export type LiveRecord = NonNullable<ValidationRecord['live']>;
