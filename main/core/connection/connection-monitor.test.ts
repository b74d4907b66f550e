// Test: connection and outage, and the services that Barograph refuses to connect to.
import { describe, expect, test } from 'vitest';
import { connectionOf, notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import { settle } from '../../../test/harness/manual-clock.ts';

const bench = setUpCoreBench();

describe('connection', () => {
  test('is lost at once when the service goes, and back only when every event is fetched', async () => {
    const rig = await bench.up();
    await bench.clock.advance(20_000);
    expect(connectionOf(rig)).toMatchObject({
      outage: null,
      indicators: { open: { state: 'ok' }, bytes: { state: 'ok' }, fresh: { state: 'ok' }, verified: { state: 'ok' } },
    });
    const last = bench.clock.now();
    bench.service.fault = () => 'unreachable';
    bench.service.cut();
    await bench.clock.advance(100);
    const connection = connectionOf(rig);
    expect(connection.outage?.cause).toContain('nothing listens there');
    expect(Date.parse(connection.outage?.since ?? '')).toBeLessThanOrEqual(last);
    expect(connection).toMatchObject({
      indicators: {
        open: { state: 'down' },
        bytes: { state: 'down' },
        fresh: { state: 'down', since: connection.outage?.since },
        verified: { state: 'down' },
      },
      retry: { attempt: 1 },
    });
    const missed = bench.service.emit('SPY', 2);
    bench.service.fault = ({ path }) => (path === '/events' ? 'unreachable' : null);
    await bench.clock.until(() => connectionOf(rig).indicators.open.state === 'ok');
    await bench.clock.advance(2_000);
    expect(connectionOf(rig).outage).not.toBeNull();
    bench.service.fault = null;
    await bench.clock.until(() => connectionOf(rig).outage === null);
    expect(rig.snapshot().ledger.events).toBe(1);
    await bench.clock.advance(100);
    expect(shownIds(rig)).toEqual(notificationIds(missed));
    expect(rig.snapshot().gaps).toMatchObject([{ closed: true, cause: expect.stringContaining('stream') }]);
  });

  test('without a stream but with answers, events are polled and there is no outage', async () => {
    const rig = await bench.up();
    bench.service.fault = ({ path }) => (path === '/stream' ? new Response('no', { status: 502 }) : null);
    bench.service.cut();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(10_000);
    expect(shownIds(rig)).toEqual(notificationIds(event));
    expect(rig.snapshot().alerts[0]?.sources[0]).toBe('poll');
    expect(connectionOf(rig)).toMatchObject({ outage: null, indicators: { open: { state: 'down' } } });
  });

  test('a stream that is open and dead is noticed after two and a half heartbeats', async () => {
    const rig = await bench.up();
    await bench.clock.advance(31_000);
    expect(bench.service.streams()).toBe(1);
    const before = bench.streamRequests();
    bench.service.mute = true;
    bench.service.deaf = true;
    const missed = bench.service.emit('SPY', 2);
    await bench.clock.advance(30_000);
    expect(bench.service.requests.filter((request) => request.path === '/stream')).toHaveLength(before);
    await bench.clock.advance(10_000);
    expect(bench.streamRequests()).toBeGreaterThan(before);
    expect(shownIds(rig)).toEqual(notificationIds(missed));
  });

  test('wake reconnects at once', async () => {
    const rig = await bench.up();
    const before = bench.streamRequests();
    rig.core.wake('resume');
    await settle();
    expect(bench.service.requests.filter((request) => request.path === '/stream')).toHaveLength(before + 1);
    expect(bench.service.streams()).toBe(1);
    await bench.clock.advance(100);
    expect(connectionOf(rig).indicators.open.state).toBe('ok');
  });

  test('a full log of garbage on the stream is counted and changes nothing', async () => {
    const rig = await bench.up();
    bench.service.write(
      'data: {"half":\n\ndata: <html>\n\nevent: nonsense\ndata: 7\n\nevent: open\ndata: x\n\nevent: error\ndata: x\n\nid: 9\n\n: a comment\n\n',
    );
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(200);
    expect(shownIds(rig)).toEqual(notificationIds(event));
    expect(rig.logged.filter(({ message }) => message.includes('no event'))).toHaveLength(5);
    expect(connectionOf(rig).indicators.open.state).toBe('ok');
  });

  test('an event with an unknown name is kept', async () => {
    const rig = await bench.up();
    bench.service.write(
      'id: x1\nevent: moon.phase\ndata: {"event_id":"x1","event":"moon.phase","timestamp":"2026-03-02T14:31:00.000Z","data":{"phase":"full"}}\n\n',
    );
    await bench.clock.advance(200);
    expect(rig.snapshot().ledger.events).toBe(1);
  });

  test('the world clock comes from the service', async () => {
    const start = bench.clock.now();
    const real = bench.service.fetch;
    const rig = await bench.up({
      ports: {
        fetch: async (url, init) => {
          bench.service.worldOffset = 3_600_000 + 59 * (bench.clock.now() - start);
          return real(url, init);
        },
      },
    });
    await bench.clock.advance(5_000);
    expect(connectionOf(rig).clock.speed).toBe(60);
    const offset = connectionOf(rig).clock.offset;
    expect(Math.abs(offset - (3_600_000 + 59 * (bench.clock.now() - start)))).toBeLessThan(2_000);
  });
});

describe('refusals', () => {
  test('a key of the other environment is refused before a byte is sent', async () => {
    const rig = bench.rig({ key: 'svc_live_0123456789abcdef' });
    await rig.core.start();
    await bench.clock.advance(60_000);
    expect(bench.service.requests).toEqual([]);
    expect(connectionOf(rig).stopped).toBe(
      'This is a production key, and profile sandbox is a sandbox. Use a key that begins with svc_test_. Nothing was sent.',
    );
    expect(connectionOf(rig).outage).not.toBeNull();
  });

  test('http to another computer is refused before a byte is sent', async () => {
    const rig = bench.rig({ baseUrl: 'http://risk.example' });
    await rig.core.start();
    await bench.clock.advance(60_000);
    expect(bench.service.requests).toEqual([]);
    expect(connectionOf(rig).stopped).toContain('https://');
  });

  test('a service of the other environment gets no key', async () => {
    bench.service.environment = 'production';
    const rig = bench.rig();
    await rig.core.start();
    await bench.clock.advance(60_000);
    expect(connectionOf(rig).stopped).toContain('is production, and profile sandbox is sandbox');
    expect(bench.service.requests.filter((request) => request.headers.has('x-api-key'))).toEqual([]);
  });

  test('401 stops and asks; the user tries again', async () => {
    bench.service.accepts = () => false;
    const rig = bench.rig();
    await rig.core.start();
    await bench.clock.advance(60_000);
    const count = bench.streamRequests();
    expect(connectionOf(rig)).toMatchObject({
      stopped: expect.stringContaining('does not accept the key'),
      retry: null,
    });
    await bench.clock.advance(600_000);
    expect(bench.streamRequests()).toBe(count);
    rig.core.wake('resume');
    await bench.clock.advance(1_000);
    expect(bench.streamRequests()).toBe(count);
    bench.service.accepts = () => true;
    rig.core.handlers['connection.retry']({});
    await bench.clock.advance(2_000);
    expect(connectionOf(rig)).toMatchObject({ stopped: null, outage: null, indicators: { open: { state: 'ok' } } });
  });

  test('Bearer is tried once after a 401 and remembered', async () => {
    bench.service.accepts = (headers) => headers.get('authorization') === `Bearer ${bench.service.key}`;
    const rig = await bench.up();
    expect(connectionOf(rig).outage).toBeNull();
    await bench.clock.advance(10_000);
    const withKey = bench.service.requests.filter((request) => request.headers.has('x-api-key'));
    expect(withKey.length).toBeLessThanOrEqual(2);
    expect(bench.service.requests.filter((request) => request.headers.has('authorization')).length).toBeGreaterThan(3);
  });

  test('503 with Retry-After is obeyed', async () => {
    const rig = await bench.up();
    bench.service.fault = ({ path }) =>
      path === '/stream'
        ? Response.json(
            { code: 'temporarily_unavailable', message: 'later' },
            { status: 503, headers: { 'retry-after': '40' } },
          )
        : null;
    bench.service.cut();
    await bench.clock.until(() => connectionOf(rig).retry !== null && bench.streamRequests() === 2);
    const count = bench.streamRequests();
    await bench.clock.advance(39_000);
    expect(bench.streamRequests()).toBe(count);
    await bench.clock.advance(2_000);
    expect(bench.streamRequests()).toBe(count + 1);
  });

  test('204 stops; 500 and a broken network do not', async () => {
    const rig = await bench.up();
    bench.service.fault = ({ path }) => (path === '/stream' ? new Response('oops', { status: 500 }) : null);
    bench.service.cut();
    await bench.clock.advance(120_000);
    expect(bench.streamRequests()).toBeGreaterThan(4);
    expect(connectionOf(rig).stopped).toBeNull();
    bench.service.fault = ({ path }) => (path === '/stream' ? new Response(null, { status: 204 }) : null);
    await bench.clock.until(() => connectionOf(rig).stopped !== null);
    expect(connectionOf(rig).stopped).toContain('(204)');
  });

  test('a redirect elsewhere is refused, and the key is not sent', async () => {
    bench.service.fault = ({ path }) =>
      path === '/'
        ? null
        : new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/stream' } });
    const rig = bench.rig();
    await rig.core.start();
    await bench.clock.advance(5_000);
    expect(connectionOf(rig).stopped).toContain('https://elsewhere.example');
    expect(bench.service.requests.every((request) => request.url.origin === bench.service.url)).toBe(true);
  });

  test('a page instead of a stream is reported', async () => {
    bench.service.fault = ({ path }) =>
      path === '/stream' ? new Response('<html>log in', { headers: { 'content-type': 'text/html' } }) : null;
    const rig = bench.rig();
    await rig.core.start();
    await bench.clock.advance(3_000);
    expect(connectionOf(rig).indicators.open.state).toBe('down');
    expect(rig.snapshot().connection.retry).not.toBeNull();
  });

  test('a service that never answers is abandoned after the deadline and retried', async () => {
    bench.service.fault = () => 'silence';
    const rig = bench.rig();
    await rig.core.start();
    await bench.clock.advance(12_000);
    expect(connectionOf(rig).outage?.cause).toContain('did not answer within 10 s');
    bench.service.fault = null;
    await bench.clock.until(() => connectionOf(rig).outage === null);
  });
});
