// Test: while the market itself is High Risk, alerts of other symbols are listed with it, or held back.
import { expect, test } from 'vitest';
import { DEFAULT_GROUPING } from '../../../shared/settings/alert-rules.ts';
import { calls, idOf, inbox, minutes, rule, saveWithChannel, stepsOf } from '../../../test/harness/alert-calls.ts';
import { namedIds, notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import type { FetchLike } from '../ports.ts';

const bench = setUpCoreBench();

async function up(): Promise<CoreRig> {
  const rig = await bench.up();
  await calls(rig)['grouping.save']({ grouping: { ...DEFAULT_GROUPING, inhibited_by: 'SPY' } });
  return rig;
}
const turn = async (symbol: string, state: 0 | 2 = 2) => {
  const event = bench.service.emit(symbol, state, { from: state === 2 ? 0 : 2 });
  await bench.clock.pass(minutes(5));
  return event;
};
const acknowledge = (rig: CoreRig, eventId: string) =>
  calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, eventId)], acknowledged: true });

test('others are named in the one notification of the market, however much later they come', async () => {
  const rig = await up();
  const market = await turn('SPY');
  const others = [await turn('QQQ'), await turn('IWM'), await turn('AAPL')];
  expect(new Set(shownIds(rig))).toEqual(new Set(notificationIds(market)));
  expect(namedIds(rig).toSorted()).toEqual(notificationIds(market, ...others).toSorted());
  expect(await stepsOf(rig, others[0]?.event_id ?? '')).toContain('digest listed with SPY, which is High Risk');
});

test('once it is acknowledged others are held back, shown as such, and notified when the market is Normal', async () => {
  const rig = await up();
  const market = await turn('SPY');
  await acknowledge(rig, market.event_id);
  const held = await turn('QQQ');
  const over = await turn('IWM');
  await turn('IWM', 0);
  expect(shownIds(rig)).toEqual(notificationIds(market));
  const row = (await inbox(rig, { filter: 'suppressed' })).find(({ alert }) => alert.transition.symbol === 'QQQ');
  expect(JSON.stringify(row)).toContain('muted.inhibited');
  await turn('SPY', 0);
  expect(shownIds(rig)).toEqual(notificationIds(market, held));
  expect(await stepsOf(rig, over.event_id)).toContainEqual(expect.stringMatching(/^dropped held back while SPY/));
});

test.each([
  ['did not answer for a minute while the market is High Risk for more than a day', false],
  ['did not answer for a day', true],
])('a phone that %s hears of the alerts that are listed with it', async (_, isLong) => {
  let isRefusing = isLong;
  const heard: string[] = [];
  const fetch: FetchLike = async (url, init = {}) => {
    if (new URL(url).host !== 'ntfy.example') return bench.service.fetch(url, init);
    if (isRefusing) return new Response(null, { status: 503 });
    heard.push(String(init.body));
    return Response.json({ id: 'x' });
  };
  const rig = await bench.up({ ports: { fetch } });
  await calls(rig)['grouping.save']({ grouping: { ...DEFAULT_GROUPING, inhibited_by: 'SPY' } });
  await saveWithChannel(rig);
  await turn('SPY');
  bench.clock.jump(minutes(26 * 60));
  await bench.clock.pass(minutes(60));
  isRefusing = !isLong;
  bench.service.emit('QQQ', 2);
  await bench.clock.advance(minutes(1));
  isRefusing = false;
  await bench.clock.pass(minutes(60));
  expect(heard.at(-1)).toContain('QQQ');
});

test('nothing is held back by a High Risk that nobody was notified of, or that is over', async () => {
  const rig = await up();
  await calls(rig)['silences.add']({
    matchers: [{ name: 'symbol', operator: 'is', values: ['SPY'] }],
    from: null,
    until: new Date(bench.clock.now() + minutes(60)).toISOString(),
    comment: '',
  });
  const market = await turn('SPY');
  const first = await turn('QQQ');
  expect(shownIds(rig)).toEqual(notificationIds(first));
  await turn('SPY', 0);
  const second = await turn('IWM');
  expect(shownIds(rig)).toEqual(notificationIds(first, second));
  expect(shownIds(rig)).not.toContain(notificationIds(market)[0]);
});

test('the notification of the market is not sent before its own hold time is over, whatever would join it', async () => {
  const rig = await up();
  await calls(rig)['rules.save']({ rule: rule({ hold_up_seconds: 900 }) });
  const market = await turn('SPY');
  await turn('QQQ');
  expect(shownIds(rig)).toEqual([]);
  await bench.clock.pass(minutes(20));
  expect(shownIds(rig)[0]).toBe(notificationIds(market)[0]);
});

test('an alert that must hold joins after its hold time, and one that did not hold is dropped', async () => {
  const rig = await up();
  const market = await turn('SPY');
  await calls(rig)['rules.save']({ rule: rule({ hold_up_seconds: 60 }) });
  const brief = bench.service.emit('IWM', 2);
  await bench.clock.advance(10_000);
  bench.service.emit('IWM', 0, { from: 2 });
  const held = await turn('QQQ');
  expect(new Set(shownIds(rig))).toEqual(new Set(notificationIds(market)));
  expect(namedIds(rig)).toContain(notificationIds(held)[0]);
  expect(namedIds(rig)).not.toContain(notificationIds(brief)[0]);
});

test('a restart within it changes nothing', async () => {
  const first = await up();
  const market = await turn('SPY');
  const { settings } = first;
  await bench.down(first);
  const ports = { settings: { read: () => settings, change: () => undefined } };
  const second = await bench.up({ ports });
  const other = await turn('QQQ');
  expect(new Set(shownIds(second))).toEqual(new Set(notificationIds(market)));
  expect(namedIds(second)).toContain(notificationIds(other)[0]);
});
