// Pure: the notification channels besides the desktop. A new kind is a file here, a row here, and its sender in
// main/core/notifications/channels.
import { z } from 'zod';
import { err, ok, type Result } from '../../lib/result.ts';
import { ChannelIdSchema } from './channel-id.ts';
import type { ChannelField, ChannelKind } from './channel-kind.ts';
import { discord } from './discord.ts';
import { mail } from './mail.ts';
import { ntfy } from './ntfy.ts';
import { pagerduty } from './pagerduty.ts';
import { pushover } from './pushover.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

/** Where a channel leads. Its secret is in the keychain, never here. */
export const ChannelDestinationSchema = z.discriminatedUnion('kind', [
  ntfy.schema,
  telegram.schema,
  slack.schema,
  discord.schema,
  teams.schema,
  pagerduty.schema,
  pushover.schema,
  mail.schema,
  webhook.schema,
]);
export type ChannelDestination = z.infer<typeof ChannelDestinationSchema>;
export type ChannelKindName = ChannelDestination['kind'];

export const CHANNEL_KINDS: Readonly<Record<ChannelKindName, ChannelKind>> = {
  ntfy,
  telegram,
  slack,
  discord,
  teams,
  pagerduty,
  pushover,
  mail,
  webhook,
};

/** A channel, set up once; rules name it by its id. */
export const NotificationChannelSchema = z.strictObject({
  id: ChannelIdSchema,
  name: z.string().trim().min(1).max(60),
  destination: ChannelDestinationSchema,
});
export type NotificationChannel = z.infer<typeof NotificationChannelSchema>;

/** The members of a destination as a form has them. */
export interface DestinationDraft {
  readonly texts: Readonly<Record<string, string>>;
  readonly checks: Readonly<Record<string, boolean>>;
}

/** @param destination null: a new one of that kind */
export function destinationDraft(kind: ChannelKindName, destination: ChannelDestination | null): DestinationDraft {
  const known: Readonly<Record<string, unknown>> = destination ?? {};
  const members = CHANNEL_KINDS[kind].fields.map(({ name, initial, type }) => ({
    name,
    // A settings file of an earlier version lacks later ones.
    value: destination === null ? initial : (known[name] ?? (type === 'check' ? initial : '')),
  }));
  return {
    texts: Object.fromEntries(
      members.flatMap(({ name, value }) => (typeof value === 'boolean' ? [] : [[name, String(value)]])),
    ),
    checks: Object.fromEntries(
      members.flatMap(({ name, value }) => (typeof value === 'boolean' ? [[name, value]] : [])),
    ),
  };
}

/** Reads what was typed. @returns the destination, or the problem of each text */
export function destinationIn(
  kind: ChannelKindName,
  { texts, checks }: DestinationDraft,
): Result<ChannelDestination, Readonly<Record<string, string>>> {
  const { fields, schema } = CHANNEL_KINDS[kind];
  const memberOf = ({ name, type }: ChannelField): unknown => {
    if (type === 'check') return checks[name] ?? false;
    const text = texts[name]?.trim() ?? '';
    if (type === 'number') return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    const isOptional = text === '' && schema.shape[name]?.safeParse(null).success === true;
    return isOptional ? null : text;
  };
  const members = Object.fromEntries(fields.map((field) => [field.name, memberOf(field)]));
  const read = ChannelDestinationSchema.safeParse({ kind, ...members });
  if (read.success) return ok(read.data);
  const problems = read.error.issues.map(({ path: [name], code, message }) => [
    String(name),
    code === 'custom' ? message : (fields.find((field) => field.name === name)?.problem ?? message),
  ]);
  return err(Object.fromEntries(problems));
}
