// Test: when series of regimes are read.
import { expect, test } from 'vitest';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { useRegimeSeries } from './use-regime-series.ts';

const DAY = 86_400_000;
const START = Math.floor(T0 / DAY) * DAY;

async function rigOf() {
  const rig = await createWindowRig({
    handlers: {
      'regime.page': ({ symbol, granularity, from }) => ({
        symbol,
        granularity,
        points: [{ at: from, regime: 'stress', confidence: null }],
        next: null,
        cached_at: iso(T0),
      }),
    },
  });
  const days = (from: number, to: number) => ({ from: START - from * DAY, to: START - to * DAY });
  return { rig, days };
}

test('a series is read when the range settles, and says when it was received', async () => {
  const { rig, days } = await rigOf();
  const { result, rerender } = rig.renderHook((range) => useRegimeSeries('SPY', 'hour', range), days(4, 0));
  await rig.advance(300);
  rerender(days(5, 0));
  await rig.advance(300);
  expect(rig.inputs('regime.page')).toEqual([]);
  await rig.advance(100);
  await rig.idle();
  expect(rig.inputs('regime.page')).toHaveLength(1);
  expect(result.current.series?.cachedAt).toBe(iso(T0));
});

test('a range within the last read is not read again; one outside it is, and the chart waits for it', async () => {
  const { rig, days } = await rigOf();
  const { result, rerender } = rig.renderHook((range) => useRegimeSeries('SPY', 'hour', range), days(5, 0));
  await rig.advance(400);
  await rig.idle();
  rerender(days(3, 1));
  await rig.advance(400);
  expect([rig.inputs('regime.page').length, result.current.series === null]).toEqual([1, false]);
  rerender(days(9, 1));
  await rig.idle();
  expect(result.current.series).toBeNull();
  await rig.advance(400);
  await rig.idle();
  expect([rig.inputs('regime.page').length, result.current.series?.from]).toEqual([2, START - 9 * DAY]);
});

test('nothing is read without a granularity', async () => {
  const { rig, days } = await rigOf();
  rig.renderHook(() => useRegimeSeries('SPY', null, days(5, 0)), null);
  await rig.advance(400);
  expect(rig.inputs('regime.page')).toEqual([]);
});
