// Service, market, test: intraday price files.
import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../test/harness/folders.ts';
import { notRun, whyNoPrices } from '../../../test/harness/not-run.ts';
import { createEngine } from '../../engine/engine.ts';
import { createEventIds } from '../../signals/event-id.ts';
import { StateDetector } from '../../signals/state-detector.ts';
import { openCsvFolder } from './source.ts';

const DAILY = 'symbol,date,open,high,low,close,volume\n';
const HOURLY = 'symbol,time,open,high,low,close,volume\n';
/** Optional price files in a folder beside this repository. */
const SHARED = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data');

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());
const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);
const day = (symbol: string, date: string, close: number): string =>
  `${symbol},${date},${close},${close + 1},${close - 1},${close},1000\n`;
const hour = (symbol: string, time: string, close: number): string =>
  `${symbol},${time},${close},${close + 2},${close - 2},${close},10\n`;
const at = (iso: string): number => Date.parse(iso);

it('times without a zone are refused where the exchange is not known', () => {
  write('tw.csv', DAILY + day('2330.TW', '2026-03-02', 50));
  write('tw_1h.csv', HOURLY + hour('2330.TW', '2026-03-03T09:00', 51) + hour('2330.TW', '2026-03-03T10:00', 52));
  const { problems } = openCsvFolder(folder.path);
  expect(problems.filter(({ file }) => file === 'tw_1h.csv')).toEqual([
    {
      file: 'tw_1h.csv',
      line: 2,
      reason: '2330.TW has times of an exchange that is not known; name it in instruments.csv',
    },
  ]);
});

