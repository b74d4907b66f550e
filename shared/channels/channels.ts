// Pure: the table of channels between a window and the core. Nothing else names a channel.
import { z } from 'zod';
import { WatchlistSchema } from '../domain/watchlists.ts';
import { SymbolParamSchema } from '../wire/primitives.ts';
import { intent, push, query } from './channel.ts';
import { NumberedChangesSchema, SnapshotSchema, TimelineSchema } from './state.ts';

const nothing = z.strictObject({});

export const channels = {
  /** Subscribe to `state.changed` first, then take one snapshot. */
  'state.snapshot': query(nothing, SnapshotSchema),
  'state.changed': push(NumberedChangesSchema),
  'timeline.read': query(z.strictObject({ symbol: SymbolParamSchema }), TimelineSchema),
  'watchlist.select': intent(z.strictObject({ symbol: SymbolParamSchema }), nothing),
  'watchlist.save': intent(z.strictObject({ watchlist: WatchlistSchema }), nothing),
  /** Tries to connect now instead of at the end of the wait. */
  'connection.retry': intent(nothing, nothing),
} as const;
export type Channels = typeof channels;
