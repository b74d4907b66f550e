// Main, core: sends a notification to its channel, with the channel's secret.

import { refused } from '../../../shared/channels/channel.ts';
import type { CalendarOf } from '../../../shared/domain/sessions.ts';
import type { SoundName } from '../../../shared/settings/alert-rules.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { dispatchId } from '../ledger/notification-ids.ts';
import type { SentNotification } from '../ledger/notification-settlement.ts';
import type { PendingNotification } from '../ledger/notifications.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { NotificationRequest, Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { WorldClock } from '../time/world-clock.ts';
import type { AnswerTokens } from './answer-tokens.ts';
import type { ChannelStore } from './channel-store.ts';
import type { ChannelPorts, ChannelRequest, Delivery, Destination, SettledNotification } from './channels/channel.ts';
import { channelOf } from './channels/channels.ts';
import type { Offers } from './offers.ts';
import { hasOpenEvent } from './open-events.ts';
import { createPictureSender } from './picture-sender.ts';
import type { DispatchPolicy } from './policy.ts';
import { createReceivers } from './receivers.ts';
import { createRequestComposer, type SignalSource } from './request-composer.ts';
import type { RuleStore } from './rule-store.ts';
import { soundOf } from './sound-choice.ts';

export interface NotificationSenderOptions {
  readonly ledger: Pick<Ledger, 'notifications' | 'entries' | 'annotations' | 'trace' | 'transaction'>;
  readonly policy: Pick<DispatchPolicy, 'snoozedBy'>;
  readonly ruleStore: Pick<RuleStore, 'get' | 'zone' | 'grouping'>;
  readonly channelStore: Pick<ChannelStore, 'get'>;
  /** Ids of the watchlists that have the symbol. */
  readonly profile: Profile;
  readonly calendarOf: CalendarOf;
  readonly ports: Pick<Ports, 'vault' | 'settings' | 'logger'> & ChannelPorts;
  readonly pictures: Pick<Pictures, 'of' | 'isAvailable'>;
  readonly signals: SignalSource;
  readonly world: Pick<WorldClock, 'at' | 'isKnown' | 'now' | 'view'>;
  /** An open window plays the sound of an alert, so that the desktop need not. */
  readonly windows: { isOpen(): boolean };
  readonly offers: Pick<Offers, 'add' | 'withdraw'>;
  readonly tokens: AnswerTokens;
}

/** The outcome of a dispatch; dropped: the channel is gone. */
export type DeliveryResult = Delivery | (Omit<Delivery, 'outcome'> & { readonly outcome: 'dropped' });

export interface NotificationSender {
  /**
   * Sends it under the same id, with a new text for every attempt. Rejects when no receiver accepted it.
   * @param signal aborted when the attempt is over: no request begins after it, one by fetch is ended; mail has its own
   *   limit, and what was handed to the desktop stays there
   */
  deliver(notification: PendingNotification, signal: AbortSignal): Promise<DeliveryResult>;
  /** True when its channel no longer retries a notification of this age. */
  isExpired(notification: PendingNotification, now: number): boolean;
  /**
   * Sends a test to a channel. Rejects with a RefusedError when there is none, or it was not accepted.
   */
  test(channel: string): Promise<Message>;
  /** Whether the receiver of this channel can be told that somebody dealt with a notification. */
  canSettle(channel: string): boolean;
  /**
   * Tells a receiver that somebody dealt with a notification; rejects when it did not answer.
   * @returns false: it cannot be told, because the channel is gone or the receiver refused it
   */
  settle(sent: SentNotification, settled: Omit<SettledNotification, 'title'>): Promise<boolean>;
  /** A user changed the secret of a channel: the next attempt reads it again. */
  forgetSecret(account: string): void;
  /** Ends the pictures that are on their way. */
  stop(): void;
  /** Shows a notification on the desktop again, with its sound. */
  sound(id: string): Promise<void>;
  /** Shows a test on the desktop that plays this sound. */
  testSound(name: SoundName): Promise<DesktopSound>;
}

