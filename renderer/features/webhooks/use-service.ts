// Renderer, webhooks: what the service tells of subscriptions and deliveries, read again every few seconds while the page is shown; seldom where
// a call counts against the quota.
import { useSyncExternalStore } from 'react';
import type { Channels } from '../../../shared/channels/channels.ts';
import type { OutputOf } from '../../../shared/channels/ends.ts';
import { useServices } from '../../services.ts';
import type { QueryResult } from '../../store/state.ts';
import { useSnapshot } from '../../store/store.ts';
import { useQuery } from '../../use-query.ts';
import type { DeliveryFilter } from './selection.ts';

const EVERY = { sandbox: 5_000, production: 60_000 };

/** Another value whenever it is time to read again. @param edits grows with everything the user does here */
function usePollKey(edits: number): string {
  const { ticker } = useServices();
  const every = EVERY[useSnapshot((snapshot) => snapshot.profile.environment)];
  const turn = useSyncExternalStore(ticker.subscribe, () => Math.floor(ticker.now() / every));
  const epoch = useSnapshot((snapshot) => snapshot.epoch);
  const isOffline = useSnapshot((snapshot) => snapshot.connection.outage !== null);
  return `${turn} ${epoch} ${isOffline} ${edits}`;
}

export const useSubscriptions = (edits: number): QueryResult<OutputOf<Channels['subscriptions.read']>> | null =>
  useQuery('subscriptions.read', {}, usePollKey(edits));

/** @param after null: the newest */
export function useDeliveries(
  subscription: string | null,
  filter: DeliveryFilter,
  after: string | null,
  edits: number,
): QueryResult<OutputOf<Channels['deliveries.page']>> | null {
  const input = subscription === null ? null : { subscription, status: filter === 'all' ? null : filter, after };
  return useQuery('deliveries.page', input, usePollKey(edits));
}
