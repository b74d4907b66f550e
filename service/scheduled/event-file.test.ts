// Service, what is due, test: one file of each form, and what is refused of it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instantIn, zonedTime, zoneOf } from '../../shared/domain/sessions.ts';
import { MINUTE_MS } from '../../shared/lib/time.ts';
import { type EventContext, readEventFile } from './event-file.ts';
import { listedCalendars } from './schedule.ts';

const CONTEXT: EventContext = {
  calendarOf: listedCalendars('production', []),
  knows: (symbol) => ['AAPL', 'MSFT', 'SPY'].includes(symbol),
};
const read = (file: string, text: string) => readEventFile(file, Buffer.from(text), CONTEXT);
/** "earnings AAPL 2026-12-03 21:30Z after_close America/New_York" */
const shown = (file: string, text: string): string[] =>
  read(file, text).events.map(({ kind, symbol, date, at, part, zone }) =>
    [kind, symbol ?? 'all', date, at === null ? '-' : at.slice(5, 16), part ?? '-', zone ?? '-'].join(' '),
  );
const reasons = (file: string, text: string): string[] =>
  read(file, text).problems.map(({ file: of, line, reason }) => `${of}:${line} ${reason}`);

const ics = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n');
const vevent = (...lines: readonly string[]): string => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');

describe('iCalendar', () => {
  test.each<[string, string, string]>([
    [
      'a time in UTC is on the clock of the exchange of its symbol',
      vevent('DTSTART:20261203T213000Z', 'SUMMARY:AAPL earnings call'),
      'earnings AAPL 2026-12-03 12-03T21:30 after_close America/New_York',
    ],
    [
      'a time with a zone is an instant in that zone',
      vevent('DTSTART;TZID=Europe/Berlin:20261203T140000', 'SUMMARY:Apple Inc. (NASDAQ:AAPL) results'),
      'earnings AAPL 2026-12-03 12-03T13:00 before_open America/New_York',
    ],
    [
      'a quoted zone with a prefix is the zone at its end',
      vevent('DTSTART;TZID="/vendor.example/America/New_York":20261209T140000', 'SUMMARY:FOMC rate decision'),
      'central_bank all 2026-12-09 12-09T19:00 - America/New_York',
    ],
    [
      'a whole day is the date alone',
      vevent('DTSTART;VALUE=DATE:20261210', 'SUMMARY:US consumer prices'),
      'inflation all 2026-12-10 - - -',
    ],
    [
      'a folded line is one line, and an escaped comma is a comma',
      vevent('DTSTART;VALUE=DATE:20261210', 'SUMMARY:Dividend of Micro', ' soft (MSFT)\\, quarterly'),
      'dividend MSFT 2026-12-10 - - America/New_York',
    ],
    [
      'a time without a zone is in that of the exchange',
      vevent('DTSTART:20261203T080000', 'X-SYMBOL:SAP.DE', 'CATEGORIES:Earnings'),
      'earnings SAP.DE 2026-12-03 12-03T07:00 before_open Europe/Berlin',
    ],
    [
      'the day of a symbol whose exchange is not known is on no clock',
      vevent('DTSTART;VALUE=DATE:20261203', 'X-SYMBOL:2330.TW', 'CATEGORIES:Earnings'),
      'earnings 2330.TW 2026-12-03 - - -',
    ],
    [
      'a reminder within an event is not its beginning',
      vevent(
        'DTSTART;VALUE=DATE:20261204',
        'SUMMARY:MSFT earnings',
        'BEGIN:VALARM',
        'DTSTART:20200101T000000Z',
        'END:VALARM',
      ),
      'earnings MSFT 2026-12-04 - - America/New_York',
    ],
  ])('%s', (_, given, event) => expect(shown('due.ics', ics(given))).toEqual([event]));

  test('the zone of the calendar is that of its times without one, and its name says the kind', () => {
    const text = ics(
      'X-WR-CALNAME:Central banks',
      'X-WR-TIMEZONE:Europe/London',
      vevent('DTSTART:20261217T120000', 'SUMMARY:MPC'),
    );
    expect(shown('due.ics', text)).toEqual(['central_bank all 2026-12-17 12-17T12:00 - Europe/London']);
  });

  test('what cannot be dated is refused with line and cure, and costs no other event', () => {
    const text = ics(
      vevent('DTSTART;VALUE=DATE:20261210', 'SUMMARY:CPI'),
      vevent('DTSTART:20261209T140000', 'SUMMARY:FOMC statement'),
      vevent('DTSTART;TZID=Eastern Standard Time:20261209T140000', 'SUMMARY:AAPL earnings'),
      vevent('DTSTART;VALUE=DATE:20261211', 'SUMMARY:ECB', 'RRULE:FREQ=MONTHLY'),
      vevent('DTSTART;VALUE=DATE:20261212', 'SUMMARY:Ajax earnings'),
      vevent('DTSTART;VALUE=DATE:20261213', 'SUMMARY:AAPL earnings', 'STATUS:CANCELLED'),
    );
    expect(shown('due.ics', text)).toEqual(['inflation all 2026-12-10 - - -']);
    expect(reasons('due.ics', text)).toEqual([
      'due.ics:7 it has a time, and neither a zone nor a symbol whose exchange has one; add a column zone, like America/New_York',
      'due.ics:11 "Eastern Standard Time" is no time zone; write one like America/New_York',
      'due.ics:15 it repeats (RRULE); list each date, as a rule may go on where the dates do not',
      'due.ics:20 it names no symbol, and earnings is of one; name it in a column symbol, or in the title like (AAPL), or give it the kind other',
    ]);
  });
});

