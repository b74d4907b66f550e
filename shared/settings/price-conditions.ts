// Pure: conditions of alert rules on prices, and their evaluation (docs/decisions/alerts.md).
import { z } from 'zod';
import { ASSET_CLASSES } from '../domain/instruments.ts';
import { SymbolSchema, TimestampSchema } from '../wire/primitives.ts';

export const CHANGE_MINUTES = { least: 5, most: 1440 };
export const CHANGE_PERCENT = { least: 0.1, most: 1000 };

export const PriceConditionSchema = z.discriminatedUnion('kind', [
  /** above: at or above the level. below: at or below it. either: through it, both ways. */
  z.strictObject({
    kind: z.literal('level'),
    direction: z.enum(['above', 'below', 'either']),
    level: z.number().positive().max(1e9),
  }),
  /** minutes: within this window. null: against the previous close. */
  z.strictObject({
    kind: z.literal('change'),
    direction: z.enum(['up', 'down']),
    percent: z.number().min(CHANGE_PERCENT.least).max(CHANGE_PERCENT.most),
    minutes: z.number().int().min(CHANGE_MINUTES.least).max(CHANGE_MINUTES.most).nullable(),
  }),
]);
export type PriceCondition = z.infer<typeof PriceConditionSchema>;

/** A current price of a symbol. */
export interface Quote {
  readonly price: number;
  /** Percent against the previous close; null: not known. */
  readonly changePercent: number | null;
  /** World time of the price, ms. */
  readonly at: number;
}

/** A crossing: a price met a condition, as the ledger stores it. */
export const CrossingSchema = z.strictObject({
  rule: z.string().min(1).max(40),
  symbol: SymbolSchema,
  asset_class: z.enum(ASSET_CLASSES).nullable(),
  condition: PriceConditionSchema,
  /** Of the price. */
  direction: z.enum(['up', 'down']),
  price: z.number().positive(),
  /** Absent: not known. */
  currency: z.string().max(10).optional(),
  price_at: TimestampSchema,
  /** Percent of a change; null: the condition is a level. */
  change_pct: z.number().nullable(),
});
export type Crossing = z.infer<typeof CrossingSchema>;

/** Highs and lows of a part of the window: its beginning, world ms, then the low and the high. */
const SampleSchema = z.tuple([z.number(), z.number().positive(), z.number().positive()]);

/** State of a rule and a symbol between two prices. */
export const PriceStateSchema = z.object({
  /** The condition; a change of it resets the state. */
  condition: z.string(),
  /** The condition is met: at or above the level, or as far from the reference as was asked. */
  isBeyond: z.boolean(),
  /** The price was far enough from the level since its side changed. */
  isArmed: z.boolean(),
  /** Last change of side, this computer's clock, ms; part of the id of the next crossing. */
  since: z.number(),
  /** The previous close that a change is measured against; null: none. */
  close: z.number().nullable(),
  samples: z.array(SampleSchema).max(200),
});
export type PriceState = z.infer<typeof PriceStateSchema>;

/** Share of a level that the price must be away from it before it can be notified again. */
export const REARM_LEVEL = 0.005;
/** Share of a change, likewise. */
export const REARM_CHANGE = 0.2;
/** Two previous closes differ where they are further apart than rounding explains, as a share. */
const OTHER_CLOSE = 0.0003;
/** Most parts of a window: each has one high and one low. */
const MAX_SAMPLES = 60;
const MINUTE = 60_000;

export interface Step {
  /** null: unknown, because a reference is missing. */
  readonly state: PriceState | null;
  /** Direction of the price; null: no notification. */
  readonly crossed: 'up' | 'down' | null;
  /** Percent of a change; null: of a level, or unknown. */
  readonly change: number | null;
}

const keyOf = (condition: PriceCondition): string => JSON.stringify(condition);

/**
 * The state after a price, and whether to notify. The first price of a condition never notifies.
 * @param before null: the rule or its condition is new
 * @param now this computer's clock, ms
 */
export function next(before: PriceState | null, condition: PriceCondition, quote: Quote, now: number): Step {
  const known = before?.condition === keyOf(condition) ? before : null;
  const samples = samplesWith(known?.samples ?? [], condition, quote);
  const { distance, band, change, close } = measure(condition, quote, samples);
  if (distance === null) return { state: known, crossed: null, change };
  if (known === null)
    return {
      state: {
        condition: keyOf(condition),
        isBeyond: distance >= 0,
        isArmed: true,
        since: now,
        close,
        samples,
      },
      crossed: null,
      change,
    };
  const isNewDay = known.close !== null && close !== null && Math.abs(close / known.close - 1) > OTHER_CLOSE;
  const kept = { ...known, close: close ?? known.close, samples };
  const from = isNewDay && kept.isBeyond ? { ...kept, isBeyond: false, isArmed: true, since: now } : kept;
  const isBoth = condition.kind === 'level' && condition.direction === 'either';
  const isMet = isBoth && !from.isArmed ? distance >= band : distance >= 0;
  // A price that stays at the level does not cross it.
  const isBack = isBoth && from.isArmed ? distance < 0 : distance <= -band;
  const isFar = Math.abs(distance) >= band;
  if (!from.isBeyond && isMet)
    return {
      state: { ...from, isBeyond: true, isArmed: isFar, since: now },
      crossed: directionCrossed(condition),
      change,
    };
  if (from.isBeyond && isBack)
    return {
      state: { ...from, isBeyond: false, isArmed: isFar, since: now },
      crossed: isBoth ? 'down' : null,
      change,
    };
  return { state: from.isArmed || !isFar ? from : { ...from, isArmed: true }, crossed: null, change };
}

