// Main, core: the shape of a sender to one kind of channel, and what all of them share.
import { createHash } from 'node:crypto';
import type { Clock } from '../../../../shared/lib/clock.ts';
import type { NotificationChannel } from '../../../../shared/settings/alert-rules.ts';
import type { ChannelMessage, FetchLike } from '../../ports.ts';

/** Resolves, with what the other side said, when it took the message. @throws Error with a message for the user when it did not */
export type ChannelSender<Kind extends NotificationChannel['kind']> = (
  channel: Extract<NotificationChannel, { readonly kind: Kind }>,
  message: ChannelMessage,
  secret: string | null,
  network: { readonly fetch: FetchLike; readonly clock: Clock },
) => Promise<string>;

/** Longest wait for an answer, ms: below the time after which a dispatch is tried again. */
export const TIMEOUT = 10_000;

/** The same for every attempt, so that the other side can tell a repetition. ntfy takes 64 letters, digits, dashes. */
export const sequenceOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32);
