// Main, core: receives the answers to notifications from phones, for the channels that have buttons: one connection a
// bot, however many profiles and channels send by it.

import { type Clock, every } from '../../../shared/lib/clock.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { SettingsStore } from '../ports.ts';
import { createChannelSecrets, secretAccount } from './channel-secrets.ts';
import { createChannelStore } from './channel-store.ts';
import { receiveTelegramUpdates, type TelegramBot, type TelegramUpdatesDeps } from './telegram-updates.ts';

export interface PhoneAnswersDeps extends TelegramUpdatesDeps {
  readonly settings: SettingsStore;
  readonly keyStore: Pick<KeyStore, 'channelSecretsVersion' | 'vaultOf'>;
}

/** Interval at which channels and secrets are compared, ms. */
const CHECK_INTERVAL = 2_000;

/** @param profile whose vault had the secrets of earlier versions. @returns a function that ends it */
export function receivePhoneAnswers(deps: PhoneAnswersDeps, profile: string): () => void {
  const { settings, keyStore, clock } = deps;
  const store = createChannelStore(settings);
  let seen: unknown = null;
  let receiving = { key: '', abort: new AbortController() };

  const check = async (): Promise<void> => {
    const views = store.views();
    const now = [views, keyStore.channelSecretsVersion()];
    if (Array.isArray(seen) && seen[0] === now[0] && seen[1] === now[1]) return;
    seen = now;
    const bots = await botsOf(store, keyStore, profile, clock);
    if (seen !== now) return;
    const key = JSON.stringify(bots.map(({ channels, ...bot }) => [bot, ...channels]));
    if (key === receiving.key) return;
    receiving.abort.abort();
    receiving = { key, abort: new AbortController() };
    for (const bot of bots) void receiveTelegramUpdates(bot, deps, receiving.abort.signal);
  };
  const stop = every(clock, CHECK_INTERVAL, () => void check());
  return () => {
    stop();
    receiving.abort.abort();
  };
}

/** The bots whose buttons this app receives, each with its chats. */
async function botsOf(
  store: Pick<ReturnType<typeof createChannelStore>, 'views'>,
  keyStore: PhoneAnswersDeps['keyStore'],
  profile: string,
  clock: Clock,
): Promise<TelegramBot[]> {
  const secrets = createChannelSecrets(keyStore.vaultOf(profile), profile, clock);
  const bots = new Map<string, TelegramBot & { readonly channels: Map<string, { id: string; name: string }[]> }>();
  for (const { channel } of store.views()) {
    if (channel?.destination.kind !== 'telegram' || !channel.destination.answers) continue;
    const { id, name, destination } = channel;
    const account = secretAccount(id, destination);
    const secret = account === null ? null : await secrets.forAttempt(account);
    if (secret?.ok !== true || secret.value === null) continue;
    const { server, chat } = destination;
    const bot = bots.get(`${server} ${secret.value}`) ?? { server, token: secret.value, channels: new Map() };
    bot.channels.set(chat, [...(bot.channels.get(chat) ?? []), { id, name }]);
    bots.set(`${server} ${secret.value}`, bot);
  }
  return [...bots.values()];
}
