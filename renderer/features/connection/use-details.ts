// Renderer, connection: the details, read again every few seconds while the page is shown, and at once when the stream opens or breaks.
import { useSyncExternalStore } from 'react';
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { useServices } from '../../services.ts';
import type { QueryResult } from '../../store/state.ts';
import { useSnapshot } from '../../store/store.ts';
import { useQuery } from '../../use-query.ts';

const EVERY = 5_000;

export function useDetails(): QueryResult<ConnectionDetails> | null {
  const { ticker } = useServices();
  const turn = useSyncExternalStore(ticker.subscribe, () => Math.floor(ticker.now() / EVERY));
  const epoch = useSnapshot((snapshot) => snapshot.epoch);
  const since = useSnapshot((snapshot) => snapshot.connection.indicators.open.since);
  return useQuery('connection.read', {}, `${turn} ${epoch} ${since}`);
}
