// Service, market, test: a folder of price files as a market source.
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessionClose } from '../../../shared/domain/sessions.ts';
import { notRun } from '../../../test/harness/not-run.ts';
import { eachInItsOwnFolder, folder, HEADER, row, write } from '../../../test/harness/price-folder.ts';
import { openDated } from '../../folder-files.ts';
import { inOneTurn } from '../../steps.ts';
import { openTape, readActions } from '../tape/tape.ts';
import { openCsvFolder, openCsvFolderInSteps } from './source.ts';

eachInItsOwnFolder();
const nothingTaken = (): null => null;

describe('price folder', () => {
  it('refuses bad rows with file, line and reason, counts them, and uses the rest', () => {
    write(
      'SPY.csv',
      `${HEADER}${row('SPY', '2020-02-20')}${row('SPY', '2020-02-21')}${row('SPY', '2020-02-21', 7)}${row('SPY', '2020-02-19')}` +
        'SPY,2020-02-24,-1,2,1,1,5\nSPY,2020-02-24,1,2,1,0,5\nSPY,2020-02-24,1,1,2,1,5\nSPY,24.02.2020,1,2,1,1,5\nSPY,2020-02-30,1,2,1,1,5\n' +
        'SPY,2020-02-24,1,2,1\nSPY,2020-02-24,1,2,1,abc,5\nS P Y,2020-02-24,1,2,1,1,5\nSPY,2020-02-24,1,2,1,1,-5\nSPY,2020-02-24,1,1e999,1,1,5\n' +
        `\n${row('SPY', '2020-02-24')}`,
    );
    const source = openCsvFolder(folder);
    expect([...source.bars('SPY')].map((bar) => [bar.date, bar.close])).toEqual([
      ['2020-02-19', 100],
      ['2020-02-20', 100],
      ['2020-02-21', 100],
      ['2020-02-24', 100],
    ]);
    expect(source.counts).toEqual({ files: 1, rows: 15, used: 4, refused: 11, widened: 0 });
    expect(source.problems.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '6: open -1 is not a price; a price is above zero',
      '7: close 0 is not a price; a price is above zero',
      '8: high 1 is below low 2',
      '9: "24.02.2020" is no date; write it as 2020-02-24',
      '10: "2020-02-30" is no date; write it as 2020-02-24',
      '11: the row has 5 cells where the header has 7; write one cell per column',
      '12: close "abc" is not a number',
      '13: "S P Y" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -, or say one for it in mapping.json (symbols)',
      '14: volume -5 is below zero',
      '15: high "1e999" is not a number',
      '4: SPY 2020-02-21 is there already; the first row is kept, a close differs by more than 0.5 %: 2020-02-21 has 100 in SPY.csv:3, and 7 in line 4',
    ]);
    expect(source.problems.every((problem) => problem.file === 'SPY.csv')).toBe(true);
  });

  it('accepts a byte-order mark, CRLF, lower case, quotes and reordered columns; volume 0 or none is unknown', () => {
    write('a.csv', `\uFEFFDate,Symbol,Close,Low,High,Open\r\n2020-01-02,"aapl",10,9,11,10\r\n`);
    write('b.csv', `${HEADER}EURUSD,2020-01-02,1.1,1.2,1.0,1.1,0\n`);
    const source = openCsvFolder(folder);
    expect([...source.bars('AAPL')]).toEqual([
      { date: '2020-01-02', open: 10, high: 11, low: 9, close: 10, volume: null },
    ]);
    expect(source.bars('EURUSD').at(0)?.volume).toBeNull();
    expect(source.problems).toEqual([]);
  });

  it('reports problems of whole files, and uses the other files', () => {
    write('good.csv', HEADER + row('SPY', '2020-01-02'));
    write('empty.csv', '');
    write('header.csv', HEADER);
    write('short.csv', 'symbol,date,open,high,low\nX,2020-01-02,1,1,1\n');
    write('zeros.csv', `${HEADER}\0`);
    const source = openCsvFolder(folder);
    expect(source.counts.used).toBe(1);
    expect(source.problems.map((problem) => `${problem.file}: ${problem.reason.slice(0, 34)}`)).toEqual([
      'empty.csv: the file is empty; the first line ',
      'header.csv: there is no row below the header',
      'short.csv: column close is missing; the first',
      'zeros.csv: this is not UTF-8 text; save it as',
    ]);
  });

  const why = process.platform === 'win32' ? 'not on Windows' : null;
  it.skipIf(why)(`ignores entries that are not files or are too large to read, and uses the rest${notRun(why)}`, () => {
    write('good.csv', HEADER + row('SPY', '2020-01-02'));
    mkdirSync(join(folder, 'a-folder.csv'));
    symlinkSync('a-circle.csv', join(folder, 'a-circle.csv'));
    symlinkSync('gone', join(folder, '.#lock.csv'));
    symlinkSync('/dev/zero', join(folder, 'b-device.csv'));
    write('d-large.csv', HEADER);
    truncateSync(join(folder, 'd-large.csv'), 300 * 1024 * 1024);
    const source = openCsvFolder(folder);
    expect(source.counts.used).toBe(1);
    expect(source.refresh()).toBe(false);
    expect(source.problems.map(({ file, reason }) => `${file}: ${reason.replace(/: E.*/, '')}`)).toEqual([
      '.#lock.csv: the file cannot be read',
      'a-circle.csv: the file cannot be read',
      'a-folder.csv: the file cannot be read: it is no file',
      'b-device.csv: the file cannot be read: it is no file',
      'd-large.csv: the file cannot be read: it is larger than 256 MB; split it',
    ]);
  });

  it('reports the right line after a cell of several lines', () => {
    write(
      'x.csv',
      `${HEADER}${row('SPY', '2020-01-02')}"S\nP\nY",2020-01-03,1,1,1,1,1\n${row('SPY', '2020-01-06')}SPY,soon,1,1,1,1,1\n`,
    );
    expect(openCsvFolder(folder).problems.map(({ line }) => line)).toEqual([3, 7]);
  });

  it('cannot be opened without a single usable row', () => {
    expect(() => openCsvFolder(folder)).toThrow('it has no .csv file');
    write('x.csv', 'date,gold\n2020-01-02,1\n');
    expect(() => openCsvFolder(folder)).toThrow('x.csv: column close is missing; the first line is "date,gold"');
    expect(() => openCsvFolder(join(folder, 'nowhere'))).toThrow('is not there');
  });

  it('adjusts the rows before a thousandfold jump of all prices, and reports a likely split', () => {
    write(
      'x.csv',
      HEADER + row('SPY', '2020-01-02') + row('SPY', '2020-01-03', 100_000) + row('SPY', '2020-01-06', 100_500),
    );
    const source = openCsvFolder(folder);
    expect(source.counts).toMatchObject({ used: 3, refused: 0 });
    expect([...source.bars('SPY')].map(({ close }) => close)).toEqual([100_000, 100_000, 100_500]);
    expect(source.problems.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '3: SPY 2020-01-03: close 100000 after 100 looks like a split 1:1000 that is not adjusted (no volume is known); the prices before it are adjusted; `confirm SPY 2020-01-03 --real` undoes that',
    ]);
  });

  it('reads splits from actions.csv, and reports invalid rows', () => {
    write('x.csv', HEADER + row('AAPL', '2020-01-02', 400) + row('AAPL', '2020-01-03'));
    write(
      'actions.csv',
      'symbol,date,action,ratio\naapl,2020-01-03,split,4:1\nAAPL,2020-01-04,merger,\nAAPL,2020-01-04,split,four\n',
    );
    const source = openCsvFolder(folder);
    expect([...source.bars('AAPL')].map(({ close, volume }) => [close, volume])).toEqual([
      [100, 4000],
      [100, 1000],
    ]);
    expect(source.problems.map(({ file, line, reason }) => `${file}:${line} ${reason}`)).toEqual([
      'actions.csv:3 action "merger" is unknown; use split, dividend, halt, resume, delisting, real, refuse',
      'actions.csv:4 ratio "four" is none; write 4:1 for four shares in place of one',
    ]);
  });

  it('widens a range that rounding made too narrow', () => {
    write('x.csv', `${HEADER}SPY,2020-01-02,10,10.5,9.5,10.500001,5\n`);
    const source = openCsvFolder(folder);
    expect(source.bars('SPY').at(0)).toMatchObject({ high: 10.500001, low: 9.5 });
    expect(source.counts.widened).toBe(1);
  });

  it('gives days in order of closing, in parts, each symbol after its own last date', () => {
    write(
      'a.csv',
      HEADER +
        row('SPY', '2020-01-02') +
        row('SPY', '2020-01-03') +
        row('BTC', '2020-01-03') +
        row('QQQ', '2020-01-03'),
    );
    const source = openCsvFolder(folder);
    const days = (after: (symbol: string) => string | null, now: string): unknown =>
      [...source.closedDays(after, Date.parse(now))].map((day) => [
        day.date,
        [...day.bars.keys()].join('+'),
        [...day.closesAt.values()][0],
      ]);
    expect(days(nothingTaken, '2020-01-10')).toEqual([
      ['2020-01-02', 'SPY', Date.parse('2020-01-02T21:00:00Z')],
      ['2020-01-03', 'QQQ+SPY', Date.parse('2020-01-03T21:00:00Z')],
      ['2020-01-03', 'BTC', Date.parse('2020-01-04T00:00:00Z')],
    ]);
    expect(days(nothingTaken, '2020-01-03T21:00:00Z')).toHaveLength(2);
    expect(days((symbol) => (symbol === 'QQQ' ? '2020-01-02' : '2020-01-03'), '2020-01-10')).toEqual([
      ['2020-01-03', 'QQQ', Date.parse('2020-01-03T21:00:00Z')],
    ]);
  });

  it('gives days across years in order of closing, after dates of different years', () => {
    write(
      'a.csv',
      HEADER +
        ['2018-12-31', '2019-12-31', '2020-01-02'].map((date) => row('SPY', date)).join('') +
        ['2019-12-31', '2020-01-01'].map((date) => row('BTC', date)).join(''),
    );
    const source = openCsvFolder(folder);
    const dates = (after: (symbol: string) => string | null): string[] =>
      [...source.closedDays(after, Number.POSITIVE_INFINITY)].map(({ date, bars }) => `${date} ${[...bars.keys()]}`);
    const last = ['2019-12-31 SPY', '2019-12-31 BTC', '2020-01-01 BTC', '2020-01-02 SPY'];
    expect(dates(nothingTaken)).toEqual(['2018-12-31 SPY', ...last]);
    expect(dates((symbol) => (symbol === 'SPY' ? '2018-12-31' : '2019-12-31'))).toEqual(last.toSpliced(1, 1));
    expect(dates(() => '2020-01-02')).toEqual([]);
  });

  it('reads new rows', () => {
    write('a.csv', HEADER + row('SPY', '2020-01-02'));
    const source = openCsvFolder(folder);
    expect(source.refresh()).toBe(false);
    write('a.csv', HEADER + row('SPY', '2020-01-02') + row('SPY', '2020-01-03'));
    expect(source.refresh()).toBe(true);
    expect([...source.closedDays(() => '2020-01-02', Number.POSITIVE_INFINITY)].map((day) => day.date)).toEqual([
      '2020-01-03',
    ]);
  });

  it('reports that a symbol added later is served from the next start on', () => {
    write('a.csv', HEADER + row('SPY', '2020-01-02'));
    const source = openCsvFolder(folder);
    write('b.csv', HEADER + row('QQQ', '2020-01-02') + row('QQQ', '2020-01-03'));
    expect(source.refresh()).toBe(true);
    expect(source.problems).toEqual([
      { file: 'b.csv', line: 2, reason: 'QQQ was added while the service runs; it has signals from the next start on' },
    ]);
    expect(source.added()).toEqual(['QQQ']);
    expect([[...source.bars('QQQ')], source.instruments.map(({ symbol }) => symbol)]).toEqual([[], ['SPY']]);
    rmSync(join(folder, 'b.csv'));
    expect([source.refresh(), source.problems]).toEqual([true, []]);
    const next = openCsvFolder(folder);
    expect(next.problems).toEqual([]);
  });

  it('says of a folder that cannot be read any more why, until it can', () => {
    write('a.csv', HEADER + row('SPY', '2020-01-02'));
    const source = openCsvFolder(folder);
    renameSync(folder, `${folder}-away`);
    expect(() => source.refresh()).toThrow(/is not there/);
    expect(source.problems).toEqual([{ file: folder, line: 0, reason: expect.stringMatching(/is not there/) }]);
    renameSync(`${folder}-away`, folder);
    source.refresh();
    expect(source.problems).toEqual([]);
  });

  it('closes at 16:00 in New York in winter and summer, fx at 17:00, coins at midnight', () => {
    const at = (calendar: 'us' | 'fx' | 'always', date: string): string =>
      new Date(sessionClose(calendar, date)).toISOString();
    expect(at('us', '2020-01-15')).toBe('2020-01-15T21:00:00.000Z');
    expect(at('us', '2020-07-15')).toBe('2020-07-15T20:00:00.000Z');
    expect(at('us', '2020-03-06')).toBe('2020-03-06T21:00:00.000Z');
    expect(at('us', '2020-03-09')).toBe('2020-03-09T20:00:00.000Z');
    expect(at('fx', '2020-07-15')).toBe('2020-07-15T21:00:00.000Z');
    expect(at('always', '2020-07-15')).toBe('2020-07-16T00:00:00.000Z');
  });

  it('gives the next close from the rows, and beyond them from the week', () => {
    write('a.csv', HEADER + row('SPY', '2020-01-16') + row('SPY', '2020-01-17') + row('SPY', '2020-01-21'));
    const source = openCsvFolder(folder);
    const next = (now: string): string => new Date(source.nextClose('SPY', Date.parse(now)) ?? 0).toISOString();
    expect(next('2020-01-16T12:00:00Z')).toBe('2020-01-16T21:00:00.000Z');
    expect(next('2020-01-17T21:00:00Z')).toBe('2020-01-21T21:00:00.000Z');
    expect(next('2020-01-24T21:00:00Z')).toBe('2020-01-27T21:00:00.000Z');
    expect(source.nextClose('XYZ', 0)).toBeNull();
  });

  it('takes instruments from instruments.csv, and reports unknown values', () => {
    write('SPY.csv', HEADER + row('SPY', '2020-01-02') + row('ABC', '2020-01-02'));
    write(
      'instruments.csv',
      'symbol,name,asset_class,calendar,role\nabc,A Big Company,index,us,regime\nSPY,,bond,us,signal\n',
    );
    const source = openCsvFolder(folder);
    expect(source.instruments).toEqual([
      { symbol: 'ABC', name: 'A Big Company', assetClass: 'index', regimeOnly: true, inputOnly: false, exchange: 'us' },
      { symbol: 'SPY', name: 'S&P 500 ETF', assetClass: 'etf', regimeOnly: false, inputOnly: false, exchange: 'us' },
    ]);
    expect(source.problems).toEqual([
      {
        file: 'instruments.csv',
        line: 0,
        reason: 'ABC has a regime and no signals (role regime); the role signal gives it signals',
      },
      {
        file: 'instruments.csv',
        line: 3,
        reason: 'asset_class "bond" is unknown; use equity, etf, index, crypto, fx. etf is assumed',
      },
    ]);
  });

  it('says what it makes no signals of, and has signals of the coins and currencies in it', () => {
    write('a.csv', HEADER + ['BTCUSD', 'EURUSD', 'SOLUSD', 'VIX'].map((symbol) => row(symbol, '2020-01-02')).join(''));
    const { instruments, problems } = openCsvFolder(folder);
    expect(
      instruments.filter(({ regimeOnly, inputOnly }) => !regimeOnly && !inputOnly).map((one) => one.symbol),
    ).toEqual(['BTCUSD', 'EURUSD', 'SOLUSD']);
    expect(problems).toEqual([
      {
        file: 'instruments.csv',
        line: 0,
        reason: 'VIX has no signals (role input); the role signal gives it signals',
      },
    ]);
  });
});

