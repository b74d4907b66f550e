// Pure: schemas of the records about signals and states.
// v1 only ever adds fields, so clients keep unknown ones.
import { z } from 'zod';
import { CLAIMS } from '../domain/claims.ts';
import { DATA_HEALTH } from '../domain/data-health.ts';
import { ALL_CALENDARS } from '../domain/exchanges/exchanges.ts';
import { ASSET_CLASSES } from '../domain/instruments.ts';
import { PRICE_ANSWERS, PRICE_DOUBTS, splitFactor } from '../domain/price-questions.ts';
import { REGIMES } from '../domain/regimes.ts';
import { EventIdSchema, SymbolSchema, TimestampSchema } from './primitives.ts';

const STATES = '0 Normal, 1 Elevated, 2 High Risk.';
export const StateSchema = z.literal([0, 1, 2]).meta({ description: STATES, example: 0 });
export const StateNameSchema = z
  .enum(['normal', 'elevated', 'high_risk'])
  .meta({ description: 'The same state by its name.', example: 'normal' });
export const AssetClassSchema = z.enum(ASSET_CLASSES).meta({ description: 'Kind of instrument.', example: 'etf' });
/** Percent, one decimal. */
export const PercentSchema = z.number().min(0).max(100);
export const ConfidenceSchema = PercentSchema.nullable().meta({
  description:
    'Calibrated probability in percent: in Elevated and High Risk that what confidence_of names follows, in Normal that it does not. null while the model has none.',
  example: 93.7,
});
export const ConfidenceOfSchema = z.enum(CLAIMS).optional().meta({
  description:
    'What confidence and base_rate are about. event: the warned event. further_fall: while an event lasts (a breach within the last 21 bars), a fall of at least half a threshold more within the next 21 bars. Either means wider moves, not a lower price on average.',
  example: 'event',
});
const REGIME_NAMES = `Name of a regime. The model's own are ${REGIMES.join(', ')}; a name that is not known is data, never an error.`;
export const RegimeNameSchema = z.string().meta({ description: REGIME_NAMES, example: 'calm_uptrend' });
export const ModelVersionNameSchema = z
  .string()
  .meta({ description: 'Version of the model that decided.', example: 'dd-p-3+fp1-1.904cba' });
export const PriceSchema = z
  .number()
  .positive()
  .meta({ description: 'Last price, in the currency of the instrument.', example: 524.72 });
export const NoteSchema = z.string().meta({
  description: 'Why, in a sentence.',
  example: 'Trades 0.9 % below its 21-day high, 11 % of the way to a breach at 487.14.',
});

/** Age and health of the prices behind an answer. Optional, because other services may not report them. */
export const healthFields = {
  data_health: z.enum(DATA_HEALTH).optional().meta({
    description:
      'current: live, no fault is known. stale: a close is overdue by more than five days, and every value is as of the last price. delayed: the feed sends prices late. halted: trading is suspended; the state is kept. gap: sessions are missing among the last 21; the service does not fill them. question: a price may be a fault of the data (price_question says which); it counts until a decision. quarantined: the newest price is a fault of the data and is not used; the state is kept. unlisted: the symbol no longer trades, and keeps its last state. Read an unknown value as not current.',
    example: 'current',
  }),
  data_age_seconds: z.number().int().nonnegative().optional().meta({
    description: 'Age of the last evaluated price in seconds of the world.',
    example: 60,
  }),
  data_delay_seconds: z.number().int().nonnegative().optional().meta({
    description: 'Of delayed prices: how far they are behind, by the plan at the vendor or because it sends none.',
    example: 900,
  }),
};

/** The rule that holds a state out of Normal. */
export const HELD_BY = [
  'none',
  'probability',
  'drawdown',
  'breach',
  'exit_bounds',
  'five_closes',
  'pending',
  'question',
  'request',
] as const;
export type HeldBy = (typeof HELD_BY)[number];
const HeldBySchema = z.enum(HELD_BY).optional().meta({
  description:
    'The rule that holds the state; none in Normal. probability, drawdown: it reaches a bound for entering. breach: the warned fall has happened, whatever the probability. exit_bounds: below the bounds for entering, above those for leaving. five_closes: a state of the closes lasts for five of them. pending: the rule has let it go, and it changes with the next decision, five minutes after the last change at the earliest. question: the price that would end it may be a fault of the data, and needs a decision. request: triggered in the sandbox. It says why a High Risk may have a confidence below its base rate.',
  example: 'none',
});

