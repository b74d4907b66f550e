// Service, market, test: daily rows that are not final closes, by their date.
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachInItsOwnFolder, folder, HEADER, row } from '../../../test/harness/price-folder.ts';
import { openTape } from '../tape/tape.ts';
import { openCsvFolder } from './source.ts';

eachInItsOwnFolder();
/** @param at time of the last write */
const write = (text: string, at: string): void => {
  writeFileSync(join(folder, 'x.csv'), HEADER + text);
  utimesSync(join(folder, 'x.csv'), new Date(at), new Date(at));
};
const closesOf = (symbol: string, source = openCsvFolder(folder)) =>
  [...source.bars(symbol)].map(({ date, close }) => `${date} ${close}`);
const problems = (source = openCsvFolder(folder)) => source.problems.map(({ line, reason }) => `${line}: ${reason}`);

it('a row written before the close counts once the file is written after the close', () => {
  const yesterday = row('SPY', '2020-03-02');
  write(yesterday + row('SPY', '2020-03-03', 94), '2020-03-03T17:00:00Z');
  const tape = openTape(null);
  const source = openCsvFolder(folder, { tape });
  expect(closesOf('SPY', source)).toEqual(['2020-03-02 100']);
  expect(problems(source)).toEqual([
    '3: SPY 2020-03-03 was written before the close of its session (21:00 UTC); it counts once the file is written after that',
  ]);
  // A service that starts after the close sees the same file.
  expect(closesOf('SPY')).toEqual(['2020-03-02 100']);
  write(yesterday + row('SPY', '2020-03-03', 101), '2020-03-03T21:10:00Z');
  expect(source.refresh()).toBe(true);
  expect(closesOf('SPY', source)).toEqual(['2020-03-02 100', '2020-03-03 101']);
  expect(problems(source)).toEqual([]);
  // The next day's file does not take it back.
  write(yesterday + row('SPY', '2020-03-03', 101) + row('SPY', '2020-03-04', 90), '2020-03-04T15:00:00Z');
  source.refresh();
  expect(closesOf('SPY', source)).toEqual(['2020-03-02 100', '2020-03-03 101']);
});

it.each([
  ['a coin before midnight', 'BTC', '2020-03-03', '2020-03-03T23:00:00Z', false],
  ['a coin after midnight', 'BTC', '2020-03-03', '2020-03-04T00:01:00Z', true],
  ['a currency at the evening of New York', 'XAUUSD', '2020-03-03', '2020-03-03T22:01:00Z', true],
  ['a share on a half day', 'SPY', '2020-11-27', '2020-11-27T18:05:00Z', true],
  ['clocks that differ by half a minute', 'SPY', '2020-03-03', '2020-03-03T20:59:30Z', true],
  ['a file that an archive has given a time long ago', 'SPY', '2020-03-03', '1970-01-01T00:00:01Z', true],
])('%s', (_, symbol, date, at, counts) => {
  write(row(symbol, '2020-02-28') + row(symbol, date), at);
  expect(closesOf(symbol).length === 2).toBe(counts);
});

it('a row dated far in the future is refused', () => {
  write(row('SPY', '2004-03-02') + row('SPY', '2062-01-05'), '2004-03-03T12:00:00Z');
  const source = openCsvFolder(folder, { now: () => Date.parse('2026-11-27T15:00:00Z') });
  expect(closesOf('SPY', source)).toEqual(['2004-03-02 100']);
  expect(problems(source)).toEqual(['3: SPY 2062-01-05 is in the future; write the date of its session']);
  // A replay may have any dates.
  const replayed = openCsvFolder(folder, { now: () => Date.parse('2026-11-27T15:00:00Z'), isReplay: true });
  expect(closesOf('SPY', replayed)).toHaveLength(2);
});

it('weekend rows of a share are reported, once for each file', () => {
  const dates = ['2020-02-28', '2020-02-29', '2020-03-02', '2020-03-07', '1951-06-02'];
  write(dates.map((date) => row('SPY', date) + row('BTC', date)).join(''), '2020-04-01T12:00:00Z');
  const source = openCsvFolder(folder);
  expect([...source.bars('SPY')]).toHaveLength(5);
  expect(problems(source).filter((text) => !text.includes('missing'))).toEqual([
    '4: SPY 2020-02-29 is a day at a weekend, on which its exchange does not trade (2 such rows, used as they are); write the date of the session at the exchange, or the calendar in instruments.csv',
  ]);
});
