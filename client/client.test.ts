// Test: reads lists in any spelling, refuses unsafe addresses, returns failures as data.
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../test/harness/manual-clock.ts';
import { OWN_PEER } from '../test/harness/peer.ts';
import { checkService } from './address.ts';
import { createClient, readList } from './client.ts';

describe('lists', () => {
  test.each([
    [
      { data: [1], has_more: true, next_cursor: 'c' },
      { rows: [1], hasMore: true, nextCursor: 'c' },
    ],
    [
      { items: [1], hasMore: true, NextCursor: 'c' },
      { rows: [1], hasMore: true, nextCursor: 'c' },
    ],
    [
      { items: [1], has_more: false, next_cursor: 'c' },
      { rows: [1], hasMore: false, nextCursor: 'c' },
    ],
    [
      { snapshot: [1], other: 3 },
      { rows: [1], hasMore: false, nextCursor: null },
    ],
    [{ whatever: [1] }, { rows: [1], hasMore: false, nextCursor: null }],
    [[1], { rows: [1], hasMore: false, nextCursor: null }],
    [{ a: [1], b: [2] }, null],
    [
      { errors: [], signals: [{ a: 1 }] },
      { rows: [{ a: 1 }], hasMore: false, nextCursor: null },
    ],
    [
      { a: [], b: [] },
      { rows: [], hasMore: false, nextCursor: null },
    ],
    [{ result: { meta: { a: [1], b: [2] } } }, null],
    ['x', null],
    [
      { SPY: { state: 2 }, 'BRK.B': { symbol: 'BRK.B', state: 0 } },
      {
        rows: [
          { symbol: 'SPY', state: 2 },
          { symbol: 'BRK.B', state: 0 },
        ],
        hasMore: false,
        nextCursor: null,
      },
    ],
    [
      { signals: { SPY: { state: 'normal' } }, as_of: 'x', has_more: true, next_cursor: 'c' },
      { rows: [{ symbol: 'SPY', state: 'normal' }], hasMore: true, nextCursor: 'c' },
    ],
    [{ error: { code: 'no' } }, null],
    [{ SPY: { state: 2 }, QQQ: 1 }, null],
    [{}, null],
  ])('%j', (body, list) => {
    expect(readList(body, 'snapshot')).toEqual(
      list === null || Array.isArray(body) ? list : { ...(list as object), fields: body },
    );
  });
});

test.each([
  [{ result: { items: [1], has_more: true, next_cursor: 'c' }, status: 'ok' }, true],
  [{ data: { snapshot: [1] }, has_more: true, next_cursor: 'c' }, true],
  [{ result: { items: [1] } }, false],
])('a list in an object of its own: %j', (body, hasMore) => {
  expect(readList(body, 'snapshot')).toMatchObject({ rows: [1], hasMore, nextCursor: hasMore ? 'c' : null });
});

test('a list under the name of its endpoint, however it is written', () => {
  for (const key of ['alert-transitions', 'alert_transitions', 'alertTransitions'])
    expect(readList({ [key]: [1], notes: ['x'] }, 'alertTransitions')?.rows).toEqual([1]);
});

describe('addresses and keys', () => {
  const asker = { name: 'profile p', environment: 'production' } as const;
  const check = (baseUrl: string, key: string | null) => {
    const checked = checkService({ baseUrl, key }, asker);
    return checked.ok ? checked.value.href : checked.error.message;
  };
  test.each([
    ['https://risk.example/v1', 'svc_live_x', 'https://risk.example/v1/'],
    ['http://127.0.0.1:8787', null, 'http://127.0.0.1:8787/'],
    ['http://[::1]:8787', 'other', 'http://[::1]:8787/'],
    ['http://localhost', 'other', 'http://localhost/'],
  ])('%s is fine', (baseUrl, key, href) => {
    expect(check(baseUrl, key)).toBe(href);
  });
  test.each([
    ['http://risk.example', 'svc_live_x', 'https://'],
    ['http://127.0.0.1.example.com', 'svc_live_x', 'https://'],
    ['https://user:secret@risk.example', null, 'password'],
    ['ftp://risk.example', null, 'not a web address'],
    ['risk.example', null, 'not a web address'],
    ['https://risk.example', 'svc_test_x', 'This is a sandbox key'],
    ['https://risk.example', 'svc_live_a b', 'blanks'],
  ])('%s is refused before a byte is sent', (baseUrl, key, message) => {
    expect(check(baseUrl, key)).toContain(message);
    expect(check(baseUrl, key)).toContain('Nothing was sent.');
  });
});

