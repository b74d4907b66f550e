// Test: one of several windows plays the requested sound and reports it, if it has the permission.
import { afterEach, expect, test } from 'vitest';
import type { Channels } from '../../shared/channels/channels.ts';
import type { WindowClient } from '../../shared/channels/ends.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { followSounds, type SoundOutput } from './window-sounds.ts';

const cancels: Cancel[] = [];
afterEach(() => {
  for (const cancel of cancels.splice(0)) cancel();
});

/** Windows of one profile that share a lock. */
function open(...mayPlay: readonly boolean[]) {
  const played: number[] = [];
  const said: unknown[] = [];
  const taken = new Set<string>();
  const listeners: ((due: { id: string; name: 'bell' }) => void)[] = [];
  const window = {
    subscribe: (_: string, listener: (typeof listeners)[number]) => {
      listeners.push(listener);
      return () => undefined;
    },
    call: async (_: string, input: unknown) => {
      said.push(input);
      return {};
    },
  } as unknown as WindowClient<Channels>;
  mayPlay.forEach((may, index) => {
    const output: SoundOutput = {
      mayPlay: async () => may,
      play: () => void played.push(index),
      async once(name, job) {
        if (taken.has(name)) return;
        taken.add(name);
        job();
      },
    };
    cancels.push(followSounds(window, output));
  });
  const due = (id: string): void => {
    for (const listener of listeners) listener({ id, name: 'bell' });
  };
  return { played, said, due };
}

test('the first window that may play does, and the core learns of it once for each sound', async () => {
  const { played, said, due } = open(false, true, true);
  due('sound-1');
  due('sound-2');
  await eventually(() => expect(said).toHaveLength(2));
  expect(played).toEqual([1, 1]);
  expect(said).toEqual([{ id: 'sound-1' }, { id: 'sound-2' }]);
});

test('where no window may play, none reports that it did', async () => {
  const { played, said, due } = open(false);
  due('sound-1');
  await Promise.resolve();
  expect([played, said]).toEqual([[], []]);
});