describe('bars within the day', () => {
  beforeEach(() => {
    write('spy.csv', DAILY + day('SPY', '2026-03-02', 50) + day('SPY', '2026-03-03', 51));
    // Twice the daily rows: the file was adjusted at another time.
    write(
      'spy_1h.csv',
      HOURLY +
        hour('SPY', '2026-03-03T15:00', 102) +
        hour('SPY', '2026-03-04T09:00', 100) +
        hour('SPY', '2026-03-04T10:00', 96) +
        hour('SPY', '2026-03-04T13:00', 98),
    );
  });

  it('form the day in progress as they end, at the level of the daily rows', () => {
    const source = openCsvFolder(folder.path);
    expect(source.forming('SPY', at('2026-03-04T14:59:59Z'))).toBeNull();
    expect(source.forming('SPY', at('2026-03-04T15:00:00Z'))).toEqual({
      date: '2026-03-04',
      open: 50,
      high: 51,
      low: 49,
      close: 50,
      volume: 10,
    });
    expect(source.forming('SPY', at('2026-03-04T16:00:00Z'))).toEqual({
      date: '2026-03-04',
      open: 50,
      high: 51,
      low: 47,
      close: 48,
      volume: 20,
    });
    expect(source.problems).toEqual([]);
    expect(source.counts.rows).toBe(2);
  });

  it('are evaluated at their ends; a gap stays a gap', () => {
    const source = openCsvFolder(folder.path);
    const instants = [...source.decisions('SPY', at('2026-03-04T00:00:00Z'), at('2026-03-05T00:00:00Z'))];
    expect(instants.map((instant) => new Date(instant).toISOString().slice(11, 16))).toEqual([
      '15:00',
      '16:00',
      '19:00',
    ]);
    expect([...source.decisions('SPY', instants[0] ?? 0, instants[1] ?? 0)]).toEqual([instants[1]]);
    expect([...source.decisions('NONE', 0, at('2027-01-01'))]).toEqual([]);
    expect(source.forming('SPY', at('2026-03-04T18:30:00Z'))?.close).toBe(48);
  });

  it('end with the daily row at the close, and remain while it is late; a day without further prices ends', () => {
    const source = openCsvFolder(folder.path);
    expect(source.forming('SPY', at('2026-03-04T22:00:00Z'))?.close).toBe(49);
    expect(source.forming('SPY', at('2026-03-10T22:00:00Z'))).toBeNull();
    write('late.csv', DAILY + day('SPY', '2026-03-04', 49.5));
    expect(source.refresh()).toBe(true);
    expect(source.forming('SPY', at('2026-03-04T20:59:59Z'))?.close).toBe(49);
    expect(source.forming('SPY', at('2026-03-04T22:00:00Z'))).toBeNull();
  });

  it('are read while the service runs', () => {
    const source = openCsvFolder(folder.path);
    write('more.csv', HOURLY + hour('SPY', '2026-03-04T14:00', 90));
    expect(source.refresh()).toBe(true);
    expect(source.forming('SPY', at('2026-03-04T20:00:00Z'))?.close).toBe(45);
  });

  it('are refused with line and reason when invalid; the others are used', () => {
    write(
      'bad_1h.csv',
      `${HOURLY}SPY,yesterday,1,2,1,1,1\nSPY,2026-02-30T09:00,1,2,1,1,1\nSPY,2026-03-04T25:00,1,2,1,1,1\nSPY,2026-03-04T09:00,1,2,1,0,1\n` +
        `${hour('XYZ', '2026-03-04T09:00', 5)}${hour('XYZ', '2026-03-04T10:00', 5)}`,
    );
    const source = openCsvFolder(folder.path);
    expect(source.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`)).toEqual([
      'bad_1h.csv:2: "yesterday" is no time; write it as 2020-02-24T09:00 or with Z or an offset',
      'bad_1h.csv:3: "2026-02-30T09:00" is no time; write it as 2020-02-24T09:00 or with Z or an offset',
      'bad_1h.csv:4: "2026-03-04T25:00" is no time; write it as 2020-02-24T09:00 or with Z or an offset',
      'bad_1h.csv:5: close 0 is not a price; a price is above zero',
      'bad_1h.csv:6: XYZ has no daily rows; prices within the day need them',
    ]);
    expect(source.forming('SPY', at('2026-03-04T16:00:00Z'))?.close).toBe(48);
  });

  it('have times with an offset, in UTC or in New York, in summer and in winter', () => {
    write(
      'a.csv',
      DAILY + day('SPY', '2026-07-06', 50) + day('EURUSD', '2026-07-06', 10) + day('BTCUSD', '2026-07-06', 9),
    );
    write('b.csv', `symbol,time_et,open,high,low,close,volume\n${hour('SPY', '2026-07-07T09:00', 60)}`);
    write(
      'c.csv',
      `symbol,time_utc,open,high,low,close,volume\n${hour('EURUSD', '2026-07-06T21:00', 9)}${hour('BTCUSD', '2026-07-07T00:00', 8)}`,
    );
    const source = openCsvFolder(folder.path);
    expect(source.forming('SPY', at('2026-07-07T14:00:00Z'))?.date).toBe('2026-07-07');
    expect(source.forming('SPY', at('2026-07-07T13:59:00Z'))).toBeNull();
    expect(source.forming('EURUSD', at('2026-07-06T22:00:00Z'))?.date).toBe('2026-07-07');
    expect(source.forming('BTCUSD', at('2026-07-07T01:00:00Z'))?.date).toBe('2026-07-07');
  });
});

const why = whyNoPrices(SHARED);
describe.skipIf(why)('a folder of daily and hourly rows', () => {
  it.each(['SPY', 'AAPL', 'EURUSD'])(`real hours of %s form a day close to its daily row${notRun(why)}`, (symbol) => {
    copyFileSync(join(SHARED, 'daily', `${symbol}.csv`), join(folder.path, `${symbol}.csv`));
    copyFileSync(join(SHARED, 'hourly', `${symbol}_1h.csv`), join(folder.path, `${symbol}_1h.csv`));
    const source = openCsvFolder(folder.path);
    // The daily file of EURUSD lacks a week; the source reports it, and invents no bars.
    expect(source.problems.filter(({ reason }) => !reason.includes('sessions before it are missing'))).toEqual([]);
    const bars = [...source.bars(symbol)].filter((bar) => bar.date >= '2016-01-01' && bar.date < '2018-12-01');
    let [days, close] = [0, 0];
    for (const bar of bars) {
      const end = source.nextClose(symbol, at(`${bar.date}T12:00:00Z`)) ?? 0;
      const forming = source.forming(symbol, end - 1);
      if (forming?.date === bar.date) days += 1;
      if (Math.abs((forming?.close ?? 0) / bar.close - 1) < 0.01) close += 1;
    }
    expect(days).toBeGreaterThan(0.98 * bars.length);
    expect(close).toBeGreaterThan(0.9 * bars.length);
  });

  it('daily and hourly rows put SPY into High Risk before the close in February 2020', { tags: ['long'] }, () => {
    copyFileSync(join(SHARED, 'daily', 'SPY.csv'), join(folder.path, 'SPY.csv'));
    copyFileSync(join(SHARED, 'hourly', 'SPY_1h.csv'), join(folder.path, 'SPY_1h.csv'));
    const market = openCsvFolder(folder.path);
    const engine = createEngine({ instruments: market.instruments, factorsFrom: '9999' });
    const detector = new StateDetector({ market, engine, ids: createEventIds('test') });
    detector.resume(at('2020-02-20T00:00:00Z'), []);
    const entered = detector.advance(at('2020-03-01T00:00:00Z')).filter((draft) => draft.event === 'signal.high_risk');
    expect(entered).toHaveLength(1);
    const instant = entered[0]?.timestamp ?? '';
    expect(instant.slice(0, 10)).toMatch(/^2020-02-2[4-6]$/);
    expect(Number(instant.slice(11, 13))).toBeLessThan(21);
  });
});
