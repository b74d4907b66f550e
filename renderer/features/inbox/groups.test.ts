// Test: the groups of the inbox, and which objects stay the same.
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../shared/channels/state.ts';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import { message } from '../../../shared/text/message.ts';
import { alert, iso, row, signal, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { endedAlerts, inboxGroups, keepEqual } from './groups.ts';
import { toastsOf } from './toasts.ts';

const MINUTE = 60_000;
const order = riskOrder([], () => undefined);
const symbols = (items: readonly { alert: { transition: { symbol: string } } }[]): string[] =>
  items.map((item) => item.alert.transition.symbol);

describe('the groups of the inbox', () => {
  const spyHigh = alert(transition('SPY', 1, 2, T0 - MINUTE), 4);
  const qqqBack = alert(transition('QQQ', 2, 0, T0 - 2 * MINUTE), 3);
  const iwmElevated = alert(transition('IWM', 0, 1, T0 - 3 * MINUTE), 2);
  const qqqHigh = alert(transition('QQQ', 0, 2, T0 - 10 * MINUTE), 1, { needs_attention: false });
  const rows = { SPY: row('SPY', 2), QQQ: row('QQQ', 0), IWM: row('IWM', 1) };
  const groups = inboxGroups([spyHigh, qqqBack, iwmElevated, qqqHigh], rows, [], order);

  it('put what is still High Risk first', () => {
    expect([symbols(groups.needsYou), symbols(groups.elevated), symbols(groups.past)]).toEqual([
      ['SPY'],
      ['IWM'],
      ['QQQ', 'QQQ'],
    ]);
  });
  it('give the end of a past state', () => {
    expect(groups.past.map(({ until }) => until)).toEqual([null, qqqBack.transition.occurred_at]);
  });
  it('do not show a state as current that the row has left already', () => {
    expect(inboxGroups([spyHigh], { SPY: row('SPY', 1) }, [], order).needsYou).toMatchObject([{ isActive: false }]);
  });
  it('keep what is still High Risk while the row is unknown', () => {
    expect(symbols(inboxGroups([spyHigh], {}, [], order).needsYou)).toEqual(['SPY']);
  });
  it('leave out what nobody watches', () => {
    expect(inboxGroups([{ ...spyHigh, watched: false }], rows, [], order).needsYou).toEqual([]);
  });
  it('keep what is over and needs attention, with its end as the core knows it', () => {
    const over = { ...qqqHigh, needs_attention: true, over_since: iso(T0 - 5 * MINUTE) };
    const found = inboxGroups([spyHigh, qqqBack, over], rows, [], order);
    expect(found.needsYou.map(({ alert: { ledger_id }, until, isActive }) => [ledger_id, until, isActive])).toEqual([
      [4, null, true],
      [1, iso(T0 - 5 * MINUTE), false],
    ]);
  });
  it('put the worst first: the highest state, then what is not over', () => {
    const elevated = { ...iwmElevated, needs_attention: true };
    const over = { ...qqqHigh, needs_attention: true, over_since: iso(T0) };
    const newer = alert(transition('DIA', 0, 1, T0), 9, { needs_attention: true });
    expect(symbols(inboxGroups([newer, spyHigh, elevated, over], rows, [], order).needsYou)).toEqual([
      'SPY',
      'QQQ',
      'DIA',
      'IWM',
    ]);
  });
  it('put the deepest fall by the present price first, not the surest call at its transition', () => {
    const deep = alert({ ...transition('SPY', 1, 2, T0 - MINUTE), confidence: 20 }, 4);
    const sure = alert({ ...transition('QQQ', 1, 2, T0), confidence: 60 }, 5);
    const at = (falls: Readonly<Record<string, number>>) =>
      riskOrder([], (symbol) => row(symbol, 2, { signal: signal(symbol, 2, { breach_progress: falls[symbol] }) }));
    const order = (falls: Readonly<Record<string, number>>): string[] =>
      symbols(inboxGroups([sure, deep], {}, [], at(falls)).needsYou);
    expect(order({ SPY: 3.2, QQQ: 1.1 })).toEqual(['SPY', 'QQQ']);
    expect(order({ SPY: 3.2, QQQ: 3.4 })).toEqual(['QQQ', 'SPY']);
  });
  it('put acknowledged and snoozed alerts under taken care of, suppressed ones under held back', () => {
    const mute = {
      id: 1,
      kind: 'snooze',
      until: 'change',
      from: iso(T0),
      until_at: null,
      comment: '',
      made_at: iso(T0),
      pending_count: 0,
    } as const;
    const mine = [
      { ...spyHigh, acked_at: iso(T0), needs_attention: false },
      { ...iwmElevated, notification_status: 'notified' as const },
      {
        ...qqqHigh,
        notification_status: 'waiting' as const,
        reason: message('muted.quiet_hours'),
        needs_attention: false,
      },
    ];
    const found = inboxGroups(
      mine,
      { ...rows, QQQ: row('QQQ', 2) },
      [{ ...mute, matchers: symbolMatchers(['IWM']) }],
      order,
    );
    expect([symbols(found.needsYou), symbols(found.takenCare), symbols(found.suppressed)]).toEqual([
      [],
      ['SPY', 'IWM'],
      ['QQQ'],
    ]);
    expect(found.suppressed[0]?.outcome).toEqual({ kind: 'suppressed', reason: 'quiet hours' });
  });
});

it('ended alerts are those of High Risk, notified or withdrawn, since one began to watch and not too old', () => {
  const ended = (id: number, to: 0 | 1 | 2, more: Partial<Alert> = {}, at = T0 - id * MINUTE) => ({
    ...{ alert: alert(transition('SPY', 0, to, at), id, more), until: iso(T0), isActive: false },
    outcome: { kind: 'came_and_went', isNotified: true, isBaseline: false } as const,
  });
  const withdrawn = { ...transition('SPY', 2, 0, T0), in_question: 'withdrawn' } as const;
  const past = [
    ended(1, 2),
    ended(2, 1),
    ended(3, 1, { notification_status: 'notified' }),
    ended(4, 0, { notification_status: 'notified' }),
    ended(5, 0, { transition: withdrawn }),
    ended(6, 2, { decision: 'before_baseline:high-risk' }),
    ended(7, 2, {}, T0 - 1000 * MINUTE),
  ];
  expect(endedAlerts(past, T0 - 100 * MINUTE).map(({ alert: { ledger_id } }) => ledger_id)).toEqual([1, 3, 5]);
});

describe('an unchanged part', () => {
  const high = alert(transition('SPY', 1, 2, T0 - MINUTE), 2);
  const elevated = alert(transition('IWM', 0, 1, T0 - 3 * MINUTE), 1);
  const rows = { SPY: row('SPY', 2), IWM: row('IWM', 1) };
  const before = inboxGroups([high, elevated], rows, [], order);

  it('is the same object, as a whole where nothing changed', () => {
    expect(keepEqual(before, inboxGroups([high, elevated], { ...rows }, [], order))).toBe(before);
  });
  it('keeps its item where another group changed', () => {
    const after = keepEqual(
      before,
      inboxGroups([alert(transition('QQQ', 0, 2, T0), 3), high, elevated], rows, [], order),
    );
    expect([
      after.elevated === before.elevated,
      after.needsYou[1] === before.needsYou[0],
      after.needsYou.length,
    ]).toEqual([true, true, 2]);
  });
  it('is another object once it changed: acknowledged, ended, or with another end', () => {
    const acked = { ...high, acked_at: iso(T0), needs_attention: false };
    expect(keepEqual(before, inboxGroups([acked, elevated], rows, [], order)).takenCare[0]?.alert).toBe(acked);
    const over = { ...high, needs_attention: false };
    const left = keepEqual(
      before,
      inboxGroups([alert(transition('SPY', 2, 0, T0), 3), over, elevated], rows, [], order),
    );
    expect(left.past.map(({ alert: { ledger_id }, until }) => [ledger_id, until])).toEqual([
      [3, null],
      [2, iso(T0)],
    ]);
  });
});

const notifiedAlert = (symbol: string, ledgerId: number, more: Partial<Alert> = {}): Alert =>
  alert(transition(symbol, 0, 2, T0 + ledgerId * 1000), ledgerId, {
    notification_status: 'notified',
    dispatch: { notification_id: `n${ledgerId}`, outcome: 'in_app', at: new Date(T0).toISOString(), detail: null },
    ...more,
  });
const seen = (alerts: readonly Alert[], dismissed: readonly string[] = []) => {
  const { active, over } = toastsOf(alerts, inboxGroups(alerts, rows, [], order), dismissed);
  return [active, over].map((list) => list.map(({ ledger_id: id }) => id));
};
const rows = { SPY: row('SPY', 2), QQQ: row('QQQ', 0), IWM: row('IWM', 2) };

it('the toast counts active alerts; those that are over are separate', () => {
  expect(seen([notifiedAlert('IWM', 3), notifiedAlert('QQQ', 2), notifiedAlert('SPY', 1)])).toEqual([[3, 1], [2]]);
});

it('the toast leaves out alerts that were acknowledged, dismissed, or shown by the desktop', () => {
  const system = { notification_id: 'n4', outcome: 'shown', at: new Date(T0).toISOString(), detail: null } as const;
  const alerts = [
    notifiedAlert('SPY', 4, { dispatch: system }),
    notifiedAlert('IWM', 3, { acked_at: new Date(T0).toISOString() }),
    notifiedAlert('QQQ', 2),
  ];
  expect(seen(alerts, [alerts[2]?.transition.event_id ?? ''])).toEqual([[], []]);
});

it('an alert that joined a dismissed notification is announced', () => {
  const joined = notifiedAlert('IWM', 3);
  const first = notifiedAlert('SPY', 2, { dispatch: joined.dispatch });
  expect(seen([joined, first], [first.transition.event_id])).toEqual([[3], []]);
});

it('an earlier transition of an active symbol is over, and a snoozed alert needs nobody', () => {
  const alerts = [notifiedAlert('SPY', 5), notifiedAlert('SPY', 1)];
  expect(seen(alerts)).toEqual([[5], [1]]);
  const mute = {
    id: 1,
    kind: 'snooze',
    matchers: [{ name: 'symbol', operator: 'is', values: ['SPY'] }],
    until: 'change',
    until_at: null,
    made_at: '',
    comment: '',
    pending_count: 0,
    names: [],
  };
  const snoozed = alerts.map((each) => ({ ...each, needs_attention: false }));
  const groups = inboxGroups(snoozed, rows, [mute as never], order);
  expect(toastsOf(alerts, groups, [])).toEqual({ active: [], over: [alerts[1]] });
});

it("a rule's match of a symbol on no list is notified, too", () => {
  expect(seen([notifiedAlert('GLD', 7, { watched: false }), notifiedAlert('GLD', 6, { watched: false })])).toEqual([
    [7],
    [6],
  ]);
});