/** The state after a recorded crossing whose state was not stored. */
export function afterCrossing(before: PriceState, now: number): PriceState {
  const isBoth = z.object({ direction: z.literal('either') }).safeParse(JSON.parse(before.condition)).success;
  return { ...before, isBeyond: isBoth ? !before.isBeyond : true, isArmed: false, since: now, close: null };
}

/** Whether a price already meets the condition, so that the rule waits until it moves away. null: unknown. */
export function isMetBy(condition: PriceCondition, quote: Quote): boolean | null {
  if (condition.kind === 'level' && condition.direction === 'either') return false;
  const { distance } = measure(condition, quote, samplesWith([], condition, quote));
  return distance === null ? null : distance >= 0;
}

/** The price, or the change in percent, at which a met condition can be notified again. */
export function rearmAt(condition: PriceCondition): number {
  if (condition.kind === 'change')
    return (condition.direction === 'up' ? 1 : -1) * condition.percent * (1 - REARM_CHANGE);
  return condition.level * (condition.direction === 'below' ? 1 + REARM_LEVEL : 1 - REARM_LEVEL);
}

const directionCrossed = ({ direction }: PriceCondition): 'up' | 'down' =>
  direction === 'below' || direction === 'down' ? 'down' : 'up';

interface Measurement {
  /** Distance beyond the level, in its unit; negative: not reached. null: no reference. */
  readonly distance: number | null;
  /** Distance from the level after which it can notify again. */
  readonly band: number;
  readonly change: number | null;
  readonly close: number | null;
}

function measure(condition: PriceCondition, quote: Quote, samples: PriceState['samples']): Measurement {
  if (condition.kind === 'level') {
    const { level, direction } = condition;
    const above = quote.price - level;
    return {
      distance: direction === 'below' ? -above : above,
      band: level * REARM_LEVEL,
      change: null,
      close: null,
    };
  }
  const { direction, percent, minutes } = condition;
  const change = minutes === null ? quote.changePercent : changeWithin(samples, quote.price, direction);
  const close = minutes === null && change !== null ? quote.price / (1 + change / 100) : null;
  const distance = change === null ? null : (direction === 'up' ? change : -change) - percent;
  return { distance, band: percent * REARM_CHANGE, change, close };
}

/** Percent from the lowest, or the highest, price of the window. */
function changeWithin(samples: PriceState['samples'], price: number, direction: 'up' | 'down'): number {
  const from =
    direction === 'up'
      ? samples.reduce((least, [, low]) => Math.min(least, low), price)
      : samples.reduce((most, [, , high]) => Math.max(most, high), price);
  return (price / from - 1) * 100;
}

function samplesWith(samples: PriceState['samples'], condition: PriceCondition, quote: Quote): PriceState['samples'] {
  if (condition.kind === 'level' || condition.minutes === null) return [];
  const { at, price } = quote;
  const length = condition.minutes * MINUTE;
  const part = Math.max(MINUTE, Math.ceil(length / MAX_SAMPLES));
  // A part that began before the window may hold prices of it alone: it leaves as a whole.
  const kept = samples.filter(([from]) => from > at - length && from <= at);
  const last = kept.at(-1);
  if (last === undefined || at - last[0] >= part) return [...kept, [at, price, price]];
  return [...kept.slice(0, -1), [last[0], Math.min(last[1], price), Math.max(last[2], price)]];
}

/** The fields of a watchlist row that prices need. */
interface PricedRow {
  readonly stale: boolean;
  readonly signal: {
    readonly price: number | null;
    readonly change_pct: number | null;
    readonly updated_at: string | null;
    readonly data_health?: string | undefined;
  } | null;
  readonly quote?:
    | { readonly price: number; readonly change_pct: number | null; readonly at: string | null; readonly old: boolean }
    | undefined;
  readonly received_at: string | null;
}

/** Data health of usable prices. */
const USABLE: readonly (string | undefined)[] = [undefined, 'current', 'delayed', 'question'];

/** The price of a row. stale: too old for a decision. none: no price. */
export function quoteOf({ signal, quote, stale, received_at }: PricedRow): Quote | 'stale' | 'none' {
  const price = signal?.price ?? quote?.price ?? null;
  const at = (signal === null ? quote?.at : signal.updated_at) ?? received_at;
  if (price === null || at === null) return 'none';
  if (stale || quote?.old === true || !USABLE.includes(signal?.data_health)) return 'stale';
  return {
    price,
    changePercent: (signal === null ? quote?.change_pct : signal.change_pct) ?? null,
    at: Date.parse(at),
  };
}
