// Service, test: price files in the forms of vendors and brokers.
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf } from '../../../shared/lib/time.ts';
import type { Mapping } from './mapping.ts';
import { type PriceTable, readPriceTable } from './price-table.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
function read(text: string | Uint8Array, file = 'AAPL.csv', mapping?: Mapping): PriceTable {
  const table = readPriceTable(typeof text === 'string' ? bytesOf(text) : text, file, mapping);
  if (typeof table === 'string') throw new Error(table);
  return table;
}
const rowsOf = ({ rows }: PriceTable): unknown[] =>
  rows.map(({ symbol, when, open, high, low, close, volume }) => [symbol, when.date, open, high, low, close, volume]);
const questionsOf = ({ questions }: PriceTable): string[] => questions.map(({ kind }) => kind);

/** Two days of one share, as each vendor writes them. */
const DAYS = [
  ['AAPL', '2024-01-16', 182.16, 184.26, 180.93, 183.63, 65603000],
  ['AAPL', '2024-01-17', 181.27, 182.93, 180.3, 182.68, 47317400],
];
const newestFirst = DAYS.toReversed();

describe('a file of each vendor', () => {
  it.each<[source: string, file: string, lines: string[], rows: unknown[], found: string | null]>([
    [
      'Yahoo, whose adjusted close is the close',
      'AAPL.csv',
      [
        'Date,Open,High,Low,Close,Adj Close,Volume',
        '2024-01-16,182.160004,184.259995,180.929993,183.630005,183.630005,65603000',
        '2024-01-17,181.270004,182.929993,180.300003,182.679993,182.679993,47317400',
      ],
      DAYS.map((row) => row.map((cell) => (typeof cell === 'number' && cell < 1e6 ? expect.closeTo(cell, 4) : cell))),
      'Yahoo',
    ],
    [
      'yfinance, with a header of three lines',
      'data.csv',
      [
        'Price,Close,High,Low,Open,Volume',
        'Ticker,AAPL,AAPL,AAPL,AAPL,AAPL',
        'Date,,,,,',
        '2024-01-16,183.63,184.26,180.93,182.16,65603000',
        '2024-01-17,182.68,182.93,180.3,181.27,47317400',
      ],
      DAYS,
      null,
    ],
    [
      'Stooq, in its ASCII form',
      'aapl.us.txt',
      [
        '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>',
        'AAPL.US,D,20240116,000000,182.16,184.26,180.93,183.63,65603000,0',
        'AAPL.US,D,20240117,000000,181.27,182.93,180.3,182.68,47317400,0',
      ],
      DAYS,
      'Stooq',
    ],
    [
      'Stooq, in its web form',
      'aapl_us_d.csv',
      [
        'Date,Open,High,Low,Close,Volume',
        '2024-01-16,182.16,184.26,180.93,183.63,65603000',
        '2024-01-17,181.27,182.93,180.3,182.68,47317400',
      ],
      DAYS,
      null,
    ],
    [
      'Alpha Vantage, newest row first',
      'daily_AAPL.csv',
      [
        'timestamp,open,high,low,close,volume',
        '2024-01-17,181.2700,182.9300,180.3000,182.6800,47317400',
        '2024-01-16,182.1600,184.2600,180.9300,183.6300,65603000',
      ],
      newestFirst,
      'Alpha Vantage',
    ],
    [
      'Nasdaq.com, in dollars and newest first',
      'HistoricalData_AAPL.csv',
      [
        'Date,Close/Last,Volume,Open,High,Low',
        '01/17/2024,$182.68,47317400,$181.27,$182.93,$180.30',
        '01/16/2024,$183.63,65603000,$182.16,$184.26,$180.93',
      ],
      newestFirst,
      'Nasdaq.com',
    ],
    [
      'Investing.com, with quotes and a volume in millions',
      'AAPL Historical Data.csv',
      [
        '"Date","Price","Open","High","Low","Vol.","Change %"',
        '"01/17/2024","182.68","181.27","182.93","180.30","47.32M","-0.52%"',
        '"01/16/2024","183.63","182.16","184.26","180.93","65.60M","-1.23%"',
      ],
      [
        ['AAPL', '2024-01-17', 181.27, 182.93, 180.3, 182.68, 47320000],
        ['AAPL', '2024-01-16', 182.16, 184.26, 180.93, 183.63, 65600000],
      ],
      'Investing.com',
    ],
    [
      'Interactive Brokers, through ib_insync',
      'AAPL_1D.csv',
      [
        ',date,open,high,low,close,volume,average,barCount',
        '0,2024-01-16,182.16,184.26,180.93,183.63,65603000,182.9,310000',
        '1,2024-01-17,181.27,182.93,180.3,182.68,47317400,181.8,250000',
      ],
      DAYS,
      'Interactive Brokers',
    ],
    [
      'MetaTrader 5, between tabs',
      'AAPL_Daily_202401160000_202401170000.csv',
      [
        '<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
        '2024.01.16\t182.16\t184.26\t180.93\t183.63\t65603\t65603000\t1',
        '2024.01.17\t181.27\t182.93\t180.30\t182.68\t47317\t47317400\t1',
      ],
      DAYS,
      'MetaTrader',
    ],
    [
      'TradingView, with seconds since 1970 at the opening',
      'BATS_AAPL, 1D.csv',
      [
        'time,open,high,low,close,Volume',
        '1705415400,182.16,184.26,180.93,183.63,65603000',
        '1705501800,181.27,182.93,180.3,182.68,47317400',
      ],
      DAYS.map(([symbol, , ...prices]) => [symbol, '', ...prices]),
      'TradingView',
    ],
    [
      'Bloomberg, below a preamble',
      'grid1.csv',
      [
        'Security,AAPL US Equity',
        'Start Date,1/16/2024',
        '',
        'Date,PX_OPEN,PX_HIGH,PX_LOW,PX_LAST,PX_VOLUME',
        '1/16/2024,182.16,184.26,180.93,183.63,65603000',
        '1/17/2024,181.27,182.93,180.3,182.68,47317400',
      ],
      DAYS,
      'Bloomberg',
    ],
    [
      'ARIVA, with a decimal comma and the turnover beside the shares',
      'AAPL.csv',
      [
        'Datum;Erster;Hoch;Tief;Schlusskurs;Stuecke;Volumen',
        '2024-01-17;181,27;182,93;180,30;182,68;47.317.400;8.643.942.632',
        '2024-01-16;182,16;184,26;180,93;183,63;65.603.000;12.046.678.890',
      ],
      newestFirst,
      'ARIVA',
    ],
    [
      'onvista, with German dates and names',
      'AAPL.csv',
      [
        'Datum;Er\u00f6ffnung;Hoch;Tief;Schluss;Volumen',
        '16.01.2024;182,16;184,26;180,93;183,63;65603000',
        '17.01.2024;181,27;182,93;180,30;182,68;47317400',
      ],
      DAYS,
      null,
    ],
    [
      'a sheet of GOOGLEFINANCE, with the time of the close',
      'AAPL.csv',
      [
        'Date,Open,High,Low,Close,Volume',
        '1/16/2024 16:00:00,182.16,184.26,180.93,183.63,65603000',
        '1/17/2024 16:00:00,181.27,182.93,180.3,182.68,47317400',
      ],
      DAYS,
      null,
    ],
    [
      'Tiingo',
      'AAPL.csv',
      [
        'date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor',
        '2024-01-16T00:00:00+00:00,183.63,184.26,180.93,182.16,65603000,183.63,184.26,180.93,182.16,65603000,0,1',
        '2024-01-17T00:00:00+00:00,182.68,182.93,180.3,181.27,47317400,182.68,182.93,180.3,181.27,47317400,0,1',
      ],
      DAYS,
      'Tiingo',
    ],
    [
      'Barchart, with a line of its own at the end',
      'aapl_daily_historical-data-download-01-18-2024.csv',
      [
        'Time,Open,High,Low,Latest,Change,%Change,Volume',
        '01/16/2024,182.16,184.26,180.93,183.63,-2.29,-1.23%,65603000',
        '01/17/2024,181.27,182.93,180.3,182.68,-0.95,-0.52%,47317400',
        '"Downloaded from Barchart.com as of 01-18-2024 10:15am CST"',
      ],
      DAYS,
      'Barchart',
    ],
    [
      'Massive, in its flat files with nanoseconds',
      'day_aggs.csv.gz',
      [
        'ticker,volume,open,close,high,low,window_start,transactions',
        'AAPL,65603000,182.16,183.63,184.26,180.93,1705381200000000000,800000',
        'AAPL,47317400,181.27,182.68,182.93,180.3,1705467600000000000,700000',
        ',,,,,,,',
      ],
      DAYS.map(([symbol, , ...prices]) => [symbol, '', ...prices]),
      null,
    ],
    [
      'all symbols in one file, named months',
      'everything.txt',
      [
        'Ticker|Date|Close',
        'NASDAQ:AAPL|16-Jan-2024|183.63',
        'BRK/B|Jan 17, 2024|182.68',
        'BTC/USD|17 Jan 24|42742.65',
      ],
      [
        ['AAPL', '2024-01-16', 183.63, 183.63, 183.63, 183.63, null],
        ['BRK.B', '2024-01-17', 182.68, 182.68, 182.68, 182.68, null],
        ['BTCUSD', '2024-01-17', 42742.65, 42742.65, 42742.65, 42742.65, null],
      ],
      null,
    ],
  ])('%s', (_what, file, lines, rows, source) => {
    const table = read(`${lines.join('\r\n')}\r\n`, file);
    expect(table.questions).toEqual([]);
    expect(rowsOf(table)).toEqual(rows);
    expect([table.dialect.source, table.dialect.isIntraday]).toEqual([source, false]);
    expect(table.problems.map(({ reason }) => reason)).toEqual(
      file.includes('historical-data') ? ['the row has 1 cells where the header has 8; write one cell per column'] : [],
    );
  });

  it('scales every price of a row to its adjusted close, and keeps the traded value', () => {
    const lines = ['timestamp,open,high,low,close,adjusted_close,volume', '2020-08-28,504,505,498,500,125,1000'];
    expect(rowsOf(read(lines.join('\n')))).toEqual([['AAPL', '2020-08-28', 126, 126.25, 124.5, 125, 4000]]);
    const wrong = read(`${lines.join('\n')}\n2020-08-31,1,1,1,1,null,5\n`);
    expect(wrong.problems).toEqual([
      { line: 3, reason: 'adjusted close "null" is not a price; leave the column out to use the close' },
    ]);
  });
});

