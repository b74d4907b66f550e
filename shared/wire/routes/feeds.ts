// Pure: endpoints of price feeds, for the operator of the service (extensions).

import { z } from 'zod';
import { FeedHistoryBodySchema, FeedSchema } from '../feeds.ts';
import { listOf } from '../records.ts';
import { get, idParam, nothing, route } from './parameters.ts';

export const feedRoutes = {
  feeds: route({
    ...get,
    path: '/feeds',
    summary: 'Feeds of prices: whether they answer, budget, last error, progress of their history (extension)',
    query: nothing,
    reply: listOf(FeedSchema),
    errors: ['invalid_request'],
  }),
  setFeedHistory: route({
    ...get,
    method: 'POST',
    access: 'account',
    path: '/feeds/:name/history',
    summary: 'Stops the first fetch of history of a feed, or lets it go on where it was (extension)',
    params: z.object({ name: idParam(60, 'alpaca') }),
    query: nothing,
    body: FeedHistoryBodySchema,
    reply: FeedSchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
} as const;
