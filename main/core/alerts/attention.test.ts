// Test: alerts that need attention: the rule, and the same count in windows and tray.
import { describe, expect, test } from 'vitest';
import { MAX_ALERTS } from '../../../shared/channels/state.ts';
import { calls, idOf, inbox, iso, minutes, stepsOf } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { needsAttention } from './attention.ts';

type RecordedAlert = Parameters<typeof needsAttention>[0];
const recorded = (state: 0 | 1 | 2, more: Partial<RecordedAlert> = {}): RecordedAlert => ({
  transition: { to_state: state } as RecordedAlert['transition'],
  notification_status: 'notified',
  decision: 'matched:high-risk',
  acked_at: null,
  ...more,
});

test.each([
  ['notified', recorded(2), true],
  ['notified and Elevated', recorded(1), true],
  ['acknowledged', recorded(2, { acked_at: '2026-03-02T14:30:00.000Z' }), false],
  ['back in Normal', recorded(0), false],
  ['kept back', recorded(2, { notification_status: 'waiting' }), false],
  ['decided against', recorded(2, { notification_status: 'dropped' }), false],
  [
    'High Risk from before the baseline',
    recorded(2, { notification_status: 'none', decision: 'before_baseline:high-risk' }),
    true,
  ],
  [
    'High Risk while the rule is disabled',
    recorded(2, { notification_status: 'none', decision: 'disabled:high-risk' }),
    true,
  ],
  [
    'High Risk that a rule rules out',
    recorded(2, { notification_status: 'none', decision: 'below_confidence:sure' }),
    false,
  ],
  ['Elevated that no rule asks for', recorded(1, { notification_status: 'none', decision: null }), false],
] as const)('%s', (_, alert, isExpected) => {
  expect(needsAttention(alert)).toBe(isExpected);
});

