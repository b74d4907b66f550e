// Test: while a share of a list is High Risk, alerts of symbols are listed with its notification, or held back.
import { expect, test } from 'vitest';
import type { Grouping } from '../../../shared/settings/alert-rules.ts';
import { DEFAULT_GROUPING } from '../../../shared/settings/alert-rules.ts';
import { calls, inbox, minutes, rule, stepsOf } from '../../../test/harness/alert-calls.ts';
import { namedIds, notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { DEFAULT_SETTINGS } from '../profiles/settings.ts';

const bench = setUpCoreBench();
const SHARE = { list: 'tech', percent: 40 };

async function up(symbols = ['SPY', 'QQQ', 'IWM', 'AAPL', 'XLK'], grouping: Partial<Grouping> = {}): Promise<CoreRig> {
  const settings = {
    ...DEFAULT_SETTINGS,
    watchlists: [{ id: 'tech', name: 'Tech', sections: [{ name: 'All', symbols }] }],
  };
  settings.alerting = { ...settings.alerting, grouping: { ...DEFAULT_GROUPING, inhibited_by: SHARE, ...grouping } };
  const rig = bench.rig({ settings });
  await rig.core.start();
  await bench.clock.until(() => rig.snapshot().connection.indicators.open.state === 'ok');
  await bench.clock.advance(2_500);
  return rig;
}
const turn = async (symbol: string, state: 0 | 2 = 2) => {
  const event = bench.service.emit(symbol, state);
  await bench.clock.pass(minutes(5));
  return event;
};
const share = (rig: CoreRig) => {
  const [alert] = rig.snapshot().local_alerts;
  if (alert === undefined) throw new Error('no alert of a share');
  return alert;
};
const lastTitles = (rig: CoreRig): string[] => [...new Map(rig.shown.map(({ id, title }) => [id, title])).values()];

test('the share is notified without a rule of its own, and further alerts are listed in its notification', async () => {
  const rig = await up();
  const first = [await turn('SPY'), await turn('QQQ')];
  const others = [await turn('IWM'), await turn('AAPL')];
  const title = '[SANDBOX] Tech: 2 of 5 (40 %) are High Risk';
  expect(lastTitles(rig)).toEqual(['[SANDBOX] SPY is High Risk', title]);
  expect(rig.shown.at(-1)).toMatchObject({ title, names: expect.arrayContaining(notificationIds(...others)) });
  expect(namedIds(rig)).toEqual(expect.arrayContaining(notificationIds(...first, ...others)));
  expect(share(rig)).toMatchObject({ decision: 'matched:(grouping)', needs_attention: true });
  expect(await stepsOf(rig, others[0]?.event_id ?? '')).toContain(
    'digest listed with the alert that 40 % or more of Tech are High Risk',
  );
});

test('once it is acknowledged others are held back, shown as such, and notified when the share is over', async () => {
  const rig = await up();
  for (const symbol of ['SPY', 'QQQ']) await turn(symbol);
  await calls(rig)['alerts.acknowledge']({ ledger_ids: [share(rig).ledger_id], acknowledged: true });
  const held = await turn('IWM');
  const row = (await inbox(rig, { filter: 'suppressed' })).find(({ alert }) => alert.transition.symbol === 'IWM');
  expect(JSON.stringify(row)).toContain('muted.inhibited_by_share');
  expect(namedIds(rig)).not.toContain(notificationIds(held)[0]);
  for (const symbol of ['SPY', 'QQQ']) await turn(symbol, 0);
  expect(namedIds(rig)).toContain(notificationIds(held)[0]);
});

test('a share that was over while nobody asked for it holds back nothing when somebody asks for it again', async () => {
  const rig = await up();
  const inhibitedBy = async (by: Grouping['inhibited_by']): Promise<void> => {
    const { grouping } = await calls(rig)['alerting.read']({});
    await calls(rig)['grouping.save']({ grouping: { ...grouping, inhibited_by: by } });
    await bench.clock.advance(minutes(1));
  };
  for (const symbol of ['SPY', 'QQQ']) await turn(symbol);
  await calls(rig)['alerts.acknowledge']({ ledger_ids: [share(rig).ledger_id], acknowledged: true });
  await inhibitedBy(null);
  for (const symbol of ['SPY', 'QQQ']) await turn(symbol, 0);
  await inhibitedBy(SHARE);
  const alert = await turn('IWM');
  expect(namedIds(rig)).toContain(notificationIds(alert)[0]);
});

test('a rule on the same share makes no second notification', async () => {
  const rig = await up();
  await calls(rig)['rules.save']({
    rule: rule({
      id: 'market',
      name: 'Market',
      events: ['breadth.crossed'],
      min_state: 0,
      breadth: { ...SHARE, state: 2 },
    }),
  });
  for (const symbol of ['SPY', 'QQQ']) await turn(symbol);
  expect(rig.snapshot().local_alerts).toMatchObject([{ decision: 'matched:market' }]);
  const other = await turn('IWM');
  expect(rig.shown.at(-1)?.names).toContain(notificationIds(other)[0]);
});

test('nothing is held back while fewer than half of the states are known, and the trace says so', async () => {
  const rig = await up(['SPY', 'NONE1', 'NONE2']);
  const alert = await turn('SPY');
  expect(lastTitles(rig)).toEqual(['[SANDBOX] SPY is High Risk']);
  expect(await stepsOf(rig, alert.event_id)).toContain(
    'evaluated Matches "High Risk of a watched symbol". Notified at once. Nothing is held back by Tech: of its 3 symbols, the states of 1 are known, fewer than half.',
  );
});

test('nothing is held back by a list that was deleted, and the trace says so', async () => {
  const rig = await up(undefined, { inhibited_by: { list: 'gone', percent: 40 } });
  const alerts = [await turn('SPY'), await turn('QQQ'), await turn('IWM')];
  expect(namedIds(rig)).toEqual(notificationIds(...alerts));
  expect((await stepsOf(rig, alerts[2]?.event_id ?? '')).join()).toContain('there is no watchlist gone');
});

test('settings of the version before read as they were', async () => {
  const rig = await up(undefined, { inhibited_by: 'SPY' });
  expect((await calls(rig)['alerting.read']({})).grouping.inhibited_by).toBe('SPY');
});
