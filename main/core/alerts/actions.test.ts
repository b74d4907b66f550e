// Test: answers to a notification reach the right alerts, once, and update the tray's count.

import { describe, expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { calls, idOf, inbox, iso, minutes, stepsOf } from '../../../test/harness/alert-calls.ts';
import { notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import type { NotificationAnswer } from '../notifications/answers.ts';

const bench = setUpCoreBench();
const answer = (rig: CoreRig, id: string, what: NotificationAnswer) => rig.core.actions.answer(id, what);
const waiting = (rig: CoreRig): readonly number[] => rig.core.trayView().needsAttention;

async function highRisk(): Promise<{ rig: CoreRig; event: string; id: string; ledgerId: number }> {
  const rig = await bench.up();
  const high = bench.service.emit('SPY', 2);
  await bench.clock.advance(300);
  const [id = ''] = notificationIds(high);
  return { rig, event: high.event_id, id, ledgerId: idOf(rig, high.event_id) };
}

describe('an answer', () => {
  test('open leads to the alert and changes nothing but the note of the click', async () => {
    const { rig, event, id, ledgerId } = await highRisk();
    expect(answer(rig, id, 'open')).toEqual({ page: 'alerts', item: String(ledgerId) });
    expect(await stepsOf(rig, event)).toContainEqual(expect.stringMatching(/^clicked/));
    expect((await inbox(rig, { filter: 'unacked' })).map(({ alert }) => alert.ledger_id)).toEqual([ledgerId]);
  });

  test('acknowledge does so, and leads nowhere', async () => {
    const { rig, id } = await highRisk();
    expect(answer(rig, id, 'acknowledge')).toBeNull();
    expect(await inbox(rig, { filter: 'unacked' })).toEqual([]);
    // Some systems send an answer twice.
    expect(answer(rig, id, 'acknowledge')).toBeNull();
    expect(await inbox(rig, { filter: 'unacked' })).toEqual([]);
  });

  test('snooze mutes it for an hour', async () => {
    const { rig, id } = await highRisk();
    const hour = bench.clock.now() + minutes(60);
    expect(answer(rig, id, 'snooze')).toBeNull();
    expect((await calls(rig)['alerting.read']({})).mutes).toMatchObject([
      { kind: 'snooze', matchers: symbolMatchers(['SPY']), until: 'time', until_at: iso(hour), pending_count: 1 },
    ]);
  });

  test('an impossible answer leads to the page that shows why', async () => {
    const { rig, id, ledgerId } = await highRisk();
    bench.service.emit('SPY', 0);
    await bench.clock.advance(300);
    expect(answer(rig, id, 'snooze')).toEqual({ page: 'alerts', item: String(ledgerId) });
  });

  test.each(['acknowledge', 'snooze'] as const)(
    '%s covers what the desktop named, and not what joined since and waits for the next revision',
    async (what) => {
      const rig = await bench.up();
      const alone = bench.service.emit('SPY', 2);
      await bench.clock.advance(70_000);
      const host = bench.service.emit('QQQ', 2);
      await bench.clock.advance(5_000);
      const named = bench.service.emit('IWM', 2);
      await bench.clock.advance(500);
      const waits = bench.service.emit('AAPL', 2);
      await bench.clock.advance(500);
      const ids = [alone, host, named, waits].map(({ event_id }) => idOf(rig, event_id));
      const [id = ''] = notificationIds(host);
      expect(rig.shown.at(-1)).toMatchObject({ id, names: notificationIds(host, named) });
      expect(answer(rig, id, what)).toBeNull();
      await bench.clock.advance(100);
      expect(waiting(rig)).toEqual([ids[0], ids[3]]);
      expect(await stepsOf(rig, waits.event_id)).not.toContainEqual(expect.stringMatching(/^clicked/));
      await bench.clock.advance(3_000);
      expect(rig.shown.at(-1)).toMatchObject({ id, names: notificationIds(host, named, waits) });
      expect(answer(rig, id, what)).toBeNull();
      await bench.clock.advance(100);
      expect(waiting(rig)).toEqual([ids[0]]);
    },
  );

  test('to a notification of another core is ignored', async () => {
    const { rig } = await highRisk();
    expect(answer(rig, 'barograph:unknown', 'acknowledge')).toBeUndefined();
  });
});

describe('the count on the tray', () => {
  test('includes notified, active, unacknowledged alerts, and subscribers receive changes', async () => {
    const rig = await bench.up();
    await bench.clock.advance(minutes(1));
    expect(waiting(rig)).toEqual([]);
    let changes = 0;
    const cancel = rig.core.onTrayChanged(() => changes++);
    const high = bench.service.emit('SPY', 2);
    bench.service.emit('QQQ', 1);
    await bench.clock.advance(300);
    expect(changes).toBeGreaterThan(0);
    expect(rig.core.trayView()).toMatchObject({
      profile: 'sandbox',
      environment: 'sandbox',
      outageSince: null,
      high: ['SPY'],
      elevated: ['QQQ'],
    });
    expect(waiting(rig)).toEqual([idOf(rig, high.event_id)]);
    answer(rig, notificationIds(high)[0] ?? '', 'acknowledge');
    expect(waiting(rig)).toEqual([]);
    await bench.clock.advance(300);
    cancel();
    const seen = changes;
    bench.service.emit('SPY', 0);
    await bench.clock.advance(300);
    expect(changes).toBe(seen);
    expect(rig.core.trayView().high).toEqual([]);
  });

  test('excludes a selected symbol that is in no list', async () => {
    const rig = await bench.up();
    await bench.clock.advance(minutes(1));
    const { watchlists, selected } = rig.snapshot();
    const lists = watchlists.map((list) => ({ ...list, sections: [{ name: 'Core', symbols: ['QQQ'] }] }));
    await rig.core.handlers['watchlist.save']({ watchlists: lists });
    bench.service.emit('SPY', 2);
    bench.service.emit('QQQ', 2);
    await bench.clock.advance(300);
    expect(selected).toBe('SPY');
    expect(rig.snapshot().rows.map(({ symbol, signal }) => [symbol, signal?.state])).toEqual([
      ['QQQ', 2],
      ['SPY', 2],
    ]);
    expect(rig.core.trayView().high).toEqual(['QQQ']);
    expect(rig.core.status().high).toBe(1);
  });
});
