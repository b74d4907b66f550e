// Test: the ticker moves ages and clocks while the window is visible.
import { expect, it } from 'vitest';
import { createManualClock } from '../test/harness/manual-clock.ts';
import { createTicker } from './services.ts';

it('ticks while it has listeners, not while the window is hidden, and at once when it is shown again', async () => {
  const clock = createManualClock();
  let isHidden = false;
  let change = (): void => undefined;
  const ticker = createTicker(clock, 1_000, {
    hidden: () => isHidden,
    watch(listener) {
      change = listener;
    },
  });
  const begun = clock.now();
  const ticks: number[] = [];
  const stop = ticker.subscribe(() => ticks.push(ticker.now() - begun));
  await clock.advance(2_500);
  expect(ticks).toEqual([1_000, 2_000]);
  isHidden = true;
  change();
  await clock.advance(10_000);
  expect([ticks.length, ticker.now() - begun]).toEqual([2, 2_000]);
  isHidden = false;
  change();
  expect(ticks.slice(2)).toEqual([12_500]);
  await clock.advance(1_000);
  expect(ticks.slice(3)).toEqual([13_000]);
  stop();
  await clock.advance(5_000);
  expect(ticks).toHaveLength(4);
});
