// Service, test: price files of random dialects: each row is read, or a question is asked.
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf } from '../../../shared/lib/time.ts';
import { readPriceTable } from './price-table.ts';

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
      { numRuns: 600 },
    );
    // A few rows of 1/2/2024 are left.
    expect(asked).toBeLessThan(60);
  });
});
