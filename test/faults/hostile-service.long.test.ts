// Faults: a service that answers garbage, slowly, endlessly, never, or with a wrong time.
// The core stays responsive, reports the error, and after recovery notifies every event of the meantime once.
import { describe, expect, test } from 'vitest';
import { optionalText, textOf } from '../../shared/text/message.ts';
import { encodeEvent } from '../../shared/wire/sse.ts';
import { connectionOf, namedIds, notificationIds, setUpCoreBench } from '../harness/core-bench.ts';
import type { CoreRig } from '../harness/core-rig.ts';
import type { Fault } from '../harness/wire-service.ts';

const bench = setUpCoreBench();
const HOUR = 3_600_000;

const answer = (
  body: string,
  type = 'application/json',
  status = 200,
  headers: Record<string, string> = {},
): Response => new Response(body, { status, headers: { 'content-type': type, ...headers } });
const PAGE = '<!doctype html><html><body>Sign in to the network</body></html>';

/** A body in chunks, one every so many ms of the test's clock, while it is read. */
function dripping(piece: string, every: number, type = 'application/json'): Response {
  let isOver = false;
  const { clock } = bench;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const next = (): void => {
        if (isOver) return;
        // Back-pressure, like a socket: unread chunks stop the sender.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(piece));
        clock.after(every, next);
      };
      next();
    },
    cancel() {
      isOver = true;
    },
  });
  return new Response(body, { headers: { 'content-type': type } });
}

/** Without notifications of outages and their end. */
const alertIds = (rig: CoreRig): string[] => namedIds(rig).filter((id) => !id.startsWith('barograph:outage:'));

/** All texts of the window about the error. */
function said(rig: CoreRig): string {
  const { outage, refused, indicators } = connectionOf(rig);
  return [
    optionalText(outage?.cause ?? null),
    optionalText(refused),
    ...Object.values(indicators).map(({ detail }) => textOf(detail)),
  ].join(' | ');
}
const isResponsive = (rig: CoreRig): void => {
  expect(rig.snapshot().rows.length).toBeGreaterThan(0);
  expect(rig.logged.filter(({ message }) => message === 'a job failed')).toEqual([]);
};
/** The service works again: every event is notified, and no gap is open. */
async function recovers(rig: CoreRig, events: readonly { event_id: string }[]): Promise<void> {
  bench.service.fault = null;
  bench.service.deaf = false;
  await bench.clock.until(() => alertIds(rig).length >= events.length && connectionOf(rig).outage === null, 300_000);
  await bench.clock.advance(60_000);
  expect(alertIds(rig)).toEqual(notificationIds(...events));
  expect(connectionOf(rig).indicators).toMatchObject({ open: { state: 'ok' }, verified: { state: 'ok' } });
  expect(rig.snapshot().gaps.filter(({ closed }) => !closed)).toEqual([]);
}

describe('every route', () => {
  const line = 'x'.repeat(1024 * 1024);
  test.each<[string, Fault, RegExp]>([
    ['does not answer', () => 'unreachable', /does not answer/],
    ['takes the call and never answers', () => 'silence', /did not answer within|timed out/],
    ['sends one byte a second', () => dripping(' ', 1_000), /did not answer within|timed out/],
    ['sends without end', () => dripping(line, 200), /larger than 8 MB|answered 200/],
    ['answers a page with 200', () => answer(PAGE, 'text/html'), /web page|text\/html/],
    ['answers other JSON', () => answer('{"hello":"world"}'), /no list|no event stream|application\/json/],
    ['answers 500 with its trace', () => answer('Error\n  at x', 'text/plain', 500), /500/],
    [
      'sends everybody round',
      ({ url }) => answer('', 'text/plain', 302, { location: url.href }),
      /sends this request on/,
    ],
    [
      'sends everybody elsewhere',
      () => answer('', 'text/plain', 307, { location: 'https://evil.example/' }),
      /evil\.example/,
    ],
  ])('%s', async (_, fault, pattern) => {
    const rig = await bench.up();
    // It knows the key: what cannot prove that is asked nothing else.
    bench.service.fault = (request) => (request.path === '/proof' ? null : fault(request));
    bench.service.cut();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(45_000);
    isResponsive(rig);
    expect(said(rig)).toMatch(pattern);
    // The desktop is told at once of a service that refuses, and of no alert.
    expect(alertIds(rig)).toEqual([]);
    // After a redirect the retries are slow: the user asks at once.
    if (connectionOf(rig).refused !== null) {
      bench.service.fault = null;
      rig.core.handlers['connection.retry']({});
    }
    await recovers(rig, [event]);
  });
});

