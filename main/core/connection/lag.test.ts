// Test: a late or incomplete event stream is detected, replaced by polls, and trusted again.
// A proxy may hold its events back while comments pass.
import { expect, test } from 'vitest';
import { encodeEvent } from '../../../shared/wire/sse.ts';
import { connectionOf, namedIds, notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';

const bench = setUpCoreBench();

test('events held back by a proxy are found by comparing, then polled as without a stream, and notified once', async () => {
  const rig = await bench.up();
  await bench.clock.advance(20_000);
  // Comments pass, events are held back.
  bench.service.deaf = true;
  const first = bench.service.emit('SPY', 2);
  await bench.clock.advance(40_000);
  expect(namedIds(rig)).toEqual(notificationIds(first));
  expect(connectionOf(rig)).toMatchObject({
    outage: null,
    indicators: { open: { state: 'ok' }, bytes: { state: 'degraded', detail: { code: 'health.behind' } } },
  });
  const count = bench.service.requests.filter(({ path }) => path === '/events').length;
  const second = bench.service.emit('QQQ', 2);
  // Sooner than the next comparison.
  await bench.clock.advance(6_000);
  expect(namedIds(rig)).toEqual(notificationIds(first, second));
  expect(bench.service.requests.filter(({ path }) => path === '/events').length).toBeGreaterThan(count);

  // The held events arrive: none is notified twice, and after a while the stream is trusted again.
  for (const event of [first, second]) bench.service.write(encodeEvent(event));
  bench.service.deaf = false;
  await bench.clock.advance(90_000);
  expect(connectionOf(rig).indicators.bytes).toMatchObject({ state: 'ok' });
  const third = bench.service.emit('IWM', 2);
  await bench.clock.advance(1_000);
  expect(namedIds(rig)).toEqual(notificationIds(first, second, third));
});

test('an event in transit during a comparison is no lag', async () => {
  const rig = await bench.up();
  // Just before each comparison; the stream brings them a second later.
  for (let turn = 0; turn < 4; turn += 1) {
    await bench.clock.advance(29_000);
    bench.service.deaf = true;
    const event = bench.service.emit('QQQ', turn % 2 === 0 ? 1 : 0);
    bench.service.deaf = false;
    await bench.clock.advance(1_000);
    bench.service.write(encodeEvent(event));
    expect(connectionOf(rig).indicators.bytes.state).toBe('ok');
  }
});
