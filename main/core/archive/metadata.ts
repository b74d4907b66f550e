// Main, core: the named values that the archive stores.
import type { Metadata } from '../files/metadata.ts';

/**
 * briefings_path: the path of this service's briefings.
 * briefings_walked, news_walked: "yes" after an uninterrupted read of the list down to the retention.
 * briefings_full: this computer's time, ms, of the last reading of the whole list.
 * read_before: world time, ISO. Items published before it count as read until the user changes them: a first
 * start shows no backlog.
 * flags_restored: "yes" once the flags of earlier files were looked for.
 * checked, backup: of the last check of the archive and the last backup, as the view shows them, JSON.
 * maintained: day of the last daily round, this computer's clock, YYYY-MM-DD.
 */
export type ArchiveMetadata = Metadata<
  | 'briefings_path'
  | 'briefings_walked'
  | 'briefings_full'
  | 'news_walked'
  | 'read_before'
  | 'flags_restored'
  | 'checked'
  | 'backup'
  | 'maintained'
>;
