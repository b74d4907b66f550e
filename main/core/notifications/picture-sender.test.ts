// Test: pictures of alerts in messages: after the text, in its place, and never in place of an alert.
import { beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_GROUPING } from '../../../shared/settings/alert-rules.ts';
import { calls, rule, stepsOf, topic } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { type CoreRig, noVault } from '../../../test/harness/core-rig.ts';
import {
  BOT_TOKEN,
  CHAT,
  createFakeTelegram,
  type FakeTelegram,
  TELEGRAM,
} from '../../../test/harness/fake-telegram.ts';
import type { ChildProcess } from '../ports.ts';

const bench = setUpCoreBench();
let telegram: FakeTelegram;
let rig: CoreRig;
/** What the process of a picture answers, and after how long, ms; null: nothing. */
let drawing: { readonly reply: object | null; readonly after: number };
let drawn: string[];
const PNG = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
const SLOW = 1_000;

const startPicture = (): ChildProcess<string> => {
  let listener: (reply: unknown) => void = () => undefined;
  return {
    send(svg) {
      drawn.push(svg);
      const { reply, after } = drawing;
      if (reply !== null) bench.clock.after(after, () => listener(reply));
    },
    onReply: (given) => {
      listener = given;
    },
    onEnd: () => undefined,
    kill: () => undefined,
  };
};
const phone = {
  id: 'phone',
  name: 'Phone',
  destination: { kind: 'telegram', chat: String(CHAT), server: TELEGRAM, answers: true },
} as const;

beforeEach(async () => {
  drawing = { reply: { png: PNG }, after: SLOW };
  drawn = [];
  telegram = createFakeTelegram(bench.clock, bench.service.fetch);
  const vault = { ...noVault, getPassword: async () => BOT_TOKEN };
  rig = await bench.up({ ports: { fetch: telegram.fetch, vault, host: { startPicture } } });
  await calls(rig)['channels.save']({ channel: phone });
  await calls(rig)['rules.save']({ rule: rule({ channels: ['phone'] }) });
});
/** The newest message. */
const newest = () => [...telegram.messages.values()].at(-1);
const alertOf = async (symbol = 'SPY') => {
  const event = bench.service.emit(symbol, 2);
  await bench.clock.advance(SLOW / 2);
  return event;
};

describe('an alert in a chat', () => {
  test('its text is sent before its picture is drawn; the picture joins the message, which keeps text and buttons', async () => {
    await alertOf();
    const [text, buttons] = [newest()?.text, newest()?.buttons];
    expect([telegram.messages.size, newest()?.hasPicture, drawn]).toEqual([1, false, []]);
    expect(text).toContain('SPY is High Risk');
    await bench.clock.advance(3 * SLOW);
    expect(telegram.messages.size).toBe(1);
    expect(newest()).toMatchObject({ hasPicture: true, text, buttons });
    expect(buttons?.flat()).toHaveLength(4);
  });

  test('pictures are drawn when no text was sent for a second: in a burst, texts come first', async () => {
    await calls(rig)['grouping.save']({ grouping: { ...DEFAULT_GROUPING, by: 'none' } });
    for (const symbol of ['SPY', 'QQQ', 'IWM']) await alertOf(symbol);
    expect([telegram.messages.size, drawn]).toEqual([3, []]);
    await bench.clock.advance(5 * SLOW);
    expect([...telegram.messages.values()].map(({ hasPicture }) => hasPicture)).toEqual([true, true, true]);
  });

  test('a message that grew is one, with the picture of its worst alert', async () => {
    await alertOf('SPY');
    await alertOf('QQQ');
    await bench.clock.advance(60_000);
    expect([telegram.messages.size, newest()?.hasPicture]).toEqual([1, true]);
    expect(newest()?.text).toContain('2 turned High Risk');
    expect(newest()?.buttons.flat()).toHaveLength(4);
  });

  test.each([
    ['that cannot be drawn', { problem: 'no font' }, 0, 'The picture could not be made (no font).'],
    ['that is not drawn in time', null, 0, 'The picture could not be made (not drawn within 10 s).'],
  ])('a picture %s is missing, and the trace says why; the text stays', async (_, reply, after, why) => {
    drawing = { reply, after };
    const event = await alertOf();
    await bench.clock.advance(15_000);
    expect(newest()).toMatchObject({ hasPicture: false, text: expect.stringContaining('SPY is High Risk') });
    expect(await stepsOf(rig, event.event_id)).toContain(`answered The message in phone has no picture: ${why}`);
    expect(rig.logged.filter(({ message }) => message === 'a message has no picture')).toHaveLength(1);
  });

  test('a channel whose user wants no pictures gets none, and none is drawn', async () => {
    const destination = { ...phone.destination, picture: false };
    await calls(rig)['channels.save']({ channel: { ...phone, destination } });
    await alertOf();
    await bench.clock.advance(3 * SLOW);
    expect([newest()?.hasPicture, drawn]).toEqual([false, []]);
  });

  test('an alert that was acknowledged before its picture was drawn keeps what became of it in place of its buttons', async () => {
    const event = await alertOf();
    const [alert] = rig.snapshot().alerts.filter(({ transition }) => transition.event_id === event.event_id);
    await calls(rig)['alerts.acknowledge']({ ledger_ids: [alert?.ledger_id ?? 0], acknowledged: true });
    await bench.clock.advance(5_000);
    expect(drawn).toHaveLength(1);
    expect(newest()?.buttons.flat()).toHaveLength(1);
    expect(newest()?.buttons[0]?.[0]?.text).toContain('Acknowledged');
  });
});

test('two channels of one alert share one picture', async () => {
  await calls(rig)['channels.save']({ channel: { ...topic(), id: 'desk' } });
  await calls(rig)['rules.save']({ rule: rule({ channels: ['phone', 'desk'] }) });
  await alertOf();
  await bench.clock.advance(3 * SLOW);
  expect([newest()?.hasPicture, drawn.length]).toEqual([true, 1]);
});

test('a window gets the picture of a symbol, and is told why there is none', async () => {
  const made = calls(rig)['picture.make']({ symbol: 'SPY' });
  await bench.clock.advance(SLOW);
  expect(await made).toEqual({ png: PNG });
  const refused = expect(calls(rig)['picture.make']({ symbol: 'NOPE' })).rejects.toThrow(/NOPE/);
  await bench.clock.advance(SLOW);
  await refused;
});
