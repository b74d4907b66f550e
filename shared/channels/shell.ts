// Pure: the channels about the program that shows the windows: what it does at login and when they close, and its updates. The same behind every
// window; answered by the shell. A shell that cannot do something says so, and why.
import { z } from 'zod';
import { TimestampSchema } from '../wire/primitives.ts';
import { intent, push, query } from './channel.ts';

const nothing = z.strictObject({});

/** A switch: how it stands, or why there is none here. */
const SwitchSchema = z.discriminatedUnion('can', [
  z.strictObject({ can: z.literal(true), on: z.boolean() }),
  z.strictObject({ can: z.literal(false), why: z.string() }),
]);
export type Switch = z.infer<typeof SwitchSchema>;

/**
 * unknown: never checked. checking: now. current: nothing newer. available: there is a newer one, which this program does not install by itself.
 * loading, ready: it is being fetched; it is installed at the next end. failed: it did not work, and `message` says how.
 */
export const UPDATE_STATUSES = ['unknown', 'checking', 'current', 'available', 'loading', 'ready', 'failed'] as const;
const UpdateSchema = z.strictObject({
  status: z.enum(UPDATE_STATUSES),
  /** The newer one. */
  version: z.string().max(64).nullable(),
  message: z.string(),
  /** Where it can be had by hand; null: there is no such place. */
  link: z.url({ protocol: /^https$/ }).nullable(),
  /** This computer's clock. */
  checked_at: TimestampSchema.nullable(),
});
export type UpdateView = z.infer<typeof UpdateSchema>;

export const ShellViewSchema = z.strictObject({
  /** desktop: the application. browser: pages in a browser, the monitor in a program behind them. */
  kind: z.enum(['desktop', 'browser']),
  version: z.string(),
  /** Start without a window when the user logs in. */
  start_at_login: SwitchSchema,
  /** Go on in the tray when the last window closes. */
  close_to_tray: SwitchSchema,
  /** Check once a day. Off until it is switched on: nothing is sent anywhere before. */
  check_for_updates: SwitchSchema,
  update: UpdateSchema,
  /** What went wrong with the program itself in this run, newest first: "A window crashed and was loaded again." */
  errors: z.array(z.strictObject({ at: TimestampSchema, message: z.string() })),
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
  /** Refused, with the reason, where this shell cannot. */
  'shell.save': intent(ShellSettingsRequestSchema, nothing),
  /** check: asks now, once. install: ends the program and installs what is ready. */
  'shell.update': intent(z.strictObject({ act: z.enum(['check', 'install']) }), nothing),
} as const;
export type ShellChannels = typeof shellChannels;