describe('windows and tray', () => {
  const bench = setUpCoreBench();
  const inWindows = (rig: CoreRig): number[] =>
    rig
      .snapshot()
      .alerts.filter((alert) => alert.needs_attention)
      .map(({ ledger_id }) => ledger_id)
      .sort((a, b) => a - b);
  const both = (rig: CoreRig): readonly (readonly number[])[] => [
    inWindows(rig),
    [...rig.core.trayView().needsAttention].sort((a, b) => a - b),
  ];

  test('show the same, from the notification to the acknowledgement, in every state', async () => {
    const rig = await bench.up();
    const high = bench.service.emit('SPY', 2);
    const other = bench.service.emit('QQQ', 2);
    await bench.clock.advance(300);
    const [spy, qqq] = [idOf(rig, high.event_id), idOf(rig, other.event_id)];
    expect(both(rig)).toEqual([
      [spy, qqq],
      [spy, qqq],
    ]);
    rig.core.actions.acknowledge([spy], true);
    await bench.clock.advance(300);
    expect(both(rig)).toEqual([[qqq], [qqq]]);
    const over = iso(Date.parse(bench.service.emit('QQQ', 0).timestamp));
    await bench.clock.advance(300);
    expect(both(rig)).toEqual([[qqq], [qqq]]);
    const kept = rig.snapshot().alerts.find((alert) => alert.ledger_id === qqq);
    expect(kept?.over_since).toBe(over);
    // An open window gets the change as well.
    const pushed = rig.pushes.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.part === 'alerts' ? change.alerts : [])),
    );
    expect(pushed.findLast((alert) => alert.ledger_id === qqq)?.over_since).toBe(over);
    rig.core.actions.acknowledge([qqq], true);
    await bench.clock.advance(300);
    expect(both(rig)).toEqual([[], []]);
    rig.core.actions.acknowledge([spy], false);
    await bench.clock.advance(300);
    expect(both(rig)).toEqual([[spy], [spy]]);
  });

  test('a snoozed alert needs no attention until the snooze ends', { tags: ['long'] }, async () => {
    const rig = await bench.up();
    const high = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    const id = idOf(rig, high.event_id);
    const at = iso(bench.clock.now() + minutes(10));
    await calls(rig)['alerts.snooze']({ ledger_ids: [id], until: { kind: 'time', at } });
    await bench.clock.advance(300);
    expect(both(rig)).toEqual([[], []]);
    await bench.clock.pass(minutes(11));
    expect(both(rig)).toEqual([[id], [id]]);
  });

  test('of one symbol only the newest High Risk stays, and handling it handles earlier ones', async () => {
    const rig = await bench.up();
    for (let turn = 0; turn < 3; turn += 1) {
      bench.service.emit('SPY', 2);
      bench.service.emit('SPY', 0);
      await bench.clock.advance(2_000);
    }
    const last = bench.service.emit('SPY', 2);
    bench.service.emit('SPY', 1);
    await bench.clock.advance(300);
    const id = idOf(rig, last.event_id);
    expect(both(rig)).toEqual([[id], [id]]);
    rig.core.actions.acknowledge([id], true);
    await bench.clock.advance(300);
    expect(both(rig)).toEqual([[], []]);
  });

  test('any number of later ones that were not notified hide none; the newest that was replaces it', async () => {
    const rig = await bench.up();
    const first = bench.service.emit('SPY', 2);
    bench.service.emit('SPY', 0);
    await bench.clock.advance(300);
    const until = iso(bench.clock.now() + minutes(2));
    await calls(rig)['silences.add']({ matchers: [], from: null, until, comment: '' });
    for (let turn = 0; turn < 25; turn += 1) {
      bench.service.emit('SPY', 2);
      bench.service.emit('SPY', 0);
      await bench.clock.advance(1_000);
    }
    const last = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    const id = idOf(rig, first.event_id);
    expect(both(rig)).toEqual([[id], [id]]);
    await bench.clock.pass(minutes(2));
    bench.service.emit('SPY', 0);
    await bench.clock.advance(1_000);
    expect(rig.shown.length).toBeGreaterThan(1);
    const newest = idOf(rig, last.event_id);
    expect(both(rig)).toEqual([[newest], [newest]]);
  });

  test('a snooze that outlasts the state handles the alert', async () => {
    const rig = await bench.up();
    const high = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    const at = iso(bench.clock.now() + minutes(10));
    await calls(rig)['alerts.snooze']({ ledger_ids: [idOf(rig, high.event_id)], until: { kind: 'time', at } });
    bench.service.emit('SPY', 0);
    await bench.clock.pass(minutes(11));
    expect(both(rig)).toEqual([[], []]);
  });

  test.each(['quiet hours', 'a silence'] as const)(
    'a snooze that ended before the state has not, where %s held back the repeat',
    async (mute) => {
      const rig = await bench.up();
      const high = bench.service.emit('SPY', 2);
      await bench.clock.advance(300);
      const id = idOf(rig, high.event_id);
      if (mute === 'quiet hours')
        await calls(rig)['quiet.save']({
          quiet: { when: 'inside', hours: { kind: 'daily', zone: 'UTC', days: [1], from: '14:00', to: '14:40' } },
        });
      else {
        const until = iso(bench.clock.now() + minutes(5));
        await calls(rig)['silences.add']({ matchers: [], from: null, until, comment: 'lunch' });
      }
      const at = iso(bench.clock.now() + minutes(1));
      await calls(rig)['alerts.snooze']({ ledger_ids: [id], until: { kind: 'time', at } });
      await bench.clock.advance(20_000);
      expect((await inbox(rig))[0]?.alert.notification_status).toBe('notified');
      expect(both(rig)).toEqual([[], []]);
      await bench.clock.advance(minutes(1));
      expect(both(rig)).toEqual([[id], [id]]);
      expect(await stepsOf(rig, high.event_id)).toContainEqual(
        expect.stringMatching(mute === 'quiet hours' ? /^waits .*quiet hours/ : /^waits .*silenced: lunch/),
      );
      bench.service.emit('SPY', 0);
      await bench.clock.advance(300);
      expect(both(rig)).toEqual([[id], [id]]);
      await bench.clock.pass(minutes(10));
      expect(both(rig)).toEqual([[id], [id]]);
      expect(rig.shown).toHaveLength(1);
    },
  );

  test('a snooze that outlasts the state handles the alert, also after quiet hours and a silence', {
    tags: ['long'],
  }, async () => {
    const rig = await bench.up();
    const high = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    const id = idOf(rig, high.event_id);
    const until = iso(bench.clock.now() + minutes(8));
    await calls(rig)['silences.add']({ matchers: [], from: null, until, comment: 'lunch' });
    const snoozeFor = (ms: number) =>
      calls(rig)['alerts.snooze']({
        ledger_ids: [id],
        until: { kind: 'time', at: iso(bench.clock.now() + ms) },
      });
    await snoozeFor(20_000);
    await bench.clock.advance(30_000);
    expect(both(rig)).toEqual([[id], [id]]);
    await snoozeFor(minutes(5));
    bench.service.emit('SPY', 0);
    await bench.clock.advance(2_000);
    expect(both(rig)).toEqual([[], []]);
    await bench.clock.pass(minutes(9));
    expect(both(rig)).toEqual([[], []]);
    expect(rig.shown).toHaveLength(1);
  });

  test('an alert that is over and not handled survives a restart and hundreds of later alerts', async () => {
    const before = await bench.up();
    const high = bench.service.emit('SPY', 2);
    bench.service.emit('SPY', 0);
    await bench.clock.advance(300);
    const id = idOf(before, high.event_id);
    await bench.down(before);
    const rig = await bench.up();
    expect(both(rig)).toEqual([[id], [id]]);
    for (let index = 0; index <= MAX_ALERTS; index += 1) bench.service.emit('QQQ', index % 2 === 0 ? 1 : 0);
    await bench.clock.advance(5_000);
    expect(both(rig)).toEqual([[id], [id]]);
  });
});

