// Test: trading days and hours of twenty exchanges: holidays, half days, breaks, weekends, unknown years.

import { describe, expect, it, test } from 'vitest';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import {
  calendarsOf,
  dayStatus,
  isOpen,
  isSession,
  nextClose,
  nextOpen,
  openTime,
  type SessionCalendar,
  sessionCalendarOf,
  sessionClose,
  sessionOn,
  zonedTime,
  zoneOf,
} from '../sessions.ts';
import { EXCHANGE_DAYS } from './days.ts';
import { tradingDay } from './exchange-table.ts';
import { EXCHANGE_IDS, EXCHANGES, type Exchange } from './exchanges.ts';

const at = (iso: string): number => Date.parse(iso);
const iso = (ms: number): string => new Date(ms).toISOString().replace(':00.000Z', 'Z');
/** "09:30-16:00" on the exchange's clock. */
function hoursOn(calendar: Exchange, date: string): string {
  const clock = (ms: number): string => {
    const { minute } = zonedTime(ms, EXCHANGES[calendar].zone);
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  };
  const { open, close } = sessionOn(calendar, date);
  return `${clock(open)}-${clock(close)}`;
}
const datesOf = (year: number): string[] =>
  Array.from({ length: 366 }, (_, index) => dateOf(Date.UTC(year, 0, 1) + index * DAY_MS)).filter((date) =>
    date.startsWith(String(year)),
  );

describe('weekdays of 2027 without a session', () => {
  // The exchanges' own lists; where none was published, the law. holiday-rules.test.ts has the others.
  test.each<[Exchange, string]>([
    ['tokyo', '0101 0111 0211 0223 0322 0429 0503 0504 0505 0719 0811 0920 0923 1011 1103 1123 1231'],
    ['hong_kong', '0101 0208 0209 0326 0329 0405 0513 0609 0701 0916 1001 1008 1227'],
    ['shanghai', '0101 0205 0208 0209 0210 0211 0212 0405 0503 0504 0505 0609 0915 1001 1004 1005 1006 1007'],
    ['shenzhen', '0101 0205 0208 0209 0210 0211 0212 0405 0503 0504 0505 0609 0915 1001 1004 1005 1006 1007'],
    ['singapore', '0101 0208 0310 0326 0517 0520 0809 1028'],
    ['seoul', '0101 0208 0209 0301 0503 0505 0513 0719 0816 0914 0915 0916 1004 1011 1227 1231'],
    ['mumbai', '0126 0310 0322 0326 0414 0415 0517 0616 1029'],
  ])('%s: %s', (calendar, closed) => {
    const found = datesOf(2027).filter((date) => new Date(date).getUTCDay() % 6 !== 0 && !isSession(calendar, date));
    expect(found.map((date) => date.slice(5).replace('-', '')).join(' ')).toBe(closed);
  });
});

