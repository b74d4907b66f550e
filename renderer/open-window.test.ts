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

it('asks for the snapshot first whenever the link is up, as knock.ts has asked already', () => {
  const calls: unknown[] = [];
  const watchers: ((up: boolean) => void)[] = [];
  openWindow(
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
  for (const watcher of watchers) watcher(true);
  expect(calls[0]).toEqual({ name: 'state.snapshot', payload: {} });
});
