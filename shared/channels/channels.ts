// Pure: the table of channels between a window and the core. Nothing else names a channel.
import { z } from 'zod';
import { PlaceSchema } from '../domain/places.ts';
import { WatchlistsSchema } from '../domain/watchlists.ts';
import { SymbolParamSchema, TimestampSchema } from '../wire/primitives.ts';
import { alertingChannels } from './alerting.ts';
import { intent, push, query } from './channel.ts';
import { drillChannels } from './drill.ts';
import { keyChannels } from './keys.ts';
import { FactorPageSchema, FactorSheetSchema, GranularitySchema, RegimePageSchema, ValidationRecordSchema } from './readings.ts';
import { relayChannels } from './relay.ts';
import { NumberedChangesSchema, SnapshotSchema, TimelineSchema } from './state.ts';

const nothing = z.strictObject({});

export const channels = {
  /** Subscribe to `state.changed` first, then take one snapshot. */
  'state.snapshot': query(nothing, SnapshotSchema),
  'state.changed': push(NumberedChangesSchema),
  'timeline.read': query(z.strictObject({ symbol: SymbolParamSchema }), TimelineSchema),
  'factors.read': query(z.strictObject({ symbol: SymbolParamSchema }), FactorSheetSchema),
  /** A page of the powers since a moment; `after` is the last page's `next`. */
  'factors.page': query(
    z.strictObject({ symbol: SymbolParamSchema, from: TimestampSchema, after: z.string().nullable() }),
    FactorPageSchema,
  ),
  'regime.page': query(
    z.strictObject({
      symbol: SymbolParamSchema,
      granularity: GranularitySchema,
      from: TimestampSchema,
      to: TimestampSchema,
      after: z.string().nullable(),
    }),
    RegimePageSchema,
  ),
  'validation.read': query(nothing, ValidationRecordSchema),
  'watchlist.select': intent(z.strictObject({ symbol: SymbolParamSchema }), nothing),
  /** All lists, in their order: what is not among them is deleted. */
  'watchlist.save': intent(z.strictObject({ watchlists: WatchlistsSchema }), nothing),
  /** The shell was asked to show something: a deep link, a click on a notification or on the tray. */
  'place.asked': push(PlaceSchema),
  /** Tries to connect now instead of at the end of the wait. */
  'connection.retry': intent(nothing, nothing),
  ...alertingChannels,
  ...drillChannels,
  ...keyChannels,
  ...relayChannels,
} as const;
export type Channels = typeof channels;
