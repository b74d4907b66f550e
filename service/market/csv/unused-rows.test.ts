import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { expect, it } from 'vitest';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import { eachInItsOwnFolder, folder, HEADER, row, write } from '../../../test/harness/price-folder.ts';
import { openTape } from '../tape/tape.ts';
import { openCsvFolder } from './source.ts';

eachInItsOwnFolder();

it('lists the first thousand refused rows of a file, and counts the others', () => {
  write('SPY.csv', `${HEADER}${row('SPY', '2020-02-20')}${row('SPY', '2020-02-21', -1).repeat(1_500)}`);
  const { problems, counts } = openCsvFolder(folder);
  expect([problems.length, counts.refused]).toEqual([1_001, 1_500]);
  expect(problems.at(-1)?.reason).toContain('500 more rows of this file are refused');
});

it('says by how much two files disagree, and refuses a web page', () => {
  write('a.csv', HEADER + row('SPY', '2020-01-02'));
  write('b.csv', HEADER + row('SPY', '2020-01-02', 102) + row('SPY', '2020-01-03'));
  write('c.csv', '<!DOCTYPE html><html>');
  expect(openCsvFolder(folder).problems.map(({ file, line, reason }) => `${file}:${line} ${reason}`)).toEqual([
    'b.csv:2 SPY 2020-01-02 is there already; the first row is kept, a close differs by more than 0.5 %: 2020-01-02 has 100 in a.csv:2, and 102 in line 2',
    'c.csv:0 this is a web page, not prices; fetch the file again',
  ]);
});

it('reads no further file once there are too many rows, says so, and withdraws nothing then', () => {
  const tape = openTape(null);
  write('a.csv', HEADER + row('A', '2020-01-02') + row('A', '2020-01-03'));
  write('b.csv', HEADER + row('B', '2020-01-02'));
  openCsvFolder(folder, { tape });
  const source = openCsvFolder(folder, { tape, maxRows: 2 });
  expect(source.problems).toEqual([
    {
      file: 'b.csv',
      line: 0,
      reason:
        'it is not read, nor what follows in b.csv: files before it have 2 rows, and 2 are the most; split the folder',
    },
  ]);
  expect(source.bars('B')).toHaveLength(1);
});

it('names the days that two files share in one line a symbol, with their number and whether the closes agree', () => {
  const days = Array.from({ length: 320 }, (_, at) => dateOf(Date.UTC(2018, 0, 1) + at * DAY_MS));
  const rows = (symbol: string, closeAt: (at: number) => number) =>
    days.map((day, at) => row(symbol, day, closeAt(at))).join('');
  write('a.csv', HEADER + rows('BTC-USD', () => 100) + rows('LINK-USD', () => 50));
  write('b.csv', HEADER + rows('BTC-USD', () => 100.1) + rows('LINK-USD', (at) => (at % 4 === 1 ? 51 : 50)));
  const { problems, counts } = openCsvFolder(folder);
  expect(problems.map(({ file, line, reason }) => `${file}:${line} ${reason}`)).toEqual([
    'b.csv:2 BTC-USD 2018-01-01, 2018-01-02, 2018-01-03 and 317 more days are there already; the first row of each is kept, all closes agree within 0.5 %',
    'b.csv:322 LINK-USD 2018-01-01, 2018-01-02, 2018-01-03 and 317 more days are there already; the first row of each is kept, 80 closes differ by more than 0.5 %: 2018-01-02 has 50 in a.csv:323, and 51 in line 323',
  ]);
  expect(counts).toMatchObject({ rows: 1280, used: 640, refused: 640 });
});

it('names what may have prices and is not read: files of other forms, also in an archive, and folders of price files', () => {
  const inner = new AdmZip();
  inner.addFile('IWM.csv', Buffer.from(HEADER + row('IWM', '2020-01-02')));
  const outer = new AdmZip();
  outer.addFile('SPY.csv', Buffer.from(HEADER + row('SPY', '2020-01-02')));
  outer.addFile('small.zip', inner.toBuffer());
  writeFileSync(join(folder, 'all.zip'), outer.toBuffer());
  write('QQQ.csv', HEADER + row('QQQ', '2020-01-02'));
  for (const name of ['DIA.csv.bz2', 'XLK.parquet', 'XLF.gz', 'notes.md', '~$book.xlsm', '.XLE.7z']) write(name, 'x');
  for (const name of ['events', 'letters', 'stocks']) mkdirSync(join(folder, name));
  for (const name of ['events/due.csv', 'letters/may.md', 'stocks/TLT.csv']) write(name, 'x');
  symlinkSync('stocks', join(folder, 'link'));
  const { problems, bars } = openCsvFolder(folder);
  expect(problems.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
    'all.zip/small.zip: it is not read; unpack it, or save its table as CSV',
    expect.stringMatching(/^(DIA|XL).*: it and 2 more are not read; unpack them, or save their tables as CSV$/),
    expect.stringMatching(/^(link|stocks): no prices are read from this folder, nor from 1 more; move the files/),
  ]);
  expect([bars('SPY').length, bars('QQQ').length]).toEqual([1, 1]);
  expect(openCsvFolder(folder, { only: 'QQQ.csv' }).problems).toEqual([]);
});

it('refuses the year 1, which programs write for no date, and takes a symbol that every object has as a name', () => {
  write('SPY.csv', HEADER + row('SPY', '2020-01-02') + row('SPY', '0001-01-01'));
  write('b.csv', 'Ticker,Date,Close\nconstructor,2020-01-02,1\nQQQ,2020-01-02,2\n');
  write(
    'c.csv',
    'symbol,time,open,high,low,close,volume\nSPY,0001-01-01T00:00,1,1,1,1,1\nSPY,2020-01-03T10:00,1,1,1,1,1\n',
  );
  const { problems, bars } = openCsvFolder(folder);
  expect(problems.map(({ file, line, reason }) => `${file}:${line} ${reason}`)).toEqual([
    'SPY.csv:3 "0001-01-01" is no date; write it as 2020-02-24',
    'c.csv:2 "0001-01-01T00:00" is no time; write it as 2020-02-24T09:00 or with Z or an offset',
  ]);
  expect(['SPY', 'QQQ', 'CONSTRUCTOR'].map((symbol) => bars(symbol).length)).toEqual([1, 1, 1]);
});