describe('CSV', () => {
  test.each<[string, string, string, readonly string[]]>([
    [
      'a calendar of earnings with its hour in letters',
      'earnings.csv',
      'Symbol,Company,Earnings Date,Earnings Call Time\nAAPL,Apple,2026-12-03,AMC\nMSFT,Microsoft,2026-12-04,BMO\nSPY,,2026-12-05,TAS',
      [
        'earnings AAPL 2026-12-03 - after_close America/New_York',
        'earnings MSFT 2026-12-04 - before_open America/New_York',
        'earnings SPY 2026-12-05 - - America/New_York',
      ],
    ],
    [
      'semicolons, German dates and the letters of a clock',
      'termine.csv',
      'Datum;Uhrzeit;Title\n10.12.2026;14:15 CET;ECB rate decision\n15.12.2026;8:30 AM ET;US CPI',
      [
        'central_bank all 2026-12-10 12-10T13:15 - Europe/Berlin',
        'inflation all 2026-12-15 12-15T13:30 - America/New_York',
      ],
    ],
    [
      'dates of which one says that the month is first, and midnight as no time',
      'dividends.csv',
      'ticker,ex-date\nAAPL,12/5/2026 00:00:00\nMSFT,12/15/2026 00:00:00',
      ['dividend AAPL 2026-12-05 - - America/New_York', 'dividend MSFT 2026-12-15 - - America/New_York'],
    ],
    [
      'a time of a foreign exchange is on its clock, also the day',
      'e.csv',
      'kind,symbol,date,time,zone\nearnings,7203.T,2026-12-03,23:30,America/New_York',
      ['earnings 7203.T 2026-12-04 12-04T04:30 during Asia/Tokyo'],
    ],
  ])('%s', (_, file, text, events) => {
    expect(shown(file, text)).toEqual(events);
    expect(reasons(file, text)).toEqual([]);
  });

  test('each bad row is refused with its line and cure, and the others are used', () => {
    const rows = ['AAPL,2026-12-03,16:30', 'AAPL,soon,', 'A B C,2026-12-03,', 'MSFT,2026-12-04,at tea', ',2026-12-05,'];
    const text = ['symbol,earnings date,time', ...rows].join('\n');
    expect(shown('e.csv', text)).toEqual(['earnings AAPL 2026-12-03 12-03T21:30 after_close America/New_York']);
    expect(reasons('e.csv', text)).toEqual([
      'e.csv:3 "soon" is no date; write it as 2026-02-24',
      'e.csv:4 "A B C" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -',
      'e.csv:5 "at tea" is no time; write 16:30, or before open, during or after close',
      'e.csv:6 it names no symbol, and earnings is of one; name it in a column symbol, or in the title like (AAPL), or give it the kind other',
    ]);
  });

  test('dates that may begin with day or month are asked for, never guessed', () => {
    expect(read('e.csv', 'symbol,earnings date\nAAPL,1/2/2027\nMSFT,3/2/2027').error).toBe(
      '1/2/2027 may begin with its day or with its month; write dates as 2026-02-24',
    );
  });

  test('a file without dates is refused with the header that it needs', () => {
    expect(read('e.csv', 'symbol,open\nAAPL,1').error).toBe(
      'no column is named date; the first line must be like kind,symbol,date,time,zone,title',
    );
  });
});

