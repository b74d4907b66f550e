// Test: the table of scores.
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { ScoreTable } from './score-table.tsx';

const metrics = (events: number) => ({
  recall: 0.875,
  precision: 0.4,
  f1: 0.5 + events / 100,
  n_signals: 25,
  events,
  calls: { right: events, wrong: 12, late: 5 },
});
const row = (symbol: string, events: number) => ({
  symbol,
  full: metrics(events),
  holdout: metrics(events),
  holdout_from: '2022-02-01',
});
const record = {
  symbols: [row('SPY', 8), row('IWM', 4), row('QQQ', 9)],
  details: { scorer: {}, windows: [] },
} as unknown as ValidationRecord;

const symbols = (): string[] => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
const head = (name: RegExp): HTMLElement => screen.getByRole('columnheader', { name });

test('the scores are listed by symbol; a column head sorts, and says how', async () => {
  render(<ScoreTable record={record} />);
  expect(symbols()).toEqual(['IWM', 'QQQ', 'SPY']);
  expect(head(/Symbol/).getAttribute('aria-sort')).toBe('ascending');
  await userEvent.click(within(head(/Events/)).getByRole('button'));
  expect(symbols()).toEqual(['QQQ', 'SPY', 'IWM']);
  expect(head(/Events/).getAttribute('aria-sort')).toBe('descending');
  expect(head(/Symbol/).getAttribute('aria-sort')).toBeNull();
  await userEvent.click(within(head(/Events/)).getByRole('button'));
  expect(symbols()).toEqual(['IWM', 'SPY', 'QQQ']);
});

test('the scores have the counts of the full window and of the hold-out side by side', () => {
  render(<ScoreTable record={record} />);
  const [, first] = screen.getAllByRole('row');
  expect(within(first as HTMLElement).getAllByRole('cell')[0]?.textContent).toBe('4 / 4');
});

test('a share of nothing is a dash, whatever the service says: no event, no recall; no call, no precision', async () => {
  const none = { ...metrics(0), recall: 0, precision: 0, f1: 0, n_signals: 1, calls: { right: 0, wrong: 0, late: 1 } };
  const odd = { ...row('HYG', 3), holdout: none };
  render(<ScoreTable record={{ ...record, symbols: [odd, row('SPY', 8)] }} />);
  const cells = within(screen.getByRole('row', { name: /^HYG/ })).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    ...['3 / 0', '25 / 1', 'no calls 1 late'],
    ...['', '.88', '–', '', '.40', '–', '', '.53', '.00'],
  ]);
  await userEvent.click(within(head(/Recall/)).getByRole('button'));
  expect(symbols()).toEqual(['SPY', 'HYG']);
});
