// Pure: the table of endpoints, one row each; no other file names a path.
import { accountRoutes } from './routes/account.ts';
import { archiveRoutes } from './routes/archive.ts';
import { deskRoutes } from './routes/desk.ts';
import { eventRoutes } from './routes/events.ts';
import { factorRoutes } from './routes/factors.ts';
import { feedRoutes } from './routes/feeds.ts';
import { signalRoutes } from './routes/signals.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export const routes = {
  ...signalRoutes,
  ...factorRoutes,
  ...archiveRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...accountRoutes,
  ...feedRoutes,
  ...deskRoutes,
} as const;

export type RouteName = keyof typeof routes;
