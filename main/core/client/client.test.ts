// The client's tolerance: what it makes of records, lists and events in other spellings, and what it refuses.
import { describe, expect, test } from 'vitest';
import { SignalSchema } from '../../../shared/wire/records.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { checkService } from './address.ts';
import { createClient, readList } from './client.ts';
import { createCredentials } from './credentials.ts';
import { mendSignal, moment, state } from './mend.ts';
import { readEvent } from './read-event.ts';

const AT = Date.parse('2026-03-02T14:30:00.000Z');
const read = (value: unknown, hints: { name?: string; id?: string } = {}) => readEvent(value, { receivedAt: AT, ...hints });

describe('events', () => {
  const data = { symbol: 'spy', state: 2, confidence: 36 };
  test.each([
    ['nested, by event', { event: 'signal.high_risk', timestamp: '2026-03-02T14:30:00Z', data }, {}],
    ['flat', { event: 'signal.high_risk', timestamp: '2026-03-02T14:30:00Z', ...data }, {}],
    ['name in type', { type: 'signal.high_risk', timestamp: '2026-03-02T14:30:00+00:00', data }, {}],
    ['name from the frame', { timestamp: '2026-03-02 14:30:00', data }, { name: 'signal.high_risk' }],
    [
      'the event name wins over the integer',
      { event: 'signal.high_risk', timestamp: '2026-03-02T14:30:00Z', data: { ...data, state: 1 } },
      {},
    ],
    ['signal.created, by its state', { event: 'signal.created', timestamp: 1772461800, data: { ...data, state: 'HIGH RISK' } }, {}],
  ])('%s', (_, value, hints) => {
    const event = read(value, hints);
    expect(event).toMatchObject({ ok: true, value: { symbol: 'SPY', occurredAt: AT, transition: { to_state: 2, symbol: 'SPY' } } });
  });
  test('ids: own, of the frame, else a hash that is always the same', () => {
    expect(read({ event: 'signal.high_risk', id: 'a', data })).toMatchObject({ value: { eventId: 'a' } });
    expect(read({ event: 'signal.high_risk', data }, { id: 'b' })).toMatchObject({ value: { eventId: 'b' } });
    const [first, second] = [read({ event: 'signal.high_risk', data }), read({ event: 'signal.high_risk', data })];
    expect(first).toEqual(second);
    expect(first).toMatchObject({
      value: { eventId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), marks: expect.arrayContaining(['id', 'time']) },
    });
  });
  test('a state that nobody knows ranks as Elevated, never as Normal', () => {
    expect(read({ event: 'signal.created', data: { symbol: 'SPY', state: 7 } })).toMatchObject({ value: { transition: { to_state: 1 } } });
    expect(read({ event: 'signal.created', data: { symbol: 'SPY', state: 'panic' } })).toMatchObject({
      value: { transition: { to_state: 1 } },
    });
  });
  test("a briefing's kind in type is no event name", () => {
    expect(read({ type: 'pre-market', id: 'b1' }, { name: 'briefing.published' })).toMatchObject({
      value: { event: 'briefing.published', transition: null },
    });
    expect(read({ type: 'pre-market', id: 'b1' })).toMatchObject({ ok: false });
  });
  test.each([
    [null],
    [7],
    ['x'],
    [[]],
    [{}],
    [{ event: 'signal.high_risk', data: {} }],
    [{ event: 'signal.high_risk', data: { symbol: '<script>' } }],
  ])('%j is refused', (value) => {
    expect(read(value).ok).toBe(false);
  });
});

