// Faults: a service that answers garbage, slowly, endlessly, never, or with a wrong time.
// The core stays responsive, reports the error, and after recovery notifies every event of the meantime once.
import { describe, expect, test } from 'vitest';
import { encodeEvent } from '../../shared/wire/sse.ts';
import { connectionOf, notificationIds, setUpCoreBench, shownIds } from '../harness/core-bench.ts';
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

/** A body that comes piece by piece, one every so many ms of the test's clock, for as long as somebody reads it. */
function dripping(piece: string, every: number, type = 'application/json'): Response {
  let isOver = false;
  const { clock } = bench;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const next = (): void => {
        if (isOver) return;
        // As a socket does: what nobody reads is not sent on.
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

/** What the window says of the error, in all its texts. */
function said(rig: CoreRig): string {
  const { outage, stopped, indicators } = connectionOf(rig);
  return [outage?.cause, stopped, ...Object.values(indicators).map(({ detail }) => detail)].join(' | ');
}
const isResponsive = (rig: CoreRig): void => {
  expect(rig.snapshot().rows.length).toBeGreaterThan(0);
  expect(rig.logged.filter(({ message }) => message === 'a job failed')).toEqual([]);
};
/** The service is itself again: what happened is notified, nothing is open. */
async function recovers(rig: CoreRig, events: readonly { event_id: string }[]): Promise<void> {
  bench.service.fault = null;
  bench.service.deaf = false;
  await bench.clock.until(() => shownIds(rig).length >= events.length && connectionOf(rig).outage === null, 300_000);
  await bench.clock.advance(60_000);
  expect(shownIds(rig)).toEqual(notificationIds(...events));
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
    ['answers a page as JSON', () => answer(PAGE), /web page|no event stream|application\/json/],
    ['answers nothing with 200', () => answer(''), /not JSON|no event stream|application\/json/],
    [
      'answers half of its JSON',
      () => answer('{"data":[{"event_id":"evt_'),
      /not JSON|no event stream|application\/json/,
    ],
    ['answers other JSON', () => answer('{"hello":"world"}'), /no list|no event stream|application\/json/],
    ['answers null', () => answer('null'), /no list|no event stream|application\/json/],
    ['answers a page with 502', () => answer(PAGE, 'text/html', 502), /502/],
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
    bench.service.fault = fault;
    bench.service.cut();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(45_000);
    isResponsive(rig);
    expect(said(rig)).toMatch(pattern);
    expect(shownIds(rig)).toEqual([]);
    // Who sends the key elsewhere is stopped until the user says so; everything else is tried again.
    if (connectionOf(rig).stopped !== null) {
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
    await bench.clock.until(() => shownIds(rig).length > 0, 120_000);
    isResponsive(rig);
    expect(connectionOf(rig)).toMatchObject({ outage: null, stopped: null });
    bench.service.fault = null;
    const second = bench.service.emit('QQQ', 2);
    await bench.clock.until(() => connectionOf(rig).indicators.open.state === 'ok', 2 * HOUR);
    await bench.clock.advance(1_000);
    expect(shownIds(rig)).toEqual(notificationIds(event, second));
  });

  test('one byte a second is a stream: its event is notified when it is whole', async () => {
    const rig = await bench.up();
    bench.service.deaf = true;
    const event = bench.service.emit('SPY', 2);
    // Comments between the chunks, as a slow proxy passes them on.
    const text = encodeEvent(event);
    for (const sign of text) {
      bench.service.write(sign);
      await bench.clock.advance(1);
    }
    await bench.clock.advance(1_000);
    expect(shownIds(rig)).toEqual(notificationIds(event));
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
    expect(shownIds(rig).sort()).toEqual(notificationIds(...events).sort());
  });
});

describe('the event log', () => {
  let cursors = 0;
  test.each<[string, () => Response, RegExp]>([
    [
      'gives the same cursor for ever',
      () => answer(JSON.stringify({ data: [], has_more: true, next_cursor: 'again' })),
      /goes in a circle/,
    ],
    [
      'gives a new cursor for ever and nothing else',
      () => {
        cursors += 1;
        return answer(JSON.stringify({ data: [], has_more: true, next_cursor: String(cursors) }));
      },
      /goes in a circle|does not end/,
    ],
    [
      'holds rows that are no events',
      () => answer('{"data":[1,null,"x",{},{"event":"signal.high_risk"}],"has_more":false}'),
      /^/,
    ],
  ])('%s: it is said, the stream goes on, and nothing is lost', async (_, make, pattern) => {
    const rig = await bench.up();
    bench.service.fault = ({ path }) => (path === '/events' ? make() : null);
    bench.service.deaf = true;
    const hidden = bench.service.emit('SPY', 2);
    bench.service.deaf = false;
    const seen = bench.service.emit('QQQ', 2);
    await bench.clock.advance(45_000);
    isResponsive(rig);
    expect(shownIds(rig)).toEqual(notificationIds(seen));
    const logged = rig.logged.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`).join('\n');
    expect(`${said(rig)}\n${logged}`).toMatch(pattern);
    bench.service.fault = null;
    await bench.clock.until(() => shownIds(rig).length > 1, 120_000);
    await bench.clock.advance(60_000);
    expect(shownIds(rig)).toEqual(notificationIds(seen, hidden));
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
    expect(shownIds(rig)).toEqual(notificationIds(first, second));
    bench.service.worldOffset = 0;
    const third = bench.service.emit('IWM', 2);
    await bench.clock.advance(90_000);
    isResponsive(rig);
    expect(shownIds(rig)).toEqual(notificationIds(first, second, third));
    expect(connectionOf(rig).outage).toBeNull();
  },
);
