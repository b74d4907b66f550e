// Test: the groups of the inbox, and which objects stay the same.

import { describe, expect, it } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import { message } from '../../../shared/text/message.ts';
import { alert, iso, row, signal, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { inboxGroups, keepEqual } from './groups.ts';

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
  it('give the duration of a past state, from both its ends', () => {
    expect(groups.past.map(({ until, before }) => [until, before])).toEqual([
      [null, 8 * MINUTE],
      [qqqBack.transition.occurred_at, null],
    ]);
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
    // The change at its end is no longer held, and the symbol has changed since.
    expect(found.past.map(({ before }) => before)).toEqual([null]);
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
    expect(left.past.map(({ alert: { ledger_id }, until, before: had }) => [ledger_id, until, had])).toEqual([
      [3, null, MINUTE],
      [2, iso(T0), null],
    ]);
  });
});
