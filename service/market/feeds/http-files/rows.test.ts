// Service, test: price files in the forms of different publishers: dates, numbers, columns, zones.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import AdmZip from 'adm-zip';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantIn, isSession } from '../../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../../../shared/lib/time.ts';
import { type DateFormat, readWritten, sessionDate } from '../../files/dates.ts';
import { readFile } from './rows.ts';
import { parseFileSettings } from './settings.ts';

const settings = (entry: object) => {
  const [file] = parseFileSettings(
    JSON.stringify({ files: [{ url: 'https://x.example/a.csv', symbols: ['SPY'], ...entry }] }),
    'f',
  );
  if (file === undefined) throw new Error('no entry');
  return file;
};
const read = (text: string, entry: object = {}) => readFile(new TextEncoder().encode(text), settings(entry), 'us');
const closes = (text: string, entry: object = {}) => {
  const contents = read(text, entry);
  return typeof contents === 'string' ? contents : contents.bars.get('')?.map(({ date, close }) => [date, close]);
};

it('the only file of a zip archive is read; of several none is chosen', () => {
  const archive = new AdmZip();
  archive.addFile('a.csv', Buffer.from('date,close\n2026-03-02,1\n'));
  const packed = () => readFile(archive.toBuffer(), settings({}), 'us');
  expect(packed()).toMatchObject({
    bars: new Map([['', [expect.objectContaining({ date: '2026-03-02', close: 1 })]]]),
  });
  archive.addFile('b.csv', Buffer.from('date,close\n2026-03-02,2\n'));
  expect(packed()).toBe('it has several files, such as archive/a.csv and archive/b.csv; keep them in a price folder');
});

const readDate = (text: string, format: DateFormat, zone: string): string | null => {
  const written = readWritten(text, format);
  return written === null ? null : sessionDate(written, 'us', zone);
};

describe('dates', () => {
  it.each<[DateFormat, string, string | null]>([
    ['YYYY-MM-DD', '2026-03-02', '2026-03-02'],
    ['YYYY-MM-DD', '2026-02-29', null],
    ['YYYYMMDD', '20260302', '2026-03-02'],
    ['MM/DD/YYYY', '3/2/2026', '2026-03-02'],
    ['MM/DD/YYYY', '13/02/2026', null],
    ['DD/MM/YYYY', '13/02/2026', '2026-02-13'],
    ['DD.MM.YYYY', '02.03.2026', '2026-03-02'],
    ['instant', '2026-03-02T05:00:00Z', '2026-03-02'],
    ['instant', '2026-03-02T04:59:59Z', '2026-03-01'],
    ['instant', '2026-03-02 00:00:00', '2026-03-02'],
    ['instant', '1772427600', '2026-03-02'],
    ['instant', '1772427600000', '2026-03-02'],
    ['instant', 'Monday', null],
  ])('%s %s is %s', (format, text, date) => {
    expect(readDate(text, format, 'America/New_York')).toBe(date);
  });

  it('dates at midnight of a zone are its calendar dates, over clock changes too', () => {
    const first = Date.parse('2015-01-01');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.constantFrom('America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'UTC'),
        (days, zone) => {
          const date = dateOf(first + days * DAY_MS);
          const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
          const midnight = instantIn(zone, year, month, day, 0);
          expect(readDate(new Date(midnight).toISOString(), 'instant', zone)).toBe(date);
          expect(readDate(String(midnight / 1000), 'instant', zone)).toBe(date);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('numbers', () => {
  it.each([
    ['.', ',', '"1,234.5"', 1234.5],
    ['.', ',', '1234.5', 1234.5],
    [',', ';', '1.234,5', 1234.5],
    [',', ';', '1 234,5', 1234.5],
    [',', ';', '0,5', 0.5],
  ])('decimal %s, delimiter %s: %s', (decimal, delimiter, text, close) => {
    const entry = { decimal, delimiter, columns: { date: 1, close: 2 }, hasHeader: false };
    expect(closes(`2026-03-02${delimiter}${text}\n`, entry)).toEqual([['2026-03-02', close]]);
  });

  it.each(['1.5', '1.23,4', '1,2,3'])('%s is not a number with a decimal comma', (text) => {
    const entry = { decimal: ',', delimiter: ';', columns: { date: 1, close: 2 }, hasHeader: false };
    expect(closes(`2026-03-02;${text}\n`, entry)).toContain('is not a number');
  });
});

it('sorts, keeps the first of two rows of a day, and leaves out rows without a value', () => {
  const contents = read('Date;Close\n2026-03-04;3\n2026-03-02;1\n2026-03-03;.\n2026-03-02;2\n', {
    delimiter: ';',
    columns: { date: 'date', close: 'CLOSE' },
  });
  expect(contents).toMatchObject({
    bars: new Map([
      [
        '',
        [
          { date: '2026-03-02', close: 1 },
          { date: '2026-03-04', close: 3 },
        ].map((one) => expect.objectContaining(one)),
      ],
    ]),
    problems: [{ line: 5, reason: '2026-03-02 is there already; the first row is kept' }],
  });
});

it('gives only dates of sessions', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 9_000 }), { minLength: 1, maxLength: 40 }), (days) => {
      const dates = days.map((day) => dateOf(Date.parse('2002-01-01') + day * DAY_MS));
      const contents = read(`date,open,high,low,close\n${dates.map((date) => `${date},1,2,1,2\n`).join('')}`);
      const expected = dates.filter((date) => isSession('us', date)).sort();
      expect(typeof contents === 'string' ? [] : contents.bars.get('')?.map(({ date }) => date)).toEqual(expected);
    }),
  );
});

it('the examples in the documentation are settings', () => {
  const text = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../../../docs/operating.md'), 'utf8');
  const [, example = ''] = /```json\n(\{\n {2}"files".*?)```/s.exec(text) ?? [];
  const files = parseFileSettings(example, 'operating.md');
  expect(files.map(({ symbols }) => Object.keys(symbols))).toEqual([
    ['VIX'],
    ['EURUSD', 'EURGBP', 'EURJPY'],
    ['SPY', 'QQQ'],
  ]);
});

describe('settings that cannot be used are refused with their place', () => {
  it.each([
    ['{', 'f.json is no JSON'],
    ['{"files":[]}', 'f.json: files: '],
    ['{"files":[{"url":"ftp://x","symbols":["A"]}]}', 'f.json: files.0.url: is no address'],
    ['{"files":[{"url":"https://u:p@x","symbols":["A"]}]}', 'without a user name'],
    ['{"files":[{"url":"https://x","symbols":["A"],"zone":"Mars"}]}', 'files.0.zone: is no time zone'],
    ['{"files":[{"url":"https://x","symbols":["A"],"colums":{}}]}', 'Unrecognized key: "colums"'],
    ['{"files":[{"url":"https://x","symbols":["A"],"hasHeader":false}]}', 'columns must be positions'],
    ['{"files":[{"url":"https://x","symbols":["A","B"],"columns":{"date":"d","close":"c"}}]}', 'has several symbols'],
    [
      '{"files":[{"url":"https://x","symbols":["A"]},{"url":"https://y","symbols":["a"]}]}',
      'a symbol is in two entries',
    ],
  ])('%s', (json, reason) => {
    expect(() => parseFileSettings(json, 'f.json')).toThrow(reason);
  });
});
