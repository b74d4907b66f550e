// Test: price alerts in the window: inbox, number on the tab, list with reasons, export.
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LocalAlert, PriceAlert } from '../../../shared/channels/state.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { priceAlert } from '../../../test/fixtures/window-fixtures.ts';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { Inbox, useAlertBadge } from '../inbox/index.ts';
import { PriceAlertsView, priceAlertCsv, priceAlertRows } from './price-alerts-view.tsx';

const crossed = (id: number, more: Partial<PriceAlert> = {}): PriceAlert =>
  priceAlert('SPY', id, more, '2026-11-20T14:30:00.000Z');
const OVER = crossed(1, {
  needs_attention: false,
  notification_status: 'waiting',
  reason: message('muted.silenced'),
});

function Badge() {
  const badge = useAlertBadge();
  return <output>{badge?.label ?? 'none'}</output>;
}
const open = async () => {
  const rig = await renderInWindow(
    <>
      <Badge />
      <Inbox onClose={() => undefined} onOpen={() => undefined} />
    </>,
    { 'alerting.read': () => alerting(), 'alerts.acknowledge': () => ({}), 'watchlist.select': () => ({}) },
  );
  let number = 1;
  return {
    ...rig,
    pushPrices(local_alerts: LocalAlert[]) {
      number += 1;
      return rig.push('state.changed', { number, changes: [{ part: 'local_alerts', local_alerts }] });
    },
  };
};

const FOREIGN: LocalAlert = (({ crossing: _, ...common }) => ({
  ...common,
  event_id: 'foreign:1',
  symbol: null,
  foreign: { title: '=HYPERLINK("http://x")', text: '', severity: 2, problems: ['severity'] },
}))(priceAlert('SPY', 9));

const BREADTH: LocalAlert = (({ crossing: _, ...common }) => ({
  ...common,
  event_id: 'breadth:1',
  symbol: null,
  decision: 'matched:(grouping)',
  breadth: {
    condition: { list: 'desk', percent: 30, state: 2 as const },
    name: 'Desk list',
    symbols: ['SPY', 'QQQ'],
    known: 5,
    of: 6,
  },
}))(priceAlert('SPY', 10));

test('market breadth that needs the user is in the inbox with its symbols, and counted, until it is acknowledged', async () => {
  const { user, calls, pushPrices } = await open();
  await pushPrices([{ ...BREADTH, needs_attention: true, over_since: '2026-11-20T15:00:00.000Z' }]);
  const section = await screen.findByRole('region', { name: 'Market breadth' });
  expect(section.textContent).toContain('Desk list: 2 of 5 (40 %) are High Risk');
  expect(section.textContent).toContain('SPY, QQQ');
  expect(section.textContent).toContain('Over since');
  expect(section.textContent).toContain('30 % or more of Desk list at High Risk. The state of 1 more symbol');
  expect(screen.getByRole('status').textContent).toBe('1 needs attention');
  await user.click(within(section).getByRole('button', { name: /^Acknowledge|^Ack/ }));
  expect(calls).toEqual([{ name: 'alerts.acknowledge', input: { ledger_ids: [10], acknowledged: true } }]);
});

test('market breadth is in the list with what asked for it, and in the file', async () => {
  await renderInWindow(<PriceAlertsView />, { 'localAlerts.read': () => ({ rows: [BREADTH], next: null }) });
  const [, row] = await screen.findAllByRole('row');
  expect(row?.textContent).toContain('Desk list: 2 of 5 (40 %) are High Risk');
  expect(row?.textContent).toContain('Grouping, in Settings');
  const [, line] = priceAlertCsv(priceAlertRows([BREADTH])).split('\n');
  expect(line).toContain('market breadth,High Risk,Desk list: 2 of 5 (40 %) are High Risk,"SPY, QQQ"');
});

