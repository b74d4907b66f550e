// Service, news, test: polls feeds over HTTP.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../shared/lib/time.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import type { Instrument } from '../market/types.ts';
import { directOutbound } from '../network/outbound.ts';
import { IN_MEMORY, openStore, type Store } from '../store/store.ts';
import { createFeedNews } from './feeds.ts';
import { createFetchFeed, type FeedFetcher, MAX_BYTES } from './fetch-feed.ts';
import { readFeed } from './parse-feed.ts';
import { createTags } from './tags.ts';

const NOW = Date.parse('2026-03-02T14:30:00Z');
const instrument = (symbol: string, name: string): Instrument => ({
  symbol,
  name,
  assetClass: 'equity',
  regimeOnly: false,
  inputOnly: false,
});
const INSTRUMENTS = [
  instrument('AAPL', 'Apple Inc.'),
  instrument('SPY', 'SPDR S&P 500 ETF Trust'),
  instrument('F', 'Ford Motor Company'),
];
const tag = createTags(INSTRUMENTS);

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.xml`;
}

const fetching = (resolve: (name: string) => Promise<string[]> = async () => []): FeedFetcher =>
  createFetchFeed({ clock: createManualClock(NOW), outbound: directOutbound, resolve, userAgent: 'test' });
const NO_VALIDATORS = { etag: null, lastModified: null };
const never = new AbortController().signal;

const rss = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>The Wire</title>${items}</channel></rss>`;
const item = (title: string, guid: string, extra = ''): string =>
  `<item><title>${title}</title><link>https://example.com/${guid}</link><guid isPermaLink="false">${guid}</guid><pubDate>Mon, 02 Mar 2026 13:00:00 GMT</pubDate>${extra}</item>`;

test('RSS, Atom and JSON feeds become items, tagged and scored, with HTML as text', () => {
  const page = readFeed(
    rss(
      [
        item(
          'Apple shares plunge after profit warning',
          'a',
          '<description><![CDATA[<p>Losses &amp; lawsuits.<script>evil()</script></p>]]></description>',
        ),
        '<item><title>No link and no date</title></item>',
      ].join(''),
    ),
    'https://example.com/feed',
    NOW,
    tag,
  );
  expect(page).toMatchObject({
    ok: true,
    value: {
      unusable: 1,
      items: [
        {
          headline: 'Apple shares plunge after profit warning',
          summary: 'Losses & lawsuits.',
          source: 'The Wire',
          url: 'https://example.com/a',
          publishedAt: Date.parse('2026-03-02T13:00:00Z'),
          symbols: ['AAPL'],
          label: 'negative',
        },
      ],
    },
  });
  const atom = readFeed(
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>i</id><updated>2026-03-02T12:00:00Z</updated><entry><title>S&amp;P 500 gains</title><id>1</id><link rel="alternate" href="/one"/><updated>2026-03-02T12:00:00Z</updated><summary type="html">&lt;b&gt;Strong&lt;/b&gt; profit</summary></entry></feed>',
    'https://example.com/atom',
    NOW,
    tag,
  );
  expect(atom).toMatchObject({
    ok: true,
    value: {
      items: [
        {
          headline: 'S&P 500 gains',
          summary: 'Strong profit',
          url: 'https://example.com/one',
          symbols: ['SPY'],
          label: 'positive',
        },
      ],
    },
  });
  const json = readFeed(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'J',
      items: [
        {
          id: '1',
          url: 'https://example.com/j',
          title: 'Ford Motor cuts',
          content_text: 'x',
          date_published: '2027-01-01T00:00:00Z',
        },
      ],
    }),
    'https://example.com/json',
    NOW,
    tag,
  );
  expect(json).toMatchObject({ ok: true, value: { items: [{ symbols: ['F'], publishedAt: NOW }] } });
  for (const broken of ['', '<html><body>Sign in</body></html>', '{}', 'null', '<rss><channel>']) {
    const read = readFeed(broken, 'https://example.com/x', NOW, tag);
    expect(read.ok ? read.value.items : []).toEqual([]);
  }
});

test.each([
  ['Shares of $AAPL fall', ['AAPL']],
  ['Ford (NYSE: F) recalls cars', ['F']],
  ['SPY at a high, AAPL too', ['AAPL', 'SPY']],
  ['An apple a day', []],
  ['FOR SALE: AAPL AND SPY IN CAPITALS', []],
  ['Plan F is for fools', []],
  ['Pineapple Inc. and Appleton rise', []],
])('%s names %j', (text, symbols) => {
  expect(tag(text).symbols).toEqual(symbols);
});

