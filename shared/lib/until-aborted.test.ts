// Test: a wait ends with its signal and leaves no unhandled rejection.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untilAborted } from './until-aborted.ts';

const unhandled = vi.fn();
beforeEach(() => void process.on('unhandledRejection', unhandled));
afterEach(() => {
  process.off('unhandledRejection', unhandled);
  unhandled.mockReset();
});
/** Node reports an unhandled rejection when the microtasks are done. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('returns the result of the work', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(untilAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
});

test('ends with the signal, however long the work takes', async () => {
  const ended = new AbortController();
  const waiting = untilAborted(new Promise(() => undefined), ended.signal);
  ended.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test.each(['before', 'meanwhile'])('a rejection of the work after a signal that fired %s is ignored', async (when) => {
  const ended = new AbortController();
  if (when === 'before') ended.abort(new Error('enough'));
  const work = Promise.withResolvers<never>();
  const waiting = untilAborted(work.promise, ended.signal);
  ended.abort(new Error('enough'));
  work.reject(new Error('aborted'));
  await expect(waiting).rejects.toThrow('enough');
  await turn();
  expect(unhandled).not.toHaveBeenCalled();
});
