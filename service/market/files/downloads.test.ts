// Service, test: downloads of publishers, brokers and exchanges, as they are written, give the bars that they mean.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inferListing } from '../csv/instruments.ts';
import { sessionDate } from './dates.ts';
import { readPriceTable } from './price-table.ts';

type Bar = readonly [day: string, open: number, high: number, low: number, close: number, volume: number];

const BARS: readonly Bar[] = [
  ['2024-01-16', 182.16, 184.26, 180.93, 183.63, 65603000],
  ['2024-01-17', 181.27, 182.93, 180.3, 182.68, 47317400],
  ['2024-01-18', 186.09, 189.14, 185.83, 188.63, 78005800],
  ['2024-01-19', 189.33, 191.95, 188.82, 191.56, 68741000],
  ['2024-01-22', 192.3, 195.33, 192.26, 193.89, 60133900],
  ['2024-01-23', 195.02, 195.75, 193.83, 195.18, 42355600],
  ['2024-01-24', 195.42, 196.38, 194.34, 194.5, 53631300],
  ['2024-01-25', 195.22, 196.27, 193.11, 194.17, 54822100],
  ['2024-01-26', 194.27, 194.76, 191.94, 192.42, 44594000],
  ['2024-01-29', 192.01, 192.2, 189.58, 191.73, 47145600],
  ['2024-01-30', 190.94, 191.8, 187.47, 188.04, 55859400],
  ['2024-01-31', 187.04, 187.1, 184.35, 184.4, 55467800],
  ['2024-02-01', 183.99, 186.95, 183.82, 186.86, 64885400],
  ['2024-02-02', 179.86, 187.33, 179.25, 185.85, 102518000],
  ['2024-02-05', 188.15, 189.25, 185.84, 187.68, 69668800],
  ['2024-02-06', 186.86, 189.31, 186.77, 189.3, 43490800],
];
const ROUNDED_TO = 10_000;
/** The prices of the second symbol. */
const twice = (bar: Bar): Bar => [bar[0], bar[1] * 2, bar[2] * 2, bar[3] * 2, bar[4] * 2, bar[5] / 100];

/** What may be in a row of the fixtures. */
function cellsOf([day, open, high, low, close, volume]: Bar, suffix: string): Record<string, string> {
  const [year = '', month = '', date = ''] = day.split('-');
  const ms = Date.parse(day);
  const short = [Number(month), Number(date)];
  const name = month === '01' ? 'January' : 'February';
  const prices = Object.entries({ o: open, h: high, l: low, c: close, vm: volume / 1e6 }).flatMap(([name, price]) => [
    [`${name}${suffix}`, price.toFixed(2)],
    [`${name}${suffix},`, price.toFixed(2).replace('.', ',')],
  ]);
  return {
    ...Object.fromEntries(prices),
    [`v${suffix}`]: String(volume),
    "v'": volume.toLocaleString('en-US'),
    'v lakh': volume.toLocaleString('en-IN'),
    ...{ day, us: `${month}/${date}/${year}`, short: `${short.join('/')}/${year}`, mdy: `${month}/${date}/24` },
    ...{ dots: `${date}.${month}.${year}`, slashes: `${date}/${month}/${year}`, md: `${month}/${date}` },
    ...{ compact: day.replaceAll('-', ''), 'ymd dots': day.replaceAll('-', '.') },
    ...{ 'ymd slashes': day.replaceAll('-', '/'), kanji: `2024年${short[0]}月${short[1]}日` },
    ...{
      named: `${date}-${name.slice(0, 3)}-${year}`,
      long: `${short[1]}-${name}-${year}`,
      ms: String(ms),
      s: String(ms / 1000),
    },
    // New York, 9:30 and midnight.
    ...{ 'open s': String(ms / 1000 + 52_200), 'midnight ms': String(ms + 18_000_000) },
  };
}

const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text
      .replaceAll('{tab}', '\t')
      .split(/\{base64 ([^}]+)\}/)
      .map((part, index) => Buffer.from(part, index % 2 === 1 ? 'base64' : 'utf8')),
  );

const [, ...downloads] = readFileSync('test/fixtures/price-downloads.txt', 'utf8').split(/^=== /m);

describe('the bars of a download', () => {
  it.each(downloads.map((text) => [text.split(' | ', 1)[0] ?? '', text] as const))('%s', (_, text) => {
    const [first = '', ...lines] = text.trimEnd().split('\n');
    const [, file = '', means = '', options = ''] = first.split(' | ');
    const row = lines.find((line) => line.startsWith('> ')) ?? '';
    const bars = options.includes('newest first') ? BARS.toReversed() : BARS;
    const rows = bars.map((bar) => {
      const cells = { ...cellsOf(twice(bar), '2'), ...cellsOf(bar, '') };
      return row.slice(2).replace(/\{([^}]+)\}/g, (whole, name: string) => cells[name] ?? whole);
    });
    const written = lines.flatMap((line) => (line === row ? rows : line));
    const table = readPriceTable(bytesOf(`${written.join('\r\n')}\r\n`), file);
    if (typeof table === 'string') throw new Error(table);
    expect(table.questions.map(({ kind }) => `?${kind}`)).toEqual(means.startsWith('?') ? [means] : []);
    if (means.startsWith('?')) return;
    const expected = bars.flatMap((bar) =>
      means.split(' ').map((symbol, index) => {
        const [day, open, high, low, close, volume] = index === 0 ? bar : twice(bar);
        if (options.includes('closes')) return [symbol, day, close, close, close, close, null];
        const known = options.includes('rounded') ? Math.round(volume / ROUNDED_TO) * ROUNDED_TO : volume;
        return [symbol, day, open, high, low, close, options.includes('no volume') ? null : known];
      }),
    );
    const found = table.rows.map(({ symbol, when, open, high, low, close, volume }) => {
      const day = sessionDate(when, inferListing(symbol).calendar, table.dialect.zone);
      return [symbol, day, open, high, low, close, volume];
    });
    expect(found).toEqual(expected);
    const refused = Number(/(\d+) refused/.exec(options)?.[1] ?? 0);
    expect([table.problems.length, table.dialect.isIntraday]).toEqual([refused, false]);
  });
});