test('content is not fetched twice: validators are stored and sent, and 304 adds nothing', async () => {
  const requests: IncomingMessage['headers'][] = [];
  const feed = await serve((request, response) => {
    requests.push(request.headers);
    if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end();
    else
      response
        .writeHead(200, {
          etag: '"one"',
          'last-modified': 'Mon, 02 Mar 2026 13:00:00 GMT',
          'content-encoding': 'gzip',
          'content-type': 'application/rss+xml',
        })
        .end(gzipSync(rss(item('Apple gains', 'a') + item('SPY falls', 'b'))));
  });
  const store: Store = openStore(IN_MEMORY, { environment: 'production', seed: null, clock: 'real', scenario: null });
  const clock = createManualClock(NOW);
  const complaints: string[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    error: () => undefined,
    warn: (_: object, text: string) => void complaints.push(text),
  };
  // The fetch has its own clock, which only bounds it.
  const done: (() => void)[] = [];
  const inner = fetching();
  const fetchFeed: FeedFetcher = async (...given) => {
    const outcome = await inner(...given);
    setImmediate(() => done.shift()?.());
    return outcome;
  };
  const news = createFeedNews({
    clock,
    logger,
    store,
    feeds: [feed],
    instruments: INSTRUMENTS,
    randomBytes: (count) => Buffer.alloc(count),
    fetchFeed,
  });
  const nextPoll = (): Promise<void> => new Promise((resolve) => void done.push(resolve));
  news.start();
  const all = { symbols: null, from: 0, to: NOW };
  for (const round of [1, 2, 3]) {
    const polled = nextPoll();
    await clock.advance(round === 1 ? 0 : 300_000);
    await polled;
    expect(requests).toHaveLength(round);
    expect(
      news
        .list(all, null, 10)
        .map(({ headline }) => headline)
        .toSorted(),
    ).toEqual(['Apple gains', 'SPY falls']);
  }
  expect(requests[0]?.['if-none-match']).toBeUndefined();
  expect(requests[2]).toMatchObject({
    'if-none-match': '"one"',
    'if-modified-since': 'Mon, 02 Mar 2026 13:00:00 GMT',
    'user-agent': 'test',
  });
  expect(news.list({ ...all, symbols: ['SPY'] }, null, 10).map(({ symbols }) => symbols)).toEqual([['SPY']]);
  expect(complaints).toEqual([]);
  news.stop();
  store.close();
});