describe('calls', () => {
  const clock = createManualClock();
  const clientFor = (answer: (url: string) => Response | Promise<Response>) =>
    createClient({
      base: new URL('https://risk.example/v1/'),
      key: 'k',
      mode: 'auto',
      peer: OWN_PEER,
      fetch: async (url) => answer(url),
      clock,
    });

  test('a call made after close is refused with a message and affects no other call', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const client = createClient({
      base: new URL('https://risk.example/v1/'),
      key: 'k',
      mode: 'auto',
      peer: OWN_PEER,
      // Like the platform's fetch: sends nothing for a signal that has fired.
      fetch: async (_, init) => {
        init?.signal?.throwIfAborted();
        return Response.json({ data: [] });
      },
      clock,
    });
    client.close();
    expect(await client.page('snapshot')).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    await new Promise((resolve) => void setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  test('the path is resolved under the base path, lists are joined by commas', async () => {
    let requestedUrl = '';
    const client = clientFor((url) => {
      requestedUrl = url;
      return Response.json({ data: [] });
    });
    await client.page('snapshot', { query: { limit: 100, symbols: ['SPY', 'BRK.B'] } });
    expect(requestedUrl).toBe('https://risk.example/v1/snapshot?limit=100&symbols=SPY%2CBRK.B');
  });
  test.each([
    [
      new Response('{"code":"RATE_LIMITED","message":"slow down"}', { status: 429, headers: { 'retry-after': '7' } }),
      { kind: 'rate_limited', code: 'rate_limited', message: 'slow down', retryAfter: 7000 },
    ],
    [
      new Response('{"title":"Nope","detail":"not for you"}', { status: 403 }),
      { kind: 'forbidden', message: 'not for you' },
    ],
    [
      new Response('{"message":"computed"}', {
        status: 503,
        headers: { 'x-progress': '{"what":"scoring","done":0.5,"total":1,"left":9000}' },
      }),
      { kind: 'unavailable', progress: { what: 'scoring', done: 0.5, total: 1, left: 9_000 } },
    ],
    [new Response('<html>bad gateway', { status: 502 }), { kind: 'unavailable', message: 'The service answered 502.' }],
    [new Response('{"code":"INVALID_SYMBOL","message":"m"}', { status: 400 }), { kind: 'not_covered' }],
    [new Response('<!doctype html>'), { kind: 'unreadable', message: expect.stringContaining('web page') }],
    [new Response('{"data"'), { kind: 'unreadable' }],
    [new Response('"x"'), { kind: 'unreadable' }],
  ])('%# failures are data', async (response, found) => {
    expect(await clientFor(() => response).page('snapshot')).toMatchObject({ ok: false, error: found });
  });
  test('an endless body is abandoned', async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20).fill(32)) });
    expect(await clientFor(() => new Response(endless)).page('snapshot')).toMatchObject({
      ok: false,
      error: { kind: 'too_large' },
    });
  });
  test('a body that stalls is abandoned after the deadline', async () => {
    const stuck = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"data":[')),
    });
    const pending = clientFor(() => new Response(stuck)).page('snapshot');
    await clock.advance(11_000);
    expect(await pending).toMatchObject({ ok: false, error: { kind: 'timeout' } });
  });
  test('redirects: the same origin is followed, a loop is not', async () => {
    const once = clientFor((url) =>
      url.endsWith('/here')
        ? Response.json({ data: [1] })
        : new Response(null, { status: 307, headers: { location: '/here' } }),
    );
    expect(await once.page('snapshot')).toMatchObject({ ok: true, value: { rows: [1] } });
    const circle = clientFor(() => new Response(null, { status: 302, headers: { location: '/x' } }));
    expect(await circle.page('snapshot')).toMatchObject({ ok: false, error: { kind: 'redirected' } });
  });
  test('a request that changes something is not redirected, not even within the origin', async () => {
    const requestedUrls: string[] = [];
    const client = clientFor((url) => {
      requestedUrls.push(url);
      return new Response(null, { status: 307, headers: { location: '/here' } });
    });
    expect(await client.read('trigger', { body: { event: 'signal.created' } })).toMatchObject({
      ok: false,
      error: { kind: 'redirected' },
    });
    expect(requestedUrls).toHaveLength(1);
  });
});
