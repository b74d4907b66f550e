// Service, Binance: schemas of the used parts of its messages.
import { z } from 'zod';

/** Prices and volumes come as strings. */
const NumberSchema = z.string().transform(Number).pipe(z.number());
const PriceSchema = z.string().transform(Number).pipe(z.number().positive());

export const TimeSchema = z.object({ serverTime: z.number() });

export const ExchangeSchema = z.object({
  symbols: z.array(z.object({ symbol: z.string(), status: z.string(), baseAsset: z.string(), quoteAsset: z.string() })),
});
export type Pair = z.infer<typeof ExchangeSchema>['symbols'][number];

/** Start, open, high, low, close, volume, end (its last ms); more follows. */
const KlineRowSchema = z
  .tuple([z.number(), PriceSchema, PriceSchema, PriceSchema, PriceSchema, NumberSchema, z.number()])
  .rest(z.unknown());
export const KlinesSchema = z.array(KlineRowSchema);
export type KlineRow = z.infer<typeof KlineRowSchema>;

const KlineSchema = z.object({
  t: z.number(),
  T: z.number(),
  s: z.string(),
  i: z.string(),
  o: PriceSchema,
  h: PriceSchema,
  l: PriceSchema,
  c: PriceSchema,
  v: NumberSchema,
  x: z.boolean(),
});
export type Kline = z.infer<typeof KlineSchema>;

const EventSchema = z.union([
  z.object({ e: z.literal('kline'), k: KlineSchema }),
  z.object({ e: z.literal('serverShutdown') }),
]);
/** Events of combined streams, answers to requests, and errors. */
export const MessageSchema = z.union([
  z.object({ stream: z.string(), data: EventSchema }),
  EventSchema,
  z.object({ result: z.null(), id: z.unknown() }),
  z.object({ error: z.object({ msg: z.string() }) }),
  z.object({ code: z.number(), msg: z.string() }),
]);
