// Main, core: receives the answers to notifications from phones, for the channels that have buttons: one connection a
// bot or topic, however many profiles and channels send by it.
import { type Clock, every } from '../../../shared/lib/clock.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { SettingsStore } from '../ports.ts';
import type { AnswerPorts } from './channel-press.ts';
import { createChannelSecrets, secretAccount } from './channel-secrets.ts';
import { type ChannelStore, createChannelStore } from './channel-store.ts';
import { type AnswerTopic, followAnswerTopic } from './ntfy-answers.ts';
import { receiveTelegramUpdates, type TelegramBot } from './telegram-updates.ts';

export interface PhoneAnswersDeps extends AnswerPorts {
  readonly settings: SettingsStore;
  readonly keyStore: Pick<KeyStore, 'channelSecretsVersion' | 'vaultOf'>;
}

/** Interval at which channels and secrets are compared, ms. */
const CHECK_INTERVAL = 2_000;

/** @param profile whose vault had the secrets of earlier versions. @returns a function that ends it */
export function receivePhoneAnswers(deps: PhoneAnswersDeps, profile: string): () => void {
  const { settings, keyStore, clock } = deps;
  const store = createChannelStore(settings);
  let seen: readonly [unknown, number] | null = null;
  let receiving = { key: '[[],[]]', abort: new AbortController() };

  const check = async (): Promise<void> => {
    const now = [store.views(), keyStore.channelSecretsVersion()] as const;
    if (seen?.[0] === now[0] && seen[1] === now[1]) return;
    seen = now;
    const { bots, topics } = await sourcesOf(store, keyStore, profile, clock);
    if (seen !== now) return;
    const key = JSON.stringify([bots.map(({ channels, ...bot }) => [bot, ...channels]), topics]);
    if (key === receiving.key) return;
    receiving.abort.abort();
    receiving = { key, abort: new AbortController() };
    const { signal } = receiving.abort;
    for (const bot of bots) void receiveTelegramUpdates(bot, deps, signal);
    for (const topic of topics) void followAnswerTopic(topic, deps, signal);
  };
  const stop = every(clock, CHECK_INTERVAL, () => void check());
  return () => {
    stop();
    receiving.abort.abort();
  };
}

type Named = { readonly id: string; readonly name: string };

/** The bots and topics by which this app gets answers. */
async function sourcesOf(
  store: Pick<ChannelStore, 'views'>,
  keyStore: PhoneAnswersDeps['keyStore'],
  profile: string,
  clock: Clock,
): Promise<{ readonly bots: TelegramBot[]; readonly topics: AnswerTopic[] }> {
  const secrets = createChannelSecrets(keyStore.vaultOf(profile), profile, clock);
  const bots = new Map<string, TelegramBot & { readonly channels: Map<string, Named[]> }>();
  const topics = new Map<string, AnswerTopic & { readonly channels: Named[] }>();
  for (const { channel } of store.views()) {
    if (channel === null) continue;
    const { id, name, destination } = channel;
    const isAnswered =
      (destination.kind === 'telegram' && destination.answers) ||
      (destination.kind === 'ntfy' && destination.answers !== null);
    const account = secretAccount(id, destination);
    if (!isAnswered || account === null) continue;
    const secret = await secrets.forAttempt(account);
    const token = secret.ok ? secret.value : null;
    if (destination.kind === 'telegram' && token !== null) {
      const { server, chat } = destination;
      const bot = bots.get(`${server} ${token}`) ?? { server, token, channels: new Map() };
      bot.channels.set(chat, [...(bot.channels.get(chat) ?? []), { id, name }]);
      bots.set(`${server} ${token}`, bot);
    } else if (destination.kind === 'ntfy' && destination.answers !== null) {
      const topic = topics.get(destination.answers) ?? { url: destination.answers, token, channels: [] };
      topic.channels.push({ id, name });
      topics.set(destination.answers, topic);
    }
  }
  return { bots: [...bots.values()], topics: [...topics.values()] };
}
