// Test: connection and outage, and the services that Barograph refuses to connect to.
import { describe, expect, test } from 'vitest';
import { optionalText } from '../../../shared/text/message.ts';
import { connectionOf, notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import { settle } from '../../../test/harness/manual-clock.ts';
import { saying } from '../../../test/harness/saying.ts';
import { createServiceStart } from '../../../test/harness/service-start.ts';

const bench = setUpCoreBench();

describe('a service that starts with the core', () => {
  const { up, down, rig: open } = bench;
  const ready = () => ({ kind: 'ready', service: { baseUrl: bench.service.url, key: bench.service.key } }) as const;
  const cause = (rig: ReturnType<typeof open>) => optionalText(connectionOf(rig).outage?.cause ?? null);

  test('how far it is, and why it failed, is an outage of which the rest of the core knows; nothing is sent', async () => {
    const source = createServiceStart();
    const rig = open({ source });
    await rig.core.start();
    expect(cause(rig)).toBe('The service starts.');
    source.become({ kind: 'starting', progress: { what: 'reading', done: 120, total: 500, left: 30_000 } });
    expect(cause(rig)).toBe('The service starts. Reading price files: 120 of 500 files (24\u00a0%), 30\u00a0s left.');
    source.become({ kind: 'failed', why: 'the folder is empty' });
    expect(cause(rig)).toBe(
      'The service inside the app does not start: the folder is empty. Barograph tries again by itself.',
    );
    expect(rig.core.status().offlineReason).not.toBeNull();
    rig.core.wake('resume');
    await rig.core.readClock();
    await rig.core.handlers['connection.retry']({});
    await bench.clock.advance(60_000);
    expect(source.retries).toBe(1);
    expect(bench.service.requests).toEqual([]);
    expect(rig.logged.filter(({ message }) => message === 'outage')).toEqual([]);
  });

  test('what is stored is read meanwhile; once it is ready the outage ends, and only what is new is notified', async () => {
    const before = await up();
    const first = bench.service.emit('SPY', 2);
    await bench.clock.until(() => shownIds(before).length === 1);
    await down(before);
    const source = createServiceStart();
    const rig = open({ source });
    await rig.core.start();
    expect(rig.snapshot().alerts.map(({ transition }) => transition.event_id)).toEqual([first.event_id]);
    await bench.clock.advance(50_000);
    source.become(ready());
    await bench.clock.until(() => connectionOf(rig).outage === null);
    bench.service.emit('QQQ', 2);
    await bench.clock.until(() => rig.shown.length > 0);
    expect(rig.shown.map(({ title }) => title)).toEqual([expect.stringContaining('QQQ')]);
    expect(rig.snapshot().gaps).toMatchObject([{ closed: true, cause: saying(/not run/) }]);
  });

  test('events that a service computes of its past at its first start are not notified', async () => {
    const source = createServiceStart();
    const rig = open({ source });
    await rig.core.start();
    await bench.clock.advance(50_000);
    bench.service.emit('SPY', 2);
    bench.service.emit('SPY', 0);
    await bench.clock.advance(1_000);
    source.become(ready());
    await bench.clock.until(() => connectionOf(rig).outage === null);
    await bench.clock.advance(5_000);
    expect(rig.snapshot().ledger.events).toBe(2);
    expect(shownIds(rig)).toEqual([]);
  });
});

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
    expect(optionalText(connection.outage?.cause ?? null)).toContain('nothing listens there');
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
    expect(rig.snapshot().gaps).toMatchObject([{ closed: true, cause: saying(/stream/) }]);
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

  test('no outage begins in the future where the clock was set back', async () => {
    const rig = await bench.up();
    await bench.clock.advance(20_000);
    bench.service.fault = () => 'unreachable';
    bench.clock.jump(-3_600_000);
    const setBack = bench.clock.now();
    rig.core.wake('clock');
    await bench.clock.advance(1_000);
    const since = Date.parse(connectionOf(rig).outage?.since ?? '');
    expect(Math.abs(since - setBack)).toBeLessThan(2_000);
    expect(Date.parse(rig.snapshot().gaps[0]?.from ?? '')).toBeLessThanOrEqual(bench.clock.now());
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
});

describe('refusals', () => {
  test('a key of the other environment is refused before a byte is sent', async () => {
    const rig = bench.rig({ key: 'svc_live_0123456789abcdef' });
    await rig.core.start();
    await bench.clock.advance(60_000);
    expect(bench.service.requests).toEqual([]);
    expect(optionalText(connectionOf(rig).refused)).toBe(
      'This is a production key, and profile sandbox is a sandbox. Use a key that begins with svc_test_. Nothing was sent.',
    );
    expect(connectionOf(rig).outage).not.toBeNull();
  });

  test('a service of the other environment gets no key', async () => {
    bench.service.environment = 'production';
    const rig = bench.rig();
    await rig.core.start();
    await bench.clock.advance(60_000);
    expect(optionalText(connectionOf(rig).refused)).toContain('is production, and profile sandbox is sandbox');
    expect(bench.service.requests.filter((request) => request.headers.has('x-api-key'))).toEqual([]);
    // It is checked again: the address may lead to the right service later.
    bench.service.environment = 'sandbox';
    await bench.clock.advance(150_000);
    expect(connectionOf(rig)).toMatchObject({ refused: null, outage: null });
  });

  test('a service of the other environment that takes its place is not asked for its log, and none of its events is recorded', async () => {
    const rig = await bench.up();
    bench.service.fault = () => 'unreachable';
    bench.service.cut();
    const untilAttempt = () => Date.parse(connectionOf(rig).retry?.at ?? '') - bench.clock.now();
    await bench.clock.until(() => untilAttempt() > 10_000, 600_000);
    const before = bench.service.requests.length;
    bench.service.environment = 'production';
    bench.service.emit('SPY', 2);
    bench.service.fault = null;
    await bench.clock.advance(90_000);
    const asked = bench.service.requests.slice(before);
    expect(asked.map(({ path }) => path)).toContain('/');
    // No list of signals either: the trust in the previous service has ended.
    expect(asked.filter(({ headers }) => headers.has('x-api-key')).map(({ path }) => path)).toEqual([]);
    expect(rig.snapshot().ledger.events).toBe(0);
    expect(optionalText(connectionOf(rig).refused)).toContain('is production, and profile sandbox is sandbox');
  });

  const REFUSALS: [string, () => Response][] = [
    ['401', () => Response.json({ code: 'invalid_key', message: 'Unknown key.' }, { status: 401 })],
    ['402', () => Response.json({ code: 'payment_required', message: 'Unpaid.' }, { status: 402 })],
    ['403', () => Response.json({ code: 'forbidden', message: 'Not in the plan.' }, { status: 403 })],
    ['204', () => new Response(null, { status: 204 })],
    ['302', () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } })],
  ];
  test.each(REFUSALS)('four seconds of %s are no outage, and the stream resumes by itself', async (_, answer) => {
    const rig = await bench.up();
    await bench.clock.advance(20_000);
    bench.service.fault = ({ path }) => (path === '/' ? null : answer());
    bench.service.cut();
    const missed = bench.service.emit('SPY', 2);
    await bench.clock.advance(4_000);
    expect(connectionOf(rig).refused).not.toBeNull();
    bench.service.fault = null;
    await bench.clock.advance(30_000);
    expect(rig.shown.filter(({ id }) => id.startsWith('barograph:outage:'))).toEqual([]);
    expect(connectionOf(rig)).toMatchObject({ refused: null, outage: null, indicators: { open: { state: 'ok' } } });
    expect(shownIds(rig)).toContain(notificationIds(missed)[0]);
    expect(shownIds(rig).filter((id) => notificationIds(missed).includes(id))).toHaveLength(1);
  });

  test('a refusal of twenty seconds is notified, with its cause and its length', async () => {
    const rig = await bench.up();
    await bench.clock.advance(20_000);
    bench.service.accepts = () => false;
    bench.service.cut();
    const notices = () => rig.shown.filter(({ id }) => id.startsWith('barograph:outage:'));
    await bench.clock.advance(19_000);
    expect(notices()).toEqual([]);
    await bench.clock.advance(12_000);
    expect(notices()).toHaveLength(1);
    expect(notices()[0]?.body).toMatch(/^For [23]\d seconds\. /);
    expect(notices()[0]?.body).toContain(optionalText(connectionOf(rig).refused).slice(0, 30));
  });

  test('402 for fourteen minutes: the stream is back within two minutes of its end, with what was missed', async () => {
    const rig = await bench.up();
    await bench.clock.advance(20_000);
    bench.service.fault = ({ path }) =>
      path === '/' ? null : Response.json({ code: 'payment_required', message: 'Unpaid.' }, { status: 402 });
    bench.service.cut();
    await bench.clock.advance(14 * 60_000);
    expect(connectionOf(rig).refused).not.toBeNull();
    const missed = bench.service.emit('SPY', 2);
    bench.service.fault = null;
    await bench.clock.advance(120_000);
    expect(connectionOf(rig)).toMatchObject({ refused: null, outage: null, indicators: { open: { state: 'ok' } } });
    expect(shownIds(rig).filter((id) => notificationIds(missed).includes(id))).toHaveLength(1);
  });

  test('401 for an hour: few requests with the key, and a wake or the user asks at once', async () => {
    bench.service.accepts = () => false;
    const rig = bench.rig();
    await rig.core.start();
    await bench.clock.advance(60 * 60_000);
    const withKey = () =>
      bench.service.requests.filter(({ headers }) => headers.has('x-api-key') || headers.has('authorization')).length;
    expect(connectionOf(rig)).toMatchObject({ refused: saying(/does not accept the key/), retry: { attempt: 13 } });
    // Two forms of the key in each attempt, and the requests that began with the first.
    expect(withKey()).toBeLessThan(40);
    const count = bench.streamRequests();
    rig.core.wake('network');
    await bench.clock.advance(1_000);
    expect(bench.streamRequests()).toBeGreaterThan(count);
    expect(connectionOf(rig).refused).not.toBeNull();
    bench.service.accepts = () => true;
    rig.core.handlers['connection.retry']({});
    await bench.clock.advance(2_000);
    expect(connectionOf(rig)).toMatchObject({ refused: null, outage: null, indicators: { open: { state: 'ok' } } });
  });

  test('a redirect elsewhere is refused, and the key is not sent', async () => {
    bench.service.fault = ({ path }) =>
      path === '/' || path === '/proof'
        ? null
        : new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/stream' } });
    const rig = bench.rig();
    await rig.core.start();
    await bench.clock.advance(5_000);
    expect(optionalText(connectionOf(rig).refused)).toContain('https://elsewhere.example');
    expect(bench.service.requests.every((request) => request.url.origin === bench.service.url)).toBe(true);
  });

  test('a service that never answers is abandoned after the deadline and retried', async () => {
    bench.service.fault = () => 'silence';
    const rig = bench.rig();
    await rig.core.start();
    await bench.clock.advance(12_000);
    expect(optionalText(connectionOf(rig).outage?.cause ?? null)).toContain('did not prove itself within 5 s');
    bench.service.fault = null;
    await bench.clock.until(() => connectionOf(rig).outage === null);
  });
});

