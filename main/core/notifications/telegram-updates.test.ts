// Test: alerts are answered from a phone, by the buttons under a message of a Telegram bot.
import { beforeEach, describe, expect, test } from 'vitest';
import { calls, idOf, minutes, rule, stepsOf } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { type CoreRig, noVault } from '../../../test/harness/core-rig.ts';
import {
  BOT_TOKEN,
  CHAT,
  createFakeTelegram,
  type FakeTelegram,
  TELEGRAM,
} from '../../../test/harness/fake-telegram.ts';
import { silentLogger } from '../../../test/harness/silent-logger.ts';
import { receiveTelegramUpdates } from './telegram-updates.ts';

const bench = setUpCoreBench();
let telegram: FakeTelegram;
let rig: CoreRig;
let receiving: AbortController;
const warnings: unknown[] = [];
const phone = {
  id: 'phone',
  name: 'Phone',
  destination: { kind: 'telegram', chat: String(CHAT), server: TELEGRAM, answers: true },
} as const;

const receive = (): void => {
  receiving = new AbortController();
  const warn = (about: object, what: string): void => void warnings.push(about, what);
  const bot = {
    server: TELEGRAM,
    token: BOT_TOKEN,
    channels: new Map([[String(CHAT), [{ id: 'phone', name: 'Phone' }]]]),
  };
  void receiveTelegramUpdates(
    bot,
    {
      fetch: telegram.fetch,
      clock: bench.clock,
      random: () => 0.5,
      logger: { ...silentLogger, warn, error: warn },
      onPress: (press) => rig.core.channelAnswers.answer(press),
    },
    receiving.signal,
  );
};
beforeEach(async () => {
  warnings.splice(0);
  telegram = createFakeTelegram(bench.clock, bench.service.fetch);
  const vault = { ...noVault, getPassword: async () => BOT_TOKEN };
  rig = await bench.up({ ports: { fetch: telegram.fetch, vault } });
  await calls(rig)['channels.save']({ channel: phone });
  await calls(rig)['rules.save']({ rule: rule({ channels: ['phone'] }) });
  receive();
  return () => receiving.abort();
});
const settle = () => bench.clock.advance(5_000);
const buttons = (): string[] =>
  [...telegram.messages.values()]
    .at(-1)
    ?.buttons.flat()
    .map(({ text }) => text) ?? [];
const alertOf = async (symbol = 'SPY') => {
  const event = bench.service.emit(symbol, 2);
  await settle();
  return event;
};
/** What the first button of the newest message sends. */
const firstButton = (): string => [...telegram.messages.values()].at(-1)?.buttons[0]?.[0]?.callback_data ?? '';
const isAcknowledged = (eventId: string): boolean =>
  rig.snapshot().alerts.find(({ transition }) => transition.event_id === eventId)?.acked_at != null;

