// Main, core: sends one intent to its channel, with a text from the ledger.
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import { err, messageOf, ok } from '../../../shared/lib/result.ts';
import type { NotificationChannel, SoundName } from '../../../shared/settings/alert-rules.ts';
import { DEFAULT_ZONE } from '../../../shared/text/format.ts';
import { type Message, message, plainMessage, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { messageWithoutEcho } from '../echo.ts';
import { assumedOf, type EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Intent } from '../ledger/notifications.ts';
import type { NotificationRequest, Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { WorldClock } from '../world-clock.ts';
import type { ChannelPorts, Delivery, Destination } from './channels/channel.ts';
import { channelOf } from './channels/channels.ts';
import { isLate } from './evaluator.ts';
import { changesUpTo } from './flapping.ts';
import { BURST_PAUSE } from './growth.ts';
import type { RuleStore } from './rule-store.ts';
import { soundOf } from './sound-choice.ts';
import {
  type Digest,
  digestRequest,
  isUnreadable,
  isUnreadableHigh,
  lineOf,
  type NotificationOrigin,
  outageRequest,
  plainRequest,
  requestFor,
  selfTestRequest,
  titleOf,
  unreadableRequest,
} from './text.ts';

export interface NotificationSenderOptions {
  readonly ledger: Pick<Ledger, 'notifications' | 'entries' | 'transaction'>;
  readonly ruleStore: Pick<RuleStore, 'get' | 'zone'>;
  readonly profile: Profile;
  readonly ports: Pick<Ports, 'vault' | 'settings'> & ChannelPorts;
  readonly isReplay: () => boolean;
  readonly world: Pick<WorldClock, 'at' | 'isKnown' | 'now' | 'view'>;
  /** An open window plays the sound of an alert, so that the desktop need not. */
  readonly windows: { isOpen(): boolean };
}

/** The outcome of a dispatch; dropped: its rule has no channel any more. */
export type DeliveryResult = Delivery | (Omit<Delivery, 'outcome'> & { readonly outcome: 'dropped' });

export interface NotificationSender {
  /** Sends it under the same id, with a new text for every attempt. Rejects where no receiver accepted it. */
  deliver(intent: Intent): Promise<DeliveryResult>;
  /** Its channel retries no notification that old. */
  isExpired(intent: Intent, now: number): boolean;
  /**
   * Sends a test to the channel of a rule. Rejects with a RefusedError where it was not accepted.
   */
  test(rule: string, channel: NotificationChannel): Promise<Message>;
  /** Shows a notification on the desktop again, with its sound. */
  sound(id: string): Promise<void>;
  /** Shows a test on the desktop that plays this sound. */
  testSound(name: SoundName): Promise<DesktopSound>;
}

export interface DesktopSound {
  readonly isShown: boolean;
  /** Whether the desktop plays sounds; absent: nobody knows. */
  readonly plays?: boolean | undefined;
}

const DESKTOP: Destination = { kind: 'desktop' };

/**
 * The keychain's name for the secret of a channel; null: it has none. The prefix keeps its old name: keychain
 * items cannot be listed, so they cannot be renamed.
 */
export function secretAccount(rule: string, destination: Destination): string | null {
  const owner = channelOf(destination).secretOwner(destination);
  return owner === null ? null : `outlet:${rule}:${owner}`;
}

export function createNotificationSender(options: NotificationSenderOptions): NotificationSender {
  const { ledger, ruleStore, profile, ports, isReplay, world, windows } = options;

  const originOf = (id: string): NotificationOrigin => {
    const watched = ports.settings.read().profiles.filter(({ enabled }) => enabled);
    // A service that is watched by its address is no profile.
    const isOneOfMany = watched.length > 1 && watched.some(({ name }) => name === profile.name);
    return { id, environment: profile.environment, replay: isReplay(), profile: isOneOfMany ? profile.name : null };
  };
  const entry = (ledgerId: number): EntryRow => {
    const [row] = ledger.entries.byLedgerIds([ledgerId]);
    if (row === undefined) throw new Error(`The ledger has no event ${ledgerId}.`);
    return row;
  };
  /** Delay of the webhook that brought it, world ms; null: in time, unknown, or another source was first. */
  const lateBy = ({
    sources,
    received_ms,
    occurred_s,
  }: Pick<EntryRow, 'sources' | 'received_ms' | 'occurred_s'>): number | null => {
    // After a restart a notification may be sent before the service gave its time.
    if (!world.isKnown()) return null;
    const late = world.at(received_ms) - occurred_s * 1000;
    return sources.split(',')[0] === 'relay' && isLate(late, world) ? late : null;
  };
  const digestOf = (
    id: string,
    revision: number,
  ): Pick<Digest, 'gravest' | 'members' | 'alone' | 'changes' | 'late' | 'others' | 'unreadable'> => {
    // There may be thousands: their bodies are not read.
    const members = ledger.notifications.membersOf(id);
    const others = ledger.entries.byLedgerIds(
      members.flatMap(({ ledger_id, to_state }) => (to_state === null ? [ledger_id] : [])),
    );
    const named = entry(ledger.notifications.gravestOf(id));
    const alone = revision > 1 ? ledger.notifications.aloneBefore(id, BURST_PAUSE) : [];
    const gravest = alone.reduce((worst, one) => {
      const isWorse = worst.to_state !== 2 || (one.confidence ?? -1) > (worst.transition?.confidence ?? -1);
      return isWorse ? entry(one.ledgerId) : worst;
    }, named);
    const [symbol, ...more] = new Set(members.map((member) => member.symbol));
    const last = members.findLast(({ to_state }) => to_state === gravest.to_state);
    const isOfOne = symbol != null && more.length === 0 && last !== undefined;
    return {
      gravest: (isOfOne ? entry(last.ledger_id) : gravest).transition,
      members,
      alone,
      changes: isOfOne ? changesUpTo(ledger, symbol, last.occurred_s * 1000) : 0,
      late: members.filter((member) => lateBy(member) !== null).length,
      others: others.map(lineOf),
      unreadable: others.filter(isUnreadableHigh).length,
    };
  };
  const buildRequest = (intent: Intent): NotificationRequest => {
    // A channel sends the desktop's text, under its own id.
    const [id = intent.id] = intent.id.split('@');
    const common = { ...originOf(id), now: world.now(), zone: ruleStore.zone() ?? DEFAULT_ZONE };
    const reason = intent.reason ?? plainMessage('');
    if (intent.kind === 'notice') return plainRequest(common, texts.notifications.notice.title, textOf(reason), null);
    if (intent.kind === 'outage') return outageRequest(common, reason);
    if (intent.kind === 'self_test') return selfTestRequest(common, textOf(reason));
    if (intent.kind === 'digest' || intent.revision > 1)
      return digestRequest({ ...common, ...digestOf(id, intent.revision), revision: intent.revision });
    const row = entry(intent.ledgerId);
    const { transition } = row;
    if (transition === null)
      return isUnreadable(row) ? unreadableRequest(common, row) : plainRequest(common, titleOf(row), '', row.symbol);
    const changes = changesUpTo(ledger, transition.symbol, row.occurred_s * 1000);
    return requestFor({
      ...common,
      transition,
      assumed: assumedOf(row),
      baseRate: intent.baseRate,
      again: intent.kind === 'again',
      changes,
      late: lateBy(row),
    });
  };
  /** Without a keychain it is sent without a secret: many channels need none, and one that does refuses. */
  const send = async (rule: string, destination: Destination, request: NotificationRequest): Promise<Delivery> => {
    const channel = channelOf(destination);
    const account = secretAccount(rule, destination);
    if (account === null) return channel.send(destination, request, null, ports);
    const secret = await ports.vault.getPassword(profile.name, account).then(ok, (error) => err(messageOf(error)));
    try {
      return await channel.send(destination, request, secret.ok ? secret.value : null, ports);
    } catch (error) {
      // A receiver may echo the secret, and so may the error of a library.
      if (secret.ok) throw refused(messageWithoutEcho(messageFrom(error), secret.value));
      throw refused(message('delivery.without_secret', { why: messageFrom(error), secret: secret.error }));
    }
  };
  const destinationOf = ({ channel }: Pick<Intent, 'channel'>): Destination | null =>
    channel === DESKTOP.kind ? DESKTOP : (ruleStore.get(channel)?.channel ?? null);

  /** With the sound of its rules. */
  const audible = (request: NotificationRequest, isByDesktop: boolean): NotificationRequest => {
    const sound = soundOf(ledger.notifications.rulesOf(request.id), ruleStore);
    if (request.silent || sound === null) return request;
    return isByDesktop ? { ...request, sound: sound.name } : { ...request, silent: true };
  };

  return {
    async deliver(intent) {
      // A digest may name thousands.
      const request = ledger.transaction(() => {
        const built = buildRequest(intent);
        return intent.channel === DESKTOP.kind ? audible(built, !windows.isOpen()) : built;
      });
      const destination = destinationOf(intent);
      if (destination === null) return { outcome: 'dropped', detail: message('delivery.no_channel') };
      return send(intent.channel, destination, request);
    },
    isExpired(intent, now) {
      const destination = destinationOf(intent);
      return destination !== null && now - intent.since > channelOf(destination).retriedFor;
    },
    async test(rule, channel) {
      const { title, body } = texts.notifications.test;
      const request = plainRequest({ ...originOf(`barograph:test:${rule}`), replay: false }, title, body, null);
      return (await send(rule, channel, request)).detail ?? plainMessage('');
    },
    async sound(id) {
      const intent = ledger.notifications.intentOf(id);
      if (intent === null) return;
      await ports.notifier.show(ledger.transaction(() => audible(buildRequest(intent), true)));
    },
    async testSound(name) {
      const { title, body } = texts.notifications.test;
      const plain = plainRequest({ ...originOf('barograph:test:sound'), replay: false }, title, body, null);
      const outcome = await ports.notifier.show({ ...plain, silent: false, sound: name });
      return outcome.tier === 'system' ? { isShown: true, plays: outcome.plays } : { isShown: false };
    },
  };
}
