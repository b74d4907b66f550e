// Test: a window is sent to a route once it listens, and only there.
import { expect, test } from 'vitest';
import type { LinkedCore } from '../../shared/channels/link.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { createRoutedCore } from './routed-core.ts';

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

test('an early route waits for the first snapshot, and the last one wins', async () => {
  const { core, pushed, link } = setUp();
  const routed = createRoutedCore(core, symbol);
  routed.core.attach(link);
  routed.show(alert);
  await routed.core.dispatch('factors.read', {});
  expect(pushed).toEqual([]);
  await routed.core.dispatch('state.snapshot', {});
  await eventually(() => expect(pushed).toEqual([['route.requested', alert]]));
  await routed.core.dispatch('state.snapshot', {});
  routed.show(symbol);
  expect(pushed.slice(1)).toEqual([['route.requested', symbol]]);
});

test('a refused snapshot does not count', async () => {
  let good = false;
  const { core, pushed, link } = setUp(async () => ({ ok: good }));
  const routed = createRoutedCore(core, alert);
  routed.core.attach(link);
  await routed.core.dispatch('state.snapshot', {});
  await new Promise(setImmediate);
  expect(pushed).toEqual([]);
  good = true;
  await routed.core.dispatch('state.snapshot', {});
  await eventually(() => expect(pushed).toHaveLength(1));
});

test('an invalid route is not sent', async () => {
  const { core, pushed, link } = setUp();
  const routed = createRoutedCore(core);
  routed.core.attach(link);
  await routed.core.dispatch('state.snapshot', {});
  await new Promise(setImmediate);
  expect(() => routed.show({ page: 'elsewhere', item: null } as never)).toThrow();
  expect(pushed).toEqual([]);
});

test('a closed window receives nothing', async () => {
  const { core, pushed, link, detached } = setUp();
  const routed = createRoutedCore(core);
  const detach = routed.core.attach(link);
  await routed.core.dispatch('state.snapshot', {});
  await new Promise(setImmediate);
  detach();
  routed.show(alert);
  expect(pushed).toEqual([]);
  expect(detached()).toBe(1);
});
