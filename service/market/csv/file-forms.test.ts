// Service, market, test: a folder of files in the forms of several vendors, with mapping.json.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import AdmZip from 'adm-zip';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeAnswers } from '../files/mapping.ts';
import { openTape } from '../tape/tape.ts';
import { NoPrices } from './folder-contents.ts';
import { openCsvFolder } from './source.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prices-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const write = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);
type Folder = ReturnType<typeof openCsvFolder>;
const datesOf = (source: Folder, symbol: string): string[] => [...source.bars(symbol)].map(({ date }) => date);
const reasons = (source: Folder): string[] =>
  source.problems.map(({ file, line, reason }) => `${file}:${line} ${reason}`);

const YAHOO = 'Date,Open,High,Low,Close,Adj Close,Volume\n';
const HEADER = 'date,open,high,low,close';
const SLASHES = 'Date,Open,High,Low,Close\n1/2/2024,10,11,9,10\n1/3/2024,10,11,9,10\n';

it('reads files of any form beside each other, packed ones too; a bad row costs no other', () => {
  write('SPY.csv', 'symbol,date,open,high,low,close,volume\nSPY,2024-01-02,470,473,470,472,5\n');
  write(
    'AAPL.csv',
    `${YAHOO}2024-01-02,187,188,183,185,184,8\nnull,null,null,null,null,null,null\n2024-01-03,184,186,183,185,184,8\n`,
  );
  write('qqq.us.txt.gz', gzipSync('<DATE>,<CLOSE>\n20240102,402.59\n20240103,398.33\n'));
  write('BTC-USD.tsv', 'time\tclose\n1704153600\t44187\n1704240000\t44961\n');
  write('EURUSD.csv', 'Datum;Schluss\n02.01.2024;1,0941\n03.01.2024;1,0922\n');
  const source = openCsvFolder(folder);
  const symbols = source.instruments.map(({ symbol }) => symbol);
  expect(symbols).toEqual(['AAPL', 'BTC-USD', 'EURUSD', 'QQQ', 'SPY']);
  expect(symbols.map((symbol) => datesOf(source, symbol).length)).toEqual([2, 2, 2, 2, 1]);
  expect(datesOf(source, 'BTC-USD')).toEqual(['2024-01-02', '2024-01-03']);
  expect(source.bars('AAPL').at(0)).toMatchObject({ close: 184, volume: 8 });
  expect(reasons(source)).toContain('AAPL.csv:3 "null" is no date; write it as 2020-02-24');
  expect(source.readFiles.map(({ file, dialect }) => `${file} ${dialect.source}`)).toContain('AAPL.csv Yahoo');
});

it('an archive of earlier files does not count before those beside it, and each of its files is named in problems', () => {
  const archive = new AdmZip();
  archive.addFile('old/SPY.csv', Buffer.from('date,close\n2024-01-02,470\n2024-01-03,468\nsoon,1\n'));
  write('backup.zip', archive.toBuffer());
  write('SPY.csv', 'date,close\n2024-01-02,472\n');
  write('~$book.xlsx', 'the name of who has it open');
  const source = openCsvFolder(folder);
  expect([...source.bars('SPY')].map(({ close }) => close)).toEqual([472, 468]);
  expect(reasons(source)).toEqual([
    'backup.zip/old/SPY.csv:4 "soon" is no date; write it as 2020-02-24',
    'backup.zip/old/SPY.csv:2 SPY 2024-01-02 is there already; the first row is kept, the closes agree within 0.5 %',
  ]);
});

it('an archive that is damaged withdraws nothing', () => {
  const archive = new AdmZip();
  archive.addFile('SPY.csv', Buffer.from('date,close\n2024-01-02,470\n2024-01-03,468\n'));
  write('all.zip', archive.toBuffer());
  write('QQQ.csv', 'date,close\n2024-01-02,402\n');
  const tape = openTape(null);
  openCsvFolder(folder, { tape });
  write('all.zip', archive.toBuffer().subarray(0, 60));
  const source = openCsvFolder(folder, { tape });
  expect(datesOf(source, 'SPY')).toEqual(['2024-01-02', '2024-01-03']);
  expect(reasons(source)).toEqual([expect.stringContaining('all.zip:0 it cannot be unpacked (it is damaged')]);
});

