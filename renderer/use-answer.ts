// Renderer: reads the answer to a question of a page, and asks again whenever `reason` changes, and after a failure when the connection is back.
import { useEffect } from 'react';
import type { Channels } from '../shared/channels/channels.ts';
import type { InputOf, OutputOf } from '../shared/channels/ends.ts';
import { type QueryName, questionKey } from './link/answers.ts';
import { useServices } from './services.ts';
import type { Slot } from './store/state.ts';
import { useApp } from './store/store.ts';
import { useAskAgain } from './use-ask-again.ts';

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
  const ask = (): void => {
    if (input !== null) answers.read(name, input);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the input, whose object is new with every drawing
  useEffect(ask, [answers, name, key, reason]);
  const slot = useApp((state) => (key === null ? null : (state.shelves.answers[key] ?? null)));
  useAskAgain(key, slot?.status, ask);
  return slot as Slot<OutputOf<Channels[Name]>> | null;
}
