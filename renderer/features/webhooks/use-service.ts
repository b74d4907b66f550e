// Renderer, webhooks: what the service tells of subscriptions and deliveries, read again every few seconds while the page is shown; seldom where
// a call counts against the quota.
import { useSyncExternalStore } from 'react';
import type { Channels } from '../../../shared/channels/channels.ts';
import type { OutputOf } from '../../../shared/channels/ends.ts';
import { useServices } from '../../services.ts';
import type { Slot } from '../../store/state.ts';
import { useBoard } from '../../store/store.ts';
import { useAnswer } from '../../use-answer.ts';
import type { DeliveryFilter } from './chosen.ts';

const EVERY = { sandbox: 5_000, production: 60_000 };

/** Another value whenever it is time to read again. @param edits grows with everything the user does here */
function useTurn(edits: number): string {
  const { ticker } = useServices();
  const every = EVERY[useBoard((board) => board.profile.environment)];
  const turn = useSyncExternalStore(ticker.subscribe, () => Math.floor(ticker.now() / every));
  const epoch = useBoard((board) => board.epoch);
  const blind = useBoard((board) => board.connection.blind !== null);
  return `${turn} ${epoch} ${blind} ${edits}`;
}

export const useSubscriptions = (edits: number): Slot<OutputOf<Channels['subscriptions.read']>> | null =>
  useAnswer('subscriptions.read', {}, useTurn(edits));

/** @param after null: the newest */
export function useDeliveries(
  subscription: string | null,
  filter: DeliveryFilter,
  after: string | null,
  edits: number,
): Slot<OutputOf<Channels['deliveries.page']>> | null {
  const input = subscription === null ? null : { subscription, status: filter === 'all' ? null : filter, after };
  return useAnswer('deliveries.page', input, useTurn(edits));
}
