// Main, core: the window's calls about notification channels and their secrets.
import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import { CHANNEL_KINDS } from '../../../shared/settings/notification-channels/channels.ts';
import { message } from '../../../shared/text/message.ts';
import { CHANNEL_SECRETS, SESSION_CHANNEL_SECRETS } from '../keys/key-store.ts';
import type { CoreContext } from '../module.ts';
import { secretAccount } from './channel-secrets.ts';
import type { ChannelStore } from './channel-store.ts';
import type { RuleStore } from './rule-store.ts';
import type { NotificationSender } from './sender.ts';

export type ChannelHandlers = Pick<
  Handlers<typeof alertingChannels>,
  'channels.save' | 'channels.delete' | 'channels.test' | 'channels.secret'
>;

export interface ChannelHandlerDeps {
  readonly context: Pick<CoreContext, 'ports' | 'events'>;
  readonly channelStore: ChannelStore;
  readonly ruleStore: Pick<RuleStore, 'refresh'>;
  readonly sender: Pick<NotificationSender, 'test' | 'forgetSecret'>;
}

export function createChannelHandlers({
  context,
  channelStore,
  ruleStore,
  sender,
}: ChannelHandlerDeps): ChannelHandlers {
  const { vault } = context.ports;
  const changed = (): Record<string, never> => {
    context.events.signal('rulesChanged');
    return {};
  };
  const keep = async (id: string, secret: string | null, isForSession: boolean): Promise<void> => {
    const destination = channelStore.get(id)?.destination;
    if (destination === undefined) throw refused(message('channel.unknown', { id }));
    const account = secretAccount(id, destination);
    const kind = CHANNEL_KINDS[destination.kind].secret;
    if (account === null || kind === null) throw refused(message('channel.no_secret'));
    if (secret !== null && !kind.pattern.test(secret))
      throw refused(message('channel.secret_wrong', { label: kind.label, problem: kind.problem }));
    if (secret !== null) {
      const place = isForSession ? SESSION_CHANNEL_SECRETS : CHANNEL_SECRETS;
      await vault.setPassword(place, account, secret);
    }
    // One that was kept for a session would hide a later one.
    if (secret === null || !isForSession) await vault.deletePassword(SESSION_CHANNEL_SECRETS, account);
    if (secret === null) await vault.deletePassword(CHANNEL_SECRETS, account);
    sender.forgetSecret(account);
  };
  return {
    'channels.save': ({ channel }) => {
      channelStore.save(channel);
      return changed();
    },
    'channels.delete': async ({ id }) => {
      // A keychain that does not open must not keep a channel that the user removes.
      if (channelStore.get(id) !== null) await keep(id, null, false).catch(() => undefined);
      channelStore.remove(id);
      ruleStore.refresh();
      return changed();
    },
    'channels.test': async ({ id }) => {
      try {
        return { detail: await sender.test(id) };
      } catch (error) {
        throw refused(messageFrom(error));
      }
    },
    'channels.secret': async ({ id, secret, for_session }) => {
      await keep(id, secret, for_session);
      return {};
    },
  };
}