const HEADER = 'Date,Open,High,Low,Close';

const lineOf = (date: string, close = '1.5'): string => `${date},${close},${close},${close},${close}`;
const dates = (...texts: string[]): string => [HEADER, ...texts.map((text) => lineOf(text))].join('\n');

describe('what is ambiguous is asked, with its choices', () => {
  it('1/2/2024, until a day above 12, the order of the rows or the mapping says which is the month', () => {
    const table = read(dates('1/2/2024', '1/3/2024'));
    expect([table.rows, table.problems]).toEqual([[], []]);
    expect(table.questions).toEqual([
      {
        kind: 'dateFormat',
        what: '1/2/2024 may be 2024-01-02 or 2024-02-01',
        text: '1/2/2024 may be 2024-01-02 or 2024-02-01; say in mapping.json, formats "date,open,high,low,close", which it is (dateFormat "MM/DD/YYYY" or "DD/MM/YYYY")',
        choices: [
          { value: 'MM/DD/YYYY', means: '2024-01-02' },
          { value: 'DD/MM/YYYY', means: '2024-02-01' },
        ],
      },
    ]);
    const datesOf = (text: string, mapping?: Mapping) =>
      read(text, 'SPY.csv', mapping).rows.map(({ when }) => when.date);
    expect(datesOf(dates('1/2/2024', '13/2/2024'))).toEqual(['2024-02-01', '2024-02-13']);
    expect(datesOf(dates('1/2/2024', '1/13/2024'))).toEqual(['2024-01-02', '2024-01-13']);
    const overMonths = dates('8/1/2024', '9/1/2024', '10/1/2024', '1/2/2024', '2/2/2024', '5/2/2024');
    expect(datesOf(overMonths)[0]).toBe('2024-01-08');
    expect(datesOf(dates('5/5/2024'))).toEqual(['2024-05-05']);
    const said = (dateFormat: 'DD/MM/YYYY'): Mapping => ({
      formats: { 'date,open,high,low,close': { dateFormat } },
      symbols: {},
    });
    expect(datesOf(dates('1/2/2024', '1/3/2024'), said('DD/MM/YYYY'))).toEqual(['2024-02-01', '2024-03-01']);
    // What a file shows itself counts more.
    expect(datesOf(dates('1/13/2024'), said('DD/MM/YYYY'))).toEqual(['2024-01-13']);
  });

  it('24/01/16, whose year may be first or last, until the order of the rows says it', () => {
    const asked = read(dates('24/01/16', '24/01/17'));
    expect(asked.questions.map(({ what, choices }) => [what, choices.map(({ value }) => value)])).toEqual([
      ['24/01/16 may be 2016-01-24 or 2024-01-16', ['DD/MM/YYYY', 'YY/MM/DD']],
    ]);
    const datesOf = (...texts: string[]) => read(dates(...texts)).rows.map(({ when }) => when.date);
    const yearFirst = ['24.01.15', '24.01.16', '24.01.17', '24.01.18', '24.01.19'];
    expect(datesOf(...yearFirst)[0]).toBe('2024-01-15');
    const dayFirst = ['30/01/24', '31/01/24', '01/02/24', '02/02/24', '05/02/24'];
    expect(datesOf(...dayFirst)[0]).toBe('2024-01-30');
  });

  it.each(['45307', '16012024', '01162024', '240116'])('%s is no time since 1970', (text) => {
    const [first] = read(dates(text)).problems;
    expect(first?.reason).toBe(`"${text}" is no date; write it as 2020-02-24`);
  });

  it('1.234 between semicolons, until another number says what the point is', () => {
    const semicolons = (...closes: string[]): string =>
      ['Date;Close', ...closes.map((close, day) => `2024-01-0${day + 2};${close}`)].join('\n');
    expect(questionsOf(read(semicolons('1.234', '1.235')))).toEqual(['decimal']);
    expect(read(semicolons('1.234', '1.235,5')).rows.map(({ close }) => close)).toEqual([1234, 1235.5]);
    expect(read(semicolons('1.234', '0.998')).rows.map(({ close }) => close)).toEqual([1.234, 0.998]);
    // Commas that separate cells are no decimal marks.
    expect(read(`${HEADER}\n${lineOf('2024-01-02', '1.234')}`).rows[0]?.close).toBe(1.234);
  });

  it('the symbol of a file whose name has none, or several', () => {
    const asked = (file: string) => {
      const { questions, dialect } = read(dates('2024-01-02'), file);
      return questions.length === 0 ? dialect.symbol : questions[0]?.choices.map(({ value }) => value);
    };
    expect(asked('HistoricalData_1705600000000.csv')).toEqual([]);
    expect(['download.csv', 'ALL.csv'].map(asked)).toEqual([['DOWNLOAD'], ['ALL']]);
    expect(asked('Apple Stock Price History.csv')).toEqual(['APPLE']);
    expect(asked('wkn_840400_historic.csv')).toEqual(['840400']);
    expect(asked('AAPL MSFT.csv')).toEqual(['AAPL', 'MSFT']);
    expect(
      ['SPY (1).csv', '^spx_d.csv', 'nvda-1999-2014.txt', 'SAP.DE.csv.gz', 'BTC-USD.csv', 'EURUSD1440.csv'].map(asked),
    ).toEqual(['SPY', '^SPX', 'NVDA', 'SAP.DE', 'BTC-USD', 'EURUSD']);
    const answered = read(dates('2024-01-02'), 'download.csv', { formats: {}, symbols: { 'download.csv': 'SPY' } });
    expect(answered.rows.map(({ symbol }) => symbol)).toEqual(['SPY']);
  });

  it('a file of several prices a day of a symbol is refused, as those of options are', () => {
    const rows = ['25-01,1', '29-02,2', '28-03,3', '25-04,4'].map((row) => `NIFTY,2024-01-16,${row}`);
    expect(readPriceTable(bytesOf(`Symbol,Date,Expiry,Close\n${rows.join('\n')}\n`), 'fo.csv')).toBe(
      'several rows are of NIFTY 2024-01-16, with other closes; keep one contract or series, with one row a day',
    );
  });

  it('M&M, which is no symbol, until mapping.json says one for it', () => {
    const text = 'SYMBOL,DATE,CLOSE\nM&M,2024-01-16,1620.5\nINFY,2024-01-16,1650\n';
    const { rows, problems } = read(text, 'nse.csv');
    expect(rows.map(({ symbol }) => symbol)).toEqual(['INFY']);
    expect(problems[0]?.reason).toBe(
      '"M&M" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -, or say one for it in mapping.json (symbols)',
    );
    const mapping = { formats: {}, symbols: { 'M&M': 'M-M' } };
    expect(read(text, 'nse.csv', mapping).rows.map(({ symbol }) => symbol)).toEqual(['M-M', 'INFY']);
  });

  it('whether each column is a symbol, where its names may be others', () => {
    const text = 'Date,Apple,RSI\n2024-01-02,185.64,472\n2024-01-03,184.25,\n';
    const table = read(text, 'closes.csv');
    expect(table.questions[0]?.choices.at(-1)).toEqual({ value: '*', means: 'each of the others is a symbol' });
    const mapping = { formats: { 'date,apple,rsi': { columns: { symbol: '*' } } }, symbols: {} };
    expect(rowsOf(read(text, 'closes.csv', mapping))).toEqual([
      ['APPLE', '2024-01-02', 185.64, 185.64, 185.64, 185.64, null],
      ['RSI', '2024-01-02', 472, 472, 472, 472, null],
      ['APPLE', '2024-01-03', 184.25, 184.25, 184.25, 184.25, null],
    ]);
  });

  it('the columns of a list of trades, whose prices are no closes', () => {
    expect(questionsOf(read('Date,Symbol,Side,Quantity,Price\n2024-01-02,SPY,buy,5,472\n'))).toEqual(['columns']);
  });

  it('the columns of a file without a header, and the zone of times within a day', () => {
    const bare = '2024.01.02,00:00,1.5,1.6,1.4,1.5,100\n2024.01.03,00:00,1.5,1.6,1.4,1.55,100\n';
    const table = read(bare, 'EURUSD1440.csv');
    expect(questionsOf(table)).toEqual(['columns']);
    const columns = { date: 1, time: 2, open: 3, high: 4, low: 5, close: 6, volume: 7 };
    const mapping = { formats: { [table.dialect.header]: { columns } }, symbols: {} };
    expect(rowsOf(read(bare, 'EURUSD1440.csv', mapping))).toEqual([
      ['EURUSD', '2024-01-02', 1.5, 1.6, 1.4, 1.5, 100],
      ['EURUSD', '2024-01-03', 1.5, 1.6, 1.4, 1.55, 100],
    ]);
    expect(questionsOf(read(dates('2024-01-02 09:30', '2024-01-02 10:30')))).toEqual(['zone']);
    const offset = read(dates('2024-01-02 09:30-05:00', '2024-01-02 10:30-05:00'));
    expect([offset.questions, offset.dialect.isIntraday]).toEqual([[], true]);
  });
});

