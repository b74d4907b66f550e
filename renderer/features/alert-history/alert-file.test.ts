// Test: the alert history as CSV.

import { expect, it } from 'vitest';
import { calendarsOf } from '../../../shared/domain/sessions.ts';
import { alert, iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { alertCsv, alertRows } from './alert-file.ts';
import { transitionEntry } from './episodes.ts';
import type { Line } from './filters.ts';

const context = {
  calendarOf: calendarsOf('production', () => null),
  now: T0 + 86_400_000,
  labelOf: () => 'Needs attention',
  callsOf: () => ({ right: 8, calls: 21 }),
} as const;
const line = (note: string): Line => {
  const row = { alert: alert(transition('SPY', 1, 2, T0), 7, { note }), ended: null, changes: 1 };
  return { ...transitionEntry(row), outcome: { kind: 'needs_you' } };
};

it('a line carries both durations, the record, and the outcome', () => {
  expect(alertRows([line('look again')], context)).toEqual([
    expect.objectContaining({
      symbol: 'SPY',
      peak: 'high_risk',
      present: 'high_risk',
      confidence_percent: 36.4,
      started: iso(T0),
      ended: null,
      clock_seconds: 86_400,
      // From 14:37 in New York the market is open until 16:00, and again from 9:30.
      market_seconds: 6.5 * 3600,
      right_calls: 8,
      calls: 21,
      outcome: 'Needs attention',
      note: 'look again',
      acknowledged_at: null,
    }),
  ]);
});
it('a duration whose beginning nobody knows is empty', () => {
  const unknown = { ...line(''), from: null };
  expect(alertRows([unknown], context)[0]).toMatchObject({ started: null, clock_seconds: null, market_seconds: null });
});
it.each(['=HYPERLINK("x")', '+1', '-1', '@SUM(A1)'])('a note %j is text in a spreadsheet', (note) => {
  expect(alertCsv(alertRows([line(note)], context)).split('\n')[1]).toMatch(/"'[=+@-]|,'[=+@-]/);
});
it('an unknown value is empty', () => {
  const [head = '', one = ''] = alertCsv(alertRows([line('')], { ...context, callsOf: () => null })).split('\n');
  const cell = (name: string): string | undefined => one.split(',')[head.split(',').indexOf(name)];
  expect([cell('ended'), cell('calls'), cell('note')]).toEqual(['', '', '']);
});
