// Pure: the records that the service emits (CONTRACT, "Records"). Fields are only ever added within v1, so clients keep unknown ones.
import { z } from 'zod';
import { ASSET_CLASSES } from '../domain/instruments.ts';
import { SymbolSchema, TimestampSchema } from './primitives.ts';

export const StateSchema = z.union([z.literal(0), z.literal(1), z.literal(2)]);
export const StateNameSchema = z.enum(['normal', 'elevated', 'high_risk']);
export const AssetClassSchema = z.enum(ASSET_CLASSES);
/** Percent, one decimal (CONTRACT 2). */
export const PercentSchema = z.number().min(0).max(100);

/** The present signal of one instrument: GET /signal, rows of GET /snapshot. */
export const SignalSchema = z.object({
  symbol: SymbolSchema,
  name: z.string(),
  asset_class: AssetClassSchema,
  state: StateSchema,
  state_name: StateNameSchema,
  /** Calibrated probability in percent: in Elevated and High Risk that the warned event follows, in Normal that none does. */
  confidence: PercentSchema.nullable(),
  note: z.string(),
  /** When the present state was entered. */
  since: TimestampSchema,
  regime: z.string().nullable(),
  price: z.number().positive(),
  /** Percent against the previous session's close. */
  change_pct: z.number().nullable(),
  /** Percent: how often the warned event follows any bar. */
  base_rate: PercentSchema.nullable(),
  decided_at: TimestampSchema,
  next_decision_at: TimestampSchema,
  updated_at: TimestampSchema,
  model_version: z.string(),
});
export type Signal = z.infer<typeof SignalSchema>;

/** One session day of one symbol: GET /history, oldest first; the last row may be the forming day. */
export const HistoryPointSchema = z.object({
  symbol: SymbolSchema,
  timestamp: TimestampSchema,
  state: StateSchema,
  state_name: StateNameSchema,
  confidence: PercentSchema.nullable(),
  regime: z.string().nullable(),
  price: z.number().positive(),
});
export type HistoryPoint = z.infer<typeof HistoryPointSchema>;

/** One change of state: rows of GET /alert-transitions, newest first, and the data of signal.* events. */
export const TransitionSchema = z.object({
  event_id: z.string().min(1).max(128),
  symbol: SymbolSchema,
  asset_class: AssetClassSchema,
  from_state: StateSchema,
  to_state: StateSchema,
  state_name: StateNameSchema,
  regime: z.string().nullable(),
  confidence: PercentSchema.nullable(),
  note: z.string(),
  occurred_at: TimestampSchema,
  model_version: z.string(),
});
export type Transition = z.infer<typeof TransitionSchema>;

export const HealthSchema = z.object({ status: z.literal('ok') });

/** GET /: what this service is, and where things are. */
export const RootSchema = z.object({
  service: z.string(),
  version: z.string(),
  environment: z.enum(['sandbox', 'production']),
  /** Present while the service replays past prices on a set clock; every client marks it REPLAY. */
  replay: z.boolean(),
  /** World time of the answer. */
  time: TimestampSchema,
  /** World seconds a second: 1 in real time, 0 while frozen. A client measures it where it is not told. */
  speed: z.number().nonnegative().optional(),
  links: z.record(z.string(), z.string()),
});

/** What every list endpoint answers (specification, section 2.4; CONTRACT 8, 10). */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() });
export interface List<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}
