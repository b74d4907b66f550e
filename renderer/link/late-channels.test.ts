// Test: the schemas of the channels load later than the window draws, or not at all.
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createWindowEnd } from '../../shared/channels/ends.ts';
import { createMemoryLink } from '../../shared/channels/memory-link.ts';
import { lateChannels } from './late-channels.ts';

const channels = {
  first: { kind: 'query', input: z.strictObject({}), output: z.number() },
  later: { kind: 'query', input: z.strictObject({}), output: z.number() },
  sound: { kind: 'push', payload: z.number() },
} as const;

function openWindow(load: () => Promise<typeof channels>, answer: unknown = 1) {
  const problems: string[] = [];
  const link = createMemoryLink(async () => ({ ok: true, value: answer }));
  const source = lateChannels(load, ['first'], () => problems.push('not loaded'));
  return { link, problems, end: createWindowEnd<typeof channels>(source, link.window, (why) => problems.push(why)) };
}

test('a call for the first drawing waits for no schemas; others load them once, and are checked', async () => {
  const load = vi.fn(async () => channels);
  const { end } = openWindow(load, 'no number');
  expect(await end.call('first', {})).toBe('no number');
  expect(load).not.toHaveBeenCalled();
  await expect(end.call('later', {})).rejects.toThrow('later');
  await expect(end.call('first', {})).rejects.toThrow('first');
  expect(load).toHaveBeenCalledOnce();
});

test('a window whose schemas do not load says so once, and still calls and receives', async () => {
  const { end, link, problems } = openWindow(async () => Promise.reject(new Error('Gone.')));
  const sounds: number[] = [];
  end.subscribe('sound', (volume) => sounds.push(volume));
  link.core.push('sound', 3);
  expect(await end.call('later', {})).toBe(1);
  link.core.push('sound', 4);
  await vi.waitFor(() => expect(sounds).toEqual([3, 4]));
  expect(problems).toEqual(['not loaded']);
});
