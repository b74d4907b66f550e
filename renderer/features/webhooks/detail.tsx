// Renderer, webhooks: the detail of the selection; falls back to the subscription or this computer.
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { DeliveryView, SubscriptionView } from '../../../shared/channels/subscriptions.ts';

import { texts } from '../../../shared/text/texts.ts';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { ArrivalDetail, RefusedDetail, TargetDetail } from './other-details.tsx';
import { RelayDetail } from './relay-detail.tsx';
import type { Selection } from './selection.ts';
import { SubscriptionDetail } from './subscription-detail.tsx';

interface DetailProps {
  readonly chosen: Selection;
  readonly relay: RelayView | null;
  readonly subscription: SubscriptionView | null;
  readonly delivery: DeliveryView | null;
  readonly said: string;
  readonly onReplay: () => void;
  readonly onDone: () => void;
  readonly onBack: () => void;
}

export function Detail({ chosen, relay, subscription, delivery, said, onReplay, onDone, onBack }: DetailProps) {
  if (chosen.kind === 'delivery' && delivery !== null && subscription !== null)
    return (
      <DeliveryDetail
        delivery={delivery}
        subscription={subscription}
        relay={relay}
        said={said}
        onReplay={onReplay}
        onBack={onBack}
      />
    );
  if (chosen.kind === 'refused') {
    const refused = relay?.refused.find(({ id }) => id === chosen.id);
    if (refused !== undefined) return <RefusedDetail key={refused.id} refused={refused} onBack={onBack} />;
  }
  if (chosen.kind === 'arrival') {
    const arrival = relay?.arrivals.find(({ event_id }) => event_id === chosen.eventId);
    if (arrival !== undefined) return <ArrivalDetail arrival={arrival} onBack={onBack} />;
  }
  if (chosen.kind === 'target') {
    const target = relay?.targets.find(({ id }) => id === chosen.id);
    if (target !== undefined) return <TargetDetail key={target.id} target={target} onBack={onBack} />;
  }
  if (chosen.kind !== 'here' && subscription !== null && !subscription.own)
    return <SubscriptionDetail key={subscription.id} subscription={subscription} onDone={onDone} onBack={onBack} />;
  if (relay === null) return <LoadingNotice what={texts.webhooks.subscriptions.loading} progress={null} />;
  return <RelayDetail relay={relay} onBack={onBack} />;
}
