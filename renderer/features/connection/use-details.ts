// Renderer, connection: the details, read again every few seconds while the page is shown, and at once when the stream opens or breaks.
import { useSyncExternalStore } from 'react';
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { useServices } from '../../services.ts';
import type { Slot } from '../../store/state.ts';
import { useBoard } from '../../store/store.ts';
import { useAnswer } from '../../use-answer.ts';

const EVERY = 5_000;

export function useDetails(): Slot<ConnectionDetails> | null {
  const { ticker } = useServices();
  const turn = useSyncExternalStore(ticker.subscribe, () => Math.floor(ticker.now() / EVERY));
  const epoch = useBoard((board) => board.epoch);
  const since = useBoard((board) => board.connection.lamps.open.since);
  return useAnswer('connection.read', {}, `${turn} ${epoch} ${since}`);
}
