// Service, Alpaca: schemas of its market data, trading calendar and stream, as far as used.
import { z } from 'zod';
import { soundRows } from '../read-json.ts';

const InstantSchema = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'is no time')
  .transform((text) => Date.parse(text));
const DateSchema = z.iso.date();
/** null on the last page. */
const PageTokenSchema = z.string().nullish();

const BarSchema = z.object({
  /** Start. */
  t: InstantSchema,
  o: z.number(),
  h: z.number(),
  l: z.number(),
  c: z.number(),
  v: z.number().nonnegative(),
});
export type AlpacaBar = z.infer<typeof BarSchema>;

export const BarsSchema = z.object({
  // null for symbols without any.
  bars: z.record(z.string(), z.array(BarSchema)).nullish(),
  next_page_token: PageTokenSchema,
});

/** The newest bar of each symbol; the content is not used. */
export const LatestSchema = z.object({ bars: z.record(z.string(), z.unknown()).nullish() });

/** RFC 3339. */
export const ClockSchema = z.object({ timestamp: InstantSchema, next_close: InstantSchema });

const AssetSchema = z.object({ symbol: z.string(), name: z.string(), status: z.string() });
export const AssetsSchema = z.array(AssetSchema);
export { AssetSchema };
export type Asset = z.infer<typeof AssetSchema>;

const RateSchema = z.number().positive();
const SplitSchema = z.object({
  symbol: z.string(),
  new_rate: RateSchema,
  old_rate: RateSchema,
  ex_date: DateSchema,
  /** Only for reverse splits, and mostly empty. */
  new_symbol: z.string().optional(),
});
const EffectiveMerger = z.object({
  acquiree_symbol: z.string(),
  acquirer_symbol: z.string().optional(),
  effective_date: DateSchema,
});
export const ActionsSchema = z.object({
  corporate_actions: z.object({
    forward_splits: soundRows(SplitSchema),
    reverse_splits: soundRows(SplitSchema),
    stock_dividends: soundRows(z.object({ symbol: z.string(), rate: RateSchema, ex_date: DateSchema })),
    cash_dividends: soundRows(z.object({ symbol: z.string(), rate: RateSchema, ex_date: DateSchema })),
    unit_splits: soundRows(z.object({ old_symbol: z.string(), new_symbol: z.string(), effective_date: DateSchema })),
    name_changes: soundRows(z.object({ old_symbol: z.string(), new_symbol: z.string(), process_date: DateSchema })),
    cash_mergers: soundRows(EffectiveMerger),
    stock_mergers: soundRows(EffectiveMerger),
    stock_and_cash_mergers: soundRows(EffectiveMerger),
    worthless_removals: soundRows(z.object({ symbol: z.string(), process_date: DateSchema })),
  }),
  next_page_token: PageTokenSchema,
});
export type CorporateActions = z.infer<typeof ActionsSchema>['corporate_actions'];

const StreamBarSchema = BarSchema.extend({ S: z.string() });
const KnownSchema = z.discriminatedUnion('T', [
  z.object({ T: z.literal('success'), msg: z.string() }),
  z.object({ T: z.literal('error'), code: z.number(), msg: z.string() }),
  z.object({ T: z.literal('subscription') }),
  // A finished minute, and one that late trades changed.
  StreamBarSchema.extend({ T: z.literal('b') }),
  StreamBarSchema.extend({ T: z.literal('u') }),
  z.object({
    T: z.literal('s'),
    S: z.string(),
    /** Code, by tape. */
    sc: z.string(),
    sm: z.string().default(''),
    /** Reason. */
    rm: z.string().default(''),
    t: InstantSchema,
    /** Tape: A, B (New York) or C, O (Nasdaq). */
    z: z.string().default(''),
  }),
]);
const KNOWN: readonly string[] = ['success', 'error', 'subscription', 'b', 'u', 's'];
/** Messages of channels without a subscription. */
const OtherSchema = z
  .object({ T: z.string().refine((type) => !KNOWN.includes(type)) })
  .transform(() => ({ T: 'other' as const }));
/** A message is a list of these. */
export const StreamSchema = z.array(z.union([KnownSchema, OtherSchema]));
export type StreamMessage = z.infer<typeof StreamSchema>[number];
export type StatusMessage = Extract<StreamMessage, { T: 's' }>;
