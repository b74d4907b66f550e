// Test: when timelines are read for the chart and the sparklines.
import { expect, test } from 'vitest';
import { RefusedError } from '../../../shared/channels/channel.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { iso, row, signal, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { useChartModel, useSparklines } from './use-chart-model.ts';

const DAY = 86_400_000;
const symbols = ['SPY', 'QQQ', 'DIA'];

async function rigOf(answer: (symbol: string) => void = () => undefined) {
  const underway = { now: 0, most: 0 };
  const rig = await createWindowRig({
    snapshot: snapshot({ rows: symbols.map((symbol) => row(symbol, 0)) }),
    handlers: {
      'timeline.read': async ({ symbol }) => {
        underway.now += 1;
        underway.most = Math.max(underway.most, underway.now);
        await Promise.resolve();
        underway.now -= 1;
        answer(symbol);
        return {
          symbol,
          points: [{ at: iso(T0), price: 1, state: 0 as const, regime: null, confidence: null }],
          transitions: [],
        };
      },
    },
  });
  return {
    rig,
    underway,
    read: () => rig.inputs('timeline.read').map((input) => (input as { symbol: string }).symbol),
  };
}
const nextDay = (day: number) =>
  symbols.map((symbol) => row(symbol, 0, { signal: signal(symbol, 0, { decided_at: iso(T0 + day * DAY) }) }));

test('sparklines are read one after the other, each once a day', async () => {
  const { rig, underway, read } = await rigOf();
  const { rerender } = rig.renderHook((shown: string) => useSparklines(shown), symbols.join(' '));
  await rig.advance(150);
  expect([read(), underway.most]).toEqual([symbols, 1]);
  rerender('SPY DIA');
  await rig.advance(150);
  expect(read()).toHaveLength(3);
  await rig.pushChanges({ part: 'rows', rows: nextDay(1) });
  await rig.advance(150);
  expect(read().slice(3)).toEqual(['SPY', 'DIA']);
});

test('sparklines continue after a failure, which is read again when the connection is back', async () => {
  let isGone = true;
  const { rig, read } = await rigOf((symbol) => {
    if (isGone && symbol === 'SPY') throw new RefusedError({ code: 'failed', message: plainMessage('503') });
  });
  rig.renderHook(() => useSparklines(symbols.join(' ')), null);
  await rig.advance(150);
  expect(read()).toEqual(symbols);
  isGone = false;
  await rig.setUp(false);
  await rig.setUp(true);
  await rig.advance(150);
  expect(read().slice(3)).toEqual(['SPY']);
});

test('sparklines follow the rows in view', async () => {
  const { rig, read } = await rigOf();
  const { rerender } = rig.renderHook((shown: string) => useSparklines(shown), symbols.join(' '));
  rerender('DIA');
  await rig.advance(150);
  expect(read()).toEqual(['DIA']);
});

test('the chart is read at once, not a second time for the list, and again after another day or a gap', async () => {
  const { rig, read } = await rigOf();
  const { result } = rig.renderHook(() => {
    useSparklines('SPY');
    return useChartModel('SPY').model;
  }, null);
  await rig.idle();
  expect([read(), result.current?.symbol]).toEqual([['SPY'], 'SPY']);
  await rig.advance(1000);
  expect(read()).toHaveLength(1);
  await rig.pushChanges({ part: 'rows', rows: nextDay(1) });
  await rig.advance(1000);
  expect(read()).toHaveLength(2);
  await rig.setUp(false);
  await rig.setUp(true);
  await rig.advance(1000);
  expect(read()).toHaveLength(3);
});
