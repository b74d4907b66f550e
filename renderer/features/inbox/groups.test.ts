// Test: the groups of the inbox, and which objects stay the same.
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../shared/channels/state.ts';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import { message } from '../../../shared/text/message.ts';
import { alert, iso, row, signal, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { inboxGroups, keepEqual } from './groups.ts';
import {
  anchoredOffset,
  type Entry,
  entriesOf,
  indexOfItem,
  itemIds,
  pinnedIndexes,
  type ShownGroup,
} from './inbox-entries.ts';
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

const NAMES = ['SPY', 'QQQ', 'IWM', 'DIA', 'TLT', 'GLD'];
/** One High Risk per symbol; the ledger id is its position, from 1. */
const active = inboxGroups(
  NAMES.map((symbol, position) => alert(transition(symbol, 0, 2, T0 - position), position + 1)),
  {},
  [],
  riskOrder([], () => undefined),
).needsYou;
const group = (id: string, items: ShownGroup['items']): ShownGroup => ({ id, name: id, tone: 'open', items });
const named = (entries: readonly Entry[], indexes: readonly number[]): string[] =>
  indexes.map((index) => {
    const entry = entries[index];
    return entry?.kind === 'item' ? entry.item.alert.transition.symbol : (entry?.key ?? '');
  });
const all = (entries: readonly Entry[]): string[] =>
  named(
    entries,
    entries.map((_, index) => index),
  );

describe('the entries', () => {
  it('are the one above, then every group with its heading and its items', () => {
    expect(all(entriesOf([group('a', active.slice(0, 2)), group('b', active.slice(2, 3))]))).toEqual([
      'before',
      'a',
      'SPY',
      'QQQ',
      'between',
      'b',
      'IWM',
    ]);
  });
  it('include a text for an empty group that has one', () => {
    expect(all(entriesOf([{ ...group('a', []), none: 'Nothing.' }]))).toEqual(['before', 'a', 'a none', 'between']);
    expect(all(entriesOf([group('a', [])]))).toEqual(['before', 'a', 'between']);
  });
  it('give an item that moved to another group another key', () => {
    const [inA, inB] = ['a', 'b'].map((id) => entriesOf([group(id, active.slice(0, 1))])[2]?.key);
    expect(inA).not.toBe(inB);
  });
});

describe('entries drawn at any scroll position', () => {
  const entries = entriesOf([group('a', active)]);

  it('include no item where no key acts on one', () => {
    expect(named(entries, pinnedIndexes(entries, [null], null))).toEqual(['before', 'a', 'between']);
  });
  it('include the item that the keys act on, and those to which arrows go from there', () => {
    expect(named(entries, pinnedIndexes(entries, [4], null))).toEqual(['before', 'a', 'IWM', 'DIA', 'TLT', 'between']);
  });
  it('include the first and the last item, with their one neighbour', () => {
    expect(named(entries, pinnedIndexes(entries, [1], null))).toEqual(['before', 'a', 'SPY', 'QQQ', 'between']);
    expect(named(entries, pinnedIndexes(entries, [6], null))).toEqual(['before', 'a', 'TLT', 'GLD', 'between']);
  });
  it('include the neighbours of both, where the tab stop is not the item that the keys act on', () => {
    expect(named(entries, pinnedIndexes(entries, [1, 6], null))).toEqual([
      'before',
      'a',
      'SPY',
      'QQQ',
      'TLT',
      'GLD',
      'between',
    ]);
  });
  it('include what was visible and is still there', () => {
    const positions = [{ key: 'gone', start: 0 }, ...entries.slice(5, 7).map(({ key }) => ({ key, start: 0 }))];
    expect(named(entries, pinnedIndexes(entries, [null], { offset: 300, positions }))).toEqual([
      'before',
      'a',
      'DIA',
      'TLT',
      'between',
    ]);
  });
});

describe('the items of the keyboard', () => {
  const entries = entriesOf([
    group('a', active.slice(0, 2)),
    { ...group('b', []), none: 'Nothing.' },
    group('c', active.slice(2)),
  ]);

  it('are in the order of the groups', () => {
    expect(itemIds(entries)).toEqual([1, 2, 3, 4, 5, 6]);
  });
  it('are found among headings and other entries', () => {
    expect(named(entries, [indexOfItem(entries, 3)])).toEqual(['IWM']);
    expect(indexOfItem(entries, 99)).toBe(-1);
  });
});

describe('the item in view', () => {
  const HEIGHT = 70;
  const startOf = (index: number): number => index * HEIGHT;
  const before = entriesOf([group('a', active.slice(2))]);
  const after = entriesOf([group('a', active)]);
  /** Scrolled so that this entry and all that follow it are visible. */
  const viewportFrom = (index: number, offset: number) => ({
    offset,
    positions: before.slice(index).map(({ key }, position) => ({ key, start: startOf(index + position) })),
  });

  it('keeps its position when two came above it', () => {
    expect(anchoredOffset(viewportFrom(3, 215), after, startOf)).toBe(215 + 2 * HEIGHT);
  });
  it('passes its position to the next item when it is gone', () => {
    const left = entriesOf([
      group(
        'a',
        active.filter(({ alert: { transition } }) => transition.symbol !== 'DIA'),
      ),
    ]);
    expect(named(before, [3])).toEqual(['DIA']);
    expect(anchoredOffset(viewportFrom(3, 215), left, startOf)).toBe(215 + HEIGHT);
  });
  it('does not move at the top of the list, nor when nothing of it is left', () => {
    expect(anchoredOffset(null, after, startOf)).toBeNull();
    expect(anchoredOffset(viewportFrom(3, 215), entriesOf([group('b', active)]), startOf)).toBeNull();
  });
  it('is not a heading, which stays at the top whatever comes below it', () => {
    expect(anchoredOffset({ offset: 10, positions: [{ key: 'a', start: HEIGHT }] }, after, startOf)).toBeNull();
  });
});
