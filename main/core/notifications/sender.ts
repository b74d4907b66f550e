// Main, core: sends a notification to its channel, with the channel's secret.
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import type { NotificationChannel, SoundName } from '../../../shared/settings/alert-rules.ts';
import { type Message, message, plainMessage, textOf } from '../../../shared/text/message.ts';
import { messageWithoutEcho } from '../compat/echo.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PendingNotification } from '../ledger/notifications.ts';
import type { NotificationRequest, Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { WorldClock } from '../time/world-clock.ts';
import type { ChannelPorts, Delivery, Destination } from './channels/channel.ts';
import { channelOf } from './channels/channels.ts';
import type { Offers } from './offers.ts';
import { createRequestComposer, type SignalSource } from './request-composer.ts';
import type { RuleStore } from './rule-store.ts';
import { soundOf } from './sound-choice.ts';

export interface NotificationSenderOptions {
  readonly ledger: Pick<Ledger, 'notifications' | 'entries' | 'transaction'>;
  readonly ruleStore: Pick<RuleStore, 'get' | 'zone' | 'grouping'>;
  /** Ids of the watchlists that have the symbol. */
  readonly listsOf: (symbol: string) => readonly string[];
  readonly profile: Profile;
  readonly ports: Pick<Ports, 'vault' | 'settings'> & ChannelPorts;
  readonly signals: SignalSource;
  readonly world: Pick<WorldClock, 'at' | 'isKnown' | 'now' | 'view'>;
  /** An open window plays the sound of an alert, so that the desktop need not. */
  readonly windows: { isOpen(): boolean };
  readonly offers: Pick<Offers, 'add' | 'withdraw'>;
}

/** The outcome of a dispatch; dropped: the rule no longer has a channel. */
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
   * Sends a test to the channel of a rule. Rejects with a RefusedError when it was not accepted.
   */
  test(rule: string, channel: NotificationChannel): Promise<Message>;
  /** A user changed the secret of a channel: the next attempt reads it again. */
  forgetSecret(account: string): void;
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
/** Wait of an attempt for a secret, ms: with the timeout of a channel, it is below the deadline of an attempt. */
const SECRET_LIMIT = 4_000;
/** Pause before a secret that could not be read is read again for a receiver that does without, ms. */
const UNREAD_FOR = 60_000;

type Secret = Result<string | null, string>;

/**
 * The keychain's name for the secret of a channel; null: it has none. The prefix keeps its old name: keychain
 * items cannot be listed, so they cannot be renamed.
 */
export function secretAccount(rule: string, destination: Destination): string | null {
  const owner = channelOf(destination).secretOwner(destination);
  return owner === null ? null : `outlet:${rule}:${owner}`;
}

export function createNotificationSender(options: NotificationSenderOptions): NotificationSender {
  const { ledger, ruleStore, profile, ports, windows, offers } = options;
  const composer = createRequestComposer({ ...options, settings: ports.settings });

  const secretOf = (account: string): Promise<Secret> =>
    ports.vault.getPassword(profile.name, account).then(ok, (error) => err(messageOf(error)));
  const questions = new Map<string, Promise<Secret>>();
  /**
   * Secrets that a receiver accepted, until it refuses or a user changes them: a keychain is a process for every
   * question, and an alert would wait 50 ms for it. A receiver may accept a message without the secret that
   * could not be read; the next try to read it is a minute later.
   */
  const accepted = new Map<string, { readonly secret: Secret; readonly until: number }>();
  /** Attempts share the question that the vault has not answered: a keyring may show a dialog at each. */
  const secretInTime = (account: string): Promise<Secret> => {
    const question = questions.get(account) ?? secretOf(account).finally(() => questions.delete(account));
    questions.set(account, question);
    return new Promise((resolve) => {
      const late = textOf(message('delivery.secret_late', { seconds: SECRET_LIMIT / 1000 }));
      const cancel = ports.clock.after(SECRET_LIMIT, () => resolve(err(late)));
      void question.then((secret) => {
        cancel();
        resolve(secret);
      });
    });
  };
  /**
   * Sends without a secret when the keychain fails: many channels need none, and others refuse.
   * @param attempt its end; absent: a test, which waits for the user to unlock the keychain
   */
  const send = async (
    rule: string,
    destination: Destination,
    request: NotificationRequest,
    attempt?: AbortSignal,
  ): Promise<Delivery> => {
    const channel = channelOf(destination);
    const account = secretAccount(rule, destination);
    const channelPorts = attempt === undefined ? ports : endingWith(attempt, ports);
    if (account === null) return channel.send(destination, request, null, channelPorts);
    const known = attempt === undefined ? undefined : accepted.get(account);
    const secret =
      known !== undefined && ports.clock.now() < known.until
        ? known.secret
        : await (attempt === undefined ? secretOf(account) : secretInTime(account));
    attempt?.throwIfAborted();
    try {
      const delivery = await channel.send(destination, request, secret.ok ? secret.value : null, channelPorts);
      const until = secret.ok ? Number.POSITIVE_INFINITY : ports.clock.now() + UNREAD_FOR;
      if (secret !== known?.secret) accepted.set(account, { secret, until });
      return delivery;
    } catch (error) {
      accepted.delete(account);
      // A receiver or the error of a library may echo the secret.
      if (secret.ok) throw refused(messageWithoutEcho(messageFrom(error), secret.value));
      throw refused(message('delivery.without_secret', { why: messageFrom(error), secret: secret.error }));
    }
  };
  const destinationOf = ({ channel }: Pick<PendingNotification, 'channel'>): Destination | null =>
    channel === DESKTOP.kind ? DESKTOP : (ruleStore.get(channel)?.channel ?? null);

  /** Adds the sound of its rules. */
  const audible = (request: NotificationRequest, isByDesktop: boolean): NotificationRequest => {
    const sound = soundOf(ledger.notifications.rulesOf(request.id), ruleStore);
    if (request.silent || sound === null) return request;
    return isByDesktop ? { ...request, sound: sound.name } : { ...request, silent: true };
  };

  return {
    async deliver(notification, signal) {
      // In a transaction: a digest may name thousands of events.
      const request = ledger.transaction(() => {
        const built = composer.requestOf(notification);
        return notification.channel === DESKTOP.kind ? audible(built, !windows.isOpen()) : built;
      });
      const destination = destinationOf(notification);
      if (destination === null) return { outcome: 'dropped', detail: message('delivery.no_channel') };
      const delivery = await send(notification.channel, destination, request, signal);
      if (delivery.outcome === 'away') offers.add(notification, request);
      else if (destination === DESKTOP) offers.withdraw(notification.id);
      return delivery;
    },
    isExpired(notification, now) {
      const destination = destinationOf(notification);
      return destination !== null && now - notification.since > channelOf(destination).retriedFor;
    },
    async test(rule, channel) {
      return (await send(rule, channel, composer.testRequest(rule))).detail ?? plainMessage('');
    },
    forgetSecret: (account) => void accepted.delete(account),
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

/** Aborts the requests of an attempt at its end. */
const endingWith = (attempt: AbortSignal, { fetch, clock, notifier }: ChannelPorts): ChannelPorts => ({
  fetch: (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.any([attempt, ...(init?.signal ? [init.signal] : [])]) }),
  clock,
  notifier,
});