/** The price that a signal rests on, and that may be a fault of the data. */
export const PriceQuestionSchema = z
  .object({
    date: z.iso.date().meta({ description: 'Its session date.', example: '2026-03-02' }),
    price: PriceSchema.meta({ description: 'The price.' }),
    before: PriceSchema.meta({ description: 'The close before it.' }),
    doubt: z.enum(PRICE_DOUBTS).meta({
      description:
        'What it may be. split: all prices of the day are at the level of a split. level: at another level, as by a spin-off or a special dividend. stray: a single wrong price.',
      example: 'split',
    }),
    ratio: z.string().nullable().meta({
      description: 'New shares for old ones, if it is a split or a change of level.',
      example: '3:2',
    }),
    volume_times: z.number().nonnegative().nullable().meta({
      description: 'Volume of its day as a multiple of the usual one, were it a fault. null: not known.',
      example: 1.1,
    }),
    range_times: z.number().nonnegative().nullable().meta({ description: 'The same of the range.', example: 0.9 }),
    counts_as: z.enum(PRICE_ANSWERS).meta({
      description:
        'How it is used until there is an answer. price: it counts. split: the prices before it are adjusted. no_price: it is not used.',
      example: 'price',
    }),
    state_before: StateSchema.nullable().meta({ description: 'State at the close before it; null: not known.' }),
    reason: z.string().meta({
      description: 'A sentence for people, with the command that answers it.',
      example: 'AAPL 2026-03-02: close 120.1 after 180.3 looks like a split 3:2 that is not adjusted.',
    }),
  })
  .meta({ id: 'PriceQuestion', description: 'A price that may be a fault of the data, and needs a decision.' });
export type PriceQuestion = z.infer<typeof PriceQuestionSchema>;

export const PriceAnswerBodySchema = z
  .object({
    answer: z.enum(PRICE_ANSWERS).meta({
      description:
        'What the price is. price: it counts. split: the prices before it are adjusted by ratio. no_price: it is not used.',
      example: 'split',
    }),
    ratio: z.string().max(20).optional().meta({
      description: 'Of a split: new shares for old ones.',
      example: '3:2',
    }),
  })
  .refine(({ answer, ratio }) => (answer === 'split') === (ratio !== undefined && splitFactor(ratio) !== null), {
    message: 'must be like 4:1 for a split, and left out otherwise',
    path: ['ratio'],
  });
export const PriceAnswerSchema = PriceAnswerBodySchema.meta({
  id: 'PriceAnswer',
  description: 'A decision about a price that may be a fault of the data.',
});

export const IN_QUESTION = ['open', 'withdrawn'] as const;
const InQuestionSchema = z.enum(IN_QUESTION).optional().meta({
  description:
    'open: the state rests on a price that may be a fault of the data and needs a decision (price_question of the signal). withdrawn: an earlier state rested on such a price, which turned out to be a fault; the note says which. Left out otherwise.',
  example: 'open',
});

const BaseRateSchema = PercentSchema.nullable().meta({
  description: 'How often what confidence_of names follows any bar, percent.',
  example: 15.3,
});
const breachFields = {
  breach_level: PriceSchema.nullable().optional().meta({
    description:
      'The price at which the warned fall has happened: this far below the highest close of the last 21 bars. At or below it the state is High Risk. null while there is not enough history.',
    example: 487.14,
  }),
  breach_progress: z.number().nonnegative().nullable().optional().meta({
    description:
      'How far the price has fallen below the highest close of the last 21 bars, in thresholds of this instrument: 0 at that close, 1 at the breach level, 2 a whole threshold below it. It ranks instruments by risk. null while there is not enough history.',
    example: 0.11,
  }),
};

