// Service, test: price files over HTTP: downloads, repeated requests, and refusals.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FileHost, startFileHost } from '../../../../test/harness/file-host.ts';
import { createManualClock, type ManualClock } from '../../../../test/harness/manual-clock.ts';
import { directOutbound } from '../../../network/outbound.ts';
import { openVendor } from '../account.ts';
import type { BarRequest, FeedBar, PriceFeed } from '../price-feed.ts';
import { httpFiles } from './http-files.ts';
import { parseFileSettings } from './settings.ts';

const NOW = Date.parse('2026-03-04T23:00:00Z');
const VIX = 'DATE,OPEN,HIGH,LOW,CLOSE\n03/02/2026,20.1,22,19.5,21.3\n03/03/2026,21.5,25,21,24.75\n';

let host: FileHost;
beforeAll(async () => {
  host = await startFileHost();
});
afterAll(() => host.close());
beforeEach(() => {
  host.files.clear();
  host.requests.length = 0;
});

const signal = new AbortController().signal;

interface Options {
  readonly key?: string | null;
  readonly now?: number;
  readonly clock?: ManualClock;
}

function feed(entry: Record<string, unknown>, { key = null, now = NOW, clock = createManualClock(now) }: Options = {}) {
  const settings = parseFileSettings(JSON.stringify({ files: [entry].flat() }), 'files.json');
  const vendor = httpFiles(settings);
  return openVendor({ ...vendor, perMinute: 100_000 }, { clock, hosts: {}, key: () => key, outbound: directOutbound })
    .feed;
}

async function bars(
  from: PriceFeed,
  symbols: string[],
  range: { from: number; to: number } & Pick<BarRequest, 'onFault'> = { from: 0, to: NOW },
): Promise<FeedBar[]> {
  const all: FeedBar[] = [];
  for await (const page of from.bars({ symbols, step: 'day', priority: 'history', ...range }, signal))
    all.push(...page);
  return all;
}

const vix = (more: object = {}) => ({
  url: `${host.url}/{symbol}_History.csv`,
  symbols: ['VIX'],
  dateFormat: 'MM/DD/YYYY',
  ...more,
});

const fatal = (text: string) => ({ kind: 'fatal', message: expect.stringContaining(text) });

describe('a file of one symbol', () => {
  it('gives the closed sessions of the range, in order', async () => {
    host.files.set('/VIX_History.csv', { body: VIX });
    expect(await bars(feed(vix()), ['VIX'], { from: Date.parse('2026-03-03'), to: NOW })).toEqual([
      {
        symbol: 'VIX',
        step: 'day',
        date: '2026-03-03',
        start: Date.parse('2026-03-03T14:30:00Z'),
        end: Date.parse('2026-03-03T21:00:00Z'),
        isClosed: true,
        open: 21.5,
        high: 25,
        low: 21,
        close: 24.75,
        volume: null,
      },
    ]);
  });

  it('does not give the row of a session in progress', async () => {
    host.files.set('/VIX_History.csv', { body: VIX });
    const during = feed(vix(), { now: Date.parse('2026-03-03T20:59:00Z') });
    expect((await bars(during, ['VIX'])).map(({ date }) => date)).toEqual(['2026-03-02']);
  });

  it('gives no row before its delay has passed, nor of a copy from before', async () => {
    host.files.set('/VIX_History.csv', { body: VIX });
    const clock = createManualClock(Date.parse('2026-03-03T22:55:00Z'));
    const files = feed(vix({ delayMinutes: 120 }), { clock });
    const dates = async () => (await bars(files, ['VIX'])).map(({ date }) => date);
    expect(await dates()).toEqual(['2026-03-02']);
    clock.jump(6 * 60_000);
    expect(await dates()).toEqual(['2026-03-02']);
    clock.jump(4 * 60_000);
    expect(await dates()).toEqual(['2026-03-02', '2026-03-03']);
  });

  it('is fetched again only when it changed', async () => {
    host.files.set('/VIX_History.csv', { body: VIX });
    const clock = createManualClock(NOW);
    const files = feed(vix(), { clock });
    expect(await bars(files, ['VIX'])).toHaveLength(2);
    clock.jump(9 * 60_000);
    expect(await bars(files, ['VIX'])).toHaveLength(2);
    clock.jump(60_000);
    expect(await bars(files, ['VIX'])).toHaveLength(2);
    host.files.set('/VIX_History.csv', { body: `${VIX}03/04/2026,25,26,24,25\n` });
    clock.jump(600_000);
    expect(await bars(files, ['VIX'])).toHaveLength(3);
    expect(host.requests.map(({ status }) => status)).toEqual([200, 304, 200]);
  });
});

