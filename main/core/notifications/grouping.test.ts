// Test: groups of notifications in a whole core, with a wait, and with a restart within the wait.
import { expect, test } from 'vitest';
import { DEFAULT_GROUPING, type Grouping } from '../../../shared/settings/alert-rules.ts';
import { calls } from '../../../test/harness/alert-calls.ts';
import { namedIds, notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';

const bench = setUpCoreBench();
const SECOND = 1_000;
const group = (rig: CoreRig, grouping: Partial<Grouping>) =>
  calls(rig)['grouping.save']({
    grouping: { ...DEFAULT_GROUPING, ...grouping },
  });
/** High Risk, a second apart. */
const turnHigh = async (...symbols: string[]) => {
  const events = [];
  for (const symbol of symbols) {
    events.push(bench.service.emit(symbol, 2));
    await bench.clock.advance(SECOND);
  }
  return events;
};

test('by default the alerts of a minute share one notification, which grows under the id of the first', async () => {
  const rig = await bench.up();
  const events = await turnHigh('SPY', 'QQQ', 'IWM');
  await bench.clock.advance(5 * SECOND);
  expect(new Set(shownIds(rig))).toEqual(new Set(notificationIds(...events.slice(0, 1))));
  expect(namedIds(rig).toSorted()).toEqual(notificationIds(...events).toSorted());
});

test('grouped by symbol, alerts of different symbols share no notification', async () => {
  const rig = await bench.up();
  await group(rig, { by: 'symbol' });
  const events = await turnHigh('SPY', 'QQQ', 'IWM', 'AAPL');
  await bench.clock.advance(5 * SECOND);
  expect(shownIds(rig)).toEqual(notificationIds(...events));
});

test('grouped by class, an alert of a share does not join the notification of funds', async () => {
  const rig = await bench.up();
  await group(rig, { by: 'class' });
  const share = bench.service.emit('AAPL', 2, { asset_class: 'equity' });
  const events = [share, ...(await turnHigh('SPY', 'QQQ'))];
  await bench.clock.advance(5 * SECOND);
  expect(new Set(shownIds(rig))).toEqual(new Set(notificationIds(...events.slice(0, 2))));
  expect(namedIds(rig).toSorted()).toEqual(notificationIds(...events).toSorted());
});

test('without groups each has its own, also those of one instant', async () => {
  const rig = await bench.up();
  await group(rig, { by: 'none', wait_seconds: 30 });
  const events = ['SPY', 'QQQ', 'IWM'].map((symbol) => bench.service.emit(symbol, 2));
  await bench.clock.advance(5 * SECOND);
  expect(shownIds(rig).toSorted()).toEqual(notificationIds(...events).toSorted());
});

test('a group waits for others, and no High Risk longer than the wait', async () => {
  const rig = await bench.up();
  await group(rig, { wait_seconds: 10 });
  const events = await turnHigh('SPY', 'QQQ', 'IWM');
  await bench.clock.advance(6 * SECOND);
  expect(rig.shown).toEqual([]);
  await bench.clock.advance(2 * SECOND);
  expect(shownIds(rig)).toEqual(notificationIds(...events.slice(0, 1)));
  expect(namedIds(rig).toSorted()).toEqual(notificationIds(...events).toSorted());
  // It is pending: later events within the interval join it at once.
  const [last] = await turnHigh('AAPL');
  await bench.clock.advance(3 * SECOND);
  expect(new Set(shownIds(rig)).size).toBe(1);
  expect(namedIds(rig)).toContain(notificationIds(last as { event_id: string })[0]);
});

test('a single waiting alert is shown under its own id, also after a restart within the wait', async () => {
  const rig = await bench.up();
  await group(rig, { wait_seconds: 20 });
  const [event] = await turnHigh('SPY');
  await rig.core.stop();
  const again = await bench.up();
  await bench.clock.advance(25 * SECOND);
  expect(shownIds(again)).toEqual(notificationIds(event as { event_id: string }));
});
