// Test: a notification leaves the desktop when all that it names was acknowledged, or is over.
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { calls, inbox } from '../../../test/harness/alert-calls.ts';
import { notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';

const bench = setUpCoreBench();
const acknowledge = async (rig: CoreRig, symbol: string): Promise<void> => {
  const rows = (await inbox(rig, {})).filter(({ alert }) => alert.transition.symbol === symbol);
  await calls(rig)['alerts.acknowledge']({ ledger_ids: rows.map(({ alert }) => alert.ledger_id), acknowledged: true });
  await bench.clock.advance(1_000);
};

test('a notification is withdrawn on acknowledgement and on recovery, once; not while the state falls to Elevated', async () => {
  const rig = await bench.up();
  const spy = bench.service.emit('SPY', 2);
  await bench.clock.advance(70_000);
  const qqq = bench.service.emit('QQQ', 2);
  await bench.clock.advance(3_000);
  bench.service.emit('QQQ', 1);
  await bench.clock.advance(3_000);
  expect(rig.withdrawn).toEqual([]);
  await acknowledge(rig, 'SPY');
  expect(rig.withdrawn).toEqual(notificationIds(spy));
  bench.service.emit('QQQ', 0);
  await bench.clock.advance(3_000);
  expect(rig.withdrawn).toEqual(notificationIds(spy, qqq));
  await bench.down(rig);
  const again = await bench.up();
  await acknowledge(again, 'QQQ');
  expect(again.withdrawn).toEqual([]);
});

test('a notification about several is withdrawn only when none of them needs the user', async () => {
  const rig = await bench.up();
  const [first] = ['SPY', 'QQQ', 'IWM'].map((symbol) => bench.service.emit(symbol, 2));
  await bench.clock.advance(3_000);
  await acknowledge(rig, 'SPY');
  await acknowledge(rig, 'QQQ');
  expect(rig.withdrawn).toEqual([]);
  bench.service.emit('IWM', 0);
  await bench.clock.advance(3_000);
  expect(rig.withdrawn).toEqual(first === undefined ? [] : notificationIds(first));
});

test('what was over before it was shown stays until it is acknowledged, or its symbol is Normal again', async () => {
  const first = await bench.up();
  await bench.down(first);
  const missed = bench.service.emit('SPY', 2);
  await bench.clock.advance(60_000);
  bench.service.emit('SPY', 0);
  await bench.clock.advance(60_000);
  const second = await bench.up();
  await bench.clock.advance(30_000);
  expect(second.shown.map(({ id }) => id)).toEqual(notificationIds(missed));
  expect(second.withdrawn).toEqual([]);
  await acknowledge(second, 'SPY');
  expect(second.withdrawn).toEqual(notificationIds(missed));
});

test('a notification that was shown on Friday is withdrawn when it is acknowledged on Monday', async () => {
  const rig = await bench.up();
  const spy = bench.service.emit('SPY', 2);
  await bench.clock.advance(3_000);
  bench.clock.jump(3 * DAY_MS);
  await bench.clock.advance(3_000);
  await acknowledge(rig, 'SPY');
  expect(rig.withdrawn).toEqual(notificationIds(spy));
});