test('a price alert that needs the user is in the inbox and counted, until it is acknowledged', async () => {
  const { user, calls, pushPrices } = await open();
  expect(screen.getByRole('status').textContent).toBe('none');
  await pushPrices([crossed(2), OVER]);
  const section = await screen.findByRole('region', { name: 'Price alerts' });
  expect(within(section).getAllByRole('listitem')).toHaveLength(1);
  expect(section.textContent).toContain('SPY is at 179.90, at or below 180.00');
  expect(screen.getByRole('status').textContent).toBe('1 needs attention');
  await user.click(within(section).getByRole('button', { name: /^Acknowledge|^Ack/ }));
  expect(calls).toEqual([{ name: 'alerts.acknowledge', input: { ledger_ids: [2], acknowledged: true } }]);
  await pushPrices([crossed(2, { needs_attention: false, acked_at: '2026-11-20T14:31:00.000Z' })]);
  expect(screen.queryByRole('region', { name: 'Price alerts' })).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('none');
});

test('one button acknowledges all price alerts', async () => {
  const { user, calls, pushPrices } = await open();
  await pushPrices([crossed(3), crossed(2)]);
  await user.click(await screen.findByRole('button', { name: /^Acknowledge all 2/ }));
  expect(calls.at(-1)?.input).toEqual({ ledger_ids: [3, 2], acknowledged: true });
});

test('the list names rule and outcome, and says why', async () => {
  const { user } = await renderInWindow(<PriceAlertsView />, {
    'alerting.read': () => alerting(),
    'localAlerts.read': () => ({ rows: [crossed(2), OVER], next: null }),
    'alerts.trace': ({ ledger_id }) => ({
      ledger_id,
      event_id: `price:dip:SPY:${ledger_id}`,
      event: 'price.crossed',
      steps: [{ at: '2026-11-20T14:30:00.000Z', step: 'waits', detail: plainMessage('Held back: silenced.') }],
      silent: [],
    }),
  });
  const rows = await screen.findAllByRole('row');
  expect(
    rows.slice(1).map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ),
  ).toMatchObject([
    [expect.any(String), 'at or below 180.00', '179.90', 'dip (deleted)', 'Needs attention', expect.any(String)],
    [expect.any(String), 'at or below 180.00', '179.90', 'dip (deleted)', 'Held back', expect.any(String)],
  ]);
  const [, , last] = rows;
  if (last === undefined) throw new Error('no second row');
  await user.click(within(last).getByRole('button', { name: /: why$/ }));
  const why = await screen.findByRole('complementary', { name: 'Why' });
  await waitFor(() => expect(why.textContent).toContain('Held back: silenced.'));
  act(() => within(why).getByRole('textbox').focus());
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('complementary', { name: 'Why' })).toBeNull();
  expect(document.activeElement).toBe(within(last).getByRole('button', { name: /: why$/ }));
});

test('an alert of another program is marked, and its texts stay texts', async () => {
  await renderInWindow(<PriceAlertsView />, {
    'localAlerts.read': () => ({ rows: [FOREIGN], next: null }),
    'alerts.trace': () => ({ ledger_id: 9, event_id: 'foreign:1', event: 'foreign.alert', steps: [], silent: [] }),
  });
  const [, row] = await screen.findAllByRole('row');
  expect(row?.textContent).toContain('Other program =HYPERLINK("http://x")');
});

test('the list is empty where no price met a condition', async () => {
  await renderInWindow(<PriceAlertsView />, { 'localAlerts.read': () => ({ rows: [], next: null }) });
  expect((await screen.findByRole('region', { name: 'Price alerts' })).textContent).toContain(
    'No price and no share of a list has met',
  );
});

test('the file has the condition of each price alert, and no invented value', () => {
  const [head, first] = priceAlertCsv(priceAlertRows([crossed(2)])).split('\n');
  expect(head).toBe(
    'symbol,asset_class,at,direction,condition,price,price_at,change_percent,rule,notification,reason,acknowledged_at,note,event_id,source,severity,title,text,problems',
  );
  expect(first).toBe(
    'SPY,etf,2026-11-20T14:30:00.000Z,down,at or below 180.00,179.9,2026-11-20T14:30:00.000Z,,dip,notified,,,,price:dip:SPY:2,price,,,,',
  );
  const [, foreign] = priceAlertCsv(priceAlertRows([FOREIGN])).split('\n');
  expect(foreign).toContain(`other program,High Risk,"'=HYPERLINK(""http://x"")",,"It states no known severity`);
});
