// Renderer, webhooks: the section of the settings: subscriptions, deliveries, received requests, targets, detail.
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { DeliveryView, SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { QueryOutput } from '../../queries/policies.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { useApp } from '../../store/store.ts';
import { Icon } from '../../ui/icon.tsx';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { DeliveryDetail } from './delivery-detail.tsx';
import { MiddlePanel } from './middle-panel.tsx';
import { ArrivalDetail, RefusedDetail, TargetDetail } from './other-details.tsx';
import { RelayDetail } from './relay-detail.tsx';
import type { Selection } from './selection.ts';
import { SubscribeDialog } from './subscribe-dialog.tsx';
import { SubscriptionDetail } from './subscription-detail.tsx';
import { SubscriptionsTable } from './subscriptions-table.tsx';
import { TargetsPanel } from './targets-panel.tsx';
import { useDeliveryLog } from './use-delivery-log.ts';
import './webhooks.css';

export function WebhooksSection() {
  const { intents, queries } = useServices();
  const relay = useApp((state) => state.features.relay);
  const down = useApp((state) => state.link === 'down');
  const [chosen, setChosen] = useState<Selection>({ kind: 'here' });
  const [isOpen, setOpen] = useState(false);
  /** The subscription whose deliveries are shown; null: this computer's. */
  const [shown, setShown] = useState<string | null>(null);
  /** The answer of the last replay. */
  const [said, setSaid] = useState<{ readonly id: string; readonly text: string } | null>(null);
  const edited = (): void => queries.invalidate('subscriptions.read', 'deliveries.page');

  const listing = useChannelQuery('subscriptions.read', {});
  const subscriptions = listing.data?.subscriptions ?? [];
  const subscription = subscriptions.find((one) => (shown === null ? one.own : one.id === shown)) ?? null;
  const log = useDeliveryLog(subscription);
  const delivery = chosen.kind === 'delivery' ? log.deliveries.find(({ id }) => id === chosen.id) : undefined;

  const choose = (next: Selection): void => {
    setChosen(next);
    setOpen(true);
    setSaid(null);
    if (next.kind === 'here' || next.kind === 'subscription') {
      setShown(next.kind === 'here' ? null : next.id);
      log.setPage(null);
    }
  };
  const replay = async (): Promise<void> => {
    if (delivery === undefined || subscription === null) return;
    const answer = await intents.ask('deliveries.replay', { subscription: subscription.id, delivery: delivery.id });
    setSaid({ id: delivery.id, text: answer.ok ? texts.webhooks.delivery.replayed : answer.error });
    edited();
  };
  useShortcuts('service', { replay: () => delivery !== undefined && void replay() });

  return (
    <div className={`webhooks ${isOpen ? 'detail-open' : ''} ${down ? 'is-past' : ''}`}>
      <div className="panel lists">
        <PageHead
          onSubscribed={(id) => {
            edited();
            choose({ kind: 'subscription', id });
          }}
        />
        <div className="hooks-scroll">
          {listing.isPending && relay === null && (
            <LoadingNotice what={texts.webhooks.subscriptions.loading} progress={null} />
          )}
          <SubscriptionsTable subscriptions={subscriptions} relay={relay} shown={shown} onChoose={choose} />
          <ListNote listing={listing} />
        </div>
        <MiddlePanel
          subscription={subscription}
          shownHere={shown === null}
          relay={relay}
          log={log}
          chosen={chosen}
          onChoose={choose}
          onDone={edited}
        />
        <TargetsPanel
          targets={relay?.targets ?? []}
          chosen={chosen.kind === 'target' ? chosen.id : null}
          onChoose={(id) => choose({ kind: 'target', id })}
        />
      </div>
      <div className="panel detail-side">
        <Detail
          chosen={chosen}
          relay={relay}
          subscription={subscription}
          delivery={delivery ?? null}
          said={said !== null && said.id === delivery?.id ? said.text : ''}
          onReplay={() => void replay()}
          onDone={edited}
          onBack={() => {
            setOpen(false);
            setChosen(shown === null ? { kind: 'here' } : { kind: 'subscription', id: shown });
          }}
        />
      </div>
    </div>
  );
}

/** @param onSubscribed called with the id of the new subscription */
function PageHead({ onSubscribed }: { onSubscribed: (id: string) => void }) {
  const [isSubscribing, setSubscribing] = useState(false);
  return (
    <>
      <div className="head page-head">
        <h2>{texts.webhooks.heading}</h2>
        <span className="sub grow ell">{texts.webhooks.sub}</span>
        <button type="button" className="btn primary" onClick={() => setSubscribing(true)}>
          <Icon name="add" />
          {texts.webhooks.subscribe}
        </button>
      </div>
      {isSubscribing && <SubscribeDialog onMade={onSubscribed} onClose={() => setSubscribing(false)} />}
    </>
  );
}

/** The reason why the list is missing or outdated. */
function ListNote({ listing }: { listing: UseQueryResult<QueryOutput<'subscriptions.read'>> }) {
  if (listing.isError) {
    const { message } = listing.error;
    return <p className="sheet-empty md">{listing.data === undefined ? message : texts.webhooks.past(message)}</p>;
  }
  return listing.data?.message == null ? null : <p className="sheet-empty">{textOf(listing.data.message)}</p>;
}

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

/** The detail of the selection; falls back to the subscription or this computer. */
function Detail({ chosen, relay, subscription, delivery, said, onReplay, onDone, onBack }: DetailProps) {
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
