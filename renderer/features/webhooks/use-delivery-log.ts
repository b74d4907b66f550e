// Renderer, webhooks: the shown part of a subscription's delivery log: view, filter and page.
import { useState } from 'react';
import type { SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import type { DeliveryFilter, View } from './selection.ts';

export type DeliveryLog = ReturnType<typeof useDeliveryLog>;

export function useDeliveryLog(subscription: SubscriptionView | null) {
  const [view, setView] = useState<View>('deliveries');
  const [filter, setFilter] = useState<DeliveryFilter>('all');
  /** The cursor of the page; null: the newest deliveries. */
  const [page, setPage] = useState<string | null>(null);
  const query = useChannelQuery(
    'deliveries.page',
    view === 'deliveries' && subscription !== null
      ? { subscription: subscription.id, status: filter === 'all' ? null : filter, after: page }
      : null,
  );
  return {
    query,
    deliveries: query.data?.deliveries ?? [],
    view,
    setView,
    filter,
    setFilter(next: DeliveryFilter): void {
      setFilter(next);
      setPage(null);
    },
    page,
    setPage,
  };
}
