// Renderer: reads the answer to a question of a page, and asks again whenever `reason` changes.
import { useEffect } from 'react';
import type { Channels } from '../shared/channels/channels.ts';
import type { InputOf, OutputOf } from '../shared/channels/ends.ts';
import { type QueryName, questionKey } from './link/answers.ts';
import { useServices } from './services.ts';
import type { Slot } from './store/state.ts';
import { useApp } from './store/store.ts';

/**
 * @param input null: nothing is asked
 * @param reason changes whenever the answer may have become another (the board's epoch, the number of events, an edit)
 * @returns null before the first asking has begun
 */
export function useAnswer<Name extends QueryName>(
  name: Name,
  input: InputOf<Channels[Name]> | null,
  reason: string | number,
): Slot<OutputOf<Channels[Name]>> | null {
  const { answers } = useServices();
  const key = input === null ? null : questionKey(name, input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the input, whose object is new with every drawing
  useEffect(() => {
    if (input !== null) answers.read(name, input);
  }, [answers, name, key, reason]);
  return useApp((state) => (key === null ? null : (state.shelves.answers[key] ?? null))) as Slot<OutputOf<Channels[Name]>> | null;
}