export const SignalSchema = z
  .object({
    symbol: SymbolSchema,
    name: z.string().meta({ description: 'Name, for people.', example: 'SPDR S&P 500 ETF Trust' }),
    asset_class: AssetClassSchema,
    exchange: z.enum(ALL_CALENDARS).optional().meta({
      description:
        'Where it trades, and whose days and hours count: a city, us for New York, fx for the hours of currencies, always where no market closes, unknown where the service does not know it. Left out: as the symbol says.',
      example: 'tokyo',
    }),
    currency: z.string().max(10).optional().meta({
      description: 'Currency of its prices. Left out where it is not known, and for an index.',
      example: 'JPY',
    }),
    state: StateSchema,
    state_name: StateNameSchema,
    confidence: ConfidenceSchema,
    confidence_of: ConfidenceOfSchema,
    note: NoteSchema,
    since: TimestampSchema.meta({
      description: 'When the present state was entered.',
      example: '2026-03-02T13:42:59.000Z',
    }),
    regime: RegimeNameSchema.nullable(),
    regime_as_of: TimestampSchema.nullable().optional().meta({
      description:
        'When the regime was decided: at the last close, as prices of the day in progress change the state and not the regime. null without a regime.',
      example: '2026-03-02T00:00:00.000Z',
    }),
    price: PriceSchema.nullable().meta({
      description: 'Last price, in the currency of the instrument. null: not known.',
    }),
    change_pct: z.number().nullable().meta({
      description: "Percent against the previous session's close. null: not known.",
      example: -0.14,
    }),
    base_rate: BaseRateSchema,
    held_by: HeldBySchema,
    ...breachFields,
    decided_at: TimestampSchema.meta({
      description: 'When the state was last decided: at a close, or by a price of the day in progress.',
      example: '2026-03-02T14:29:59.000Z',
    }),
    next_decision_at: TimestampSchema.meta({
      description: 'When the state is decided next.',
      example: '2026-03-02T14:30:59.000Z',
    }),
    updated_at: TimestampSchema.meta({ description: 'When the record was made, in the time of the world.' }),
    ...healthFields,
    data_as_of: TimestampSchema.optional().meta({
      description:
        'Time of the last evaluated price, data_age_seconds ago: a close, or a price of the day in progress.',
      example: '2026-03-02T14:29:59.000Z',
    }),
    price_question: PriceQuestionSchema.optional().meta({
      description: 'The price that needs a decision. Left out where none does.',
    }),
    source: z.string().optional().meta({
      description: 'Feed of the prices: sandbox, csv (files of the operator), or the name of a vendor.',
      example: 'csv',
    }),
    model_version: ModelVersionNameSchema,
  })
  .meta({ id: 'Signal', description: 'Present signal of one instrument.' });
export type Signal = z.infer<typeof SignalSchema>;

/** Fields beside the rows of GET /history. */
export const PriceHoleSchema = z
  .object({
    kind: z.enum(['gap', 'quarantined']).meta({
      description: 'gap: sessions are missing. quarantined: prices are a fault of the data, and are not used.',
    }),
    from: TimestampSchema.meta({ description: 'Close of the last price before it.' }),
    to: TimestampSchema.nullable().meta({
      description: 'Close of the first price that counts again; null: it lasts.',
      example: null,
    }),
    reason: z.string().meta({
      description: 'A sentence for people.',
      example: 'SPY 2026-03-02: 3 sessions before it are missing; nothing was made up for them.',
    }),
  })
  .meta({ id: 'PriceHole', description: 'A range without prices that count.' });
export type PriceHole = z.infer<typeof PriceHoleSchema>;
export const MAX_PRICE_HOLES = 100;

/** GET /history: oldest first; the last row may be the forming day. */
export const HistoryPointSchema = z
  .object({
    symbol: SymbolSchema,
    timestamp: TimestampSchema.meta({ description: 'Time of the values.', example: '2025-12-03T00:00:00.000Z' }),
    state: StateSchema.meta({
      description: `State at the close as the event log has it; before the log begins, as model_state. ${STATES}`,
    }),
    state_name: StateNameSchema,
    confidence: ConfidenceSchema,
    confidence_of: ConfidenceOfSchema,
    base_rate: BaseRateSchema.optional(),
    ...breachFields,
    worst_state: StateSchema.optional().meta({
      description: `The riskiest state since the close before, the one it began with included. ${STATES}`,
    }),
    changes: z.number().int().nonnegative().nullable().optional().meta({
      description:
        'Changes of state since the close before, up to this close: as many as /alert-transitions lists. null for days that the log does not cover whole.',
      example: 2,
    }),
    model_state: StateSchema.optional().meta({
      description: `What the model reads from this price alone, from close to close. ${STATES}`,
    }),
    model_confidence: ConfidenceSchema.optional(),
    regime: RegimeNameSchema.nullable(),
    price: PriceSchema.nullable().meta({
      description: 'Close, or the last price of the day in progress. null: not known.',
    }),
    // A source with closes only has no range; the service does not invent one.
    open: PriceSchema.optional().meta({ description: 'Open of the day, where the source has more than closes.' }),
    high: PriceSchema.optional().meta({ description: 'High of the day so far; with open and low, or not at all.' }),
    low: PriceSchema.optional().meta({ description: 'Low of the day so far.' }),
    volume: z.number().nonnegative().optional().meta({
      description: 'Shares, contracts or coins of the day so far, where the source knows them.',
      example: 48_200_000,
    }),
  })
  .meta({ id: 'HistoryPoint', description: 'One session day of one symbol.' });
