// Main, host: notifications.jsonl: one durable line per dispatched notification.
// The line is on disk before the core learns of the dispatch. It contains the desktop's handle, so that a
// restart replaces the same notification and does not show it twice.
import { closeSync, existsSync, fdatasync, fstatSync, readSync, write } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { openPrivateFile, syncFolder } from '../core/files/private-file.ts';
import type { NotificationOutcome, NotificationRequest, Notifier } from '../core/ports.ts';

/** The handle of a notification. Its number is valid for that one service on that one bus only. */
const DesktopHandleSchema = z.object({ bus: z.string(), owner: z.string(), number: z.number().int().positive() });
export type DesktopHandle = z.infer<typeof DesktopHandleSchema>;

const NotificationRecordSchema = z.object({
  at: z.string(),
  /** The notification id: stable for ever. */
  id: z.string(),
  profile: z.string(),
  title: z.string(),
  body: z.string(),
  urgency: z.enum(['low', 'normal', 'critical']),
  tier: z.enum(['system', 'in_app']),
  outcome: z.enum(['shown', 'in_app', 'failed']),
  detail: z.string(),
  /** True when an earlier line has the same id: this one replaces it. */
  replaces: z.boolean().optional(),
  /** Of a digest: the ids under which its alerts would have been notified alone. */
  names: z.array(z.string()).readonly().optional(),
  desktop: DesktopHandleSchema.optional(),
});
type NotificationRecord = z.infer<typeof NotificationRecordSchema>;

/** Two profiles may notify the same event of one service: on the desktop these are two notifications. */
export interface ShellRequest extends NotificationRequest {
  readonly profile: string;
}

/** A notifier of a shell: may return the desktop's handle for this notification. */
export interface ShellNotifier {
  show(
    request: ShellRequest,
    before: DesktopHandle | null,
  ): Promise<NotificationOutcome & { readonly desktop?: DesktopHandle }>;
  status: Notifier['status'];
}

export interface NotificationLog {
  /** The core's notifier for one profile: dispatches, writes the line, then answers. */
  notifierOf(profile: string, shell: ShellNotifier): Notifier;
  /** The notification with this handle, also of an earlier run; null for a foreign one. */
  find(handle: DesktopHandle): { readonly profile: string; readonly id: string } | null;
  /** Waits for the last line and closes the file. */
  close(): Promise<void>;
}

/** How far back the start searches for handles, bytes. Older ones have left the screen long ago. */
const TAIL = 256 * 1024;

const writeAsync = promisify(write);
const syncAsync = promisify(fdatasync);

export function openNotificationLog(dataFolder: string, clock: Clock): NotificationLog {
  const path = join(dataFolder, 'notifications.jsonl');
  const isNew = !existsSync(path);
  const file = openPrivateFile(path, 'a+');
  if (isNew) syncFolder(dataFolder);
  const tail = readTail(file);
  const handles = new Map<string, DesktopHandle | null>();
  for (const line of tail.lines) handles.set(nameOf(line), line.desktop ?? null);
  let last: Promise<unknown> = Promise.resolve();

  const append = (line: NotificationRecord): Promise<void> => {
    const text = `${JSON.stringify(line)}\n`;
    // Ends a truncated line first, so that this one stays readable.
    const lead = tail.torn ? '\n' : '';
    tail.torn = false;
    const written = last.then(async () => {
      try {
        await writeAsync(file, lead + text);
        await syncAsync(file);
      } catch (error) {
        tail.torn = true;
        throw error;
      }
    });
    last = written.catch(() => undefined);
    return written;
  };

  return {
    notifierOf: (profile, shell) => ({
      async show(request) {
        const { id, title, body, urgency, names } = request;
        const name = nameOf({ id, profile });
        const seen = handles.get(name);
        const line = {
          id,
          profile,
          title,
          body,
          urgency,
          ...(seen === undefined ? {} : { replaces: true }),
          ...(names === undefined ? {} : { names }),
        };
        const at = (): string => timestamp(clock.now());
        try {
          const { tier, detail, desktop } = await shell.show({ ...request, profile }, seen ?? null);
          handles.set(name, desktop ?? null);
          const outcome = tier === 'system' ? 'shown' : 'in_app';
          await append({ at: at(), ...line, tier, outcome, detail, ...(desktop === undefined ? {} : { desktop }) });
          return { tier, detail };
        } catch (error) {
          await append({ at: at(), ...line, tier: 'in_app', outcome: 'failed', detail: messageOf(error) });
          throw error;
        }
      },
      status: () => shell.status(),
    }),
    find({ bus, owner, number }) {
      for (const [name, handle] of handles)
        if (handle !== null && handle.number === number && handle.owner === owner && handle.bus === bus) {
          const cut = name.indexOf('/');
          return { profile: name.slice(0, cut), id: name.slice(cut + 1) };
        }
      return null;
    },
    async close() {
      await last;
      closeSync(file);
    },
  };
}

const nameOf = ({ id, profile }: { id: string; profile: string }): string => `${profile}/${id}`;

function readTail(file: number): { lines: NotificationRecord[]; torn: boolean } {
  const { size } = fstatSync(file);
  const bytes = Buffer.alloc(Math.min(size, TAIL));
  readSync(file, bytes, 0, bytes.length, size - bytes.length);
  const text = bytes.toString('utf8');
  const lines = text.split('\n').flatMap((line) => {
    try {
      const parsed = NotificationRecordSchema.safeParse(JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
  return { lines, torn: text !== '' && !text.endsWith('\n') };
}