export interface DesktopSound {
  readonly isShown: boolean;
  /** True when the desktop plays sounds; absent: unknown. */
  readonly plays?: boolean | undefined;
}

const DESKTOP: Destination = { kind: 'desktop' };

export function createNotificationSender(options: NotificationSenderOptions): NotificationSender {
  const { ledger, ruleStore, channelStore, profile, ports, windows, offers, tokens } = options;
  const composer = createRequestComposer({ ...options, settings: ports.settings });
  const receivers = createReceivers({ ports, profile: profile.name, channelStore });
  const pictureSender = createPictureSender({ ...options, ...ports, receivers });
  const destinationOf = ({ channel }: Pick<PendingNotification, 'channel'>): Destination | null =>
    channel === DESKTOP.kind ? DESKTOP : (channelStore.get(channel)?.destination ?? null);

  /** Adds the sound of its rules. */
  const audible = (request: NotificationRequest, isByDesktop: boolean): NotificationRequest => {
    const sound = soundOf(ledger.notifications.rulesOf(request.id), ruleStore);
    if (request.silent || sound === null) return request;
    return isByDesktop ? { ...request, sound: sound.name } : { ...request, silent: true };
  };
  /** Adds what a phone answers by, and the message of its earlier revision. */
  const answerable = (request: NotificationRequest, { id }: PendingNotification): ChannelRequest => {
    const receipt = ledger.notifications.receiptOf(id);
    return { ...request, answerToken: tokens.of(request.id), ...(receipt === null ? {} : { receipt }) };
  };

  return {
    async deliver(notification, signal) {
      // Somebody may have dealt with it since the step was due, or while its receiver was away.
      if (notification.step > 0 && !hasOpenEvent(options, dispatchId(notification)))
        return { outcome: 'dropped', detail: message('delivery.settled') };
      // In a transaction: a digest may name thousands of events.
      const request = ledger.transaction(() => {
        const built = composer.requestOf(notification);
        return notification.channel === DESKTOP.kind
          ? audible(built, !windows.isOpen())
          : answerable(built, notification);
      });
      const destination = destinationOf(notification);
      if (destination === null) return { outcome: 'dropped', detail: message('delivery.no_channel') };
      const picture = await pictureSender.before(notification, destination, request);
      const illustrated = picture === null ? request : { ...request, picture };
      const delivery = await receivers.send(notification.channel, destination, illustrated, signal);
      if (delivery.receipt !== undefined) ledger.notifications.setReceipt(notification.id, delivery.receipt);
      pictureSender.after(notification, destination, request, delivery);
      if (delivery.outcome === 'away') offers.add(notification, request);
      else if (destination === DESKTOP) offers.withdraw(notification.id);
      return delivery;
    },
    isExpired(notification, now) {
      const destination = destinationOf(notification);
      return destination !== null && now - notification.since > channelOf(destination).retriedFor;
    },
    async test(id) {
      const destination = channelStore.get(id)?.destination;
      if (destination === undefined) throw refused(message('channel.unknown', { id }));
      return (await receivers.send(id, destination, composer.testRequest(id))).detail ?? plainMessage('');
    },
    canSettle: receivers.canSettle,
    async settle(sent, settled) {
      await pictureSender.idle(sent.id);
      const notification = ledger.notifications.byId(sent.id);
      if (notification === null) return false;
      const { title } = ledger.transaction(() => composer.requestOf(notification));
      return receivers.settle(sent.channel, { ...settled, title, receipt: sent.receipt });
    },
    forgetSecret: receivers.forgetSecret,
    stop: pictureSender.stop,
    async sound(id) {
      const notification = ledger.notifications.byId(id);
      if (notification === null) return;
      await ports.notifier.show(ledger.transaction(() => audible(composer.requestOf(notification), true)));
    },
    async testSound(name) {
      const request = { ...composer.testRequest('sound'), silent: false, sound: name };
      const outcome = await ports.notifier.show(request);
      return outcome.tier === 'system' ? { isShown: true, plays: outcome.plays } : { isShown: false };
    },
  };
}