describe('lists', () => {
  test.each([
    [
      { data: [1], has_more: true, next_cursor: 'c' },
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
    ['x', null],
  ])('%j', (body, list) => {
    expect(readList(body, 'snapshot')).toEqual(list);
  });
});

describe('records', () => {
  test('a sparse signal in another spelling is understood', () => {
    const mended = SignalSchema.safeParse(
      mendSignal({ ticker: 'spy', state: 'High-Risk', price: 1.5, timestamp: '2026-03-02T14:30:00+02:00', extra: 1 }),
    );
    expect(mended.data).toMatchObject({
      symbol: 'SPY',
      state: 2,
      state_name: 'high_risk',
      updated_at: '2026-03-02T12:30:00.000Z',
      confidence: null,
    });
  });
  test.each([
    ['2026-03-02T14:30:00Z', '2026-03-02T14:30:00.000Z'],
    ['2026-03-02T14:30:00.5+01:00', '2026-03-02T13:30:00.500Z'],
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['2026-03-02T14:30:00', '2026-03-02T14:30:00.000Z'],
    [1772461800, '2026-03-02T14:30:00.000Z'],
    [1772461800000, '2026-03-02T14:30:00.000Z'],
    ['yesterday', null],
    ['2026-99-99', null],
    [null, null],
  ])('moment %j is %j', (given, understood) => {
    expect(moment(given)).toBe(understood);
  });
  test('states by name before integer', () => {
    expect([state('normal', 2), state(undefined, 1), state('2'), state(null), state(9)]).toEqual([0, 1, 2, null, 1]);
  });
});

describe('addresses and keys', () => {
  const profile = { name: 'p', environment: 'production', baseUrl: null, mode: 'auto', enabled: true } as const;
  const check = (baseUrl: string, key: string | null) => {
    const checked = checkService({ baseUrl, key }, profile);
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
    ['ftp://risk.example', null, 'no web address'],
    ['risk.example', null, 'no web address'],
    ['https://risk.example', 'svc_test_x', 'This is a sandbox key'],
    ['https://risk.example', 'svc_live_a b', 'blanks'],
  ])('%s is refused before a byte is sent', (baseUrl, key, words) => {
    expect(check(baseUrl, key)).toContain(words);
    expect(check(baseUrl, key)).toContain('Nothing was sent.');
  });
});

describe('calls', () => {
  const clock = createManualClock();
  const clientFor = (answer: (url: string) => Response | Promise<Response>) =>
    createClient({
      base: new URL('https://risk.example/v1/'),
      credentials: createCredentials('k', 'auto'),
      fetch: async (url) => answer(url),
      clock,
    });

  test('the path stands under the base path, lists as commas', async () => {
    let asked = '';
    const client = clientFor((url) => {
      asked = url;
      return Response.json({ data: [] });
    });
    await client.page('snapshot', { query: { limit: 100, symbols: ['SPY', 'BRK.B'] } });
    expect(asked).toBe('https://risk.example/v1/snapshot?limit=100&symbols=SPY%2CBRK.B');
  });
  test.each([
    [
      new Response('{"code":"RATE_LIMITED","message":"slow down"}', { status: 429, headers: { 'retry-after': '7' } }),
      { kind: 'rate_limited', code: 'rate_limited', message: 'slow down', retryAfter: 7000 },
    ],
    [new Response('{"title":"Nope","detail":"not for you"}', { status: 403 }), { kind: 'forbidden', message: 'not for you' }],
    [new Response('<html>bad gateway', { status: 502 }), { kind: 'unavailable', message: 'The service answered 502.' }],
    [new Response('{"code":"INVALID_SYMBOL","message":"m"}', { status: 400 }), { kind: 'not_covered' }],
    [new Response('<!doctype html>'), { kind: 'unreadable', message: expect.stringContaining('web page') }],
    [new Response('{"data"'), { kind: 'unreadable' }],
    [new Response('"x"'), { kind: 'unreadable' }],
  ])('%# failures are data', async (response, found) => {
    expect(await clientFor(() => response).page('snapshot')).toMatchObject({ ok: false, error: found });
  });
  test('a body without end is given up', async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20).fill(32)) });
    expect(await clientFor(() => new Response(endless)).page('snapshot')).toMatchObject({ ok: false, error: { kind: 'too_large' } });
  });
  test('a body that stops in the middle is given up after the deadline', async () => {
    const stuck = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"data":[')) });
    const asking = clientFor(() => new Response(stuck)).page('snapshot');
    await clock.advance(11_000);
    expect(await asking).toMatchObject({ ok: false, error: { kind: 'timeout' } });
  });
  test('redirects: the same origin is followed, a circle is not', async () => {
    const once = clientFor((url) =>
      url.endsWith('/here') ? Response.json({ data: [1] }) : new Response(null, { status: 307, headers: { location: '/here' } }),
    );
    expect(await once.page('snapshot')).toMatchObject({ ok: true, value: { rows: [1] } });
    const circle = clientFor(() => new Response(null, { status: 302, headers: { location: '/x' } }));
    expect(await circle.page('snapshot')).toMatchObject({ ok: false, error: { kind: 'redirected' } });
  });
});
