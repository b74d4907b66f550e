// Test: what the desktop has not taken is offered to browsers, until one or a window showed it; then withdrawn.
import { expect, test } from 'vitest';
import type { OfferedNotification } from '../../../shared/channels/state.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { calls } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { saying } from '../../../test/harness/saying.ts';

const bench = setUpCoreBench();
let isAway = true;
const up = (): Promise<CoreRig> => {
  isAway = true;
  return bench.up({ show: async () => ({ tier: isAway ? 'in_app' : 'system', detail: plainMessage('no bus') }) });
};
/** As a window has it from the pushes. */
const offered = (rig: CoreRig): readonly OfferedNotification[] =>
  rig.pushes
    .flatMap(({ changes }) => changes)
    .flatMap((change) => (change.part === 'notifier' ? [change.notifier.offered ?? []] : []))
    .at(-1) ?? [];
const shownByBrowser = (rig: CoreRig, id: string, revision = 1) =>
  calls(rig)['alerts.shown']({ notification_id: id, browser_revision: revision });

test('an offer has the text and the tag of its notification, and a report of a browser is its outcome', async () => {
  const rig = await up();
  const id = `barograph:${bench.service.emit('SPY', 2).event_id}`;
  await bench.clock.advance(300);
  expect(offered(rig)).toEqual([
    {
      notification_id: id,
      revision: 1,
      tag: `sandbox/${id}`,
      title: '[SANDBOX] SPY is High Risk',
      body: expect.stringContaining('36 % chance of a fall'),
      is_urgent: false,
      is_silent: true,
      status: 'open',
    },
  ]);
  await shownByBrowser(rig, id);
  await bench.clock.advance(300);
  expect(offered(rig)).toMatchObject([{ notification_id: id, status: 'shown' }]);
  expect(rig.snapshot().alerts[0]?.dispatch).toMatchObject({
    outcome: 'in_app',
    detail: saying('The browser showed it, because the window was in the background.'),
  });
  const attempts = rig.shown.length;
  await bench.clock.advance(200_000);
  expect(rig.shown).toHaveLength(attempts);
});

test('a click leads to the alert', async () => {
  const rig = await up();
  const id = `barograph:${bench.service.emit('SPY', 2).event_id}`;
  await bench.clock.advance(300);
  await shownByBrowser(rig, id);
  const ledgerId = String(rig.snapshot().alerts[0]?.ledger_id);
  expect(await calls(rig)['alerts.clicked']({ notification_id: id })).toEqual({
    route: { page: 'alerts', item: ledgerId },
  });
  expect(await calls(rig)['alerts.clicked']({ notification_id: 'barograph:nothing' })).toEqual({ route: null });
});

test.each([
  ['the browser', 1],
  ['a window', undefined],
] as const)('an offer that %s showed is withdrawn when its alert is acknowledged', async (_by, revision) => {
  const rig = await up();
  const id = `barograph:${bench.service.emit('SPY', 2).event_id}`;
  await bench.clock.advance(300);
  await calls(rig)['alerts.shown']({ notification_id: id, browser_revision: revision });
  await bench.clock.advance(1_000);
  const ledgerIds = rig.snapshot().alerts.map(({ ledger_id }) => ledger_id);
  await calls(rig)['alerts.acknowledge']({ ledger_ids: ledgerIds, acknowledged: true });
  await bench.clock.advance(1_000);
  expect(offered(rig)).toMatchObject([{ notification_id: id, status: 'withdrawn' }]);
});

test('an offer that the desktop takes later is withdrawn from the browser', async () => {
  const rig = await up();
  bench.service.emit('SPY', 2);
  await bench.clock.advance(300);
  isAway = false;
  await bench.clock.advance(60_000);
  expect(offered(rig)).toMatchObject([{ status: 'withdrawn' }]);
});

test('an offer that grew is made again with its new text, whatever is said of the earlier one', async () => {
  const rig = await up();
  bench.service.emit('SPY', 2);
  await bench.clock.advance(1_500);
  const [{ notification_id: id } = { notification_id: '' }] = offered(rig);
  await shownByBrowser(rig, id, 1);
  await bench.clock.advance(300);
  expect(offered(rig)).toMatchObject([{ revision: 1, status: 'shown', title: '[SANDBOX] SPY is High Risk' }]);
  bench.service.emit('IWM', 2);
  await bench.clock.advance(1_500);
  await shownByBrowser(rig, id, 1);
  expect(offered(rig)).toMatchObject([
    { revision: 2, status: 'open', title: expect.stringContaining('2 turned High Risk') },
  ]);
  await shownByBrowser(rig, id, 2);
  await bench.clock.advance(100);
  expect(offered(rig)).toMatchObject([{ revision: 2, status: 'shown' }]);
});

test('an outage is offered, and its end under the same tag', async () => {
  const rig = await up();
  bench.service.cut();
  bench.service.fault = () => 'unreachable';
  await bench.clock.advance(5 * 60_000);
  const [outage] = offered(rig);
  expect(outage).toMatchObject({ status: 'open', title: expect.stringContaining('Not receiving data since') });
  await shownByBrowser(rig, outage?.notification_id ?? '');
  bench.service.fault = null;
  await bench.clock.advance(2 * 60_000);
  expect(offered(rig).map(({ tag }) => tag)).toEqual([outage?.tag, outage?.tag]);
  expect(offered(rig)[1]).toMatchObject({ status: 'open', title: expect.stringContaining('Receiving data again') });
});
