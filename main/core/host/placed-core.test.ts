// Test: a window is sent to a place once it listens, and only there.
import { expect, test } from 'vitest';
import type { LinkedCore } from '../../../shared/channels/link.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import { createPlacedCore } from './placed-core.ts';

const alert = { page: 'alerts', item: '7' } as const;
const symbol = { page: 'watch', item: 'SPY' } as const;

function setUp(snapshot: () => Promise<{ ok: boolean }> = async () => ({ ok: true })) {
  let detached = 0;
  const core: LinkedCore = {
    dispatch: async (name) => (name === 'state.snapshot' ? ((await snapshot()) as never) : { ok: true, value: {} }),
    attach: () => () => void detached++,
  };
  const pushed: unknown[] = [];
  const link = { push: (name: string, payload: unknown) => void pushed.push([name, payload]) };
  return { core, pushed, link, detached: () => detached };
}

test('a place that is asked for early waits for the first snapshot, and the last one wins', async () => {
  const { core, pushed, link } = setUp();
  const placed = createPlacedCore(core, symbol);
  placed.core.attach(link);
  placed.show(alert);
  await placed.core.dispatch('factors.read', {});
  expect(pushed).toEqual([]);
  await placed.core.dispatch('state.snapshot', {});
  await eventually(() => expect(pushed).toEqual([['place.asked', alert]]));
  await placed.core.dispatch('state.snapshot', {});
  placed.show(symbol);
  expect(pushed.slice(1)).toEqual([['place.asked', symbol]]);
});

test('a snapshot that is refused is none', async () => {
  let good = false;
  const { core, pushed, link } = setUp(async () => ({ ok: good }));
  const placed = createPlacedCore(core, alert);
  placed.core.attach(link);
  await placed.core.dispatch('state.snapshot', {});
  await new Promise(setImmediate);
  expect(pushed).toEqual([]);
  good = true;
  await placed.core.dispatch('state.snapshot', {});
  await eventually(() => expect(pushed).toHaveLength(1));
});

test('what is no place of a window is not sent', async () => {
  const { core, pushed, link } = setUp();
  const placed = createPlacedCore(core);
  placed.core.attach(link);
  await placed.core.dispatch('state.snapshot', {});
  await new Promise(setImmediate);
  expect(() => placed.show({ page: 'elsewhere', item: null } as never)).toThrow();
  expect(pushed).toEqual([]);
});

test('a window that is gone is told nothing', async () => {
  const { core, pushed, link, detached } = setUp();
  const placed = createPlacedCore(core);
  const detach = placed.core.attach(link);
  await placed.core.dispatch('state.snapshot', {});
  await new Promise(setImmediate);
  detach();
  placed.show(alert);
  expect(pushed).toEqual([]);
  expect(detached()).toBe(1);
});
