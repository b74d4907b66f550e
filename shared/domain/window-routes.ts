// Pure: the places of a window: what a tab, a link, a hit of the search or a click on a notification leads to.
import { z } from 'zod';

/** Pages, in the order of their tabs. */
export const PAGE_IDS = [
  'watch',
  'alerts',
  'briefings',
  'news',
  'validation',
  'webhooks',
  'connection',
  'settings',
] as const;
export type PageId = (typeof PAGE_IDS)[number];

export const WindowRouteSchema = z.strictObject({
  page: z.enum(PAGE_IDS),
  /** What is to be shown there: a symbol (watch), a ledger id (alerts), an id (briefings, news), a section (settings); null: the page as it is. */
  item: z.string().min(1).max(200).nullable(),
});
export type WindowRoute = z.infer<typeof WindowRouteSchema>;
