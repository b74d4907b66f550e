// Service, test: `feed-check`: its arguments, and its lines about working and failing feeds.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FAKE_KEY, type FakeAlpaca, startFakeAlpaca } from '../test/harness/fake-alpaca.ts';
import { type FileHost, startFileHost } from '../test/harness/file-host.ts';
import { type TemporaryFolder, temporaryFolder } from '../test/harness/folders.ts';
import { createManualClock } from '../test/harness/manual-clock.ts';
import { readFeedSymbols, takeFeedKey } from './command-line/feed-inputs.ts';
import { checkFeed, type FeedCheck, findingLine, readFeedCheck } from './feed-check.ts';
import { directOutbound } from './network/outbound.ts';

const NOW = Date.parse('2026-03-04T23:30:00Z');
const KEY = `${FAKE_KEY.id}:${FAKE_KEY.secret}`;
const BAR = { open: 1, high: 2, low: 1, close: 2, volume: 9 };

let folder: TemporaryFolder;
let vendor: FakeAlpaca;
let host: FileHost;
beforeEach(async () => {
  folder = temporaryFolder();
  [vendor, host] = await Promise.all([startFakeAlpaca(NOW), startFileHost()]);
  vendor.assets.set('SPY', { name: 'SPDR', status: 'active' });
  vendor.bars.set('sip 1Day', new Map([['SPY', [{ at: Date.parse('2026-03-04T05:00:00Z'), ...BAR }]]]));
});
afterEach(async () => {
  await Promise.all([vendor.close(), host.close()]);
  folder.remove();
});

async function check(
  given: Partial<FeedCheck>,
  key: string | null = KEY,
): Promise<{ lines: string[]; isRight: boolean }> {
  const lines: string[] = [];
  const hosts = { rest: vendor.url, trading: vendor.url, stream: vendor.streamUrl };
  const what = { feed: 'alpaca', config: null, symbols: ['SPY'], keyFile: null, hosts, ...given };
  let isRight = true;
  for await (const finding of checkFeed(what, { clock: createManualClock(NOW), outbound: directOutbound, key })) {
    lines.push(findingLine(finding));
    isRight &&= finding.isRight;
  }
  expect(lines.join()).not.toContain(FAKE_KEY.secret);
  return { lines, isRight };
}

function settings(files: object[]): string {
  const path = join(folder.path, 'files.json');
  writeFileSync(path, JSON.stringify({ files }));
  return path;
}