export type HistoryPoint = z.infer<typeof HistoryPointSchema>;

/** Rows of GET /alert-transitions, newest first, and the data of signal.* events. */
export const TransitionRecordSchema = z
  .object({
    event_id: EventIdSchema,
    symbol: SymbolSchema,
    asset_class: AssetClassSchema,
    state: StateSchema.optional().meta({
      description: `State that was entered, as in a signal and always equal to to_state: ${STATES}`,
      example: 2,
    }),
    from_state: StateSchema.meta({ description: `State before: ${STATES}` }),
    to_state: StateSchema.meta({ description: `State that was entered: ${STATES}`, example: 2 }),
    state_name: StateNameSchema.meta({ description: 'The state that was entered, by its name.', example: 'high_risk' }),
    regime: RegimeNameSchema.nullable(),
    confidence: ConfidenceSchema.meta({ example: 21.5 }),
    confidence_of: ConfidenceOfSchema,
    held_by: HeldBySchema.meta({ example: 'probability' }),
    in_question: InQuestionSchema,
    note: NoteSchema,
    occurred_at: TimestampSchema.meta({ description: 'When it happened, in the time of the world.' }),
    model_version: ModelVersionNameSchema,
  })
  .meta({ id: 'Transition', description: 'One change of state of one symbol.' });
export type TransitionRecord = z.infer<typeof TransitionRecordSchema>;

/** A transition as it is understood: `state` repeats `to_state`, and the note says what `held_by` says. */
export const TransitionSchema = TransitionRecordSchema.omit({
  state: true,
  held_by: true,
});
export type Transition = z.infer<typeof TransitionSchema>;

export const HealthSchema = z
  .object({ status: z.literal('ok').meta({ description: 'Always ok.' }) })
  .meta({ id: 'Health', description: 'The service is alive.' });

export const ReadySchema = z
  .object({ status: z.literal('ready').meta({ description: 'Always ready; otherwise the answer is 503.' }) })
  .meta({ id: 'Readiness', description: 'Every endpoint answers.' });

export const RootSchema = z
  .object({
    service: z.string().meta({ description: 'Name of the service.', example: 'Market Risk Signal Service' }),
    version: z.string().meta({ description: 'Version of the service.', example: '0.1.0' }),
    environment: z
      .enum(['sandbox', 'production'])
      .meta({ description: 'Which of the two environments this service is.' }),
    replay: z.boolean().meta({ description: 'True while past prices are replayed on a set clock.', example: false }),
    time: TimestampSchema.meta({ description: 'Time of the world.' }),
    // For services that do not send the speed, a client measures it.
    speed: z.number().nonnegative().optional().meta({
      description: 'Seconds of the world a second: 1 in real time, 0 while frozen.',
      example: 1,
    }),
    links: z.record(z.string(), z.string()).meta({
      description: 'Name of an endpoint to its path.',
      example: { snapshot: '/snapshot', events: '/events', stream: '/stream', openapi: '/openapi.json', docs: '/docs' },
    }),
  })
  .meta({ id: 'Root', description: 'What this service is, and where things are.' });

/** The answer of every list endpoint. */
export const listOf = <Item extends z.ZodType>(item: Item, cursorExample = 'tLgET-ApwwONxfMbWyJJV00iXQ') =>
  z.object({
    data: z.array(item).meta({ description: 'The rows of this page.' }),
    has_more: z.boolean().meta({ description: 'True when there is another page.', example: true }),
    next_cursor: z.string().nullable().meta({
      description: 'What to send as `after` for the next page; null exactly at the end.',
      example: cursorExample,
    }),
  });
export interface List<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}