it('fills the address, and reads closes alone', async () => {
  host.files.set('/EXR/D.USD.EUR.SP00.A', {
    body: 'KEY,TIME_PERIOD,OBS_VALUE,TITLE\nEXR.D,2026-03-02,1.08,"US dollar, Euro"\nEXR.D,2026-03-03,,"US dollar, Euro"\nEXR.D,2026-03-04,1.09,x\n',
    type: 'application/vnd.sdmx.data+csv; version=1.0.0',
  });
  const rates = feed({
    url: `${host.url}/EXR/D.{symbol}.EUR.SP00.A?startPeriod={from}`,
    symbols: { EURUSD: 'USD' },
    columns: { date: 'TIME_PERIOD', close: 'OBS_VALUE' },
  });
  const read = await bars(rates, ['EURUSD'], { from: Date.parse('2026-02-20'), to: NOW });
  expect(read).toMatchObject([
    { date: '2026-03-02', open: 1.08, high: 1.08, low: 1.08, close: 1.08, volume: null },
    { date: '2026-03-04', close: 1.09 },
  ]);
  expect(host.requests[0]?.url).toBe('/EXR/D.USD.EUR.SP00.A?startPeriod=2026-02-20');
});

it('asks once for a file of several symbols', async () => {
  host.files.set('/all.csv', {
    body: 'symbol,date,open,high,low,close,volume\nspy,2026-03-03,1,2,1,2,9\nQQQ,2026-03-03,3,4,3,4,\n',
  });
  const all = feed({ url: `${host.url}/all.csv`, symbols: { SPY: 'SPY', QQQ: 'QQQ', DIA: 'DIA' } });
  expect(await bars(all, ['SPY', 'QQQ'])).toMatchObject([
    { symbol: 'SPY', volume: 9 },
    { symbol: 'QQQ', volume: null },
  ]);
  expect(host.requests).toHaveLength(1);
  expect(await all.listings(['QQQ', 'DIA', 'XLE'], signal)).toEqual([
    { symbol: 'QQQ', name: 'Nasdaq 100 ETF', assetClass: 'etf', calendar: 'us' },
    { symbol: 'DIA', reason: 'its file has no row of DIA; check symbols in the settings' },
    { symbol: 'XLE', reason: 'No entry of the settings of price files has XLE; add it to symbols' },
  ]);
});

