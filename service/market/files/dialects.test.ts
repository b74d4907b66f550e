// Service, test: price files of random dialects and broken ones: each row is read as what it is, or refused, or asked.
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf } from '../../../shared/lib/time.ts';
import { casesOf } from '../../../test/harness/run-length.ts';
import { type PriceTable, readPriceTable } from './price-table.ts';

function read(text: string, file = 'AAPL.csv'): PriceTable {
  const table = readPriceTable(new TextEncoder().encode(text), file);
  if (typeof table === 'string') throw new Error(table);
  return table;
}
const rowsOf = ({ rows }: PriceTable): unknown[] =>
  rows.map(({ symbol, when, open, high, low, close, volume }) => [symbol, when.date, open, high, low, close, volume]);
const HEADER = 'Date,Open,High,Low,Close';

describe('rows of any dialect', () => {
  const two = (number: number): string => String(number).padStart(2, '0');
  type Day = readonly [year: number, month: number, day: number];
  const FORMS: Readonly<Record<string, (day: Day) => string>> = {
    iso: ([year, month, day]) => `${year}-${two(month)}-${two(day)}`,
    compact: ([year, month, day]) => `${year}${two(month)}${two(day)}`,
    slashes: ([year, month, day]) => `${year}/${two(month)}/${two(day)}`,
    points: ([year, month, day]) => `${two(day)}.${two(month)}.${year}`,
    american: ([year, month, day]) => `${month}/${day}/${year}`,
    british: ([year, month, day]) => `${two(day)}/${two(month)}/${year}`,
    named: ([year, month, day]) =>
      `${day}-${['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][month - 1]}-${year}`,
    seconds: ([year, month, day]) => String(Date.UTC(year, month - 1, day) / 1000),
  };
  const dialects = fc.record({
    form: fc.constantFrom(...Object.keys(FORMS)),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    decimal: fc.constantFrom('.', ','),
    groups: fc.boolean(),
    order: fc.shuffledSubarray(['date', 'open', 'high', 'low', 'close', 'volume', 'symbol'], { minLength: 7 }),
    names: fc.constantFrom<(name: string) => string>(
      (name) => name,
      (name) => `<${name.toUpperCase()}>`,
      (name) => `${name[0]?.toUpperCase()}${name.slice(1)}`,
    ),
    eol: fc.constantFrom('\n', '\r\n'),
    isNewestFirst: fc.boolean(),
    packed: fc.boolean(),
  });
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 40 });

  it('rows in are rows out, or a question is asked', () => {
    let asked = 0;
    fc.assert(
      fc.property(dialects, days, (dialect, offsets) => {
        const { form, delimiter, decimal, groups, order, names, eol, isNewestFirst, packed } = dialect;
        const number = (value: number): string => {
          const [whole = '', rest = ''] = value.toFixed(2).split('.');
          const sign = decimal === '.' ? ',' : '.';
          const text = `${groups ? whole.replace(/\B(?=(\d{3})+$)/g, sign) : whole}${decimal}${rest}`;
          return text.includes(delimiter) ? `"${text}"` : text;
        };
        const bars = offsets
          .toSorted((a, b) => (isNewestFirst ? b - a : a - b))
          .map((offset) => {
            const date = dateOf(Date.UTC(2015, 0, 1) + offset * 86_400_000);
            const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
            const close = 900 + offset + 0.25;
            const cells: Record<string, string> = {
              symbol: offset % 2 === 0 ? 'AAPL' : 'MSFT',
              date: (FORMS[form] ?? String)([year, month, day]),
              open: number(close - 1),
              high: number(close + 2),
              low: number(close - 2),
              close: number(close),
              volume: '1000',
            };
            return { date, close, line: order.map((name) => cells[name] ?? '').join(delimiter) };
          });
        const text = [order.map(names).join(delimiter), ...bars.map(({ line }) => line)].join(eol);
        const table = readPriceTable(packed ? gzipSync(text) : new TextEncoder().encode(text), 'prices.csv');
        if (typeof table === 'string') throw new Error(table);
        if (table.questions.length > 0) {
          asked += 1;
          expect([form, table.questions.map(({ kind }) => kind)]).toEqual([
            expect.stringMatching(/american|british/),
            ['dateFormat'],
          ]);
          return;
        }
        expect(table.problems).toEqual([]);
        const found = table.rows.map(({ when, close }) => [when.date || dateOf(when.instant ?? 0), close]);
        expect(found).toEqual(bars.map(({ date, close }) => [date, close]));
      }),
      { numRuns: casesOf(600, 120) },
    );
    // A few rows of 1/2/2024 are left.
    expect(asked).toBeLessThan(60);
  });
});