describe('a folder that changed', () => {
  /** @param rows null: without the file */
  const act = (rows: string | null): void =>
    rows === null
      ? rmSync(join(folder, 'actions.csv'))
      : write('actions.csv', `symbol,date,action,ratio,note\n${rows}`);

  it('withdraws actions deleted from actions.csv, once a second poll finds the same file', () => {
    write('x.csv', HEADER + row('SPY', '2020-01-02') + row('SPY', '2020-01-03'));
    act('SPY,2020-01-03,halt,,typo\nSPY,2020-01-03,dividend,10,\n');
    const file = join(folder, 'x-tape.db');
    const tape = openTape(file);
    const source = openCsvFolder(folder, { tape });
    const said = (one = source): unknown => [
      one.fault?.('SPY', Date.parse('2020-01-04'))?.kind,
      one.bars('SPY').at(0)?.close,
    ];
    expect(said()).toEqual(['halted', 90]);
    act('');
    expect([source.refresh(), said()]).toEqual([true, ['halted', 90]]);
    const version = source.revisions?.version() ?? 0;
    expect([source.refresh(), said(), source.refresh()]).toEqual([true, [undefined, 100], false]);
    expect(source.revisions?.changedSince(version).get('SPY')).toBe('');
    expect(readActions(file)).toEqual([]);
    // While the service is down; without the file; and of another feed.
    act('SPY,2020-01-03,dividend,10,\n');
    source.refresh();
    tape.recordActions([{ kind: 'halt', symbol: 'SPY', date: '2020-01-03', factor: null, note: null }], {
      ...{ feed: 'other', receivedAt: 0 },
    });
    tape.close();
    act(null);
    const next = openTape(file);
    expect(said(openCsvFolder(folder, { tape: next }))).toEqual(['halted', 100]);
    next.close();
  });

  it('a folder keeps the actions while actions.csv cannot be read', () => {
    write('x.csv', HEADER + row('SPY', '2020-01-02', 400) + row('SPY', '2020-01-03'));
    act('SPY,2020-01-03,split,4:1,\n');
    const source = openCsvFolder(folder);
    write('actions.csv', '');
    expect([source.refresh(), source.refresh(), source.bars('SPY').at(0)?.close]).toEqual([true, false, 100]);
  });

  describe('with a file that cannot be read for a while', () => {
    const busy = new Set<string>();
    const open: typeof openDated = (path) => {
      if (busy.has(basename(path))) throw new Error('EBUSY: resource busy or locked, read');
      return openDated(path);
    };
    beforeEach(() => {
      busy.clear();
      write('a.csv', HEADER + row('A', '2020-01-02'));
      write('b.csv', HEADER + row('B', '2020-01-02'));
    });

    it('a file that could not be read is read again as soon as it can be, though its size and time are the same', () => {
      const source = openCsvFolder(folder, { open });
      write('b.csv', HEADER + row('B', '2020-01-02') + row('B', '2020-01-03'));
      busy.add('b.csv');
      expect([source.refresh(), source.bars('B').length, source.refresh()]).toEqual([true, 1, false]);
      expect(source.problems.map(({ file, reason }) => `${file}: ${reason.slice(0, 34)}`)).toEqual([
        'b.csv: the file cannot be read: EBUSY: re',
      ]);
      busy.clear();
      expect([source.refresh(), source.bars('B').length, source.refresh()]).toEqual([true, 2, false]);
      expect(source.problems).toEqual([]);
    });

    it('withdraws nothing at a start, serves its symbols, and withdraws missing rows at the next start', () => {
      const tape = openTape(null);
      openCsvFolder(folder, { open, tape });
      busy.add('b.csv');
      rmSync(join(folder, 'a.csv'));
      write('c.csv', HEADER + row('C', '2020-01-02'));
      const symbols = (one: ReturnType<typeof openCsvFolder>): string[] => one.instruments.map(({ symbol }) => symbol);
      const source = openCsvFolder(folder, { open, tape });
      expect([symbols(source), source.bars('B').length]).toEqual([['A', 'B', 'C'], 1]);
      busy.clear();
      write('b.csv', HEADER + row('B', '2020-01-02') + row('B', '2020-01-03'));
      expect([source.refresh(), source.bars('B').length]).toEqual([true, 2]);
      expect(symbols(openCsvFolder(folder, { open, tape }))).toEqual(['B', 'C']);
    });
  });

  it('uses the newest decision of actions.csv, even if an earlier one comes back', () => {
    write('x.csv', HEADER + row('SPY', '2020-01-02') + row('SPY', '2020-01-03'));
    act('');
    const source = openCsvFolder(folder);
    const counted = ['real', 'refuse', 'real', 'refuse'].map((decision) => {
      act(`SPY,2020-01-03,${decision},,\n`);
      source.refresh();
      source.refresh();
      return source.bars('SPY').length;
    });
    expect(counted).toEqual([2, 1, 2, 1]);
  });

  /** A symbol with so many days in one file. */
  const rowsOf = (symbol: string, days: number, close: number): string => {
    const dates = Array.from({ length: days }, (_, day) => new Date(Date.UTC(1990, 0, 1 + day)));
    return HEADER + dates.map((date) => row(symbol, date.toISOString().slice(0, 10), close)).join('');
  };

  it('is read in steps, and serves the previous contents until the last step', () => {
    write('BTC.csv', rowsOf('BTC', 10_000, 100));
    write('ETH.csv', rowsOf('ETH', 3, 50));
    const source = openCsvFolder(folder);
    write('BTC.csv', rowsOf('BTC', 10_001, 100.2));
    write('ETH.csv', rowsOf('ETH', 4, 50.1));
    const version = source.revisions?.version();
    const served = (): unknown => [source.bars('BTC').length, source.bars('ETH').at(-1)?.close, source.available?.()];
    const reading = source.refreshInSteps();
    let steps = 0;
    for (let step = reading.next(); step.done !== true; step = reading.next()) {
      steps += 1;
      expect(served()).toEqual([10_000, 50, true]);
      expect(source.revisions?.version()).toBe(version);
    }
    // Two files, 512 KB of text, and ten thousand rows.
    expect(steps).toBeGreaterThan(5);
    expect(served()).toEqual([10_001, 50.1, true]);
    expect(source.revisions?.version()).not.toBe(version);
    expect(source.refresh()).toBe(false);
  });

  it('says at a start of how many symbols the prices are recorded', () => {
    for (const symbol of ['A', 'B', 'C', 'D', 'E', 'F']) write(`${symbol}.csv`, rowsOf(symbol, 3, 50));
    const said: unknown[] = [];
    const { instruments } = inOneTurn(openCsvFolderInSteps(folder), ({ what, done, total }) => {
      if (what === 'recording') said.push([done, total]);
    });
    expect([said, instruments.length]).toEqual([
      [
        [0, 6],
        [4, 6],
      ],
      6,
    ]);
  });

  it('has the same line numbers in steps: a blank line, a cell of three lines, a late bad row', () => {
    const long = rowsOf('BTC', 10_000, 100).replaceAll('\n', '\r\n');
    write('BTC.csv', `\r\n${long}BTC,2030-13-01,1,1,1,1,\r\n`);
    write('ETH.csv', `${rowsOf('ETH', 10_000, 100)}"ETH\n\n",2030-01-01,1,1,1,1,\nETH,x,1,1,1,1,\n`);
    expect(openCsvFolder(folder).problems.map(({ file, line }) => `${file}:${line}`)).toEqual(
      expect.arrayContaining(['BTC.csv:10003', 'ETH.csv:10005']),
    );
  });
});
