// Main, core: sends one intent to the desktop or a rule's channel, with a text from the ledger.

import { err, messageOf, ok } from '../../../shared/lib/result.ts';
import type { NotificationChannel } from '../../../shared/settings/alert-rules.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { DeliveryOutcome, Intent } from '../ledger/notifications.ts';
import { transitionOf } from '../ledger/transition.ts';
import type { KeyVault, NotificationChannels, NotificationRequest, Notifier } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { WorldClock } from '../world-clock.ts';
import { isLate } from './evaluator.ts';
import { changesUpTo } from './flapping.ts';
import type { RuleStore } from './rule-store.ts';
import { digestRequest, outageRequest, plainRequest, requestFor, selfTestRequest, titleOf } from './text.ts';

export interface NotificationSenderOptions {
  readonly ledger: Pick<Ledger, 'notifications' | 'entries' | 'transaction'>;
  readonly ruleStore: Pick<RuleStore, 'get'>;
  readonly profile: Profile;
  readonly notifier: Notifier;
  readonly channels: NotificationChannels;
  readonly vault: KeyVault;
  readonly isReplay: () => boolean;
  readonly world: Pick<WorldClock, 'now' | 'at' | 'view'>;
}

/** The outcome of an answered dispatch. */
export interface DeliveryResult {
  readonly outcome: Exclude<DeliveryOutcome, 'intent' | 'failed'>;
  readonly detail: string;
}

export interface NotificationSender {
  /** Sends it under the same id, with a new text for every attempt. Rejects where no receiver accepted it. */
  deliver(intent: Intent): Promise<DeliveryResult>;
  /**
   * Sends a test to the channel of a rule. Rejects, with a message for the user, where it was not accepted.
   */
  test(rule: string, channel: NotificationChannel): Promise<string>;
}

/**
 * The keychain's name for the secret of a channel. It includes the server: another one never gets the secret.
 * The prefix keeps its old name: keychain items cannot be listed, so they cannot be renamed.
 */
export const secretAccount = (rule: string, channel: NotificationChannel): string =>
  `outlet:${rule}:${channel.kind === 'mail' ? `${channel.user ?? ''}@${channel.host}` : channel.url.replace(/^(https?:\/\/[^/]+).*$/, '$1')}`;

export function createNotificationSender(options: NotificationSenderOptions): NotificationSender {
  const { ledger, ruleStore, profile, notifier, channels, vault, isReplay, world } = options;

  const entry = (ledgerId: number): EntryRow => {
    const [row] = ledger.entries.byLedgerIds([ledgerId]);
    if (row === undefined) throw new Error(`The ledger has no event ${ledgerId}.`);
    return row;
  };
  /** Delay of the webhook that brought it, world ms; null: in time, or another source was first. */
  const lateBy = ({
    sources,
    received_ms,
    occurred_s,
  }: Pick<EntryRow, 'sources' | 'received_ms' | 'occurred_s'>): number | null => {
    const late = world.at(received_ms) - occurred_s * 1000;
    return sources.split(',')[0] === 'relay' && isLate(late, world) ? late : null;
  };
  const buildRequest = (intent: Intent): NotificationRequest => {
    // A channel sends the desktop's text, under its own id.
    const [id = intent.id] = intent.id.split('@');
    const common = { id, environment: profile.environment, replay: isReplay(), now: world.now() };
    if (intent.kind === 'notice') return plainRequest(common, 'An alert rule does not work', intent.reason, null);
    if (intent.kind === 'outage') return outageRequest(common, intent.reason);
    if (intent.kind === 'self_test') return selfTestRequest(common, intent.reason);
    const row = entry(intent.ledgerId);
    const transition = transitionOf(row);
    if (intent.kind === 'digest') {
      // There may be thousands: their bodies are not read.
      const members = ledger.notifications.membersOf(id);
      const others = ledger.entries.byLedgerIds(
        members.flatMap(({ ledger_id, to_state }) => (to_state === null ? [ledger_id] : [])),
      );
      return digestRequest({
        ...common,
        gravest: transition,
        members,
        late: members.filter((member) => lateBy(member) !== null).length,
        others: others.map(({ event, symbol, body }) => `${titleOf(event, symbol, body)}.`),
      });
    }
    if (transition === null) return plainRequest(common, titleOf(row.event, row.symbol, row.body), '', row.symbol);
    const changes = changesUpTo(ledger, transition.symbol, row.occurred_s * 1000);
    return requestFor({
      ...common,
      transition,
      baseRate: intent.baseRate,
      again: intent.kind === 'again',
      changes,
      late: lateBy(row),
    });
  };
  /** Without a keychain it is sent without a secret: many channels need none, and one that does refuses. */
  const send = async (rule: string, channel: NotificationChannel, request: NotificationRequest): Promise<string> => {
    const secret = await vault
      .getPassword(profile.name, secretAccount(rule, channel))
      .then(ok, (error) => err(messageOf(error)));
    try {
      return await channels.send(channel, request, secret.ok ? secret.value : null);
    } catch (error) {
      throw secret.ok ? error : new Error(`${messageOf(error)} Its secret could not be read: ${secret.error}`);
    }
  };

  return {
    async deliver(intent) {
      // A digest may name thousands.
      const request = ledger.transaction(() => buildRequest(intent));
      if (intent.channel === 'desktop') {
        const { tier, detail } = await notifier.show(request);
        return { outcome: tier === 'system' ? 'shown' : 'in_app', detail };
      }
      const channel = ruleStore.get(intent.channel)?.channel ?? null;
      if (channel === null) return { outcome: 'dropped', detail: 'The rule no longer has a channel.' };
      return { outcome: 'sent', detail: await send(intent.channel, channel, request) };
    },
    async test(rule, channel) {
      const body = 'This is a test. A real alert would name a symbol, its state and the time.';
      const request = plainRequest(
        { id: `barograph:test:${rule}`, environment: profile.environment, replay: false },
        'Barograph test',
        body,
        null,
      );
      return send(rule, channel, request);
    },
  };
}