test('a feed on this computer is read when listed; a name or a redirect that leads there is refused', async () => {
  const inside = await serve((_request, response) => response.writeHead(200).end(rss('')));
  expect(await fetching()(inside, NO_VALIDATORS, never)).toMatchObject({ ok: true });
  const outside = await serve((_request, response) =>
    response.writeHead(302, { location: inside.replace('feed', 'other') }).end(),
  );
  expect(await fetching()(outside, NO_VALIDATORS, never)).toMatchObject({
    ok: false,
    error: { problem: expect.stringMatching(/private or reserved/) },
  });
  for (const address of ['10.0.0.8', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1']) {
    const refused = await fetching(async () => ['93.184.216.34', address])(
      'https://news.example.com/feed',
      NO_VALIDATORS,
      never,
    );
    expect(refused, address).toMatchObject({
      ok: false,
      error: { problem: expect.stringMatching(/private or reserved/) },
    });
  }
});

test('oversized content, oversized when unpacked, endless redirects and errors are refused, with the reason', async () => {
  const answers: readonly [string, (response: ServerResponse) => void, RegExp][] = [
    ['large', (response) => response.writeHead(200).end('x'.repeat(MAX_BYTES + 1)), /larger than/],
    [
      'bomb',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(MAX_BYTES + 1))),
      /larger than|Cannot create a Buffer/i,
    ],
    ['broken', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'), /header/],
    ['missing', (response) => response.writeHead(404).end(), /answered 404/],
    ['busy', (response) => response.writeHead(503, { 'retry-after': '120' }).end(), /wait 120 s/],
    ['packed', (response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'), /nobody asked for/],
  ];
  for (const [name, answer, reason] of answers) {
    const feed = await serve((_request, response) => answer(response));
    expect(await fetching()(feed, NO_VALIDATORS, never), name).toMatchObject({
      ok: false,
      error: { problem: expect.stringMatching(reason) },
    });
  }
});

test.each([
  [429, '120', 120_000],
  [503, new Date(NOW + 90_000).toUTCString(), 90_000],
  [200, '3600', HOUR_MS],
  [304, '31536000', DAY_MS],
  [429, '99999999', DAY_MS],
  [503, 'soon', 0],
  [500, undefined, 0],
])('a server that answers %i and asks to wait (%s) is waited for, a day at most', async (status, header, waitMs) => {
  const feed = await serve((_request, response) =>
    response.writeHead(status, header === undefined ? {} : { 'retry-after': header }).end(rss('')),
  );
  const fetched = await fetching()(feed, NO_VALIDATORS, never);
  expect(fetched.ok ? fetched.value : fetched.error).toMatchObject({ waitMs });
});

/** Polls a feed that gives these answers in turn, and then its last one. */
function polling(answers: readonly Awaited<ReturnType<FeedFetcher>>[]) {
  const clock = createManualClock(NOW);
  const store = openStore(IN_MEMORY, { environment: 'production', seed: null, clock: 'real', scenario: null });
  closing.push(() => store.close());
  const said: string[] = [];
  const say = (_: object, text: string): void => void said.push(text);
  const asked: Parameters<FeedFetcher>[1][] = [];
  const fetchFeed: FeedFetcher = async (_feed, validators) => {
    asked.push(validators);
    return answers[Math.min(asked.length, answers.length) - 1] as (typeof answers)[number];
  };
  const news = createFeedNews({
    ...{ clock, store, fetchFeed, feeds: ['https://example.com/f'], instruments: [] },
    logger: { debug: say, info: say, warn: say, error: say },
    randomBytes: (count) => Buffer.alloc(count),
  });
  closing.push(() => news.stop());
  news.start();
  return { clock, said, asked };
}

test('a feed that refuses with a wait is not polled before the wait ends', async () => {
  const { clock, asked } = polling([{ ok: false, error: { problem: 'answered 429', waitMs: 2 * HOUR_MS } }]);
  await clock.advance(2 * HOUR_MS - 1);
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  expect(asked).toHaveLength(2);
});

test('content without a usable item stays a problem: its validators are not stored', async () => {
  const etag = { etag: '"one"', lastModified: null };
  const unusable = rss('<item><title>No link and no date</title></item>');
  const { clock, said, asked } = polling([{ ok: true, value: { text: unusable, validators: etag, waitMs: 0 } }]);
  // The parser is loaded at the first content.
  await clock.until(() => asked.length === 3, HOUR_MS);
  expect(asked).toEqual([NO_VALIDATORS, NO_VALIDATORS, NO_VALIDATORS]);
  expect(said).toEqual(['a news feed cannot be read; it is tried again']);
});

test('a failing feed is logged once, polled less often, and logged again when it recovers', async () => {
  const clock = createManualClock(NOW);
  const store = openStore(IN_MEMORY, { environment: 'production', seed: null, clock: 'real', scenario: null });
  const said: string[] = [];
  const say = (_: object, text: string): void => void said.push(text);
  let well = false;
  let requestCount = 0;
  const fetchFeed: FeedFetcher = async () => {
    requestCount += 1;
    return well
      ? { ok: true, value: { text: null, validators: NO_VALIDATORS, waitMs: 0 } }
      : { ok: false, error: { problem: 'answered 500', waitMs: 0 } };
  };
  const logger = { debug: say, info: say, warn: say, error: say };
  const news = createFeedNews({
    clock,
    logger,
    store,
    feeds: ['https://example.com/f'],
    instruments: [],
    randomBytes: (count) => Buffer.alloc(count, 255),
    fetchFeed,
  });
  news.start();
  await clock.advance(HOUR_MS);
  expect(requestCount).toBeGreaterThan(2);
  expect(requestCount).toBeLessThan(8);
  expect(said).toEqual(['a news feed cannot be read; it is tried again']);
  well = true;
  await clock.advance(4_000_000);
  expect(said).toEqual(['a news feed cannot be read; it is tried again', 'a news feed can be read again']);
  news.stop();
  const before = requestCount;
  await clock.advance(HOUR_MS);
  expect(requestCount).toBe(before);
  store.close();
});
