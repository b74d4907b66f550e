// Test: the findings in a folder of prices: symbols, days, and every line with a fault or a gap.
import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PriceReport } from '../../../shared/channels/profiles.ts';
import { PriceFindings } from './add-prices.tsx';

const report = (more: Partial<PriceReport> = {}): PriceReport => ({
  folder: '/prices',
  editorial: null,
  refused: null,
  refused_at: null,
  symbols: ['SPY', 'QQQ'],
  from: '2024-01-02',
  to: '2026-11-18',
  earliest_end: '2026-11-18',
  median_end: '2026-11-18',
  files: 2,
  rows: 1450,
  used: 1450,
  problems: [],
  more: 0,
  formats: [],
  due: null,
  ...more,
});

test('a sound folder: rows, days and symbols, spoken when they appear', () => {
  render(<PriceFindings report={report()} />);
  const said = screen.getByRole('status').textContent;
  expect(said).toContain('1,450 of 1,450 rows in 2 files can be read. 2024-01-02 to 2026-11-18.');
  expect(said).toContain('2 symbols: SPY, QQQ');
  expect(said).toContain('No problems found.');
  expect(screen.queryByRole('table')).toBeNull();
});

test('lists of what is due that are used are named with their folder', () => {
  render(<PriceFindings report={report({ due: { folder: '/prices/events', files: 1, events: 1200 } })} />);
  expect(screen.getByText('What is due: 1,200 events from 1 file in /prices/events.')).toBeDefined();
});

test('twelve symbols are named, the others counted', () => {
  render(<PriceFindings report={report({ symbols: Array.from({ length: 14 }, (_, at) => `S${at}`), from: null })} />);
  expect(screen.getByText(/^14 symbols: S0, .*, S11 …$/)).toBeDefined();
  expect(screen.getByRole('status').textContent).not.toContain('2024-01-02');
});

test('symbols beyond those of a list are said to be without notifications', () => {
  const symbols = Array.from({ length: 501 }, (_, at) => `S${at}`);
  const { rerender } = render(<PriceFindings report={report({ symbols: symbols.slice(1) })} />);
  expect(screen.queryByText(/^The first 500 are watched/)).toBeNull();
  rerender(<PriceFindings report={report({ symbols })} />);
  expect(screen.getByText(/^The first 500 are watched\. Nothing notifies you of the others/)).toBeDefined();
});

test('every line with a fault or a gap, with its place and the reason, which alone says what is not used; more than fit are counted', () => {
  const problems = [
    { file: 'spy.csv', line: 12, reason: 'the close is no number' },
    { file: 'notes.csv', line: 0, reason: 'it has no header' },
  ];
  render(<PriceFindings report={report({ problems, more: 40, used: 1408 })} />);
  const region = screen.getByRole('region', { name: '42 lines to check' });
  const rows = within(region).getAllByRole('row').slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'spy.csv, line 12the close is no number',
    'notes.csv, whole fileit has no header',
  ]);
  expect(within(region).getByText('and 40 more')).toBeDefined();
});
