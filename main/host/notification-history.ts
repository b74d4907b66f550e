// Main, host: reads the notified events from notifications.jsonl, for a ledger that was lost.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAboutNoEvent, repeatedId } from '../core/ledger/notification-ids.ts';
import type { NotificationHistory } from '../core/ports.ts';

/** Name of the log of notifications in the data folder. */
export const NOTIFICATIONS_NAME = 'notifications.jsonl';
/** Id of the line that ends the history of a profile: it was removed with its files. */
export const REMOVED_ID = 'barograph:profile:removed';

/** Bytes from the end that are read: some forty thousand notifications. */
const MAX_READ = 16 * 1024 * 1024;

const LineSchema = z.object({
  at: z.string(),
  id: z.string(),
  profile: z.string(),
  outcome: z.string(),
  names: z.array(z.string()).optional(),
});

/** @param profile the profile whose notifications are read; none without a file */
export function readNotificationHistory(dataFolder: string, profile: string): NotificationHistory {
  const shown = new Set<string>();
  const open = new Set<string>();
  let newest: number | null = null;
  for (const text of readEnd(join(dataFolder, NOTIFICATIONS_NAME)).split('\n')) {
    const line = parsed(text);
    if (line?.profile !== profile) continue;
    if (line.id === REMOVED_ID) {
      shown.clear();
      open.clear();
      newest = null;
    }
    if (isAboutNoEvent(line.id)) continue;
    for (const name of [line.id, ...(line.names ?? [])].map(repeatedId)) {
      if (line.outcome !== 'shown') {
        if (!shown.has(name)) open.add(name);
        continue;
      }
      shown.add(name);
      open.delete(name);
    }
    const at = Date.parse(line.at);
    if (line.outcome === 'shown' && !Number.isNaN(at)) newest = Math.max(newest ?? at, at);
  }
  return { shown, open, newest };
}

function parsed(text: string): z.infer<typeof LineSchema> | null {
  try {
    return LineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function readEnd(path: string): string {
  if (!existsSync(path)) return '';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MAX_READ));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}