it.each([
  ['empty', ''],
  ['without rows', 'date,close\n'],
  ['without a whole row', 'date,close\n2024-01-0'],
  ['a web page', '<html>Too many requests</html>'],
  ['a sentence', 'Exceeded the daily hits limit'],
])('a file that is %s at a start withdraws nothing, and its symbol keeps its signals', (_, text) => {
  const prices = 'date,close\n2024-01-02,470\n2024-01-03,468\n';
  write('SPY.csv', prices);
  write('QQQ.csv', 'date,close\n2024-01-02,402\n');
  const tape = openTape(null);
  openCsvFolder(folder, { tape });
  write('SPY.csv', text);
  const source = openCsvFolder(folder, { tape });
  expect(datesOf(source, 'SPY')).toEqual(['2024-01-02', '2024-01-03']);
  expect(source.problems).toHaveLength(1);
  write('SPY.csv', `${prices}2024-01-04,469\n`);
  source.refresh();
  expect([datesOf(source, 'SPY').at(-1), source.problems]).toEqual(['2024-01-04', []]);
});

it.each([
  ['a file of one symbol', 'date,close,volume\n2024-01-02,470,5\n', '2024-01-03,468,5\n2024-01-04,469,5\n', 12],
  [
    'quoted cells',
    '"date","close","volume"\n"2024-01-02","470","5"\n',
    '"2024-01-03","468","5"\n"2024-01-04","469","5"\n',
    15,
  ],
  [
    'symbols side by side',
    'Date,QQQ,SPY,IWM\n2024-01-02,402,470,200\n',
    '2024-01-03,402,468,200\n2024-01-04,402,469,200\n',
    15,
  ],
])(
  'a file that is cut in the middle of a row at a start withdraws nothing, and says so until it is whole: %s',
  (_, before, after, cut) => {
    const whole = before + after;
    write('SPY.csv', whole);
    write('DIA.csv', 'date,close\n2024-01-02,402\n');
    const tape = openTape(null);
    const datesBefore = datesOf(openCsvFolder(folder, { tape }), 'SPY');
    expect(datesBefore).toEqual(['2024-01-02', '2024-01-03', '2024-01-04']);
    write('SPY.csv', before + after.slice(0, cut));
    const source = openCsvFolder(folder, { tape });
    expect(datesOf(source, 'SPY')).toEqual(datesBefore);
    expect(reasons(source)).toEqual([
      `SPY.csv:${before.split('\n').length} the file ends within this row, and its program may be writing it; no known price is withdrawn. Where it stays so, complete the row or delete it`,
    ]);
    write('SPY.csv', whole);
    source.refresh();
    expect([datesOf(source, 'SPY'), source.problems]).toEqual([datesBefore, []]);
  },
);

it('a file without a line break at its end, or with a short row before it, still withdraws the rows that it lacks', () => {
  const tape = openTape(null);
  write('SPY.csv', 'date,close\n2024-01-02,470\n2024-01-03,468\n2024-01-04,469');
  openCsvFolder(folder, { tape });
  write('SPY.csv', 'date,close\n2024-01-02,470\n2024-01-03,468');
  expect(datesOf(openCsvFolder(folder, { tape }), 'SPY')).toEqual(['2024-01-02', '2024-01-03']);
  write('SPY.csv', 'date,close\n2024-01-02,470\n2024\n');
  expect(datesOf(openCsvFolder(folder, { tape }), 'SPY')).toEqual(['2024-01-02']);
});

