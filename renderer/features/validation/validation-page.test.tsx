// Test: the page shows the record within the day and the one at closes, each with its alerts.
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { ValidationPage } from './validation-page.tsx';

const metrics = (right: number, wrong: number) => ({
  recall: 0.9,
  precision: right / (right + wrong),
  f1: 0.5,
  n_signals: right + wrong,
  events: 10,
  calls: { right, wrong, late: 0 },
});
const rows = (right: number, wrong: number, ...symbols: string[]) =>
  symbols.map((symbol) => ({
    symbol,
    full: metrics(right, wrong),
    holdout: metrics(right, wrong),
    holdout_from: '2022-02-01',
  }));
const score = {
  recall: 0.9,
  precision: 0.08,
  f1: 0.15,
  n_signals: 100,
  events: 10,
  right: 8,
  wrong: 92,
  late: 0,
  undecided: 0,
};
const live = {
  ...score,
  false_alarms_a_year: 9,
  lead_bars: 10,
  strict_precision: 0.06,
  chance: { precision: 0.079, strict_precision: 0.05 },
  within_day: 70,
  median_minutes: 9,
  held_to_close: 3,
};
const quartiles = { median: 8, lower: 3, upper: 15 };
const outcomes = (signals_a_year: number) => ({
  years: 26,
  signals_a_year,
  false_alarms_a_year: 1.5,
  alert_bars: quartiles,
  bars_to_breach: quartiles,
  bars_to_trough: null,
  half_ahead: 0.62,
  before_half_of_fall: 0.49,
  on_eve_of_breach: 0.68,
  after_alert: { bars: 100, loss: 0.186, half_loss: 0.41, mean_return: 1.04, volatility: 1.34 },
  otherwise: null,
});
const spread = (low: number, high: number) => ({
  f1: { low, high },
  strict_f1: null,
  day_lift: null,
  brier_skill: null,
  loss_in_alert: null,
  loss_otherwise: null,
});
const record: ValidationRecord = {
  computed_at: '2026-11-20T21:00:00.000Z',
  model_version: 'm',
  notes: 'Scored at each close.',
  symbols: rows(4, 6, 'SPY', 'QQQ', 'IWM'),
  live: {
    symbols: rows(2, 18, 'SPY', 'QQQ'),
    pooled: { full: live, holdout: live },
    windows: [{ symbol: 'SPY', from: '2015-05-20', to: '2026-11-20' }],
    notes: 'Replayed price by price.',
  },
  details: {
    pooled: {
      full: {
        ...score,
        precision: 0.38,
        in_alert: 0.2,
        false_alarms_a_year: 2,
        lead_bars: 7,
        strict_f1: 0.3,
        day_lift: 1.3,
      },
      holdout: {
        ...score,
        precision: 0.38,
        in_alert: 0.2,
        false_alarms_a_year: 2,
        lead_bars: 7,
        strict_f1: 0.3,
        day_lift: 1.3,
      },
    },
    baselines: [{ name: 'sma200', kind: 'rule', full: 0.3, holdout: 0.2 }],
    reliability: { full: null, holdout: null },
    high_risk: { full: null, holdout: null },
    outcomes: {
      full: outcomes(3),
      holdout: outcomes(2),
      symbols: [{ symbol: 'SPY', full: outcomes(7), holdout: outcomes(5) }],
    },
    uncertainty: {
      full: null,
      holdout: { years: 9, intervals: spread(0.4, 0.6), against: 'dd_tuned', differences: spread(-0.01, 0.05) },
    },
    scorer: {},
    too_short: [],
    seen: [],
    windows: [],
    data_hash: null,
  },
};

async function page(of: ValidationRecord, section = 'Calls'): Promise<void> {
  const rig = await createWindowRig({ snapshot: snapshot({}), handlers: { 'validation.read': () => of } });
  rig.render(<ValidationPage />);
  await rig.idle();
  await userEvent.click(screen.getByRole('button', { name: section }));
}
const symbols = (): string[] =>
  within(screen.getByRole('region', { name: 'Record by symbol' }))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent);

test('first the record within the day: whose it is, beside chance, and how long its alerts last', async () => {
  await page(record);
  const choice = screen.getByRole('group', { name: 'Which alerts' });
  expect(
    within(choice)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Within the day, precision .08', 'At closes, precision .38']);
  expect(screen.getByText(/^Belongs to alerts of the 2 symbols with prices within the day/)).toBeDefined();
  expect(screen.getByText('8 of 100 scored calls were right; by chance .079')).toBeDefined();
  expect(screen.getByText('median; 3 of 70 lasted to the close')).toBeDefined();
  expect(symbols()).toEqual(['QQQ', 'SPY']);
  await userEvent.click(screen.getByRole('button', { name: 'Model' }));
  expect(screen.getByText('Replayed price by price.')).toBeDefined();
});

test('then the record at closes, with the number of symbols whose alerts it covers', async () => {
  await page(record);
  await userEvent.click(screen.getByRole('button', { name: /^At closes/ }));
  expect(screen.getByText(/^Belongs to alerts of the 1 symbol without prices within the day/)).toBeDefined();
  expect(symbols()).toEqual(['IWM', 'QQQ', 'SPY']);
  await userEvent.click(screen.getByRole('button', { name: 'Model' }));
  await userEvent.click(screen.getByRole('button', { name: /^At closes/ }));
  expect(screen.getByText('Scored at each close.')).toBeDefined();
});

test('what to expect of an alert: of all symbols, then of one; what was not counted is a dash', async () => {
  await page({ ...record, live: null });
  const cells = (name: string): (string | null)[] =>
    within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells('Signals a year')).toEqual(['2.0', '3.0']);
  expect(cells('Days to the breach')).toEqual(['8 (3 to 15)', '8 (3 to 15)']);
  expect(cells('Days to the lowest close')).toEqual(['–', '–']);
  expect(cells('Fell by the threshold')).toEqual(['18 %', '–']);
  expect(screen.getByText(/It is no signal to sell\.$/)).toBeDefined();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Symbols' }), 'SPY');
  expect(cells('Signals a year')).toEqual(['5.0', '7.0']);
});

test('a difference within its interval is not called better', async () => {
  await page(record, 'Reliability');
  expect(screen.getByRole('heading', { name: 'Compared with baselines' })).toBeDefined();
  expect(
    screen.getByText(/Minus “Best simple rule, fall”: −.010 to \+.050. The two cannot be told apart\.$/),
  ).toBeDefined();
});

test('a service with one record has no choice', async () => {
  await page({ ...record, live: null });
  expect(screen.queryByRole('group', { name: 'Which alerts' })).toBeNull();
  expect(symbols()).toEqual(['IWM', 'QQQ', 'SPY']);
});
