import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untilAborted } from './until-aborted.ts';

const unhandled = vi.fn();
beforeEach(() => void process.on('unhandledRejection', unhandled));
afterEach(() => {
  process.off('unhandledRejection', unhandled);
  unhandled.mockReset();
});
/** Node tells of an unhandled rejection when the microtasks are done. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('is what the work comes to', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(untilAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
});

test('ends with the signal, however long the work goes on', async () => {
  const ended = new AbortController();
  const waiting = untilAborted(new Promise(() => undefined), ended.signal);
  ended.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test.each(['before', 'meanwhile'])(
  'work that rejects too, of a signal that fired %s, ends nothing else',
  async (when) => {
    const ended = new AbortController();
    if (when === 'before') ended.abort(new Error('enough'));
    const work = Promise.withResolvers<never>();
    const waiting = untilAborted(work.promise, ended.signal);
    ended.abort(new Error('enough'));
    work.reject(new Error('aborted'));
    await expect(waiting).rejects.toThrow('enough');
    await turn();
    expect(unhandled).not.toHaveBeenCalled();
  },
);
