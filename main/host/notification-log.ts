// Main, host: notifications.jsonl: one durable line per dispatched notification.
// The line is on disk before the core learns of the dispatch. It contains the desktop's handle, so that a
// restart replaces the same notification and does not show it twice. A full disk stops no notification:
// unwritten lines stay in memory until a later write succeeds.

import { closeSync, existsSync, fdatasync, fstatSync, readSync, write } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { textOf } from '../../shared/text/message.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { fileProblem, openPrivateFile, syncFolder } from '../core/files/private-file.ts';
import type { NotificationOutcome, NotificationRequest, Notifier } from '../core/ports.ts';
import {
  NOTIFICATIONS_NAME,
  parsedJson,
  REMOVED_ID,
  readEnd,
  readNotificationHistory,
} from './notification-history.ts';

/** The handle of a notification. Its number is valid for this service on this bus only. */
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
  /** For a digest, the ids under which its alerts would have been notified alone. */
  names: z.array(z.string()).readonly().optional(),
  desktop: DesktopHandleSchema.optional(),
});
type NotificationRecord = z.infer<typeof NotificationRecordSchema>;

/** Two profiles may notify the same event of one service: on the desktop these are two notifications. */
export interface NotificationName {
  readonly profile: string;
  readonly id: string;
}
/** As one text. The name of a profile has no slash. */
export const nameOf = ({ profile, id }: NotificationName): string => `${profile}/${id}`;
export function readName(text: string): NotificationName | null {
  const cut = text.indexOf('/');
  return cut === -1 ? null : { profile: text.slice(0, cut), id: text.slice(cut + 1) };
}

export interface ShellRequest extends NotificationRequest, NotificationName {}

/** A notifier of a shell: may return the desktop's handle for this notification. */
export interface ShellNotifier {
  show(
    request: ShellRequest,
    before: DesktopHandle | null,
  ): Promise<NotificationOutcome & { readonly desktop?: DesktopHandle }>;
  status: Notifier['status'];
  /**
   * Removes a notification from the screen, also of an earlier run where the desktop still knows its handle.
   * Absent: the shell cannot.
   */
  readonly withdraw?: (notification: NotificationName, handle: DesktopHandle | null) => void;
  readonly onReturn?: NonNullable<Notifier['onReturn']>;
  /** Absent: never. */
  readonly showsPictures?: NonNullable<Notifier['showsPictures']>;
  /** Adds a picture to a notification that is on the screen, without a sound. */
  readonly addPicture?: (request: ShellRequest, handle: DesktopHandle | null, png: Uint8Array) => Promise<void>;
}

export interface NotificationLog {
  /** The core's notifier for one profile: dispatches, writes the line, then answers. */
  notifierOf(profile: string, shell: ShellNotifier): Notifier;
  /** The notification with this handle, also of an earlier run; null for a foreign one. */
  find(handle: DesktopHandle): NotificationName | null;
  /** Withdraws the notifications of a removed profile from the screen. */
  withdrawAll(profile: string, shell: Pick<ShellNotifier, 'withdraw'>): void;
  /** Ends the history of a profile removed with its files: a later profile of its name begins without one. */
  forget(profile: string): Promise<void>;
  /** Reads and writes, once the file can be used, what it could not before. Called once a second. */
  retry(): void;
  /** Waits for the last line and closes the file. */
  close(): Promise<void>;
}

/** How far back the start searches for handles, bytes. Older ones have left the screen long ago. */
const TAIL = 256 * 1024;

/** Most notifications of a removed profile that are withdrawn. */
const MAX_WITHDRAWN = 50;

/** Most lines that wait in memory for the disk. */
const MAX_UNWRITTEN = 1_000;

const writeAsync = promisify(write);
const syncAsync = promisify(fdatasync);

/** Writes bytes at the end of a file. */
type WriteBytes = (file: number, bytes: Buffer) => Promise<{ readonly bytesWritten: number }>;

