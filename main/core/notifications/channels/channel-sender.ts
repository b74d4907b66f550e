// Main, core: the shape of a channel's sender, and helpers that all senders share.
import { createHash } from 'node:crypto';
import type { Clock } from '../../../../shared/lib/clock.ts';
import type { NotificationChannel } from '../../../../shared/settings/alert-rules.ts';
import type { ChannelMessage, FetchLike } from '../../ports.ts';

/**
 * Resolves, with the receiver's answer, when it accepted the message. @throws Error with a message for the
 * user when it did not
 */
export type ChannelSender<Kind extends NotificationChannel['kind']> = (
  channel: Extract<NotificationChannel, { readonly kind: Kind }>,
  message: ChannelMessage,
  secret: string | null,
  network: { readonly fetch: FetchLike; readonly clock: Clock },
) => Promise<string>;

/** Deadline of an answer, ms: shorter than the delay of a retry. */
export const TIMEOUT = 10_000;

/**
 * The same for every attempt, so that the receiver recognizes a repeat. ntfy allows 64 letters, digits,
 * dashes.
 */
export const sequenceOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32);
