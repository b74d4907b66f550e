// Pure: the routes of a window: targets of tabs, links, search results and notification clicks.
import { z } from 'zod';

/** Pages, in the order of their keys: first those with a tab of their own, in its order. */
export const PAGE_IDS = ['watch', 'alerts', 'briefings', 'record', 'settings', 'news'] as const;
export type PageId = (typeof PAGE_IDS)[number];

export const WindowRouteSchema = z.strictObject({
  page: z.enum(PAGE_IDS),
  /**
   * What to show there: a symbol (watch), a ledger id (alerts), an id (briefings, news), a section
   * (settings); null: the page itself.
   */
  item: z.string().min(1).max(200).nullable(),
});
export type WindowRoute = z.infer<typeof WindowRouteSchema>;
