// Test: a service that answers and does not go on: notified, with a gap that back-fill closes.
import { expect, test } from 'vitest';
import { optionalText } from '../../../shared/text/message.ts';
import { connectionOf, namedIds, notificationIds, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';

const bench = setUpCoreBench();
const MINUTE = 60_000;
const notices = (rig: CoreRig) => rig.shown.filter(({ id }) => id.startsWith('barograph:outage:'));
const causeOf = (rig: CoreRig): string => optionalText(connectionOf(rig).outage?.cause ?? null);

test.each([
  ['a clock that stands', false, /clock stands still/],
  ['a clock that runs beside decisions that are overdue', true, /decides nothing/],
] as const)('%s: an outage is notified, and what happened meanwhile is notified once at its end', async (...row) => {
  const [, clockRuns, cause] = row;
  const rig = await bench.up();
  await bench.clock.advance(5 * MINUTE);
  const began = bench.clock.now();
  bench.service.stand(clockRuns);
  await bench.clock.advance(30_000);
  const missed = [bench.service.emit('SPY', 2), bench.service.emit('QQQ', 2)];
  await bench.clock.advance(8 * MINUTE);
  expect(causeOf(rig)).toMatch(cause);
  expect(Object.values(connectionOf(rig).indicators).map(({ state }) => state)).not.toContain('ok');
  expect(notices(rig)).toMatchObject([{ title: expect.stringContaining('Not receiving data since') }]);
  const [gap] = rig.snapshot().gaps;
  expect(gap).toMatchObject({ closed: false, to: null });
  // The last proven instant: the service's time, or the decision that did not come.
  expect(Math.abs(Date.parse(gap?.from ?? '') - began)).toBeLessThanOrEqual(MINUTE);
  expect(namedIds(rig).filter((id) => !id.includes('outage'))).toEqual([]);

  bench.service.goOn();
  await bench.clock.advance(2 * MINUTE);
  expect(connectionOf(rig).outage).toBeNull();
  expect(Object.values(connectionOf(rig).indicators).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(rig.snapshot().gaps).toMatchObject([{ closed: true, filled: 2 }]);
  expect(namedIds(rig).filter((id) => !id.includes('outage'))).toEqual(notificationIds(...missed));
  expect(notices(rig).at(-1)?.title).toContain('Receiving data again');
});

test('streams that end and open again at a node whose clock stands do not end its outage', async () => {
  const rig = await bench.up();
  bench.service.stand();
  for (let count = 0; count < 10; count += 1) {
    await bench.clock.advance(30_000);
    bench.service.cut();
  }
  expect(causeOf(rig)).toMatch(/clock stands still/);
  expect(notices(rig)).toHaveLength(1);
});

test('a restart while the clock stands neither ends the outage on the desktop nor begins another', async () => {
  const rig = await bench.up();
  bench.service.stand();
  await bench.clock.advance(5 * MINUTE);
  expect(notices(rig)).toHaveLength(1);
  await bench.down(rig);
  const next = bench.rig();
  await next.core.start();
  await bench.clock.advance(2 * MINUTE + 1_000);
  expect(causeOf(next)).toMatch(/clock stands still/);
  const [{ id, title } = {}] = notices(rig);
  // Each run notifies an outage once.
  expect(notices(next)).toMatchObject([{ id, title }]);
  bench.service.goOn();
  await bench.clock.advance(2 * MINUTE);
  expect(notices(next).slice(1)).toMatchObject([{ id, title: expect.stringContaining('Receiving data again') }]);
});