describe('bytes', () => {
  const text = `Date;Er\u00f6ffnung;Hoch;Tief;Schluss\n2024-01-02;1,5;1,5;1,5;1,5\n`;
  const utf16 = (mark: string) => Buffer.from(`${mark}${text}`, 'utf16le');
  it.each<[string, Uint8Array]>([
    ['UTF-8 with a byte-order mark', bytesOf(`\uFEFF${text}`)],
    ['UTF-16 with and without one', utf16('\uFEFF')],
    ['UTF-16 without a mark', Buffer.from('Date;Close\n2024-01-02;1,5\n', 'utf16le')],
    ['UTF-16, big end first', utf16('\uFEFF').swap16()],
    ['Latin-1', Buffer.from(text, 'latin1')],
    ['gzip', gzipSync(text)],
  ])('%s', (_name, bytes) => {
    expect(rowsOf(read(bytes))).toEqual([['AAPL', '2024-01-02', 1.5, 1.5, 1.5, 1.5, null]]);
  });

  it.each<[string, Uint8Array, string]>([
    ['a damaged gzip', gzipSync(text).subarray(0, 30), 'the gzip file cannot be unpacked'],
    ['a workbook of before 2007', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'save it as XLSX, or its table as CSV'],
    ['JSON', bytesOf('{"Meta Data": {}}'), 'this is JSON; fetch it as CSV'],
    ['prose', bytesOf('These are my prices.\n'), 'it has no columns; separate them by commas'],
    ['nothing', bytesOf(''), 'the file is empty; the first line must name its columns'],
  ])('%s is refused with its cure', (_name, bytes, reason) => {
    expect(readPriceTable(bytes, 'AAPL.csv')).toContain(reason);
  });

  it.each<[string, number]>([
    ['weeks', 7],
    ['months', 30],
  ])('rows of %s are refused', (period, days) => {
    const rows = Array.from(
      { length: 20 },
      (_, index) => `${dateOf(Date.UTC(2024, 0, 5 + index * days))},${100 + index}`,
    );
    expect(readPriceTable(bytesOf(`Date,Close\n${rows.join('\n')}`), 'AAPL.csv')).toBe(
      `its rows are of ${period}; fetch daily ones`,
    );
  });

  it('any bytes are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const table = readPriceTable(bytes, 'AAPL.csv');
        expect(typeof table === 'string' ? table.length > 10 : table.rows).toBeTruthy();
      }),
      { numRuns: 500 },
    );
  });
});
