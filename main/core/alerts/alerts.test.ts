// Test: alerts in a whole core: rules, mutes, bursts, digests, holds, channels, the window's view.

import { describe, expect, test } from 'vitest';
import { DEFAULT_RULE, type Rule } from '../../../shared/settings/alert-rules.ts';
import { message, optionalText } from '../../../shared/text/message.ts';
import { calls, idOf, inbox, iso, minutes, rule } from '../../../test/harness/alert-calls.ts';
import { namedIds, notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { DEFAULT_SETTINGS } from '../profiles/settings.ts';

const bench = setUpCoreBench();
describe('rules', () => {
  test('a rule for one symbol and Elevated notifies of that; the first rule continues', async () => {
    const rig = await bench.up();
    await calls(rig)['rules.save']({
      rule: rule({
        id: 'mine',
        events: ['signal.elevated', 'signal.high_risk'],
        min_state: 1,
        scope: { kind: 'symbols', symbols: ['ZZZ'] },
      }),
    });
    const mine = bench.service.emit('ZZZ', 1);
    await bench.clock.advance(1_000);
    bench.service.emit('QQQ', 1);
    const high = bench.service.emit('SPY', 2);
    await bench.clock.advance(2_000);
    expect(namedIds(rig)).toEqual(notificationIds(mine, high));
    expect(rig.shown[0]).toMatchObject({ title: '[SANDBOX] ZZZ is Elevated', urgency: 'normal' });
    expect((await inbox(rig)).map(({ alert }) => alert.decision)).toEqual([
      'matched:high-risk',
      'other_symbol:mine',
      'matched:mine',
    ]);
  });

  test('without rules nothing is notified, and the window says so', async () => {
    const rig = await bench.up();
    await calls(rig)['rules.delete']({ id: 'high-risk' });
    bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    expect(rig.shown).toEqual([]);
    expect(rig.alertings.at(-1)).toMatchObject({ rules: [], silent: true });
    await expect(async () => calls(rig)['rules.delete']({ id: 'high-risk' })).rejects.toThrow(
      'There is no rule high-risk.',
    );
  });

  test('an expired rule is notified once, across a restart too', async () => {
    const rig = await bench.up();
    await calls(rig)['rules.save']({ rule: rule({ expires_at: iso(bench.clock.now() + minutes(1)) }) });
    await bench.clock.pass(minutes(2));
    expect(rig.shown).toMatchObject([
      { title: '[SANDBOX] An alert rule or a channel does not work', body: expect.stringContaining('It ended at') },
    ]);
    expect(rig.alertings.at(-1)).toMatchObject({
      silent: true,
      rules: [{ problem: { code: 'rule.expired' } }],
    });
    const { settings } = rig;
    await bench.down(rig);
    const again = bench.rig();
    again.settings = settings;
    await again.core.start();
    await bench.clock.advance(minutes(1));
    expect(again.shown).toEqual([]);
  });

  test('windows receive rules and mutes when they change, not with every action', async () => {
    const rig = await bench.up();
    const high = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    const acknowledge = async (acknowledged: boolean): Promise<void> => {
      await calls(rig)['alerts.acknowledge']({ ledger_ids: [idOf(rig, high.event_id)], acknowledged });
      await bench.clock.advance(300);
    };
    await acknowledge(true);
    const pushCount = rig.alertings.length;
    await acknowledge(false);
    await acknowledge(true);
    expect(rig.alertings).toHaveLength(pushCount);
    await calls(rig)['rules.delete']({ id: 'high-risk' });
    await bench.clock.advance(300);
    expect(rig.alertings.at(-1)).toMatchObject({ silent: true });
  });

  test('an invalid rule does not stop the others, and is named', async () => {
    const rig = bench.rig();
    rig.settings = {
      ...DEFAULT_SETTINGS,
      alerting: { rules: [{ id: 'odd', events: 'all' }, DEFAULT_RULE], quiet: { when: 'now' } },
    };
    await rig.core.start();
    await bench.clock.advance(minutes(1));
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    expect(shownIds(rig).filter((id) => !id.startsWith('barograph:rule:'))).toEqual(notificationIds(event));
    expect(shownIds(rig).filter((id) => id.startsWith('barograph:rule:'))).toHaveLength(2);
    expect(await calls(rig)['alerting.read']({})).toMatchObject({
      silent: false,
      rules: [
        { id: 'odd', rule: null, problem: { code: 'rule.invalid' } },
        { id: 'high-risk', problem: null },
        { id: 'quiet-hours' },
      ],
    });
    await calls(rig)['rules.delete']({ id: 'odd' });
    expect((await calls(rig)['alerting.read']({})).rules.map(({ id }) => id)).toEqual(['high-risk', 'quiet-hours']);
  });

  test('an unknown list is refused, and a deleted one is reported', async () => {
    const rig = await bench.up();
    const lists = rule({ id: 'lists', scope: { kind: 'lists', ids: ['gone'] } });
    await expect(async () => calls(rig)['rules.save']({ rule: lists })).rejects.toThrow('There is no watchlist gone.');
  });

  test('a rule of another profile does not notify here: no rule does, and High Risk needs attention', async () => {
    const rig = bench.rig();
    const [own] = DEFAULT_SETTINGS.profiles;
    if (own === undefined) throw new Error('no profile');
    const limited = { ...DEFAULT_RULE, profiles: ['replay20'] };
    rig.settings = {
      ...DEFAULT_SETTINGS,
      profiles: [own, { ...own, name: 'replay20' }],
      alerting: { rules: [limited], quiet: null },
    };
    await rig.core.start();
    await bench.clock.advance(minutes(1));
    bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    expect(shownIds(rig)).toEqual([]);
    expect(await calls(rig)['alerting.read']({})).toMatchObject({ silent: true, rules: [{ problem: null }] });
    const [row] = await inbox(rig);
    expect(row?.alert).toMatchObject({ needs_attention: true, decision: 'other_profile:high-risk' });
  });

  test('other events: a flip of the regime', async () => {
    const rig = await bench.up();
    await calls(rig)['rules.save']({ rule: rule({ id: 'flips', events: ['regime.flip'], regimes: ['stress'] }) });
    const flip = (id: string, to: string): string =>
      `id: ${id}\nevent: regime.flip\ndata: ${JSON.stringify({
        event_id: id,
        seq: bench.service.log.length + 1,
        event: 'regime.flip',
        timestamp: iso(bench.clock.now()),
        data: { symbol: 'SPY', from_regime: 'calm', to_regime: to, confidence: 80 },
      })}\n\n`;
    bench.service.write(flip('flip_1', 'stress'));
    bench.service.write(flip('flip_2', 'calm'));
    await bench.clock.advance(300);
    expect(rig.shown).toMatchObject([{ id: 'barograph:flip_1', title: '[SANDBOX] SPY is in regime stress' }]);
  });

  test('backtested on the last 30 days: the number of its notifications', async () => {
    const emit = (state: 0 | 1 | 2, at: string): void => void bench.service.emit('SPY', state, { at });
    // An event of the past, as in a log that is read for the first time.
    emit(2, '2026-01-20T10:00:00.000Z');
    emit(0, '2026-01-20T11:00:00.000Z');
    const rig = await bench.up();
    emit(2, '2026-02-20T10:00:00.000Z');
    emit(0, '2026-02-20T10:05:00.000Z');
    emit(2, '2026-02-21T10:00:00.000Z');
    await bench.clock.advance(minutes(1));
    const backtest = async (more: Partial<Rule>) => calls(rig)['rules.backtest']({ rule: rule(more) });
    expect(await backtest({})).toMatchObject({
      evaluated: 3,
      matched: 2,
      notified: 2,
      not_sustained: 0,
      brief: 1,
      from: '2026-02-20T10:00:00.000Z',
      also: [],
    });
    expect(Date.parse((await backtest({})).known_from ?? '')).toBeLessThan(Date.parse('2026-02-20T10:00:00.000Z'));
    expect(await backtest({ id: 'second' })).toMatchObject({ also: [{ rule: rule({}).id, count: 2 }] });
    expect(await backtest({ hold_up_seconds: 600 })).toMatchObject({ matched: 2, notified: 1, not_sustained: 1 });
    expect(await backtest({ min_confidence: 90 })).toMatchObject({ matched: 0, notified: 0, examples: [] });
    expect((await backtest({})).examples.map(({ at }) => at)).toEqual([
      '2026-02-21T10:00:00.000Z',
      '2026-02-20T10:00:00.000Z',
    ]);
    await calls(rig)['quiet.save']({
      quiet: { when: 'inside', hours: { kind: 'daily', zone: 'UTC', days: [6], from: '09:00', to: '11:00' } },
    });
    expect(await backtest({})).toMatchObject({ matched: 2, notified: 1, quiet: 1 });
  });
});

describe('many', () => {
  const SYMBOLS = ['SPY', 'QQQ', 'IWM', 'AAPL', 'XLK', 'ZZZ', 'A', 'B'];
  const watchAll = async (): Promise<CoreRig> => {
    const rig = await bench.up();
    await calls(rig)['rules.save']({ rule: rule({ scope: { kind: 'all' } }) });
    return rig;
  };

  test('a burst of 18 in 65 s is one notification, which grows', async () => {
    const rig = await watchAll();
    const events: { event_id: string }[] = [];
    for (const symbol of [...SYMBOLS, ...'CDEFGHIJKL']) {
      events.push(bench.service.emit(symbol, 2));
      await bench.clock.advance(3_600);
      expect(namedIds(rig)).toEqual(notificationIds(...events));
    }
    const [first] = notificationIds(...events);
    expect(new Set(shownIds(rig))).toEqual(new Set([first]));
    expect(rig.shown.at(-1)).toMatchObject({
      title: expect.stringMatching(/^\[SANDBOX] 18 turned High Risk since \d\d:\d\d, worst L$/),
      names: notificationIds(...events),
    });
    for (const { alert } of await inbox(rig, { filter: 'notified' }))
      expect(alert.dispatch).toMatchObject({ outcome: 'shown' });
    // A minute later the next event has its own notification again.
    await bench.clock.advance(minutes(1));
    const later = bench.service.emit('SPY', 2);
    await bench.clock.advance(300);
    expect(shownIds(rig).at(-1)).toBe(notificationIds(later)[0]);
  });

  test('the worst of a burst is the deepest fall by the present price, whenever it turned', async () => {
    const rig = await bench.up();
    const fall = (symbol: string, breach_progress: number): void =>
      void bench.service.prices.set(symbol, { breach_progress });
    for (const symbol of ['SPY', 'QQQ', 'IWM', 'AAPL']) fall(symbol, 1.1);
    fall('QQQ', 3.4);
    await bench.clock.advance(3_000);
    for (const symbol of ['SPY', 'QQQ', 'IWM']) bench.service.emit(symbol, 2);
    await bench.clock.advance(3_000);
    expect(rig.shown.at(-1)).toMatchObject({
      title: expect.stringMatching(/ worst QQQ$/),
      body: expect.stringContaining('It is 3.4 times as far below its high as its breach level.'),
    });
    // QQQ recovers and SPY falls on; the next transition brings a new text.
    fall('QQQ', 1.2);
    fall('SPY', 5);
    await bench.clock.advance(3_000);
    bench.service.emit('AAPL', 2);
    await bench.clock.advance(5_000);
    expect(rig.shown.at(-1)?.title).toMatch(/ 4 turned High Risk .* worst SPY$/);
    expect(rig.core.trayView().high[0]).toBe('SPY');
  });

  test('a symbol that flaps is notified twice a minute at most, with its number of changes', async () => {
    const rig = await bench.up();
    const high: { event_id: string }[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      high.push(bench.service.emit('SPY', 2));
      await bench.clock.advance(5_000);
      bench.service.emit('SPY', 1);
      await bench.clock.advance(5_000);
    }
    await bench.clock.advance(minutes(1));
    expect(rig.shown.length).toBeLessThan(9);
    expect(namedIds(rig)).toEqual(notificationIds(...high));
    expect(rig.shown.map(({ body }) => body)).toContainEqual(
      expect.stringContaining('It changed 7 times in 20 minutes.'),
    );
    expect(rig.shown.map(({ title }) => title)).toContainEqual(
      expect.stringMatching(/^\[SANDBOX] SPY: \d times High Risk$/),
    );
  });

  test('missed events are one digest, each with its own row and reason, and a summary of the downtime', async () => {
    const first = await bench.up();
    bench.service.emit('SPY', 1);
    await bench.clock.pass(minutes(2));
    await bench.down(first);
    const missed = ['SPY', 'QQQ', 'IWM', 'AAPL'].map((symbol) => bench.service.emit(symbol, 2));
    await bench.clock.pass(minutes(30));
    bench.service.emit('QQQ', 0);
    await bench.clock.pass(minutes(30));
    const second = await bench.up();
    await bench.clock.advance(2_000);
    expect(second.shown).toMatchObject([
      {
        title: expect.stringMatching(/^\[SANDBOX] 4 turned High Risk since \d\d:\d\d, worst SPY$/),
        names: notificationIds(...missed),
      },
    ]);
    const rows = await inbox(second, { filter: 'notified' });
    expect(rows).toHaveLength(4);
    for (const { alert } of rows)
      expect(alert.dispatch).toMatchObject({ outcome: 'shown', notification_id: second.shown[0]?.id });
    const { downtime } = await calls(second)['alerting.read']({});
    expect(downtime).toMatchObject({ cause: message('connection.not_running') });
    expect(
      downtime?.symbols.map(({ symbol, from_state, to_state, peak_state }) => [
        symbol,
        from_state,
        to_state,
        peak_state,
      ]),
    ).toEqual([
      ['AAPL', 0, 2, 2],
      ['IWM', 0, 2, 2],
      ['SPY', 1, 2, 2],
      ['QQQ', 0, 0, 2],
    ]);
    await calls(second)['downtime.acknowledge']({});
    expect((await calls(second)['alerting.read']({})).downtime).toBeNull();
    await bench.down(second);
    expect((await bench.up()).shown).toEqual([]);
  });

  test('a crash while a notification grows: it is shown once more, under its id, with all its events', async () => {
    const rig = await watchAll();
    const first = bench.service.emit('SPY', 2);
    await bench.clock.advance(100);
    const more = SYMBOLS.slice(1).map((symbol) => bench.service.emit(symbol, 2, { at: first.timestamp }));
    await bench.clock.advance(300);
    expect(namedIds(rig)).toEqual(notificationIds(first));
    const [before] = await inbox(rig, { filter: 'notified' });
    expect(before?.alert.dispatch).toMatchObject({ outcome: 'intent', notification_id: notificationIds(first)[0] });
    await bench.down(rig);
    const second = await bench.up();
    await bench.clock.advance(12_000);
    expect(namedIds(second)).toEqual(notificationIds(first, ...more));
    expect(shownIds(second)).toEqual(notificationIds(first));
  });

  test('a program that crashes repeatedly does not prolong the wait', async () => {
    let rig = await bench.up();
    const events = Array.from({ length: 12 }, (_, index) => bench.service.emit('SPY', index % 2 === 0 ? 2 : 0));
    await bench.clock.advance(1_000);
    const named = (): string[] => rig.shown.flatMap(({ id, names = [id] }) => names.map((name) => `${id} ${name}`));
    const pairs = new Set(named());
    for (let life = 0; life < 4; life += 1) {
      await bench.down(rig);
      rig = await bench.up();
      await bench.clock.advance(8_000);
      for (const pair of named()) pairs.add(pair);
    }
    // Half a minute after the first event, whichever run that was; each under one id.
    const names = [...pairs].map((pair) => pair.slice(pair.indexOf(' ') + 1));
    expect(names.sort()).toEqual(notificationIds(...events.filter(({ event }) => event === 'signal.high_risk')).sort());
  });

  test('a rise must hold as long as its rule says', async () => {
    const rig = await bench.up();
    await calls(rig)['rules.save']({ rule: rule({ hold_up_seconds: 60 }) });
    bench.service.emit('SPY', 2);
    const holds = bench.service.emit('QQQ', 2);
    await bench.clock.advance(30_000);
    bench.service.emit('SPY', 1);
    await bench.clock.advance(40_000);
    expect(shownIds(rig)).toEqual(notificationIds(holds));
    expect((await inbox(rig, { filter: 'suppressed' })).map(({ alert: { reason } }) => optionalText(reason))).toEqual([
      'it did not hold',
    ]);
  });

  test('a late event is evaluated by the times of the events: it held long enough, and is over', async () => {
    const rig = await bench.up();
    await calls(rig)['rules.save']({ rule: rule({ hold_up_seconds: 60 }) });
    bench.service.deaf = true;
    bench.service.fault = ({ path }) => (path === '/events' ? 'unreachable' : null);
    const held = bench.service.emit('SPY', 2);
    const brief = bench.service.emit('QQQ', 2);
    await bench.clock.advance(10_000);
    bench.service.emit('QQQ', 0);
    await bench.clock.advance(80_000);
    bench.service.emit('SPY', 0);
    bench.service.fault = null;
    bench.service.deaf = false;
    await bench.clock.pass(180_000);
    expect(namedIds(rig)).toContain(notificationIds(held)[0]);
    expect(namedIds(rig)).not.toContain(notificationIds(brief)[0]);
  });

  test('beside a production profile the sandbox notifies once in five minutes; the rest is listed', async () => {
    const rig = await bench.up();
    const [sandbox] = rig.settings.profiles;
    if (sandbox === undefined) throw new Error('no profile');
    rig.settings = {
      ...rig.settings,
      profiles: [sandbox, { ...sandbox, name: 'live', environment: 'production', baseUrl: 'https://x.example' }],
    };
    await bench.clock.advance(3_000);
    const first = bench.service.emit('SPY', 2);
    await bench.clock.advance(minutes(1));
    bench.service.emit('QQQ', 2);
    await bench.clock.pass(minutes(5));
    const third = bench.service.emit('IWM', 2);
    await bench.clock.advance(1_000);
    expect(shownIds(rig)).toEqual(notificationIds(first, third));
    expect(rig.shown.every(({ silent }) => silent)).toBe(true);
    const [dropped] = await inbox(rig, { filter: 'suppressed' });
    expect(dropped?.alert).toMatchObject({
      notification_status: 'dropped',
      reason: message('paused.sandbox'),
    });
  });
});