describe('days that no rule gives', () => {
  test.each<[Exchange, string, boolean, string]>([
    ['london', '2022-09-19', false, 'the funeral of the Queen'],
    ['london', '2023-05-08', false, 'the coronation'],
    ['frankfurt', '2021-05-24', false, 'the last Whit Monday without trading'],
    ['frankfurt', '2022-06-06', true, 'a Whit Monday'],
    ['madrid', '2021-12-24', false, 'the only Christmas Eve that was closed'],
    ['tokyo', '2019-04-30', false, 'the abdication, in a holiday of ten days'],
    ['tokyo', '2019-05-06', false, 'the end of these ten days'],
    ['tokyo', '2020-10-01', false, 'a failure of the system'],
    ['hong_kong', '2023-09-01', false, 'a typhoon'],
    ['hong_kong', '2023-09-08', false, 'a rainstorm'],
    ['hong_kong', '2024-11-14', true, 'a typhoon, through which it trades'],
    ['shanghai', '2020-01-31', false, 'New Year, made longer by the epidemic'],
    ['singapore', '2020-07-10', false, 'the general election'],
    ['sydney', '2022-09-22', false, 'a day of mourning'],
    ['sydney', '2026-04-27', true, 'a holiday of the state alone'],
    ['seoul', '2025-01-27', false, 'a day between holidays'],
    ['seoul', '2025-06-03', false, 'the election of the president'],
    ['seoul', '2026-07-17', false, 'Constitution Day, a holiday again'],
    ['mumbai', '2024-01-20', true, 'a Saturday in place of a Monday'],
    ['mumbai', '2024-01-22', false, 'that Monday'],
    ['mumbai', '2024-11-01', true, 'the evening of Diwali'],
    ['mumbai', '2026-02-01', true, 'the budget on a Sunday'],
    ['sao_paulo', '2021-01-25', false, 'the city’s holiday, the last time'],
    ['sao_paulo', '2022-01-25', true, 'the city’s holiday'],
    ['johannesburg', '2021-11-01', false, 'the local elections'],
    ['johannesburg', '2022-12-27', false, 'a holiday by decree'],
    ['johannesburg', '2023-12-15', false, 'the world champions of rugby'],
    ['johannesburg', '2024-05-29', false, 'the national elections'],
    ['us', '2025-01-09', false, 'the mourning for a president'],
  ])('%s %s, a session: %s, %s', (calendar, date, expected) => expect(isSession(calendar, date)).toBe(expected));
});

test.each<[Exchange, string, string]>([
  ['us', '2026-11-27', '09:30-13:00'],
  ['toronto', '2026-12-24', '09:30-13:00'],
  ['london', '2027-12-24', '08:00-12:30'],
  ['frankfurt', '2026-12-30', '09:00-14:00'],
  ['paris', '2026-12-24', '09:00-14:05'],
  ['stockholm', '2027-04-30', '09:00-13:00'],
  ['tokyo', '2024-11-01', '09:00-15:00'],
  ['tokyo', '2024-11-05', '09:00-15:30'],
  ['hong_kong', '2027-02-05', '09:30-12:00'],
  ['singapore', '2025-12-24', '09:00-12:00'],
  ['sydney', '2021-12-24', '10:00-14:10'],
  ['sydney', '2022-12-23', '10:00-16:00'],
  ['seoul', '2016-07-29', '09:00-15:00'],
  ['seoul', '2026-11-19', '10:00-16:30'],
  ['mumbai', '2025-10-21', '13:45-14:45'],
  ['sao_paulo', '2026-03-06', '10:00-18:00'],
  ['sao_paulo', '2026-03-09', '10:00-17:00'],
  ['sao_paulo', '2026-02-18', '13:00-18:00'],
  ['johannesburg', '2026-03-06', '09:00-17:00'],
])('%s trades on %s from %s', (calendar, date, hours) => expect(hoursOn(calendar, date)).toBe(hours));

describe('a break', () => {
  const MORNING = at('2026-03-04T02:00:00Z');
  const LUNCH = at('2026-03-04T03:00:00Z');
  it('a break is no time in which the market is open', () => {
    expect([MORNING, LUNCH, LUNCH + HOUR_MS].map((instant) => isOpen('tokyo', instant))).toEqual([true, false, true]);
    expect(openTime('tokyo', MORNING, LUNCH + HOUR_MS)).toBe(HOUR_MS);
  });
  it('a break ends no session: the next opening and the next close are those of the day', () => {
    expect(iso(nextClose('tokyo', LUNCH))).toBe('2026-03-04T06:30Z');
    expect(iso(nextOpen('tokyo', LUNCH))).toBe('2026-03-05T00:00Z');
  });
});