describe('JSON', () => {
  test.each<[string, unknown, string]>([
    [
      'a list of objects with names in camel case',
      [{ symbol: 'AAPL', reportDate: '2026-12-03', name: 'Apple' }],
      'earnings AAPL 2026-12-03 - - America/New_York',
    ],
    [
      'an object whose list says what it has',
      { earningsCalendar: [{ symbol: 'MSFT', date: '2026-12-04', hour: 'bmo', year: 2026 }] },
      'earnings MSFT 2026-12-04 - before_open America/New_York',
    ],
    [
      'a time with an offset',
      [{ kind: 'central_bank', date: '2026-12-09T14:00:00-05:00', title: 'FOMC' }],
      'central_bank all 2026-12-09 12-09T19:00 - UTC',
    ],
  ])('%s', (_, given, event) => expect(shown('earnings.json', JSON.stringify(given))).toEqual([event]));

  test('an entry that is none is refused by its number', () => {
    expect(reasons('e.json', '[{"kind":"split","symbol":"AAPL","date":"2026-12-03"},7]')).toEqual([
      'e.json:2 it is no object with a date',
    ]);
    expect(read('e.json', '{').error).toMatch(/^it is no JSON/);
    expect(read('e.json', '{"a":1}').error).toMatch(/^it has no list of events/);
  });
});

test('a time in any zone is the same instant, on the day of the exchange, in summer and in winter', () => {
  const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Sydney', 'America/Sao_Paulo', 'UTC'];
  const symbols = ['AAPL', 'SAP.DE', '7203.T', 'BHP.AX'];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 730 * 1440 - 1 }),
      fc.constantFrom(...zones),
      fc.constantFrom(...symbols),
      (minutes, zone, symbol) => {
        const at = Date.parse('2026-01-01T00:00:00Z') + minutes * MINUTE_MS;
        const { year, month, day, minute } = zonedTime(at, zone);
        const two = (part: number): string => String(part).padStart(2, '0');
        // The second of two equal times in autumn cannot be written.
        fc.pre(minute !== 0 && instantIn(zone, year, month, day, minute) === at);
        const text = `kind,symbol,date,time,zone\nearnings,${symbol},${year}-${two(month)}-${two(day)},${two(Math.floor(minute / 60))}:${two(minute % 60)},${zone}`;
        const [event] = read('e.csv', text).events;
        const own = zonedTime(at, zoneOf(CONTEXT.calendarOf(symbol)));
        expect([event?.at, event?.date]).toEqual([
          new Date(at).toISOString(),
          `${own.year}-${two(own.month)}-${two(own.day)}`,
        ]);
      },
    ),
    { numRuns: 300 },
  );
});
