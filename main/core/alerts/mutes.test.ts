// Test: snoozes, silences and quiet hours in a whole core, and the notifications at their end.

import { describe, expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { message, optionalText } from '../../../shared/text/message.ts';
import { calls, idOf, inbox, iso, minutes } from '../../../test/harness/alert-calls.ts';
import { namedIds, notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';

const bench = setUpCoreBench();
const snooze = (rig: CoreRig, eventId: string, kind: 'change' | 'recovery' | 'next_open') =>
  calls(rig)['alerts.snooze']({ ledger_ids: [idOf(rig, eventId)], until: { kind } });

describe('mutes', () => {
  test('snoozed until a time: quiet, and notified again if still active', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    const at = iso(bench.clock.now() + minutes(10));
    await calls(rig)['alerts.snooze']({ ledger_ids: [idOf(rig, event.event_id)], until: { kind: 'time', at } });
    await bench.clock.pass(minutes(9));
    expect(shownIds(rig)).toEqual(notificationIds(event));
    expect(rig.alertings.at(-1)).toMatchObject({
      pending_count: 1,
      mutes: [{ kind: 'snooze', matchers: symbolMatchers(['SPY']), until_at: at, pending_count: 1 }],
    });
    await bench.clock.pass(minutes(2));
    expect(shownIds(rig)).toEqual([...notificationIds(event), `barograph:${event.event_id}:again:1`]);
    expect(rig.shown[1]?.title).toBe('[SANDBOX] SPY is still High Risk');
    expect(rig.alertings.at(-1)).toMatchObject({ pending_count: 0, mutes: [] });
    await bench.clock.pass(minutes(2));
    expect(rig.shown).toHaveLength(2);
  });

  test('a cancelled snooze ends at once without a repeat; alerts during it are notified', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('SPY', 1);
    await bench.clock.advance(300);
    const high = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    expect(shownIds(rig)).toEqual(notificationIds(high));
    await snooze(rig, high.event_id, 'next_open');
    await snooze(rig, high.event_id, 'change');
    await calls(rig)['alerts.unsnooze']({ ledger_ids: [idOf(rig, high.event_id)] });
    await bench.clock.advance(minutes(1));
    expect(shownIds(rig)).toEqual(notificationIds(high));
    expect(rig.alertings.at(-1)).toMatchObject({ pending_count: 0, mutes: [] });
    expect((await inbox(rig, { filter: 'unacked' })).map(({ alert }) => alert.notification_status)).toEqual([
      'notified',
    ]);

    await snooze(rig, high.event_id, 'next_open');
    bench.service.emit('SPY', 1);
    const next = bench.service.emit('SPY', 2);
    await bench.clock.advance(minutes(1));
    expect(shownIds(rig)).toEqual(notificationIds(high));
    await calls(rig)['alerts.unsnooze']({ ledger_ids: [idOf(rig, next.event_id)] });
    await bench.clock.advance(minutes(1));
    expect(shownIds(rig)).toEqual(notificationIds(high, next));
    expect(event.event_id).not.toBe(high.event_id);
  });

  test('a snooze survives a restart, and its end during downtime is not lost', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    const at = iso(bench.clock.now() + minutes(10));
    await calls(rig)['alerts.snooze']({ ledger_ids: [idOf(rig, event.event_id)], until: { kind: 'time', at } });
    await bench.down(rig);
    const second = await bench.up();
    await bench.clock.pass(minutes(2));
    expect(second.shown).toEqual([]);
    await bench.down(second);
    await bench.clock.pass(minutes(10));
    const third = await bench.up();
    await bench.clock.advance(2_000);
    expect(shownIds(third)).toEqual([`barograph:${event.event_id}:again:1`]);
  });

  test('until the next change, which is notified', async () => {
    const rig = await bench.up();
    const first = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    await snooze(rig, first.event_id, 'change');
    bench.service.emit('SPY', 1);
    await bench.clock.advance(1_500);
    const second = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_500);
    expect(namedIds(rig)).toEqual(notificationIds(first, second));
  });

  test('until recovery: a rise during it is listed with its reason, and its recovery ends it', async () => {
    const rig = await bench.up();
    const first = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    await snooze(rig, first.event_id, 'recovery');
    bench.service.emit('SPY', 1);
    await bench.clock.advance(1_500);
    const suppressed = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_500);
    expect(
      (await inbox(rig, { filter: 'suppressed' })).map(({ alert }) => [
        alert.transition.event_id,
        optionalText(alert.reason),
      ]),
    ).toEqual([[suppressed.event_id, 'snoozed']]);
    const recovery = bench.service.emit('SPY', 0);
    await bench.clock.advance(1_500);
    expect(rig.alertings.at(-1)?.mutes).toEqual([]);
    const [row] = await inbox(rig, { filter: 'suppressed' });
    expect(row).toMatchObject({
      alert: { notification_status: 'dropped', reason: message('muted.over', { reason: message('muted.snoozed') }) },
      ended: { to_state: 0 },
    });
    expect((await inbox(rig))[0]?.alert.transition.event_id).toBe(recovery.event_id);
    const again = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_500);
    expect(namedIds(rig)).toEqual(notificationIds(first, again));
  });

  test.each(['change', 'recovery'] as const)(
    'until %s: back-fill may bring what ended it before it was made',
    async (kind) => {
      const rig = await bench.up();
      const first = bench.service.emit('SPY', 2);
      await bench.clock.advance(300);
      bench.service.fault = () => 'unreachable';
      bench.service.cut();
      bench.service.emit('SPY', 0);
      await bench.clock.advance(20_000);
      await snooze(rig, first.event_id, kind);
      await bench.clock.advance(20_000);
      bench.service.fault = null;
      await bench.clock.until(() => rig.snapshot().connection.indicators.open.state === 'ok');
      await bench.clock.advance(minutes(1));
      expect(rig.alertings.at(-1)?.mutes).toEqual([]);
      const high = bench.service.emit('SPY', 2);
      await bench.clock.advance(minutes(1));
      bench.service.emit('SPY', 0);
      await bench.clock.advance(minutes(1));
      expect(namedIds(rig)).toEqual(notificationIds(first, high));
    },
  );

  test('until recovery: a recovery from before the snoozed alert does not end it', async () => {
    const rig = await bench.up();
    const at = iso(bench.clock.now() - minutes(2));
    bench.service.deaf = true;
    const late = bench.service.emit('SPY', 0, { at });
    bench.service.deaf = false;
    const first = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    await snooze(rig, first.event_id, 'recovery');
    await bench.clock.advance(minutes(1));
    expect((await inbox(rig)).map(({ alert }) => alert.transition.event_id)).toContain(late.event_id);
    expect(rig.alertings.at(-1)?.mutes).toMatchObject([{ kind: 'snooze' }]);
  });

  test('until the next opening: by the calendar of its market', async () => {
    // 14:30 on a Monday; the sandbox trades around the clock, so the next opening is at midnight.
    const rig = await bench.up();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    await snooze(rig, event.event_id, 'next_open');
    await bench.clock.advance(100);
    expect(rig.alertings.at(-1)?.mutes[0]?.until_at).toBe('2026-03-03T00:00:00.000Z');
  });

  test('an acknowledged alert is not notified again; a recovered one cannot be snoozed', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    const id = idOf(rig, event.event_id);
    const at = iso(bench.clock.now() + minutes(1));
    await calls(rig)['alerts.snooze']({ ledger_ids: [id], until: { kind: 'time', at } });
    await calls(rig)['alerts.acknowledge']({ ledger_ids: [id], acknowledged: true });
    await bench.clock.pass(minutes(2));
    expect(shownIds(rig)).toEqual(notificationIds(event));
    expect(await inbox(rig, { filter: 'unacked' })).toEqual([]);
    bench.service.emit('SPY', 0);
    await bench.clock.advance(300);
    await expect(async () => snooze(rig, event.event_id, 'change')).rejects.toThrow(
      'None of these alerts is still active',
    );
    await expect(async () =>
      calls(rig)['alerts.acknowledge']({ ledger_ids: [4711], acknowledged: true }),
    ).rejects.toThrow('no alert 4711');
  });

  test('a silence of everything lists what it holds back, and its end is one notification of the active alerts', async () => {
    const rig = await bench.up();
    const until = iso(bench.clock.now() + minutes(4));
    await calls(rig)['silences.add']({ matchers: symbolMatchers(null), from: null, until, comment: 'lunch' });
    const events = ['SPY', 'QQQ', 'IWM', 'AAPL'].map((symbol) => bench.service.emit(symbol, 2));
    await bench.clock.advance(minutes(1));
    bench.service.emit('AAPL', 0);
    await bench.clock.advance(minutes(1));
    expect(rig.shown).toEqual([]);
    expect(rig.alertings.at(-1)).toMatchObject({
      pending_count: 4,
      mutes: [{ kind: 'silence', comment: 'lunch', pending_count: 4 }],
    });
    await bench.clock.pass(minutes(3));
    expect(rig.shown).toMatchObject([
      {
        id: notificationIds(...events)[0],
        title: expect.stringMatching(/^\[SANDBOX] 3 turned High Risk since \d\d:\d\d, worst /),
      },
    ]);
    expect(namedIds(rig)).toEqual(notificationIds(...events.slice(0, 3)));
    const behind = iso(bench.clock.now() - 1);
    await expect(async () =>
      calls(rig)['silences.add']({ matchers: symbolMatchers(null), from: null, until: behind, comment: '' }),
    ).rejects.toThrow('before it begins');
  });

  test('ended manually', async () => {
    const rig = await bench.up();
    const { id } = await calls(rig)['silences.add']({
      matchers: symbolMatchers(['SPY']),
      from: null,
      until: iso(bench.clock.now() + minutes(60)),
      comment: '',
    });
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(minutes(1));
    expect(rig.shown).toEqual([]);
    await calls(rig)['mutes.end']({ id });
    await bench.clock.advance(100);
    expect(shownIds(rig)).toEqual(notificationIds(event));
    await expect(async () => calls(rig)['mutes.end']({ id: 1 })).rejects.toThrow('ended already');
  });

  test('a silence by class and state holds back only alerts that meet all of its matchers', async () => {
    const rig = await bench.up();
    await calls(rig)['silences.add']({
      matchers: [
        { name: 'symbol', operator: 'is_not', values: ['QQQ'] },
        { name: 'state', operator: 'is', values: [2] },
      ],
      from: null,
      until: iso(bench.clock.now() + minutes(60)),
      comment: 'drill',
    });
    bench.service.emit('SPY', 2);
    const qqq = bench.service.emit('QQQ', 2);
    await bench.clock.advance(minutes(1));
    expect(shownIds(rig)).toEqual(notificationIds(qqq));
    expect(rig.alertings.at(-1)).toMatchObject({ pending_count: 1, mutes: [{ pending_count: 1 }] });
  });

  test('an edited silence releases alerts that it no longer covers, and its new end applies', async () => {
    const rig = await bench.up();
    const silence = { from: null, until: iso(bench.clock.now() + minutes(60)), comment: '' };
    const { id } = await calls(rig)['silences.add']({ ...silence, matchers: symbolMatchers(['SPY', 'QQQ']) });
    const spy = bench.service.emit('SPY', 2);
    const qqq = bench.service.emit('QQQ', 2);
    await bench.clock.advance(minutes(1));
    expect(rig.shown).toEqual([]);
    const until = iso(bench.clock.now() + minutes(10));
    await calls(rig)['silences.edit']({ id, silence: { ...silence, until, matchers: symbolMatchers(['QQQ']) } });
    await bench.clock.advance(minutes(1));
    expect(shownIds(rig)).toEqual(notificationIds(spy));
    expect(rig.alertings.at(-1)).toMatchObject({ mutes: [{ id, until_at: until, pending_count: 1 }] });
    await bench.clock.pass(minutes(10));
    expect(shownIds(rig)).toEqual(notificationIds(spy, qqq));
    await expect(async () =>
      calls(rig)['silences.edit']({ id, silence: { ...silence, matchers: [] } }),
    ).rejects.toThrow('ended already');
  });

  test('a snooze is not edited, and an edit that ends in the past is refused', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    await snooze(rig, event.event_id, 'recovery');
    await bench.clock.advance(100);
    const id = rig.alertings.at(-1)?.mutes[0]?.id ?? 0;
    const until = iso(bench.clock.now() + minutes(60));
    const edit = (of: number, end: string) =>
      calls(rig)['silences.edit']({ id: of, silence: { matchers: [], from: null, until: end, comment: '' } });
    await expect(async () => edit(id, until)).rejects.toThrow('ended already');
    const added = await calls(rig)['silences.add']({ matchers: [], from: null, until, comment: '' });
    await expect(async () => edit(added.id, iso(bench.clock.now() - 1))).rejects.toThrow('before it begins');
  });

  test('quiet hours: no sound, and active alerts are notified at their end', async () => {
    const rig = await bench.up();
    await calls(rig)['quiet.save']({
      quiet: { when: 'inside', hours: { kind: 'daily', zone: 'UTC', days: [1], from: '14:00', to: '14:35' } },
    });
    const active = bench.service.emit('SPY', 2);
    bench.service.emit('QQQ', 2);
    await bench.clock.advance(minutes(1));
    bench.service.emit('QQQ', 0);
    await bench.clock.advance(minutes(1));
    expect(rig.shown).toEqual([]);
    expect(rig.alertings.at(-1)).toMatchObject({ is_quiet: true, pending_count: 2 });
    await bench.clock.pass(minutes(4));
    expect(shownIds(rig)).toEqual(notificationIds(active));
  });
});
