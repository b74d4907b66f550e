// Test: which alerts the window announces itself.
import { expect, it } from 'vitest';
import type { Alert } from '../../../shared/channels/state.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import { alert, row, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { inboxGroups } from './groups.ts';
import { toastsOf } from './toasts.ts';

const order = riskOrder([], () => undefined);
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

it('counts active alerts; alerts that are over are separate', () => {
  expect(seen([notifiedAlert('IWM', 3), notifiedAlert('QQQ', 2), notifiedAlert('SPY', 1)])).toEqual([[3, 1], [2]]);
});

it('leaves out alerts that were acknowledged, dismissed, or shown by the desktop', () => {
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
