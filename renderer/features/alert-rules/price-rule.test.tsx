// Test: a rule on a price in the editor: its fields, the status of its symbols, its test on closes.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { DEFAULT_RULE, type Rule } from '../../../shared/settings/alert-rules.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { row } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, renderInWindow } from '../../../test/harness/window.tsx';
import { useApp } from '../../store/store.ts';
import { alertLevelsOf, priceStatusOf, priceStatusText } from './price-status.ts';
import { openPriceRule, ruleEdit } from './rule-edit.ts';
import { RulesView } from './rules-view.tsx';

function Rules() {
  const state = useApp(({ features }) => features.alerting);
  return state === null ? null : <RulesView alerting={state} />;
}
const DIP: Rule = {
  ...DEFAULT_RULE,
  id: 'dip',
  name: 'Dip',
  events: ['price.crossed'],
  min_state: 0,
  price: { kind: 'level', direction: 'below', level: 9_000 },
};
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const editor = () => screen.getByRole('complementary');

const open = (handlers: CoreHandlers = {}) =>
  renderInWindow(<Rules />, {
    'alerting.read': () => alerting(),
    'rules.save': () => ({}),
    'watchlist.select': () => ({}),
    ...handlers,
  });

beforeEach(() => ruleEdit.close());

test('a level is entered, checked and saved as a rule of its own event', async () => {
  openPriceRule('market', 'sandbox', 'SPY');
  const { user, calls } = await open();
  expect(field('Name').value).toBe('SPY price');
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  expect(within(editor()).getByRole('alert').textContent).toContain('A price above 0');
  await user.click(screen.getByRole('button', { name: 'Is at or above' }));
  await user.type(field('Price'), '1,234.50');
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  await screen.findByText('Saved.');
  expect(calls.at(-1)).toMatchObject({
    name: 'rules.save',
    input: {
      rule: {
        id: 'spy-price',
        events: ['price.crossed'],
        min_state: 0,
        min_confidence: null,
        regimes: null,
        hold_up_seconds: 0,
        scope: { kind: 'symbols', symbols: ['SPY'] },
        // Not of another profile, which has other prices of SPY.
        profiles: ['sandbox'],
        price: { kind: 'level', direction: 'above', level: 1234.5 },
      },
    },
  });
});

test('a price alert that was opened from another page begins at its price, beside the present one', async () => {
  openPriceRule('market', 'sandbox', 'SPY');
  const { unmount } = await open();
  await waitFor(() => expect(document.activeElement).toBe(field('Price')));
  expect(field('Price').placeholder).toBe('SPY now: 571.24');
  unmount();
  expect(ruleEdit.current()?.takesFocus).toBe(false);
});

