// Test: alerts that need attention: the rule, and the same count in windows and tray.
import { describe, expect, test } from 'vitest';
import { calls, idOf, iso, minutes } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { needsAttention } from './attention.ts';

type Facts = Parameters<typeof needsAttention>[0];
const facts = (state: 0 | 1 | 2, more: Partial<Facts> = {}): Facts => ({
  transition: { to_state: state } as Facts['transition'],
  notification_status: 'notified',
  decision: 'matched:high-risk',
  acked_at: null,
  ...more,
});

test.each([
  ['notified', facts(2), true],
  ['notified and Elevated', facts(1), true],
  ['acknowledged', facts(2, { acked_at: '2026-03-02T14:30:00.000Z' }), false],
  ['back in Normal', facts(0), false],
  ['kept back', facts(2, { notification_status: 'waiting' }), false],
  ['decided against', facts(2, { notification_status: 'dropped' }), false],
  [
    'High Risk from before the baseline',
    facts(2, { notification_status: 'none', decision: 'before_baseline:high-risk' }),
    true,
  ],
  [
    'High Risk while the rule is disabled',
    facts(2, { notification_status: 'none', decision: 'disabled:high-risk' }),
    true,
  ],
  [
    'High Risk that a rule rules out',
    facts(2, { notification_status: 'none', decision: 'below_confidence:sure' }),
    false,
  ],
  ['Elevated that no rule asks for', facts(1, { notification_status: 'none', decision: null }), false],
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

  test('show the same: from the notification to the acknowledgement, or to the recovery', async () => {
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
    bench.service.emit('QQQ', 0);
    await bench.clock.advance(300);
    expect(both(rig)).toEqual([[], []]);
    rig.core.actions.acknowledge([spy], false);
    await bench.clock.advance(300);
    expect(both(rig)).toEqual([[spy], [spy]]);
  });

  test('a snoozed alert needs no attention until the snooze ends', async () => {
    const rig = await bench.up();
    const high = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    const id = idOf(rig, high.event_id);
    const at = iso(bench.clock.now() + minutes(10));
    await calls(rig)['alerts.snooze']({ ledger_ids: [id], until: { kind: 'time', at } });
    await bench.clock.advance(300);
    expect(both(rig)).toEqual([[], []]);
    await bench.clock.advance(minutes(11));
    expect(both(rig)).toEqual([[id], [id]]);
  });
});