describe('a message of a Telegram bot', () => {
  test('a message has buttons, is acknowledged by one, and then says so in their place; the trace says who, where and when', async () => {
    const event = await alertOf();
    expect(buttons()).toEqual(['Acknowledge', 'Why?', 'Snooze 1 h', 'Until the close']);
    await bench.clock.pass(minutes(3));
    telegram.press('Acknowledge');
    await settle();
    expect(isAcknowledged(event.event_id)).toBe(true);
    expect(telegram.said).toEqual(['Acknowledged.']);
    expect(buttons()).toEqual(['✓ Acknowledged by ann, by Phone, after 3 min']);
    telegram.press('✓ Acknowledged by ann, by Phone, after 3 min');
    await settle();
    expect(telegram.said.at(-1)).toBe('Nothing to do: it was acknowledged, or it is over.');
    bench.service.emit('SPY', 0, { from: 2 });
    await settle();
    expect(buttons()).toEqual(['✓ Back to Normal, acknowledged by ann, by Phone, after 3 min']);
    expect(await stepsOf(rig, event.event_id)).toContain('acknowledged by ann, by Phone, after 3 min');
  });

  test('a message says what became of its alert, also where somebody acknowledged it in a window or the symbol is Normal again', async () => {
    const event = await alertOf();
    await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, event.event_id)], acknowledged: true });
    await settle();
    expect(buttons()).toEqual(['✓ Acknowledged']);
    await alertOf('QQQ');
    bench.service.emit('QQQ', 0, { from: 2 });
    await settle();
    expect(buttons()).toEqual(['✓ Back to Normal']);
  });

  test('a message is changed also where somebody dealt with its alert while another message was being changed', async () => {
    const first = await alertOf();
    await bench.clock.pass(minutes(2));
    const second = await alertOf('QQQ');
    telegram.editTime = 8_000;
    const acknowledge = (eventId: string) =>
      calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, eventId)], acknowledged: true });
    await acknowledge(first.event_id);
    await bench.clock.advance(2_000);
    await acknowledge(second.event_id);
    await bench.clock.advance(minutes(1));
    const last = [...telegram.messages.values()].map((message) => message.buttons.flat().map(({ text }) => text));
    expect(last).toEqual([['✓ Acknowledged'], ['✓ Acknowledged']]);
  });

  test('an alert is snoozed for an hour by a button, after which it comes again', async () => {
    const event = await alertOf();
    telegram.press('Snooze 1 h');
    await settle();
    expect(telegram.said).toEqual(['Snoozed.']);
    expect(await stepsOf(rig, event.event_id)).toContain('snoozed by ann, by Phone, after 0 min');
    const before = telegram.messages.size;
    await bench.clock.pass(minutes(61));
    expect(telegram.messages.size).toBe(before + 1);
  });

  test('a button says why an alert came, and changes nothing by that', async () => {
    const event = await alertOf();
    telegram.press('Why?');
    await settle();
    expect(telegram.said[0]).toMatch(/^Matches "High Risk of a watched symbol"\. Notified at once\./);
    expect(isAcknowledged(event.event_id)).toBe(false);
  });

  test('a notification is one message, however often it grows', async () => {
    for (const symbol of ['SPY', 'QQQ', 'IWM', 'DIA']) bench.service.emit(symbol, 2);
    await bench.clock.pass(minutes(3));
    const texts = [...telegram.messages.values()].map(({ text }) => text);
    expect(texts.filter((text) => text.includes('DIA'))).toHaveLength(1);
    expect(texts.length).toBeLessThanOrEqual(3);
  });
});

describe('a press that must change nothing', () => {
  test('a second press does nothing and is recorded, also after the first was taken back', async () => {
    const event = await alertOf();
    const data = firstButton();
    telegram.press('Acknowledge');
    await settle();
    telegram.forge(data);
    await settle();
    await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, event.event_id)], acknowledged: false });
    telegram.forge(data);
    await settle();
    expect(telegram.said).toEqual([
      'Acknowledged.',
      'Nothing to do: it was acknowledged, or it is over.',
      'This button was used before. Open Barograph.',
    ]);
    expect(isAcknowledged(event.event_id)).toBe(false);
    expect((await stepsOf(rig, event.event_id)).filter((step) => step.startsWith('clicked mallory'))).toHaveLength(2);
  });

  test('a press from another chat, or with a token that was made up, does nothing', async () => {
    const event = await alertOf();
    const data = firstButton();
    telegram.forge(data, 666);
    telegram.forge(`0:${'A'.repeat(22)}`);
    telegram.forge('0:short');
    telegram.forge('rm -rf');
    await settle();
    expect(isAcknowledged(event.event_id)).toBe(false);
    // Members of the chat are answered, and nobody else.
    expect(new Set(telegram.said)).toEqual(new Set(['Barograph does not know this alert any more.']));
    expect(telegram.said).toHaveLength(3);
  });
});

test('a press is not lost while Telegram cannot be reached, nor in a crash before it was confirmed', async () => {
  const event = await alertOf();
  receiving.abort();
  telegram.press('Acknowledge');
  telegram.isAway = true;
  receive();
  await bench.clock.pass(minutes(2));
  expect(isAcknowledged(event.event_id)).toBe(false);
  telegram.isAway = false;
  await bench.clock.pass(minutes(2));
  expect(isAcknowledged(event.event_id)).toBe(true);
  expect(telegram.unconfirmed()).toBe(0);
  expect(warnings.filter((what) => typeof what === 'string')).toHaveLength(1);
  expect(JSON.stringify(warnings)).not.toContain(BOT_TOKEN);
});

test('a channel without buttons sends messages without them', async () => {
  await calls(rig)['channels.save']({ channel: { ...phone, destination: { ...phone.destination, answers: false } } });
  await alertOf();
  expect(buttons()).toEqual([]);
});
