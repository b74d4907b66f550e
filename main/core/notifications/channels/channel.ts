// Main, core: the interface of a notification channel, and helpers that channels share.

import { createHash } from 'node:crypto';
import { RefusedError, refused } from '../../../../shared/channels/channel.ts';
import type { ChannelDestination } from '../../../../shared/settings/notification-channels/channels.ts';
import { type Message, message } from '../../../../shared/text/message.ts';
import { withoutEcho } from '../../compat/echo.ts';
import type { Picture } from '../../pictures/pictures.ts';
import type { NotificationRequest, Ports } from '../../ports.ts';

/** Destination of a notification: the desktop, or that of a channel. */
export type Destination = { readonly kind: 'desktop' } | ChannelDestination;
export type DestinationOf<Kind extends Destination['kind']> = Extract<Destination, { readonly kind: Kind }>;

/** The answer of a receiver. away: the desktop shows nothing now; the notification stays pending. */
export interface Delivery {
  readonly outcome: 'shown' | 'sent' | 'away';
  readonly detail: Message | null;
  /** The receiver's name of the message, to change it later. */
  readonly receipt?: string;
}

/** The end of a notification: somebody dealt with it. */
export interface SettledNotification {
  readonly id: string;
  readonly settlement: 'acknowledged' | 'over';
  /** What became of it. */
  readonly text: string;
  /** Of the notification. */
  readonly title: string;
}

/** A notification for a channel. */
export interface ChannelRequest extends NotificationRequest {
  /** Names it in an answer from a phone; absent: it cannot be answered. */
  readonly answerToken?: string;
  /** The message of an earlier revision; absent: there is none. */
  readonly receipt?: string;
  /** Where the channel waits for it; absent: it could not be made. */
  readonly picture?: Picture;
}

export interface Channel<Kind extends Destination['kind']> {
  /** Longest time of retries, ms. */
  readonly retriedFor: number;
  /** The receiver that owns a secret; no other receiver gets it. null: this channel has no secret. */
  secretOwner(destination: DestinationOf<Kind>): string | null;
  /**
   * Resolves when the receiver accepted the notification, rejects with a RefusedError for the user when it did
   * not. One that grew comes again under its id, with a higher `revision`. `secret` is null where there is none,
   * or no keychain.
   */
  send(
    destination: DestinationOf<Kind>,
    notification: ChannelRequest,
    secret: string | null,
    ports: ChannelPorts,
  ): Promise<Delivery>;
  /** Absent: `addPicture` adds one for every destination. */
  takesPicture?(destination: DestinationOf<Kind>): boolean;
  /** `send` adds the picture: a message that was sent can get none. */
  readonly waitsForPicture?: true;
  /**
   * Adds a picture to the message that was sent. Rejects as `send` does. Absent: its messages get none afterwards.
   * @param receipt the receiver's name of the message; null: it has none
   */
  addPicture?(
    destination: DestinationOf<Kind>,
    added: { readonly notification: ChannelRequest; readonly picture: Picture; readonly receipt: string | null },
    secret: string | null,
    ports: ChannelPorts,
  ): Promise<void>;
  /** Tells the receiver that somebody dealt with it. Absent: it cannot be told. */
  settle?(
    destination: DestinationOf<Kind>,
    settled: SettledNotification & { readonly receipt: string | null },
    secret: string | null,
    ports: ChannelPorts,
  ): Promise<void>;
}
export type ChannelPorts = Pick<Ports, 'fetch' | 'clock' | 'notifier'>;

/** A refusal of a receiver that asks for a pause before the next attempt. */
export class PausedError extends RefusedError {
  /** ms */
  readonly pause: number;
  constructor(why: Message, pause: number) {
    super({ code: 'refused', message: why });
    this.pause = pause;
  }
}
/** The pause that a refusal asks for, ms. */
export const pauseOf = (error: unknown): number => (error instanceof PausedError ? error.pause : 0);

/** @throws RefusedError when there is none */
export function requiredSecret(secret: string | null): string {
  if (secret === null) throw refused(message('delivery.secret_missing'));
  return secret;
}

/** Value for `retriedFor`: after a day, the notification is out of date. */
export const ONE_DAY = 24 * 3_600_000;

/** Deadline of an answer, ms: shorter than the delay of a retry. */
export const TIMEOUT = 10_000;
/** Most bytes read of a refusal. */
export const MAX_ANSWER = 4096;
/** Most characters shown of a refusal. */
const MAX_SHOWN = 200;

/**
 * The text of a refusal for the user. Removes the secret before shortening, which may cut it beyond
 * recognition.
 * @param isCut `text` may end within the secret
 */
export const shownRefusal = (text: string, secret: string | null, isCut = false): string =>
  withoutEcho(text, secret, isCut).slice(0, MAX_SHOWN);

/** Shortens to what a receiver takes. */
export const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** For receivers that read tags: a text from outside has none. */
export const withoutTags = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Text of a notification that has no body. */
export const bodyOf = ({ title, body }: Pick<NotificationRequest, 'title' | 'body'>): string =>
  body === '' ? title : body;

/**
 * An id that is the same for every attempt, so that the receiver recognizes a repeat. ntfy allows 64 letters,
 * digits and dashes.
 */
export const sequenceOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32);
