// Renderer: the user's reading preferences; a separate file, so that its texts need no storage.
import { z } from 'zod';

/** Sizes of the text, px; the middle one is that of the design. */
export const SIZES = [14, 15.5, 16.5, 18, 20, 23, 27] as const;
const SIZE_AT_FIRST = 2;

export const FONTS = ['serif', 'sans', 'hyper'] as const;
export const WIDTHS = ['narrow', 'medium', 'wide'] as const;
export const LEADINGS = ['close', 'normal', 'open'] as const;
export const PAGE_THEMES = ['dark', 'sepia', 'light'] as const;
/** When the app marks an opened briefing as read. */
export const MARK_READ_POLICIES = ['at-once', 'on-screen', 'by-hand'] as const;

// Unreadable and missing values become defaults.
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
  /** null: follows the window's theme. */
  pageTheme: z.enum(PAGE_THEMES).nullable().catch(null),
  markRead: z.enum(MARK_READ_POLICIES).catch('on-screen'),
});
export type ReadingPreferences = z.infer<typeof ReadingPreferencesSchema>;
export const DEFAULT_READING_PREFERENCES: ReadingPreferences = ReadingPreferencesSchema.parse({});
