// Test: the order of the first requests to the core.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createManualClock } from '../test/harness/manual-clock.ts';
import { openWindow } from './open-window.ts';

beforeEach(() => {
  vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined });
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('requests the snapshot first whenever the link is up', async () => {
  const calls: { readonly name: string; readonly payload: unknown }[] = [];
  const watchers: ((up: boolean) => void)[] = [];
  const { services } = openWindow(
    () => ({
      call(name, payload) {
        calls.push({ name, payload });
        return new Promise(() => undefined);
      },
      subscribe: () => () => undefined,
      watch(listener) {
        watchers.push(listener);
        listener(false);
        return () => undefined;
      },
    }),
    createManualClock(),
  );
  expect(calls).toEqual([]);
  const known = watchers.length;
  for (const watcher of watchers) watcher(true);
  expect(calls).toEqual([{ name: 'state.snapshot', payload: {} }]);
  // The other reads wait until the list is drawn.
  services.followFeatures();
  services.followFeatures();
  for (const watcher of watchers.slice(known)) watcher(true);
  // So do their schemas.
  await vi.dynamicImportSettled();
  expect(calls.slice(1).map(({ name }) => name)).toEqual([
    'alerting.read',
    'relay.read',
    'archive.read',
    'selfTest.read',
    'profiles.read',
    'shell.read',
  ]);
});