export function openNotificationLog(
  dataFolder: string,
  clock: Clock,
  writeBytes: WriteBytes = writeAsync,
): NotificationLog {
  const path = join(dataFolder, NOTIFICATIONS_NAME);
  const writer = createLineWriter(path, writeBytes);
  const handles = new Map<string, DesktopHandle | null>();
  /** Until the file can be read, the handles of earlier runs are unknown. */
  let isRead = false;
  const retry = (): void => {
    if (fileProblem(path) !== null) return;
    if (!isRead) readHandles(path, handles);
    isRead = true;
    writer.retry();
  };
  retry();
  const away = new Set<string>();

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
          const outcome = await shell.show({ ...request, profile }, seen ?? null);
          const { tier, detail, desktop } = outcome;
          if (desktop !== undefined || seen === undefined) handles.set(name, desktop ?? null);
          // One line for all attempts of this run without a desktop; a higher revision gets a line of its
          // own.
          const attempt = `${name} ${request.revision ?? 1}`;
          if (tier === 'in_app' && away.has(attempt)) return { tier, detail };
          if (tier === 'in_app') away.add(attempt);
          await writer.append({
            at: at(),
            ...line,
            tier,
            outcome: tier === 'system' ? 'shown' : 'failed',
            detail: detail === null ? '' : textOf(detail),
            ...(desktop === undefined ? {} : { desktop }),
          });
          return outcome.tier === 'system' && outcome.plays !== undefined
            ? { tier: outcome.tier, detail, plays: outcome.plays }
            : { tier, detail };
        } catch (error) {
          await writer.append({ at: at(), ...line, tier: 'in_app', outcome: 'failed', detail: messageOf(error) });
          throw error;
        }
      },
      ...(shell.withdraw === undefined
        ? {}
        : {
            withdraw: (id: string) => shell.withdraw?.({ profile, id }, handles.get(nameOf({ id, profile })) ?? null),
          }),
      ...(shell.showsPictures === undefined ? {} : { showsPictures: shell.showsPictures }),
      addPicture: async (request, png) =>
        shell.addPicture?.({ ...request, profile }, handles.get(nameOf({ id: request.id, profile })) ?? null, png),
      history: () => readNotificationHistory(dataFolder, profile),
      status: () => shell.status(),
      ...(shell.onReturn === undefined ? {} : { onReturn: shell.onReturn }),
    }),
    find({ bus, owner, number }) {
      for (const [name, handle] of handles)
        if (handle !== null && handle.number === number && handle.owner === owner && handle.bus === bus)
          return readName(name);
      return null;
    },
    withdrawAll(profile, shell) {
      const own = [...handles].filter(([name]) => name.startsWith(`${profile}/`));
      // Older notifications have left the screen.
      for (const [name, handle] of own.slice(-MAX_WITHDRAWN))
        shell.withdraw?.({ profile, id: name.slice(profile.length + 1) }, handle);
    },
    forget: (profile) =>
      writer.append({
        at: timestamp(clock.now()),
        id: REMOVED_ID,
        profile,
        title: '',
        body: '',
        urgency: 'low',
        tier: 'in_app',
        outcome: 'in_app',
        detail: 'The profile was removed with its files.',
      }),
    retry,
    close: writer.close,
  };
}

/** Appends lines in order, each on the disk when its promise resolves. */
function createLineWriter(path: string, writeBytes: WriteBytes) {
  let file: number | null = null;
  let torn = false;
  let last: Promise<void> = Promise.resolve();
  /** Oldest first. Objects, because two lines may have the same text. */
  let unwritten: { readonly text: string }[] = [];

  const open = (): number => {
    const isNew = !existsSync(path);
    const opened = openPrivateFile(path, 'a+');
    torn = isTorn(opened);
    if (isNew) syncFolder(dirname(path));
    return opened;
  };
  const writeAll = async (): Promise<void> => {
    const lines = unwritten;
    if (lines.length === 0) return;
    try {
      file ??= open();
      // Ends a truncated line first, so that these stay readable.
      const bytes = Buffer.from(`${torn ? '\n' : ''}${lines.map(({ text }) => text).join('')}`);
      const { bytesWritten } = await writeBytes(file, bytes);
      torn = bytesWritten < bytes.length;
      if (torn) return;
      // During the write, new lines may have come and the oldest may have been dropped.
      const written = new Set(lines);
      unwritten = unwritten.filter((line) => !written.has(line));
      await syncAsync(file);
    } catch {
      // The disk is full or read-only, which the core reports on the desktop.
    }
  };
  return {
    append(line: NotificationRecord): Promise<void> {
      unwritten = [...unwritten, { text: `${JSON.stringify(line)}\n` }].slice(-MAX_UNWRITTEN);
      last = last.then(writeAll);
      return last;
    },
    /** Writes the lines that a problem of the file left in memory. */
    retry(): void {
      if (unwritten.length > 0 && file === null) last = last.then(writeAll);
    },
    /** Waits for the last line and closes the file. */
    async close(): Promise<void> {
      last = last.then(writeAll);
      await last;
      if (file !== null) closeSync(file);
    },
  };
}

/** Whether the file ends within a line. */
function isTorn(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1, '\n');
  if (size > 0) readSync(file, last, 0, 1, size - 1);
  return last.toString() !== '\n';
}

/** Adds the handles of earlier runs; those of this run are newer. */
function readHandles(path: string, handles: Map<string, DesktopHandle | null>): void {
  const found = new Map<string, DesktopHandle | null>();
  for (const text of readEnd(path, TAIL).split('\n')) {
    const line = NotificationRecordSchema.safeParse(parsedJson(text)).data;
    if (line !== undefined) found.set(nameOf(line), line.desktop ?? found.get(nameOf(line)) ?? null);
  }
  for (const [name, handle] of found) if (!handles.has(name)) handles.set(name, handle);
}