describe('what no table knows', () => {
  it('a weekday of a later year may be a session, and is heard as one', () => {
    expect(dayStatus('london', '2031-03-03')).toBe('unknown');
    expect(isSession('london', '2031-03-03')).toBe(true);
    expect(isOpen('london', at('2031-03-03T10:00:00Z'))).toBe(true);
    expect(isSession('london', '2031-03-01')).toBe(false);
  });
  it('a holiday that was not announced has no session that is missed, and the market may be open', () => {
    expect(dayStatus('mumbai', '2027-10-29')).toBe('expected_closed');
    expect(isSession('mumbai', '2027-10-29')).toBe(false);
    expect(isOpen('mumbai', at('2027-10-29T06:00:00Z'))).toBe(true);
    expect(isOpen('mumbai', at('2027-01-26T06:00:00Z'))).toBe(false);
  });
});

test('every entry of a table is a date of its year, on a weekday unless it trades, and written once', () => {
  for (const [id, days] of Object.entries(EXCHANGE_DAYS)) {
    for (const line of days.trim().split('\n')) {
      const [year = '', ...entries] = line.split(' ');
      expect([id, year, new Set(entries.map((entry) => entry.slice(0, 4))).size]).toEqual([id, year, entries.length]);
      for (const entry of entries) {
        expect(entry).toMatch(/^\d{4}(\?|-\d{4}|=\d{4}-\d{4}(@NY)?)?$/);
        const date = `${year}-${entry.slice(0, 2)}-${entry.slice(2, 4)}`;
        expect([id, dateOf(Date.parse(date))]).toEqual([id, date]);
        if (!entry.includes('=')) expect([id, date, new Date(date).getUTCDay() % 6 === 0]).toEqual([id, date, false]);
      }
    }
  }
});

test('every exchange has a line for each year from 2016 to 2028', () => {
  for (const id of EXCHANGE_IDS)
    for (let year = 2016; year <= 2028; year += 1)
      expect([id, year, dayStatus(id, `${year}-12-01`)]).not.toContain('unknown');
});

test('sessions open before they close, one after another, at the hours of their own clock in every season', {
  tags: ['long'],
}, () => {
  for (const id of EXCHANGE_IDS) {
    let last = 0;
    for (let midnight = Date.UTC(2024, 0, 1); midnight < Date.UTC(2029, 0, 1); midnight += DAY_MS) {
      const date = dateOf(midnight);
      if (!isSession(id, date)) continue;
      const { open, close } = sessionOn(id, date);
      expect([id, date, open < close && open > last]).toEqual([id, date, true]);
      expect([id, date, isOpen(id, open), isOpen(id, close - 1), isOpen(id, close)]).toEqual([
        id,
        date,
        true,
        true,
        false,
      ]);
      expect([id, nextOpen(id, open - 1), nextClose(id, close - 1)]).toEqual([id, open, close]);
      expect([id, dateOf(midnight)]).toEqual([id, date]);
      const opened = zonedTime(open, zoneOf(id));
      expect([id, date, dateOf(Date.UTC(opened.year, opened.month - 1, opened.day))]).toEqual([id, date, date]);
      last = close;
    }
  }
});

test('the change of the clocks moves the hours of London, not those of Tokyo', () => {
  const closes = (id: SessionCalendar): string[] =>
    ['2026-03-27', '2026-03-30', '2026-10-23', '2026-10-26'].map((date) => iso(sessionClose(id, date)).slice(11));
  expect(closes('london')).toEqual(['16:30Z', '15:30Z', '15:30Z', '16:30Z']);
  expect(closes('tokyo')).toEqual(['06:30Z', '06:30Z', '06:30Z', '06:30Z']);
});

const of = (symbol: string, assetClass: 'equity' | 'index' | 'crypto' | 'fx' = 'equity'): SessionCalendar =>
  sessionCalendarOf(assetClass, 'production', symbol);