describe('a feed', () => {
  it('a feed that works passes the check', async () => {
    expect(await check({})).toEqual({
      isRight: true,
      lines: [
        'ok     key      alpaca answers; plan: Basic: live prices of IEX alone, closes of all exchanges',
        "ok     clock    its clock is 0.0 s behind this computer's",
        'ok     symbols  1 of 1: SPY',
        'ok     prices   SPY closed at 2 on 2026-03-04',
      ],
    });
  });

  it('a feed whose key is wrong fails the check', async () => {
    vendor.account.key = { id: 'other', secret: 'other' };
    const { isRight, lines } = await check({});
    expect([isRight, lines.length]).toEqual([false, 1]);
    expect(lines[0]).toMatch(/^WRONG {2}key {6}alpaca \(.*\) answered 401\. Give KEY_ID:SECRET/);
  });

  it('a feed without a key fails the check', async () => {
    expect((await check({}, null)).lines).toEqual([expect.stringMatching(/^WRONG {2}key {6}Alpaca needs a key\./)]);
  });

  it('a feed whose clock, symbols and prices are not right is told all of it', async () => {
    vendor.now = NOW + 20_000;
    vendor.bars.set('sip 1Day', new Map([['SPY', [{ at: Date.parse('2026-03-03T05:00:00Z'), ...BAR }]]]));
    expect(await check({ symbols: ['SPY', 'VIX'] })).toEqual({
      isRight: false,
      lines: [
        expect.stringMatching(/^ok {5}key/),
        "WRONG  clock    its clock is 20.0 s ahead of this computer's. Let this computer set its clock by the network, or closes come late.",
        'WRONG  symbols  VIX: Alpaca has no indices; add a file of their exchange (--feed-config FILE).',
        'ok     symbols  1 of 2: SPY',
        'WRONG  prices   SPY: the close of 2026-03-04 is due, and the newest is of 2026-03-03. Is the symbol still traded? The vendor may also be late: try again in an hour.',
      ],
    });
  });

  it('a feed that is away fails the check', async () => {
    vendor.faults.push({ status: 503 });
    expect((await check({})).lines).toEqual([
      expect.stringMatching(/^WRONG {2}feed {5}.*answered 503\..* Try again later\.$/),
    ]);
  });

  it('the key of a feed with files goes to the vendor alone', async () => {
    host.files.set('/VIX.csv', { body: 'date,open,high,low,close\n2026-03-04,20,21,19,20.5\n' });
    const config = settings([
      { url: `${host.url}/{symbol}.csv`, symbols: ['VIX'], assetClass: 'index' },
      { url: `${host.url}/none.csv`, symbols: ['VVIX'], assetClass: 'index' },
    ]);
    const { lines, isRight } = await check({ config, symbols: ['SPY', 'VIX'] });
    expect(isRight).toBe(false);
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^WRONG {2}prices {3}VVIX: .*\/none\.csv is not there \(404\)/),
      'ok     symbols  2 of 2: SPY VIX',
      'ok     prices   SPY closed at 2 on 2026-03-04',
      'ok     prices   VIX closed at 20.5 on 2026-03-04',
    ]);
    expect(JSON.stringify(host.requests)).not.toMatch(new RegExp(`${FAKE_KEY.id}|${FAKE_KEY.secret}`));
  });

  it('a feed of files alone fails the check with settings that cannot be used', async () => {
    expect((await check({ feed: 'http-files', config: settings([]), symbols: [] }, null)).lines).toEqual([
      expect.stringMatching(/^WRONG {2}feed {5}.*files\.json: files: /),
    ]);
    expect((await check({ feed: 'http-files', symbols: [] }, null)).lines).toEqual([
      expect.stringContaining('needs --feed-config FILE'),
    ]);
  });
});

describe('arguments', () => {
  it('name the feed, its symbols and settings', () => {
    expect(
      readFeedCheck([
        '--feed',
        'alpaca',
        '--feed-symbols',
        'spy, qqq',
        '--feed-config',
        'f.json',
        '--feed-host',
        'trading=http://a:1',
      ]),
    ).toEqual({
      ok: true,
      value: {
        feed: 'alpaca',
        symbols: ['SPY', 'QQQ'],
        config: 'f.json',
        keyFile: null,
        hosts: { trading: 'http://a:1' },
      },
    });
  });

  it.each([
    [[], 'feed-check needs --feed NAME: one of binance, alpaca, massive, http-files'],
    [['--feed', 'acme'], 'There is binance, alpaca, massive, http-files'],
    [['--feed', 'alpaca', '--feed-symbols', 'a b!'], '"B!" is no symbol'],
    [['--feed', 'alpaca', '--key', 'x'], "unknown option '--key'"],
  ])('arguments %j are refused', (argv, text) => {
    expect(readFeedCheck(argv)).toMatchObject({
      ok: false,
      error: { exitCode: 2, text: expect.stringContaining(text) },
    });
  });
});

it('reads symbols from a file, and a key from the environment or a file', () => {
  const list = join(folder.path, 'list.txt');
  writeFileSync(list, '\uFEFF# mine\nspy\nBRK.B, qqq # twice\nSPY\n');
  expect(readFeedSymbols(list)).toEqual(['SPY', 'BRK.B', 'QQQ']);
  expect(() => readFeedSymbols('./none.txt')).toThrow('the list of symbols ./none.txt cannot be read');
  const environment = { BAROGRAPH_FEED_KEY: 'abc:def', HOME: '/' };
  expect(takeFeedKey(environment, null)).toBe('abc:def');
  expect(environment).toEqual({ HOME: '/' });
  expect(() => takeFeedKey({ BAROGRAPH_FEED_KEY: 'secret\none' }, null)).toThrow(
    /^BAROGRAPH_FEED_KEY must hold one key/,
  );
  const keyFile = join(folder.path, 'key');
  writeFileSync(keyFile, 'ghi:jkl\n');
  expect(takeFeedKey({}, keyFile)).toBe('ghi:jkl');
  writeFileSync(keyFile, 'secret one\n');
  expect(() => takeFeedKey({}, keyFile)).toThrow('must hold one key and nothing else');
});