it('a file that leaves something open waits, withdraws nothing, and is read once mapping.json answers', () => {
  write('SPY.csv', 'date,close\n2024-01-02,472\n');
  write('IWM.csv', SLASHES);
  const asked = openCsvFolder(folder);
  expect([...asked.bars('IWM')]).toEqual([]);
  expect(reasons(asked)).toEqual([
    'IWM.csv:0 1/2/2024 may be 2024-01-02 or 2024-02-01; say in mapping.json, formats "date,open,high,low,close", which it is (dateFormat "MM/DD/YYYY" or "DD/MM/YYYY")',
  ]);
  writeAnswers(folder, [{ of: HEADER, setting: 'dateFormat', value: 'MM/DD/YYYY' }]);
  const tape = openTape(null);
  const source = openCsvFolder(folder, { tape });
  expect([datesOf(source, 'IWM'), reasons(source)]).toEqual([['2024-01-02', '2024-01-03'], []]);
  // A mapping that is damaged is named. The rows that were read before stay.
  write('mapping.json', '{');
  expect(() => source.refresh()).toThrow('mapping.json: it is no JSON');
  expect(datesOf(source, 'IWM')).toEqual(['2024-01-02', '2024-01-03']);
  rmSync(join(folder, 'mapping.json'));
  writeAnswers(folder, [{ of: HEADER, setting: 'dateFormat', value: 'DD/MM/YYYY' }]);
  source.refresh();
  expect(datesOf(openCsvFolder(folder, { tape }), 'IWM')).toEqual(['2024-02-01', '2024-03-01']);
});

it('a folder that only asks cannot be opened, and says what it asks', () => {
  write('download.csv', SLASHES);
  const failure = (): NoPrices => {
    try {
      openCsvFolder(folder);
    } catch (error) {
      if (error instanceof NoPrices) return error;
    }
    throw new Error('it was opened');
  };
  const [file] = failure().readFiles;
  expect(file?.questions.map(({ kind }) => kind)).toEqual(['symbol', 'dateFormat']);
  writeAnswers(folder, [{ of: 'download.csv', setting: 'symbol', value: 'SPY' }]);
  expect(failure().readFiles[0]?.questions.map(({ kind }) => kind)).toEqual(['dateFormat']);
  writeAnswers(folder, [{ of: HEADER, setting: 'dateFormat', value: 'DD/MM/YYYY' }]);
  expect(datesOf(openCsvFolder(folder), 'SPY')).toEqual(['2024-02-01', '2024-03-01']);
  expect(JSON.parse(readFileSync(join(folder, 'mapping.json'), 'utf8'))).toEqual({
    formats: { 'date,open,high,low,close': { dateFormat: 'DD/MM/YYYY' } },
    symbols: { 'download.csv': 'SPY' },
  });
});

it('rows within a day, in the zone that their file says, form the day in progress', () => {
  write('SPY.csv', 'date,close\n2024-01-02,472\n');
  write('SPY_60min.csv', 'timestamp,close\n2024-01-03 09:30:00-05:00,470\n2024-01-03 10:30:00-05:00,469\n');
  const source = openCsvFolder(folder);
  expect(source.forming?.('SPY', Date.parse('2024-01-03T16:45:00Z'))?.close).toBe(469);
  expect(datesOf(source, 'SPY')).toEqual(['2024-01-02']);
});

it('a damaged mapping.json stops the files that it may concern, as it may have said which column is the close', () => {
  write('SPY.csv', 'symbol,date,open,high,low,close,volume\nSPY,2024-01-02,472,473,471,472,1\n');
  write('IWM.csv', 'Date,Close,Settle\n2024-01-02,200,201\n');
  writeAnswers(folder, [{ of: 'date,close,settle', setting: 'columns.close', value: 'Settle' }]);
  const source = openCsvFolder(folder);
  expect(source.bars('IWM').at(0)?.close).toBe(201);
  write('mapping.json', '{ "version": 2 }');
  expect(source.refresh()).toBe(true);
  expect(reasons(source)).toEqual([
    expect.stringContaining('mapping.json:0 : Unrecognized key: "version"'),
    'IWM.csv:0 it waits for mapping.json, which cannot be read',
  ]);
  expect([source.bars('IWM').at(0)?.close, source.bars('SPY').at(0)?.close]).toEqual([201, 472]);
});

it('a symbol of no known exchange is named, with the cure', () => {
  write('2330.TW.csv', 'Date,Close\n2024-01-02,590\n');
  write('BRK.B.csv', 'Date,Close\n2024-01-02,360\n');
  const assumed =
    'instruments.csv:0 2330.TW: the exchange is not known, so no day counts as a holiday and no hour as closed';
  expect(reasons(openCsvFolder(folder))).toEqual([expect.stringContaining(assumed)]);
  write('instruments.csv', 'symbol,exchange\n2330.TW,hong_kong\n');
  expect(reasons(openCsvFolder(folder))).toEqual([]);
});
