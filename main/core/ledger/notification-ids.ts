// Main, core: builds and parses the ids of notifications, which derive from the ids of events.
import type { NotificationKind } from './notification-queue.ts';

/** Prefixes of notifications about no event; blind and drill: of earlier versions. */
const KINDS_ABOUT_NO_EVENT = 'outage|self-test|ledger|settings|rule|test|profile|blind|drill';
const ABOUT_NO_EVENT = new RegExp(`^barograph:(${KINDS_ABOUT_NO_EVENT})(:|$)`);
/** Escaped at the beginning of an event's id, which would pass for the id of another kind. */
const RESERVED = new RegExp(`^(${KINDS_ABOUT_NO_EVENT}|digest|again)(?=:|$)`);
const REPEAT = /:again:\d+$/;

/**
 * Stable: derived from the event alone, so that a crash, a restart or a repeat names the same notification. A
 * service chooses the ids of its events freely: what has a meaning in ours (`@channel`, `#revision`, `digest:`,
 * `:again:1`) is written as %HEX, so that no two events share one.
 */
export const notificationId = (eventId: string): string =>
  `barograph:${eventId
    .replace(/[%@#]/g, hexOf)
    .replace(RESERVED, (word) => `${hexOf(word)}${word.slice(1)}`)
    .replace(REPEAT, (end) => `${hexOf(end)}${end.slice(1)}`)}`;

/** Percent-encodes the first character. */
const hexOf = (text: string): string => `%${text.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Id of a repeat at the end of a mute: derived from the event and the mute, so that each end has one
 * notification.
 */
export const againId = (eventId: string, mute: number): string => `${notificationId(eventId)}:again:${mute}`;
/** For a repeat, the id of the event's notification; any other id unchanged. */
export const repeatedId = (id: string): string => id.replace(REPEAT, '');

export const isAboutNoEvent = (id: string): boolean => ABOUT_NO_EVENT.test(id);

/**
 * The id under which a row is dispatched. `ID@channel` is ID on a channel, `ID@channel@5` a step of its escalation; the
 * rows of an outage, ID, `ID@2` and `ID@back`, replace one another on the desktop.
 */
export function dispatchId({ id, kind, channel }: NotificationRowId): string {
  if (kind === 'outage') return id.split('@')[0] ?? id;
  return channel === 'desktop' ? id : id.slice(0, id.lastIndexOf(`@${channel}`));
}

export interface NotificationRowId {
  readonly id: string;
  readonly kind: NotificationKind;
  /** "desktop", or the id of its channel. */
  readonly channel: string;
}