describe('files without prices', () => {
  it.each([
    [
      'a web page with status 200',
      { body: '<!doctype html><p>Prove your work', type: 'text/html; charset=utf-8' },
      'answered text/html, not prices',
    ],
    ['a web page that calls itself text', { body: '\n<html>', type: 'text/plain' }, 'this is a web page, not prices'],
    ['an error as JSON', { body: '{}', type: 'application/json' }, 'answered application/json, not prices'],
    ['an empty file', { body: '' }, 'the file is empty'],
    [
      'other columns',
      { body: 'Date,Yield\n03/02/2026,1\n' },
      'column close is missing; the first line is "Date,Yield"',
    ],
    ['no row', { body: 'date,open,high,low,close\n' }, 'there is no row below the header'],
    [
      'no dates',
      { body: 'date,open,high,low,close\nMonday,1,1,1,1\n' },
      'none of its rows is a price; line 2: "Monday" is no date of the form MM/DD/YYYY',
    ],
    [
      'dates on a Sunday',
      { body: 'date,open,high,low,close\n03/01/2026,1,1,1,1\n' },
      '2026-03-01 is no session of the calendar us',
    ],
    ['no file', { body: '', status: 404 }, 'is not there (404)'],
  ])('%s: check and listings say so, and there are no bars', async (_what, file, reason) => {
    host.files.set('/VIX_History.csv', file);
    const files = feed(vix());
    await expect(files.check(signal)).rejects.toMatchObject(fatal(reason));
    expect(await files.listings(['VIX'], signal)).toEqual([{ symbol: 'VIX', reason: expect.stringContaining(reason) }]);
    expect(await bars(files, ['VIX'])).toEqual([]);
  });

  it('check reports a file whose rows ended months ago', async () => {
    host.files.set('/VIX_History.csv', { body: VIX });
    const files = feed(vix(), { now: Date.parse('2026-06-01') });
    expect(await files.check(signal)).toEqual({
      clockSkewMs: 0,
      plan: null,
      notes: ['VIX: its newest row is of 2026-03-03, 89 days old. Is url still the right one?'],
    });
  });

  it('check reports many refused rows, but not a few', async () => {
    host.files.set('/VIX_History.csv', { body: `${VIX}03/04/2026,x,1,1,1\n` });
    expect(await feed(vix()).check(signal)).toMatchObject({
      notes: ['VIX: not all of its rows are used (1 are refused). Line 4: open "x" is not a number.'],
    });
    const long = [...Array(20).keys()].map((day) => `02/${String(day + 2).padStart(2, '0')}/2026,1,1,1,1\n`).join('');
    host.files.set('/VIX_History.csv', {
      body: `${VIX}${long.replaceAll(/02\/(0[78]|1[4567]|21|22)\/2026.*\n/g, '')}03/04/2026,x,1,1,1\n`,
    });
    expect(await feed(vix()).check(signal)).toMatchObject({ notes: [] });
  });
});

it('a file that is away ends neither the check nor the others, and comes whole with a later request', async () => {
  host.files.set('/VIX_History.csv', { body: VIX });
  const two = feed([vix(), vix({ symbols: ['VXN'] })] as never);
  expect(await two.check(signal)).toMatchObject({ notes: [expect.stringContaining('VXN: ')] });
  const faults: string[] = [];
  const range = {
    from: 0,
    to: NOW,
    onFault: (symbol: string, error: Error) => faults.push(`${symbol}: ${error.message}`),
  };
  expect((await bars(two, ['VXN', 'VIX'], range)).map(({ symbol }) => symbol)).toEqual(['VIX', 'VIX']);
  expect(faults).toEqual([expect.stringMatching(/^VXN: .*VXN_History.csv is not there \(404\)/)]);
  host.files.set('/VXN_History.csv', { body: VIX });
  const later = await bars(two, ['VXN', 'VIX'], { from: Date.parse('2026-03-03'), to: NOW });
  expect(later.map(({ symbol, date }) => [symbol, date])).toEqual([
    ['VXN', '2026-03-02'],
    ['VXN', '2026-03-03'],
    ['VIX', '2026-03-03'],
  ]);
});

describe('redirects', () => {
  it('redirects are followed on the own host', async () => {
    host.files.set('/VIX_History.csv', { body: '', status: 302, location: '/new/vix.csv' });
    host.files.set('/new/vix.csv', { body: VIX });
    expect(await bars(feed(vix()), ['VIX'])).toHaveLength(2);
  });

  it.each([
    ['http://other.example/vix.csv', 'redirects to http://other.example, which is not https'],
    ['https://other.example/vix.csv', 'redirects to other.example. If that is right, add it to redirectHosts.'],
  ])('redirects to %s are refused, and told', async (location, reason) => {
    host.files.set('/VIX_History.csv', { body: '', status: 301, location });
    await expect(feed(vix()).check(signal)).rejects.toMatchObject(fatal(reason));
    expect(await bars(feed(vix()), ['VIX'])).toEqual([]);
  });

  it('redirects without an end stop', async () => {
    host.files.set('/VIX_History.csv', { body: '', status: 302, location: '/VIX_History.csv' });
    expect(await bars(feed(vix()), ['VIX'])).toEqual([]);
    expect(host.requests).toHaveLength(5);
  });
});

