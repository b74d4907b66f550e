// Test: which bots and topics the app listens to for answers from phones, and when.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChannelDestination } from '../../../shared/settings/notification-channels/channels.ts';
import {
  BOT_TOKEN,
  CHAT,
  createFakeTelegram,
  type FakeTelegram,
  TELEGRAM,
} from '../../../test/harness/fake-telegram.ts';
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts';
import { silentLogger } from '../../../test/harness/silent-logger.ts';
import type { FetchLike, SettingsStore } from '../ports.ts';
import { DEFAULT_SETTINGS, type Settings } from '../profiles/settings.ts';
import type { ChannelPress } from './channel-press.ts';
import { receivePhoneAnswers } from './phone-answers.ts';

let clock: ManualClock;
let telegram: FakeTelegram;
let settings: Settings;
let secrets: Map<string, string>;
let version: number;
let presses: ChannelPress[];
let asked: string[];
let stop: () => void;
const token = 'A'.repeat(22);

const bot = (chat: number): ChannelDestination => ({
  kind: 'telegram',
  chat: String(chat),
  server: TELEGRAM,
  answers: true,
});
const setUp = (...destinations: ChannelDestination[]): void => {
  const channels = destinations.map((destination, index) => ({ id: `c${index}`, name: `C${index}`, destination }));
  settings = { ...settings, alerting: { ...settings.alerting, channels } };
};
const keep = (...ids: string[]): void => {
  for (const id of ids) secrets.set(`outlet:${id}:${TELEGRAM}`, BOT_TOKEN);
  version += 1;
};
beforeEach(() => {
  clock = createManualClock();
  [settings, secrets, version, presses, asked] = [DEFAULT_SETTINGS, new Map(), 0, [], []];
  telegram = createFakeTelegram(clock, () => Promise.reject(new TypeError('fetch failed')));
  const fetch: FetchLike = (url, init) => {
    asked.push(new URL(url).pathname.replace(/^.*\//, ''));
    return telegram.fetch(url, init);
  };
  stop = receivePhoneAnswers(
    {
      fetch,
      clock,
      random: () => 0.5,
      logger: silentLogger,
      settings: { read: () => settings } as SettingsStore,
      keyStore: {
        channelSecretsVersion: () => version,
        vaultOf: () => ({ getPassword: async (_: string, account: string) => secrets.get(account) ?? null }) as never,
      },
      onPress(press) {
        presses.push(press);
        return press.channel === 'c1' ? 'Acknowledged.' : null;
      },
    },
    'sandbox',
  );
});
afterEach(() => stop());

test('nobody is asked without a channel that has buttons and a secret', async () => {
  await clock.advance(10_000);
  setUp(bot(CHAT), { kind: 'telegram', chat: '1', server: TELEGRAM, answers: false }, { kind: 'slack' });
  await clock.advance(10_000);
  expect(asked).toEqual([]);
});

test('a bot is asked from the moment its secret is kept, and no more once its channel is removed', async () => {
  setUp(bot(CHAT));
  await clock.advance(5_000);
  keep('c0');
  await clock.advance(3_000);
  expect(asked).toEqual(['getUpdates']);
  setUp();
  await clock.advance(3_000);
  telegram.forge(`0:${token}`);
  await clock.advance(120_000);
  expect(asked).toEqual(['getUpdates']);
  expect(presses).toEqual([]);
});

test('channels of one bot share its connection, because Telegram allows one; a press goes to those of its chat', async () => {
  setUp(bot(CHAT), bot(CHAT), bot(42));
  keep('c0', 'c1', 'c2');
  await clock.advance(3_000);
  expect(asked).toEqual(['getUpdates']);
  telegram.forge(`0:${token}`);
  await clock.advance(1_000);
  expect(presses.map(({ channel }) => channel)).toEqual(['c0', 'c1']);
  expect(telegram.said).toEqual(['Acknowledged.']);
});
