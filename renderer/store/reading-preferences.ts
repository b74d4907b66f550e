// Renderer: how the user likes to read: kept with the other preferences. Apart, so that its texts need no storage.
import { z } from 'zod';

/** Sizes of the text, px; the one in the middle is that of the design. */
export const SIZES = [14, 15.5, 16.5, 18, 20, 23, 27] as const;
const SIZE_AT_FIRST = 2;

export const FONTS = ['serif', 'sans', 'hyper'] as const;
export const WIDTHS = ['narrow', 'medium', 'wide'] as const;
export const LEADINGS = ['close', 'normal', 'open'] as const;
export const PAGE_THEMES = ['dark', 'sepia', 'light'] as const;
/** When a briefing that was opened counts as read. */
export const MARK_READ_POLICIES = ['at-once', 'on-screen', 'by-hand'] as const;

// What cannot be read, or was not there when it was written, is as at first.
export const ReadingPreferencesSchema = z.object({
  font: z.enum(FONTS).catch('serif'),
  /** Index in SIZES. */
  size: z
    .number()
    .int()
    .min(0)
    .max(SIZES.length - 1)
    .catch(SIZE_AT_FIRST),
  width: z.enum(WIDTHS).catch('medium'),
  leading: z.enum(LEADINGS).catch('normal'),
  /** null: as the window's theme. */
  pageTheme: z.enum(PAGE_THEMES).nullable().catch(null),
  markRead: z.enum(MARK_READ_POLICIES).catch('on-screen'),
});
export type ReadingPreferences = z.infer<typeof ReadingPreferencesSchema>;
export type MarkReadPolicy = ReadingPreferences['markRead'];
export const DEFAULT_READING_PREFERENCES: ReadingPreferences = ReadingPreferencesSchema.parse({});
