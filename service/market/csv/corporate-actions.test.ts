// Test: splits, dividends and halts from actions.csv, in the dialects that programs write.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/harness/folders.ts';
import { openTape } from '../tape/tape.ts';
import { readActionFile } from './corporate-actions.ts';
import { openCsvFolder } from './source.ts';

const SEEN = [
  { kind: 'split', symbol: 'AAPL', date: '2020-08-31', factor: 0.25, note: 'four; for one' },
  { kind: 'dividend', symbol: 'MSFT', date: '2020-02-19', factor: null, amount: 0.51, note: null },
  { kind: 'halt', symbol: 'DIA', date: '2020-03-16', factor: null, note: 'news' },
];

it.each([
  [
    'commas',
    'symbol,date,action,ratio,note\nAAPL,2020-08-31,split,4:1,four; for one\nMSFT,2020-02-19,dividend,0.51,\nDIA,2020-03-16,halt,,news\n',
  ],
  [
    'semicolons, decimal commas, days first and quotes, after a byte-order mark',
    '\uFEFFSymbol;Date;Action;Ratio;Note\r\nAAPL;31.08.2020;split;4,0:1;"four; for one"\r\nMSFT;19.02.2020;dividend;0,51;\r\nDIA;16.03.2020;halt;;news\r\n',
  ],
  [
    'tabs in UTF-16',
    Buffer.from(
      '\uFEFFsymbol\tdate\taction\tratio\tnote\r\nAAPL\t2020-08-31\tsplit\t4:1\tfour; for one\r\nMSFT\t2020-02-19\tdividend\t0.51\t\r\nDIA\t2020-03-16\thalt\t\tnews\r\n',
      'utf16le',
    ),
  ],
])('actions.csv is read with %s', (_what, text) => {
  expect(readActionFile(Buffer.from(text))).toEqual({ actions: SEEN, isEnded: true, problems: [] });
});

const problemsOf = (...lines: string[]): string[] =>
  readActionFile(Buffer.from(lines.join('\n'))).problems.map(({ file, line, reason }) => `${file}:${line} ${reason}`);

it('a ratio that may have decimals or thousands, and dates that may begin with day or month, are refused with the cure', () => {
  expect(problemsOf('symbol;date;action;ratio', 'A;2020-02-19;dividend;1,234')).toEqual([
    'actions.csv:2 ratio "1,234" may have decimals or thousands; write 1,2340 or 1234',
  ]);
  expect(problemsOf('symbol,date,action,ratio', 'A,2020-02-19,dividend,1.234')).toEqual([]);
  expect(problemsOf('symbol;date;action', 'A;02/03/2020;halt', 'A;02/04/2020;resume')).toEqual([
    'actions.csv:2 02/03/2020 may be 2020-02-03 or 2020-03-02; write it as 2020-02-24',
    'actions.csv:3 02/04/2020 may be 2020-02-04 or 2020-04-02; write it as 2020-02-24',
  ]);
});

it('a row with more cells than the header is refused: a decimal comma between commas would be another dividend', () => {
  expect(
    problemsOf('symbol,date,action,ratio,note', 'A,2020-02-19,dividend,1,24,cash', 'A,2020-02-20,halt,,,'),
  ).toEqual(['actions.csv:2 the row has 6 cells where the header has 5; put a cell that has a "," between quotes']);
});

it('a file without the needed columns is refused with the first line that it must have', () => {
  expect(problemsOf('symbol;day', 'A;2020-02-19')).toEqual([
    'actions.csv:0 column date, action is missing; the first line must be symbol,date,action,ratio,note',
  ]);
});

it('an actions.csv that ends within a row at a start withdraws no action before a poll finds the same file', () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const act = (rows: string): void =>
    writeFileSync(join(folder.path, 'actions.csv'), `symbol,date,action,ratio,note\n${rows}`);
  const tape = openTape(null);
  const open = () => openCsvFolder(folder.path, { tape });
  const closeOf = (source: ReturnType<typeof open>) => source.bars('SPY').at(0)?.close;
  writeFileSync(join(folder.path, 'SPY.csv'), 'date,close\n2020-01-02,100\n2020-01-03,100\n');
  const [halt, cash] = ['SPY,2020-01-03,halt,,\n', 'SPY,2020-01-03,dividend,10,\n'];
  act(halt + cash);
  expect(closeOf(open())).toBe(90);
  act(halt + cash.slice(0, 12));
  const source = open();
  expect(closeOf(source)).toBe(90);
  act(halt + cash);
  expect([source.refresh(), source.refresh(), closeOf(source)]).toEqual([true, false, 90]);
  act(halt.trimEnd());
  const next = open();
  expect(closeOf(next)).toBe(90);
  expect([next.refresh(), closeOf(next), next.refresh()]).toEqual([true, 100, false]);
});
