// Pure: channels about the program that shows the windows: start at login, closing, updates.
// The shell answers them, for every window. It refuses unsupported requests with a reason.
import { z } from 'zod';
import { MessageSchema } from '../text/message.ts';
import { TimestampSchema } from '../wire/primitives.ts';
import { intent, push, query } from './channel.ts';

const nothing = z.strictObject({});

/** A switch: its current state, or why this shell has none. */
const SwitchSchema = z.discriminatedUnion('can', [
  z.strictObject({ can: z.literal(true), on: z.boolean() }),
  z.strictObject({ can: z.literal(false), why: MessageSchema }),
]);
export type Switch = z.infer<typeof SwitchSchema>;

/**
 * unknown: never checked. checking: in progress. current: no newer version. available: a newer version, which
 * this program cannot install itself. loading: downloading. ready: the program installs it when it ends.
 * failed: `message` has the reason.
 */
export const UPDATE_STATUSES = ['unknown', 'checking', 'current', 'available', 'loading', 'ready', 'failed'] as const;
const UpdateSchema = z.strictObject({
  status: z.enum(UPDATE_STATUSES),
  /** Version of the update. */
  version: z.string().max(64).nullable(),
  /** null: the status suffices. */
  message: MessageSchema.nullable(),
  /** Download address, or null. */
  link: z.url({ protocol: /^https$/ }).nullable(),
  /** This computer's time. */
  checked_at: TimestampSchema.nullable(),
});
export type UpdateView = z.infer<typeof UpdateSchema>;

export const ShellViewSchema = z.strictObject({
  /** desktop: the application. browser: pages in a browser, the monitor in a program behind them. */
  kind: z.enum(['desktop', 'browser']),
  version: z.string(),
  /** Start without a window at login. */
  start_at_login: SwitchSchema,
  /** Keep running in the tray when the last window closes. */
  close_to_tray: SwitchSchema,
  /** Check once a day. Off by default: the program sends nothing before the user turns it on. */
  check_for_updates: SwitchSchema,
  update: UpdateSchema,
  /** Where the desktop application is being fetched, or was in this run: how far it is, or its outcome. */
  electron: MessageSchema.nullable(),
  /** Errors of the program itself in this run, newest first: "A window crashed and was loaded again." */
  errors: z.array(z.strictObject({ at: TimestampSchema, message: MessageSchema })),
});
export type ShellView = z.infer<typeof ShellViewSchema>;

export const ShellSettingsRequestSchema = z.strictObject({
  start_at_login: z.boolean().optional(),
  close_to_tray: z.boolean().optional(),
  check_for_updates: z.boolean().optional(),
});
export type ShellSettingsRequest = z.infer<typeof ShellSettingsRequestSchema>;

export const shellChannels = {
  'shell.read': query(nothing, ShellViewSchema),
  'shell.changed': push(ShellViewSchema),
  /** Refused with a reason if this shell does not support it. */
  'shell.save': intent(ShellSettingsRequestSchema, nothing),
  /** check: checks once, now. install: ends the program and installs the update. */
  'shell.update': intent(z.strictObject({ act: z.enum(['check', 'install']) }), nothing),
} as const;
export type ShellChannels = typeof shellChannels;
