// Test: when timelines are read for the chart.
import { expect, test } from 'vitest';
import { iso, row, signal, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { useChartModel } from './use-chart-model.ts';

test('the chart is read at once, and again after another day or a gap', async () => {
  const points = [{ at: iso(T0), price: 1, state: 0 as const, regime: null, confidence: null }];
  const rig = await createWindowRig({
    snapshot: snapshot({ rows: [row('SPY', 0)] }),
    handlers: { 'timeline.read': ({ symbol }) => ({ symbol, points, transitions: [] }) },
  });
  const read = () => rig.inputs('timeline.read');
  const nextDay = row('SPY', 0, { signal: signal('SPY', 0, { decided_at: iso(T0 + 86_400_000) }) });
  const { result } = rig.renderHook(() => useChartModel('SPY').model, null);
  await rig.idle();
  expect([read(), result.current?.symbol]).toEqual([[{ symbol: 'SPY' }], 'SPY']);
  await rig.advance(1000);
  expect(read()).toHaveLength(1);
  await rig.pushChanges({ part: 'rows', rows: [nextDay] });
  await rig.advance(1000);
  expect(read()).toHaveLength(2);
  await rig.setUp(false);
  await rig.setUp(true);
  await rig.advance(1000);
  expect(read()).toHaveLength(3);
});