describe('a key', () => {
  const keyHeader = { name: 'Authorization', value: 'Bearer {key}' };

  it('goes into the header that the settings name', async () => {
    host.files.set('/VIX_History.csv', { body: VIX });
    await bars(feed(vix({ keyHeader }), { key: 'desk-7' }), ['VIX']);
    expect(host.requests[0]?.headers).toMatchObject({ authorization: 'Bearer desk-7' });
  });

  it('that is missing or refused is reported with the cure, and not requested again', async () => {
    host.files.set('/VIX_History.csv', { body: '', status: 403 });
    await expect(bars(feed(vix({ keyHeader })), ['VIX'])).rejects.toMatchObject({
      kind: 'fatal',
      message: expect.stringContaining('Set BAROGRAPH_FEED_KEY'),
    });
    const checked = feed(vix({ keyHeader }), { key: 'desk-7' }).check(signal);
    await expect(checked).rejects.toMatchObject(fatal('Check BAROGRAPH_FEED_KEY'));
    await expect(checked).rejects.not.toThrow('desk-7');
  });
});

it('waits as long as the host asks', async () => {
  host.files.set('/VIX_History.csv', { body: '', status: 503, headers: { 'retry-after': '120' } });
  const faults: unknown[] = [];
  const onFault: BarRequest['onFault'] = (_symbol, error) => void faults.push(error);
  expect(await bars(feed(vix()), ['VIX'], { from: 0, to: NOW, onFault })).toEqual([]);
  expect(faults).toMatchObject([{ kind: 'retry', retryAfterMs: 120_000 }]);
});

describe('a host that is away for a while', () => {
  const two = () => ({ url: `${host.url}/{symbol}.csv`, symbols: { VIX: 'VIX', VXN: 'VXN' } });
  const rows = { body: 'date,open,high,low,close\n2026-03-03,20,21,19,20\n' };

  it('a file that is away for a while does not stop other files, and is retried separately', async () => {
    host.files.set('/VIX.csv', { status: 503, headers: { 'retry-after': '120' }, body: '' });
    host.files.set('/VXN.csv', rows);
    const clock = createManualClock(NOW);
    const files = feed(two(), { clock });
    expect(await files.check(signal)).toMatchObject({ notes: [expect.stringMatching(/^VIX: .*503/)] });
    expect(await files.listings(['VIX', 'VXN'], signal)).toMatchObject([
      { symbol: 'VIX', reason: expect.stringContaining('503') },
      { symbol: 'VXN', assetClass: expect.any(String) },
    ]);
    const faults: unknown[] = [];
    const onFault: BarRequest['onFault'] = (symbol, { retryAfterMs }) => void faults.push([symbol, retryAfterMs]);
    expect((await bars(files, ['VIX', 'VXN'], { from: 0, to: NOW, onFault })).map(({ symbol }) => symbol)).toEqual([
      'VXN',
    ]);
    expect(faults).toEqual([['VIX', 120_000]]);
    host.files.set('/VIX.csv', rows);
    // The host asked for a wait of two minutes.
    clock.jump(119_000);
    expect(await bars(files, ['VIX'])).toHaveLength(0);
    expect(host.requests.filter(({ url }) => url === '/VIX.csv')).toHaveLength(1);
    clock.jump(1_000);
    expect(await bars(files, ['VIX'])).toHaveLength(1);
  });

  it('files that are all away for a while are retried without a person', async () => {
    host.files.set('/VIX.csv', { status: 503, body: '' });
    await expect(feed(two()).check(signal)).rejects.toMatchObject({
      kind: 'retry',
      message: expect.stringMatching(/VIX: .*503(.|\n)*VXN: .*404/),
    });
  });
});
