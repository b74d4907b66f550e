// Test: the event from which the list is read again after the stream broke.
import { expect, test } from 'vitest';
import { message } from '../../../shared/text/message.ts';
import type { EventEnvelope } from '../../../shared/wire/events.ts';
import { namedIds, notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';

const bench = setUpCoreBench();

test('a log of other events whose numbers happen to continue the known ones hides nothing', async () => {
  const rig = await bench.up();
  const first = bench.service.emit('SPY', 1);
  const second = bench.service.emit('QQQ', 1);
  await bench.clock.advance(31_000);
  // The service returns without its oldest event: the others have the same ids and numbers one less.
  bench.service.fault = ({ path }) => (path === '/events' ? 'unreachable' : null);
  bench.service.replaceLog();
  bench.service.log.push({ ...second, seq: 1 });
  bench.service.deaf = true;
  const missed = bench.service.emit('IWM', 2);
  await bench.clock.until(() => bench.service.streams() === 1);
  bench.service.deaf = false;
  const live = bench.service.emit('AAPL', 2);
  expect([first.seq, second.seq, missed.seq, live.seq]).toEqual([1, 2, 2, 3]);
  await bench.clock.advance(1_000);
  bench.service.fault = null;
  await bench.clock.advance(60_000);
  expect(namedIds(rig).sort()).toEqual(notificationIds(missed, live).sort());
});

test('a log that never joins the ledger is an outage, not a connection', async () => {
  const rig = await bench.up();
  bench.service.emit('SPY', 1);
  await bench.clock.advance(1_000);
  // The list ends before the events of the stream, for ever.
  const nothing = { data: [], has_more: false, next_cursor: null };
  bench.service.fault = ({ path }) => (path === '/events' ? Response.json(nothing) : null);
  bench.service.deaf = true;
  bench.service.emit('QQQ', 1);
  bench.service.deaf = false;
  bench.service.emit('IWM', 1);
  await bench.clock.advance(5 * 60_000);
  expect(rig.snapshot().connection.outage?.cause).toEqual(message('connection.unjoined'));
  bench.service.fault = null;
  await bench.clock.advance(60_000);
  expect(rig.snapshot().connection.outage).toBeNull();
});

test('a log with new numbers for known events is detected', async () => {
  const rig = await bench.up();
  bench.service.emit('SPY', 1);
  const known = bench.service.emit('QQQ', 1);
  await bench.clock.advance(31_000);
  // The oldest event is gone, and the service numbers the rest again.
  bench.service.replaceLog();
  bench.service.log.push({ ...known, seq: 1 });
  await bench.clock.advance(31_000);
  bench.service.deaf = true;
  const missed = bench.service.emit('IWM', 2);
  bench.service.deaf = false;
  const live = bench.service.emit('AAPL', 2);
  expect([known.seq, missed.seq, live.seq]).toEqual([2, 2, 3]);
  await bench.clock.advance(60_000);
  expect(namedIds(rig).sort()).toEqual(notificationIds(missed, live).sort());
});

test.each([
  ['alone', (event: EventEnvelope) => [again(event, 1)]],
  ['after what the stream never brought', (event: EventEnvelope) => [other(1), again(event, 2)]],
])('a stream event that another log lists under another id and number is notified once: %s', async (_, listed) => {
  const rig = await bench.up();
  // Only the stream brings events, and they lie beyond a hole.
  bench.service.fault = ({ path }) => (path === '/events' ? 'unreachable' : null);
  bench.service.deaf = true;
  bench.service.emit('IWM', 1);
  bench.service.emit('QQQ', 1);
  bench.service.deaf = false;
  const event = bench.service.emit('SPY', 2);
  await bench.clock.advance(5_000);
  bench.service.replaceLog();
  bench.service.log.push(...listed(event));
  bench.service.fault = null;
  await bench.clock.advance(60_000);
  expect(shownIds(rig)).toEqual(notificationIds(event));
  expect(rig.snapshot().connection.outage).toBeNull();
  const live = bench.service.emit('AAPL', 2);
  await bench.clock.advance(5_000);
  expect(shownIds(rig)).toEqual(notificationIds(event, live));
});

test('two transitions within a second, the first missing on the stream, are notified as two', async () => {
  const rig = await bench.up();
  bench.service.deaf = true;
  bench.service.emit('IWM', 1);
  const first = bench.service.emit('SPY', 2);
  bench.service.deaf = false;
  const second = bench.service.emit('SPY', 2);
  await bench.clock.advance(60_000);
  expect(namedIds(rig).sort()).toEqual(notificationIds(first, second).sort());
});

/** An event of another symbol, much earlier. */
function other(seq: number): EventEnvelope {
  const event = bench.service.emit('DIA', 1, { at: '2026-03-02T09:00:00.000Z' });
  bench.service.log.pop();
  return { ...event, seq };
}

/** The event as another log lists it. */
function again(event: EventEnvelope, seq: number): EventEnvelope {
  const id = `${event.event_id}-anew`;
  return { ...event, seq, event_id: id, data: { ...event.data, event_id: id } } as EventEnvelope;
}
