// Test: what the holidays of an exchange mean for the gaps of a symbol's prices.

import { expect, test } from 'vitest';
import { dayStatus, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { createInspectedMarket } from './inspected-market.ts';
import { openTape } from './tape.ts';

/** The gaps of a symbol with a close on each day that may trade, but for these ranges. */
function gapsOf(calendar: SessionCalendar, from: string, to: string, missing: readonly (readonly [string, string])[]) {
  const bars: Bar[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const date = dateOf(at);
    if (dayStatus(calendar, date) === 'closed' || missing.some(([first, last]) => first <= date && date <= last))
      continue;
    const close = 100 + Math.sin(bars.length);
    bars.push({ date, open: close, high: close, low: close, close, volume: 1 });
  }
  const tape = openTape(null);
  tape.record(new Map([['X', bars]]), { feed: 'test', receivedAt: 0 }, true);
  const instrument = { symbol: 'X', name: 'X', assetClass: 'equity', regimeOnly: false, inputOnly: false } as const;
  return createInspectedMarket(tape, new Map([['X', { instrument, calendar }]]))
    .findings()
    .map(({ date, note }) => `${date}: ${note.replace(/^.*: (\d+) sessions.*$/, '$1')}`);
}

test('ten days of holidays in Tokyo are no gap, for a share of New York they are', () => {
  const golden = [['2019-04-27', '2019-05-06']] as const;
  expect(gapsOf('tokyo', '2019-01-07', '2019-07-01', golden)).toEqual([]);
  expect(gapsOf('us', '2019-01-07', '2019-07-01', golden)).toEqual(['2019-05-07: 6']);
});

test('sessions that are missing beside a holiday are a gap', () => {
  expect(gapsOf('tokyo', '2019-01-07', '2019-07-01', [['2019-04-23', '2019-05-06']])).toEqual(['2019-05-07: 4']);
});

test('a holiday that was not announced is no gap, nor are its sessions where it was none', () => {
  const newYear = [['2027-02-05', '2027-02-14']] as const;
  expect(gapsOf('shanghai', '2027-01-04', '2027-04-01', newYear)).toEqual([]);
  expect(gapsOf('shanghai', '2027-01-04', '2027-04-01', [['2027-02-05', '2027-02-10']])).toEqual([]);
});

test('missing days of a year without a table are no gap while they may be holidays, and a gap beyond that', () => {
  expect(gapsOf('shanghai', '2012-01-04', '2012-06-01', [['2012-01-20', '2012-01-29']])).toEqual([]);
  expect(gapsOf('shanghai', '2012-01-04', '2012-06-01', [['2012-01-20', '2012-02-12']])).toEqual(['2012-02-13: 16']);
});