test.each<[SessionCalendar, string, string]>([
  ['london', 'VOD.L', '^FTSE'],
  ['frankfurt', 'SAP.DE', 'DAX ^GDAXI'],
  ['tokyo', '7203.T', '^N225'],
  ['hong_kong', '0700.HK', '^HSI'],
  ['shanghai', '600519.SS', ''],
  ['shenzhen', '000001.SZ', ''],
  ['seoul', '005930.KS', '^KS11'],
  ['mumbai', 'RELIANCE.NS', '^BSESN'],
  ['milan', 'ENI.MI', 'FTSEMIB.MI'],
  ['us', 'AAPL BRK.B BF-B .L T', '^GSPC ^IXIC ^DJI ^RUT ^VIX ^TNX SPX1950 VIX'],
  ['fx', 'GC=F ES=F JPY=X', ''],
  // Wherever they trade, it is not where New York does.
  ['unknown', '2330.TW 005930 2222.SR DX-Y.NYB ^TWII', '^TWII ^JKSE ^TA125.TA SOMETHING'],
])('%s: %s; as an index: %s', (calendar, shares, indices) => {
  const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
  const found = [...words(shares).map((one) => of(one)), ...words(indices).map((one) => of(one, 'index'))];
  expect([...new Set(found)]).toEqual([calendar]);
});

test('coins, currencies and the sandbox have no exchange', () => {
  expect([of('BTC-USD', 'crypto'), of('EURUSD', 'fx')]).toEqual(['always', 'fx']);
  expect(sessionCalendarOf('equity', 'sandbox', 'VOD.L')).toBe('always');
});

test('the exchange that a service names counts more than the symbol; one that it does not know leaves it open', () => {
  const markets = calendarsOf('production', (symbol) =>
    symbol === 'SONY' ? { asset_class: 'equity', exchange: 'tokyo' } : { asset_class: 'equity' },
  );
  expect(['SONY', 'AAPL', 'VOD.L', '2330.TW', null].map((one) => markets(one))).toEqual([
    'tokyo',
    'us',
    'london',
    'unknown',
    'us',
  ]);
  expect(calendarsOf('production', () => null)('BTC', 'crypto')).toBe('always');
  expect(sessionCalendarOf('equity', 'production', 'SONY', 'unknown')).toBe('unknown');
});

describe('a market whose exchange is not known', () => {
  it('is open at every hour of a year, changes of the clocks and weekends included', () => {
    for (let instant = at('2026-01-01T00:30:00Z'); instant < at('2027-01-01T00:00:00Z'); instant += HOUR_MS)
      if (!isOpen('unknown', instant)) expect(iso(instant)).toBe('open');
  });
  it('has no certain session: a weekday may be one, a weekend is none that is missed', () => {
    expect(['2026-03-04', '2026-12-25', '2026-03-07'].map((date) => dayStatus('unknown', date))).toEqual([
      'unknown',
      'unknown',
      'expected_closed',
    ]);
    expect(isSession('unknown', '2026-12-25')).toBe(true);
  });
  it('closes its day after every exchange: at 17:00 in New York', () => {
    const closes = EXCHANGE_IDS.map((id) => sessionClose(id, '2026-03-04'));
    expect(sessionClose('unknown', '2026-03-04')).toBeGreaterThanOrEqual(Math.max(...closes));
    expect(iso(sessionClose('unknown', '2026-03-04'))).toBe('2026-03-04T22:00Z');
  });
});

test('hours that cannot be read are named', () => {
  expect(() => tradingDay({ zone: 'UTC', hours: '8-16', days: '' }, '2027-03-01')).toThrow('"8-16" is no range');
});

test('the minutes of a year of each exchange are those of its sessions', () => {
  const [from, to] = [at('2026-01-01T00:00:00Z'), at('2027-01-01T12:00:00Z')];
  for (const id of ['us', 'london', 'frankfurt'] as const) {
    const whole = datesOf(2026)
      .filter((date) => isSession(id, date))
      .map((date) => sessionOn(id, date))
      .reduce((sum, { open, close }) => sum + close - open, 0);
    expect([id, openTime(id, from, to) / MINUTE_MS]).toEqual([id, whole / MINUTE_MS]);
  }
});
