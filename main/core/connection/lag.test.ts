// Test: a stream that is open and behind: held back by a proxy, or leaving things out. It is said, polled beside, and trusted again.
import { expect, test } from 'vitest';
import { encodeEvent } from '../../../shared/wire/sse.ts';
import { connectionOf, notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';

const bench = setUpCoreBench();

test('what a proxy holds back is found by comparing, then polled as if there were no stream, and told once', async () => {
  const rig = await bench.up();
  await bench.clock.advance(20_000);
  // Comments come, events are held back.
  bench.service.deaf = true;
  const first = bench.service.emit('SPY', 2);
  await bench.clock.advance(40_000);
  expect(shownIds(rig)).toEqual(notificationIds(first));
  expect(connectionOf(rig)).toMatchObject({
    outage: null,
    indicators: { open: { state: 'ok' }, bytes: { state: 'degraded', detail: 'behind, so polled too' } },
  });
  const count = bench.service.requests.filter(({ path }) => path === '/events').length;
  const second = bench.service.emit('QQQ', 2);
  // Sooner than the next comparison.
  await bench.clock.advance(6_000);
  expect(shownIds(rig)).toEqual(notificationIds(first, second));
  expect(bench.service.requests.filter(({ path }) => path === '/events').length).toBeGreaterThan(count);

  // The lump comes at last: nothing is told twice, and after a while the stream is trusted again.
  for (const event of [first, second]) bench.service.write(encodeEvent(event));
  bench.service.deaf = false;
  await bench.clock.advance(90_000);
  expect(connectionOf(rig).indicators.bytes).toMatchObject({ state: 'ok' });
  const third = bench.service.emit('IWM', 2);
  await bench.clock.advance(1_000);
  expect(shownIds(rig)).toEqual(notificationIds(first, second, third));
});

test('an event that is on its way while the logs are compared is no reason', async () => {
  const rig = await bench.up();
  // Just before each comparison, and brought by the stream a second later.
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
