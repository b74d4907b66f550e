// Pure: the channels about the feeds of prices of a profile's service.
import { z } from 'zod';
import { FeedSchema } from '../wire/feeds.ts';
import { intent, query } from './channel.ts';

export const feedChannels = {
  /** Empty where the service has none, or does not say. */
  'feeds.read': query(z.strictObject({}), z.strictObject({ feeds: z.array(FeedSchema) })),
  /** Stops the first fetch of history, or lets it go on. */
  'feeds.stop_history': intent(z.strictObject({ name: z.string(), stopped: z.boolean() }), z.strictObject({})),
} as const;
export type FeedChannels = typeof feedChannels;