it('days that ascend with either part as the month are asked, however far apart', () => {
  const days = ['1/1/2015', '11/1/2015', '4/1/2018', '1/11/2019', '11/1/2020'];
  const symbols = ['AAPL', 'AAPL', 'AAPL', 'MSFT', 'MSFT'];
  const text = days.map((day, index) => `${symbols[index]},${day},1,1,1,1`).join('\n');
  expect(read(`Symbol,${HEADER}\n${text}\n`, 'prices.csv').questions.map(({ kind }) => kind)).toEqual(['dateFormat']);
});

describe('no row is read as what it is not', () => {
  const datesOf = (text: string) => read(text).rows.map(({ when }) => when.date);
  const day = (date: string) => `${date},182.16,184.26,180.93,183.63`;

  it('another table in the same file', () => {
    const reason = 'another table begins in line 5; save it as a file of its own';
    const other = read(
      `Symbol,AAPL\n${HEADER}\n${day('2024-01-16')}\n\nSymbol,MSFT\n${HEADER}\n2024-01-17,382,384,380,383\n`,
    );
    expect(rowsOf(other)).toHaveLength(1);
    expect(other.problems).toEqual([5, 6, 7].map((line) => ({ line, reason })));
    const columns = read(`${HEADER}\n${day('2024-01-16')}\nDate,Close,High,Low,Open\n${day('2024-01-17')}\n`);
    expect([columns.rows.length, columns.problems.length]).toEqual([1, 2]);
    const titled = read(`${HEADER}\n${day('2024-01-16')}\nMicrosoft Corp.\n${HEADER}\n${day('2024-01-17')}\n`);
    expect([titled.rows.length, titled.problems.length]).toEqual([1, 3]);
    // Files of one symbol that were joined.
    const joined = `\uFEFF${HEADER}\n${day('2024-01-16')}\n\uFEFF${HEADER}\n${day('2024-01-17')}\n`;
    expect(datesOf(joined)).toEqual(['2024-01-16', '2024-01-17']);
  });

  it('a close that is not between low and high', () => {
    expect(read(`${HEADER},Value\n${day('2024-01-16').replace('183.63', '1836.3')},5\n`).problems).toEqual([
      {
        line: 2,
        reason:
          'close 1836.3 is not between low 180.93 and high 184.26; correct the row, or say which column is the close',
      },
    ]);
  });

  it('rows below a quote that nothing closes', () => {
    const noted = (...notes: string[]): string =>
      [`${HEADER},Note`, ...notes.map((note, index) => `${day(`2024-01-1${index + 5}`)},${note}`)].join('\n');
    expect(datesOf(noted('"a\nb"', '"open', 'x', '5" pipe'))).toHaveLength(4);
    expect(datesOf(noted('"open', 'x', '"y"', 'z'))).toHaveLength(4);
  });

  it('line ends of all kinds', () => {
    const lines = ['15', '16', '17', '18'].map((number) => day(`2024-01-${number}`));
    for (const ends of ['\r\n', '\r', '\n'].flatMap((one) => ['\r\n', '\r', '\n'].map((two) => [one, two])))
      expect(datesOf([HEADER, ...lines].map((line, index) => `${line}${ends[index % 2]}`).join(''))).toHaveLength(4);
  });

  it('the codes of Futu, each with its exchange', () => {
    const table = read(
      'code,name,time_key,open,close,high,low\nHK.00700,x,2024-01-16 00:00:00,285,286,287,284\n',
      'futu.csv',
    );
    expect(rowsOf(table)).toEqual([['0700.HK', '2024-01-16', 285, 287, 284, 286, null]]);
  });
});