describe('an absence', () => {
  const bench = setUpCoreBench();
  const link = { push: () => undefined };

  test('a closed window: what came and went is summarised, and seen there it is handled', async () => {
    const rig = await bench.up();
    rig.detach();
    const close = rig.core.attach(link);
    close();
    const over = bench.service.emit('SPY', 2);
    bench.service.emit('SPY', 0);
    const active = bench.service.emit('QQQ', 2);
    await bench.clock.pass(minutes(5));
    const needing = (): readonly number[] => rig.core.trayView().needsAttention;
    const [spy, qqq] = [idOf(rig, over.event_id), idOf(rig, active.event_id)];
    expect(needing()).toEqual(expect.arrayContaining([spy, qqq]));
    rig.core.attach(link);
    const { downtime } = await calls(rig)['alerting.read']({});
    expect(downtime).toMatchObject({
      cause: { code: 'downtime.no_window' },
      symbols: expect.arrayContaining([expect.objectContaining({ symbol: 'SPY', to_state: 0, peak_state: 2 })]),
    });
    await calls(rig)['downtime.acknowledge']({});
    expect(needing()).toEqual([qqq]);
    expect(await stepsOf(rig, over.event_id)).toContain('acknowledged seen in the summary of an absence');
    expect((await calls(rig)['alerting.read']({})).downtime).toBeNull();
  });

  test('without alerts that came and went there is no summary, nor after a reload of the page', async () => {
    const rig = await bench.up();
    rig.detach();
    bench.service.emit('SPY', 1);
    bench.service.emit('SPY', 0);
    await bench.clock.pass(minutes(5));
    const close = rig.core.attach(link);
    expect((await calls(rig)['alerting.read']({})).downtime).toBeNull();
    close();
    bench.service.emit('SPY', 2);
    bench.service.emit('SPY', 0);
    await bench.clock.advance(2_000);
    rig.core.attach(link);
    expect((await calls(rig)['alerting.read']({})).downtime).toBeNull();
    expect(rig.core.trayView().needsAttention).toHaveLength(1);
  });

  test('alerts that came and went in an outage are handled by its summary', async () => {
    const rig = await bench.up();
    const high = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    const id = idOf(rig, high.event_id);
    await bench.down(rig);
    bench.service.emit('SPY', 0);
    await bench.clock.pass(minutes(10));
    const again = await bench.up();
    expect(again.core.trayView().needsAttention).toEqual([id]);
    await calls(again)['downtime.acknowledge']({});
    expect(again.core.trayView().needsAttention).toEqual([]);
  });
});
