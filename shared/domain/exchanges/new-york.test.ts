// Test: the sessions of New York against dates of real price series.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { notRun, whyNoPrices } from '../../../test/harness/not-run.ts';
import { DAY_MS } from '../../lib/time.ts';
import { isSession, isUsHoliday, sessionClose, zonedTime } from '../sessions.ts';

/** Price files outside this repository; tests that need them are skipped without them. */
const SHARED = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data');
const why = whyNoPrices(SHARED);

const isUsSession = (date: string): boolean => isSession('us', date);
const usClosingHour = (date: string): number => zonedTime(sessionClose('us', date), 'America/New_York').minute / 60;

/** Weekdays on which the rules and the dates of a price series differ. */
function differences(dates: readonly string[]): string[] {
  const traded = new Set(dates);
  const found: string[] = [];
  for (let instant = Date.parse(dates[0] ?? ''); instant <= Date.parse(dates.at(-1) ?? ''); instant += DAY_MS) {
    const date = new Date(instant).toISOString().slice(0, 10);
    if (traded.has(date) !== isUsSession(date)) found.push(date);
  }
  return found;
}

describe('the days on which New York trades', () => {
  it('are those on which the S&P 500 has a close, 2000 to 2020', () => {
    const dates = sp500().map((bar) => bar.date);
    expect(dates).toHaveLength(5105);
    expect(differences(dates)).toEqual([]);
  });

  it.skipIf(why)(`are those of every price file of shares, funds and indices, since 1971${notRun(why)}`, () => {
    // Currencies and coins have other days, the exchange of VIX too; the two rows are left out by their file.
    const others = /^(.*USD|VIX)\.csv$/;
    const leftOut = ['EEM 2003-08-15', 'GOOG 2008-09-30'];
    const files = readdirSync(join(SHARED, 'daily')).filter((file) => !others.test(file));
    const found = files.flatMap((file) => {
      const rows = readFileSync(join(SHARED, 'daily', file), 'utf8')
        .trim()
        .split('\n')
        .slice(1);
      const dates = rows.map((row) => row.split(',')[1] ?? '').filter((date) => date >= '1971');
      return differences(dates).map((date) => `${file.replace('.csv', '')} ${date}`);
    });
    expect(files.length).toBeGreaterThan(25);
    expect(found).toEqual(leftOut);
  });

  it.each([
    ['2022-06-20', 'Juneteenth, kept on Monday', false],
    ['2021-06-18', 'before Juneteenth was a holiday', true],
    ['2021-12-31', 'New Year’s Day on a Saturday is not kept on Friday', true],
    ['2021-12-24', 'Christmas on a Saturday is kept on Friday', false],
    ['2026-04-03', 'Good Friday', false],
    ['2026-07-03', 'Independence Day on a Saturday', false],
    ['2026-11-26', 'Thanksgiving', false],
    ['2027-02-15', 'Washington’s Birthday', false],
    ['2012-10-29', 'a storm', false],
    ['2026-11-28', 'a Saturday', false],
  ])('%s: %s', (date, _, open) => {
    expect(isUsSession(date)).toBe(open);
  });

  it('a holiday is a weekday without a session', () => {
    expect(['2020-07-03', '2020-07-04', '2020-07-06'].map(isUsHoliday)).toEqual([true, false, false]);
  });
});

describe('half days', () => {
  it('are the day after Thanksgiving, Christmas Eve and the day before Independence Day', () => {
    for (const date of [
      '2025-11-28',
      '2025-12-24',
      '2025-07-03',
      '2013-07-03',
      '2002-07-05',
      '2026-11-27',
      '2026-12-24',
    ]) {
      expect([date, usClosingHour(date)]).toEqual([date, 13]);
    }
    for (const date of ['2026-07-02', '2022-07-01', '2025-12-26', '2025-11-26', '2002-07-03'])
      expect([date, usClosingHour(date)]).toEqual([date, 16]);
  });

  // In 2007 and 2008 the file has hours after the early close.
  it.skipIf(why)(`are the days on which the hourly file of SPY ends at 13:00, 2009 to 2021${notRun(why)}`, () => {
    const lastHour = new Map<string, number>();
    for (const row of readFileSync(join(SHARED, 'hourly', 'SPY_1h.csv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)) {
      const time = row.split(',')[1] ?? '';
      if (time >= '2009') lastHour.set(time.slice(0, 10), Number(time.slice(11, 13)));
    }
    expect(lastHour.size).toBeGreaterThan(3000);
    expect([...lastHour].filter(([date, hour]) => (hour < 13 ? 13 : 16) !== usClosingHour(date))).toEqual([]);
  });
});