test('after a lost connection nothing is sent with the key before the service has given its identity again', async () => {
  const rig = await bench.up();
  await bench.clock.advance(5_000);
  const keyed: string[] = [];
  // Another program took the port; it is slow with its identity.
  bench.service.fault = ({ path, headers }) => {
    if (headers.has('x-api-key')) keyed.push(path);
    return path === '/' || path === '/proof' ? 'silence' : Response.json({ data: [], has_more: false });
  };
  bench.service.cut();
  await bench.clock.advance(20_000);
  expect(keyed).toEqual([]);
  bench.service.fault = null;
  const before = bench.service.requests.length;
  await bench.clock.until(() => connectionOf(rig).indicators.open.state === 'ok');
  await bench.clock.advance(2_500);
  expect(bench.service.requests.slice(before).map(({ path }) => path)).toContain('/snapshot');
});

test('a restarted service is not read before it has given its time again', async () => {
  await bench.up();
  await bench.clock.advance(5_000);
  bench.service.fault = () => 'unreachable';
  bench.service.cut();
  await bench.clock.advance(1_000);
  const before = bench.service.requests.length;
  const read = (): string[] => bench.service.requests.slice(before).map(({ path }) => path);
  const starting = { error: { code: 'temporarily_unavailable', message: 'The service is starting.' } };
  bench.service.fault = ({ path }) =>
    path === '/' ? Response.json(starting, { status: 503, headers: { 'retry-after': '1' } }) : null;
  await bench.clock.advance(10_000);
  expect(read()).toContain('/');
  expect(read()).not.toContain('/events');
  bench.service.fault = null;
  await bench.clock.until(() => read().includes('/events'));
});

test('an event after the start is notified, however late the first answer of the service came', async () => {
  const { fetch } = bench.service;
  Object.assign(bench.service, {
    fetch: async (...request: Parameters<typeof fetch>) => {
      if (new URL(request[0]).pathname === '/') await new Promise<void>((resolve) => bench.clock.after(4_000, resolve));
      return fetch(...request);
    },
  });
  const rig = bench.rig();
  await rig.core.start();
  await bench.clock.advance(1_000);
  const event = bench.service.emit('SPY', 2);
  await bench.clock.until(() => connectionOf(rig).indicators.open.state === 'ok');
  await bench.clock.advance(1_000);
  expect(shownIds(rig)).toEqual(notificationIds(event));
});