test('a change has a percentage, and a time where it is not against the previous close', async () => {
  openPriceRule('market', 'sandbox', 'SPY');
  const { user, calls } = await open();
  await user.click(screen.getByRole('button', { name: 'Falls by' }));
  expect(screen.queryByRole('textbox', { name: 'Price' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Within minutes' }));
  await user.clear(field('Minutes'));
  await user.type(field('Minutes'), '2');
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  expect(within(editor()).getByRole('alert').textContent).toContain('Whole minutes from 5 to 1440.');
  await user.clear(field('Minutes'));
  await user.type(field('Minutes'), '30');
  await user.click(screen.getByRole('button', { name: 'Save rule' }));
  await screen.findByText('Saved.');
  expect(calls.at(-1)).toMatchObject({
    input: { rule: { price: { kind: 'change', direction: 'down', percent: 3, minutes: 30 } } },
  });
});

test('a price has no state, confidence, regime or hold time', async () => {
  openPriceRule('market', 'sandbox', 'SPY');
  const { user } = await open();
  for (const name of ['At least', 'In these regimes (none chosen: any)'])
    expect(screen.queryByRole('group', { name })).toBeNull();
  expect(screen.queryByRole('textbox', { name: 'A rise must hold, s' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Events' }));
  expect(field('A rise must hold, s').value).toBe('0');
});

test('a price rule says before it is saved that its level was passed already, and from where on it waits', async () => {
  openPriceRule('market', 'sandbox', 'SPY', { kind: 'level', direction: 'below', level: 9_000 });
  await open();
  await waitFor(() =>
    expect(editor().textContent).toContain(
      'SPY meets it already: notified once it was back at 9,045.00 and meets it again.',
    ),
  );
});

/** Runs the test of a rule over closes at an hour of the day, as "T21". */
async function runBacktest(hour: string): Promise<void> {
  openPriceRule('market', 'sandbox', 'SPY', { kind: 'level', direction: 'below', level: 500 });
  const { user } = await open({
    'priceAlerts.backtest': () => ({
      symbols: 1,
      untested: [],
      without: [],
      from: `2026-02-02${hour}:00:00.000Z`,
      closes: 21,
      notified: 1,
      examples: [{ symbol: 'SPY', at: `2026-02-20${hour}:00:00.000Z`, price: 499.5, change_pct: null }],
    }),
  });
  await user.click(screen.getByRole('button', { name: 'Test on the last 30 days' }));
}

test('the back-test of a price rule shows the notifications from close to close', async () => {
  await runBacktest('T21');
  const result = await screen.findByRole('region', { name: 'Test on the last 30 days' });
  await waitFor(() => expect(result.textContent).toContain('it would have notified you 1 time: 21 closes of 1 symbol'));
  expect(within(result).getByRole('row', { name: /SPY 499.50/ })).toBeDefined();
});

test('a close at midnight is of the day that it ends, as in the table of daily values', async () => {
  await runBacktest('T00');
  expect(await screen.findByRole('row', { name: /Thu 19 Feb 2026 SPY/ })).toBeDefined();
  expect(screen.getByText(/from Sun 1 Feb 2026 on/)).toBeDefined();
});

test('the list says what a rule waits for', async () => {
  await open({ 'alerting.read': () => alerting({ rules: [{ rule: DIP, id: DIP.id, problem: null }] }) });
  const line = screen.getByRole('row', { name: /Dip/ });
  expect(line.textContent).toContain('Price at or below 9,000.00');
  expect(line.textContent).toContain('SPY, QQQ meet it already');
});

const LISTS = [{ id: 'desk', name: 'Desk', sections: [{ name: '', symbols: ['SPY', 'QQQ', 'EURUSD'] }] }];
test('old prices, symbols without one and unwatched ones are named', () => {
  const spy = row('SPY', 0);
  const rows = {
    SPY: { ...spy, stale: true },
    QQQ: row('QQQ', 0),
    EURUSD: { ...spy, symbol: 'EURUSD', coverage: 'regime_only' as const, signal: null },
  };
  const status = priceStatusOf(DIP, rows, LISTS);
  expect(status).toEqual({ fresh: ['QQQ'], met: ['QQQ'], stale: ['SPY'], without: ['EURUSD'], unwatched: [] });
  if (status !== null) expect(priceStatusText(DIP, status)[0]).toContain('SPY has an old price: nothing is notified');
  const named = priceStatusOf({ ...DIP, scope: { kind: 'symbols', symbols: ['TSLA'] } }, rows, LISTS);
  expect(named).toMatchObject({ fresh: [], unwatched: ['TSLA'] });
  expect(named === null ? [] : priceStatusText(DIP, named)).toEqual([
    'No symbol of this rule has a price here: it would never notify.',
    'TSLA is in no watchlist, so no price is received.',
  ]);
  expect(priceStatusOf(DEFAULT_RULE, rows, LISTS)).toBeNull();
});

test('the chart has the levels of the enabled rules of its symbol', () => {
  const spy = row('SPY', 0);
  const signal = { ...spy.signal, price: 97, change_pct: -3 } as NonNullable<typeof spy.signal>;
  const fall: Rule = { ...DIP, id: 'fall', price: { kind: 'change', direction: 'down', percent: 5, minutes: null } };
  const within: Rule = { ...DIP, id: 'within', price: { kind: 'change', direction: 'down', percent: 5, minutes: 15 } };
  const off: Rule = { ...DIP, id: 'off', enabled: false, price: { kind: 'level', direction: 'above', level: 1 } };
  expect(alertLevelsOf([DIP, fall, within, off, DEFAULT_RULE], { ...spy, signal }, LISTS)).toEqual([9_000, 95]);
  expect(alertLevelsOf([DIP], { ...spy, symbol: 'TSLA' }, LISTS)).toEqual([]);
});
