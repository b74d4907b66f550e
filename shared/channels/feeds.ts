// Pure: the channels about the prices of a profile's service, their feeds, and events of a simulated market.
import { z } from 'zod';
import { FeedSchema } from '../wire/feeds.ts';
import { SymbolParamSchema } from '../wire/primitives.ts';
import { PriceAnswerBodySchema } from '../wire/records.ts';
import { intent, query } from './channel.ts';

export const feedChannels = {
  /** Empty: the service has no feeds, or does not report them. */
  'feeds.read': query(z.strictObject({}), z.strictObject({ feeds: z.array(FeedSchema) })),
  /** Pauses or continues the first fetch of history. */
  'feeds.stop_history': intent(z.strictObject({ name: z.string(), stopped: z.boolean() }), z.strictObject({})),
  /** Says what a price is that needs a decision. */
  'prices.answer': intent(
    z.strictObject({ symbol: SymbolParamSchema, date: z.iso.date(), answer: PriceAnswerBodySchema }),
    z.strictObject({}),
  ),
  /** Makes a symbol of a simulated market High Risk, as an event of its own. */
  'sandbox.raise': intent(z.strictObject({ symbol: SymbolParamSchema }), z.strictObject({})),
} as const;
export type FeedChannels = typeof feedChannels;