describe('the stream alone', () => {
  const onStream =
    (make: () => Response | 'silence'): Fault =>
    ({ path }) =>
      path === '/stream' ? make() : null;
  test.each<[string, Fault]>([
    ['never begins', onStream(() => 'silence')],
    ['is a page', onStream(() => answer(PAGE, 'text/html'))],
    ['is one line of 10 MB', onStream(() => answer(`data: ${'x'.repeat(10 * 1024 * 1024)}\n\n`, 'text/event-stream'))],
    [
      'is many lines of one frame without end',
      onStream(() => dripping('data: x\n'.repeat(80_000), 100, 'text/event-stream')),
    ],
    ['ends at once, every time', onStream(() => answer('', 'text/event-stream'))],
    [
      'is garbage',
      onStream(() => answer('\u0000\ufffd:::\n\ndata: {"event":\n\ndata: []\n\nid: \u0000\n\n', 'text/event-stream')),
    ],
    ['asks for a wait of a year', onStream(() => answer('', 'text/plain', 503, { 'retry-after': '31536000' }))],
  ])('%s: what happens is polled, notified, and the stream comes back by itself', async (_, fault) => {
    const rig = await bench.up();
    bench.service.fault = fault;
    bench.service.cut();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.until(() => namedIds(rig).length > 0, 120_000);
    isResponsive(rig);
    expect(connectionOf(rig)).toMatchObject({ outage: null, refused: null });
    bench.service.fault = null;
    const second = bench.service.emit('QQQ', 2);
    await bench.clock.until(() => connectionOf(rig).indicators.open.state === 'ok', 2 * HOUR);
    await bench.clock.advance(3_000);
    expect(namedIds(rig)).toEqual(notificationIds(event, second));
  });

  test('at one byte a second an event is notified once it is complete', async () => {
    const rig = await bench.up();
    bench.service.deaf = true;
    const event = bench.service.emit('SPY', 2);
    // Comments between the chunks, like a slow proxy.
    const text = encodeEvent(event);
    for (const sign of text) {
      bench.service.write(sign);
      await bench.clock.advance(1);
    }
    await bench.clock.advance(1_000);
    expect(namedIds(rig)).toEqual(notificationIds(event));
  });

  test('repeated, reordered and old events are each notified once', async () => {
    const rig = await bench.up();
    bench.service.deaf = true;
    const events = ['SPY', 'QQQ', 'IWM', 'AAPL'].map((symbol) => bench.service.emit(symbol, 2));
    const frames = [...events, ...events].reverse().map(encodeEvent);
    bench.service.write(frames.join(''));
    await bench.clock.advance(1_000);
    for (const frame of frames) bench.service.write(frame);
    bench.service.cut();
    await bench.clock.advance(60_000);
    expect(namedIds(rig).sort()).toEqual(notificationIds(...events).sort());
  });
});

describe('the event log', () => {
  let cursors = 0;
  test.each<[string, () => Response]>([
    [
      'gives the same cursor for ever',
      () => answer(JSON.stringify({ data: [], has_more: true, next_cursor: 'again' })),
    ],
    [
      'gives a new cursor for ever and nothing else',
      () => {
        cursors += 1;
        return answer(JSON.stringify({ data: [], has_more: true, next_cursor: String(cursors) }));
      },
    ],
    [
      'holds rows that are no events',
      () => answer('{"data":[1,null,"x",{},{"event":"signal.high_risk"}],"has_more":false}'),
    ],
  ])('%s: the transitions are read in its place, nothing counts as proven, and nothing is lost', async (_, make) => {
    const rig = await bench.up();
    bench.service.fault = ({ path }) => (path === '/events' ? make() : null);
    bench.service.deaf = true;
    const hidden = bench.service.emit('SPY', 2);
    bench.service.deaf = false;
    const seen = bench.service.emit('QQQ', 2);
    await bench.clock.advance(45_000);
    isResponsive(rig);
    expect(namedIds(rig)).toEqual(notificationIds(seen, hidden));
    expect(connectionOf(rig).provable).toBe(false);
    bench.service.fault = null;
    await bench.clock.advance(120_000);
    expect(connectionOf(rig).provable).toBe(true);
    expect(namedIds(rig)).toEqual(notificationIds(seen, hidden));
    expect(rig.snapshot().gaps.filter(({ closed }) => !closed)).toEqual([]);
  });
});

test.each([
  ['ahead', 25 * HOUR],
  ['behind', -25 * HOUR],
])(
  'a clock that is a day %s, at once and in the middle: events are notified by the clock of the service',
  async (_, offset) => {
    const rig = await bench.up();
    const first = bench.service.emit('SPY', 2);
    await bench.clock.advance(1_000);
    bench.service.worldOffset = offset;
    const second = bench.service.emit('QQQ', 2);
    await bench.clock.advance(90_000);
    expect(Math.abs(connectionOf(rig).clock.offset - offset)).toBeLessThan(5_000);
    expect(namedIds(rig)).toEqual(notificationIds(first, second));
    bench.service.worldOffset = 0;
    const third = bench.service.emit('IWM', 2);
    await bench.clock.advance(90_000);
    isResponsive(rig);
    expect(namedIds(rig)).toEqual(notificationIds(first, second, third));
    expect(connectionOf(rig).outage).toBeNull();
  },
);
