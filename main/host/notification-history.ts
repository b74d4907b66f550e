// Main, host: reads the notified events from notifications.jsonl, for a ledger that was lost.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { refuseOtherKind } from '../core/files/private-file.ts';
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

/**
 * @param profile the profile whose notifications are read; none without a file
 * @returns null where the file cannot be read
 */
export function readNotificationHistory(dataFolder: string, profile: string): NotificationHistory | null {
  let lines: string;
  try {
    lines = readEnd(join(dataFolder, NOTIFICATIONS_NAME), MAX_READ);
  } catch {
    return null;
  }
  const shown = new Set<string>();
  const open = new Set<string>();
  let newest: number | null = null;
  for (const text of lines.split('\n')) {
    const line = LineSchema.safeParse(parsedJson(text)).data;
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

/** null where the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * At most the last `most` bytes of the file as text; empty without a file.
 * @throws NotAFileError, and errors of the file system
 */
export function readEnd(path: string, most: number): string {
  if (!existsSync(path)) return '';
  refuseOtherKind(path);
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, most));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}
