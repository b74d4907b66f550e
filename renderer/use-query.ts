// Renderer: reads the answer to a question of a page, and asks again whenever `reason` changes, and after a failure when the connection is back.
import { useEffect } from 'react';
import type { Channels } from '../shared/channels/channels.ts';
import type { InputOf, OutputOf } from '../shared/channels/ends.ts';
import { type QueryName, queryKey } from './link/query-client.ts';
import { useServices } from './services.ts';
import type { QueryResult } from './store/state.ts';
import { useApp } from './store/store.ts';
import { useRefetch } from './use-refetch.ts';

/**
 * @param input null: nothing is asked
 * @param reason changes whenever the answer may have become another (the snapshot's epoch, the number of events, an edit)
 * @returns null before the first asking has begun
 */
export function useQuery<Name extends QueryName>(
  name: Name,
  input: InputOf<Channels[Name]> | null,
  reason: string | number,
): QueryResult<OutputOf<Channels[Name]>> | null {
  const { queryClient } = useServices();
  const key = input === null ? null : queryKey(name, input);
  const ask = (): void => {
    if (input !== null) queryClient.read(name, input);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the input, whose object is new with every drawing
  useEffect(ask, [queryClient, name, key, reason]);
  const result = useApp((state) => (key === null ? null : (state.queryCache.calls[key] ?? null)));
  useRefetch(key, result?.status, ask);
  return result as QueryResult<OutputOf<Channels[Name]>> | null;
}
