// Pure: the table of channels between a window and the core. Nothing else names a channel.
import { z } from 'zod';
import { WatchlistSchema, WatchlistsSchema } from '../domain/watchlists.ts';
import { WindowRouteSchema } from '../domain/window-routes.ts';
import { SymbolParamSchema, TimestampSchema } from '../wire/primitives.ts';
import { alertingChannels } from './alerting.ts';
import { archiveChannels } from './archive.ts';
import { intent, push, query } from './channel.ts';
import { connectionChannels } from './connection.ts';
import { deskChannels } from './desk.ts';
import { feedChannels } from './feeds.ts';
import { keyChannels } from './keys.ts';
import { ledgerChannels } from './ledger.ts';
import { priceAlertChannels } from './price-alerts.ts';
import { type ProfileChannels, profileChannels } from './profiles.ts';
import {
  EpisodeListSchema,
  FactorPageSchema,
  FactorSheetSchema,
  GranularitySchema,
  HighRiskDaysSchema,
  InstrumentsSchema,
  MAX_OPEN_EPISODES,
  OpenEpisodeSchema,
  RegimeNowSchema,
  RegimePageSchema,
  StateDaySchema,
  StateDaysSchema,
  TimelineListSchema,
  TimelineSchema,
  ValidationRecordSchema,
} from './queries.ts';
import { relayChannels } from './relay.ts';
import { scheduledChannels } from './scheduled.ts';
import { selfTestChannels } from './self-test.ts';
import { type ShellChannels, shellChannels } from './shell.ts';
import { NumberedChangesSchema, SnapshotSchema } from './state.ts';
import { subscriptionChannels } from './subscriptions.ts';
import { worthChannels } from './worth.ts';

const nothing = z.strictObject({});
const WatchlistEditSchema = z.strictObject({
  /** Id or name of the list; null: the one that a window shows at first. */
  list: z.string().trim().min(1).max(80).nullable(),
  /** Name of the section that gets added symbols, made where the list has none; null: the first. */
  section: z.string().trim().min(1).max(80).nullable(),
  add: z.array(SymbolParamSchema).max(500),
  remove: z.array(SymbolParamSchema).max(500),
});

export const channels = {
  /** Subscribe to `state.changed` first, then take one snapshot. */
  'state.snapshot': query(nothing, SnapshotSchema),
  'state.changed': push(NumberedChangesSchema),
  'timeline.read': query(z.strictObject({ symbol: SymbolParamSchema }), TimelineSchema),
  /** Price, breach line and states of ninety days, for the clipboard; as base64. */
  'picture.make': intent(z.strictObject({ symbol: SymbolParamSchema }), z.strictObject({ png: z.base64() })),
  /** Refused where none is known. */
  'timelines.read': query(z.strictObject({ symbols: z.array(SymbolParamSchema).min(1).max(500) }), TimelineListSchema),
  'factors.read': query(z.strictObject({ symbol: SymbolParamSchema }), FactorSheetSchema),
  /** A page of the powers since an instant; `after` is the last page's `next`. */
  'factors.page': query(
    z.strictObject({ symbol: SymbolParamSchema, from: TimestampSchema, after: z.string().nullable() }),
    FactorPageSchema,
  ),
  /** `at`: as of that instant; without it now. */
  'regime.read': query(z.strictObject({ symbol: SymbolParamSchema, at: TimestampSchema.optional() }), RegimeNowSchema),
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
  /** The service's episodes that were open then, and maybe others of the symbols. */
  'episodes.read': query(
    z.strictObject({ open: z.array(OpenEpisodeSchema).min(1).max(MAX_OPEN_EPISODES) }),
    EpisodeListSchema,
  ),
  /** The states of each day and symbol, from the ledger, before it from the service's history. */
  'states.days': query(z.strictObject({ symbols: z.array(SymbolParamSchema) }), StateDaysSchema),
  'states.day': query(z.strictObject({ symbols: z.array(SymbolParamSchema), day: z.iso.date() }), StateDaySchema),
  'states.highRisk': query(z.strictObject({ symbols: z.array(SymbolParamSchema) }), HighRiskDaysSchema),
  'validation.read': query(nothing, ValidationRecordSchema),
  'instruments.read': query(nothing, InstrumentsSchema),
  'watchlist.select': intent(z.strictObject({ symbol: SymbolParamSchema }), nothing),
  /** All lists in their order; a list that is missing here is deleted. */
  'watchlist.save': intent(z.strictObject({ watchlists: WatchlistsSchema }), nothing),
  /** Adds symbols to one list, or removes them; answers the list. Other edits of the lists stay. */
  'watchlist.edit': intent(WatchlistEditSchema, WatchlistSchema),
  /** Asks the window to show a page: a deep link, a click on a notification or on the tray. */
  'route.requested': push(WindowRouteSchema),
  ...alertingChannels,
  ...priceAlertChannels,
  ...scheduledChannels,
  ...deskChannels,
  ...archiveChannels,
  ...connectionChannels,
  ...selfTestChannels,
  ...feedChannels,
  ...keyChannels,
  ...ledgerChannels,
  ...relayChannels,
  ...subscriptionChannels,
  ...worthChannels,
  ...profileChannels,
  ...shellChannels,
} as const;
export type Channels = typeof channels;
/**
 * Channels that the core of a profile answers; the application answers the others, which concern all
 * profiles.
 */
export type CoreChannels = Omit<Channels, keyof ProfileChannels | keyof ShellChannels>;
