// Renderer, webhooks: the middle: the service's delivery log, or this computer's own log.

import { useState } from 'react';
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { fineSpan } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { ArrivalsTable, RefusedTable } from './seen-here.tsx';
import { type Selection, VIEWS } from './selection.ts';
import { deliveryStats } from './status.ts';
import type { DeliveryLog } from './use-delivery-log.ts';

interface MiddlePanelProps {
  readonly subscription: SubscriptionView | null;
  readonly shownHere: boolean;
  readonly relay: RelayView | null;
  readonly log: DeliveryLog;
  readonly chosen: Selection;
  readonly onChoose: (chosen: Selection) => void;
  readonly onDone: () => void;
}

const FILTERS = ['all', 'failed', 'pending'] as const;

export function MiddlePanel(props: MiddlePanelProps) {
  const { subscription, relay, log } = props;
  const { view, filter, deliveries } = log;
  const [recovering, setRecovering] = useState(false);
  const count = { deliveries: null, arrived: relay?.arrivals.length ?? 0, refused: relay?.refused.length ?? 0 };
  const { delivered, median } = deliveryStats(deliveries);
  return (
    <div className="middle">
      <div className="head block-head">
        <h2 className="spoken">{texts.webhooks.deliveries.heading}</h2>
        <SegmentedControl
          label={texts.webhooks.deliveries.view}
          value={view}
          options={VIEWS.map((value) => ({
            value,
            label:
              count[value] === null || count[value] === 0
                ? texts.webhooks.deliveries.views[value]
                : `${texts.webhooks.deliveries.views[value]} ${count[value]}`,
          }))}
          onChange={log.setView}
        />
        <span className="sub grow ell">
          {view === 'deliveries' && subscription !== null && (
            <>
              <span className="mono">{subscription.url}</span>{' '}
              {deliveries.length > 0 &&
                texts.webhooks.deliveries.summary(
                  delivered,
                  deliveries.length,
                  median === null ? null : fineSpan(median),
                )}
            </>
          )}
        </span>
        {view === 'deliveries' && subscription !== null && (
          <>
            <SegmentedControl
              label={texts.webhooks.deliveries.filter}
              value={filter}
              options={FILTERS.map((value) => ({ value, label: texts.webhooks.deliveries.filters[value] }))}
              onChange={log.setFilter}
            />
            <button type="button" className="btn line" onClick={() => setRecovering(true)}>
              {texts.webhooks.deliveries.recover}
            </button>
          </>
        )}
      </div>
      <ScrollRegion label={texts.webhooks.deliveries.views[view]}>
        <Body {...props} />
      </ScrollRegion>
      {recovering && subscription !== null && (
        <RecoverDialog subscription={subscription.id} onDone={props.onDone} onClose={() => setRecovering(false)} />
      )}
    </div>
  );
}

function Body({ subscription, shownHere, relay, log, chosen, onChoose }: MiddlePanelProps) {
  const { view, filter, page, query } = log;
  const isOffline = useIsOffline();
  if (view === 'arrived')
    return (
      <ArrivalsTable
        arrivals={relay?.arrivals ?? []}
        chosen={chosen.kind === 'arrival' ? chosen.eventId : null}
        onChoose={(eventId) => onChoose({ kind: 'arrival', eventId })}
      />
    );
  if (view === 'refused')
    return (
      <RefusedTable
        refused={relay?.refused ?? []}
        chosen={chosen.kind === 'refused' ? chosen.id : null}
        onChoose={(id) => onChoose({ kind: 'refused', id })}
      />
    );
  const missing = isOffline ? texts.webhooks.notSeen : texts.webhooks.deliveries.noneHere;
  if (subscription === null)
    return <p className="sheet-empty">{shownHere ? missing : texts.webhooks.deliveries.choose}</p>;
  const value = query.data;
  if (value === undefined)
    return (
      <QueryNotice
        query={query}
        loading={texts.webhooks.deliveries.loading}
        failed={texts.webhooks.deliveries.failed}
      />
    );
  if (value.deliveries.length === 0)
    return (
      <p className="sheet-empty">
        {filter === 'all'
          ? texts.webhooks.deliveries.none
          : texts.webhooks.deliveries.hidden(texts.webhooks.deliveries.filters[filter])}{' '}
        {filter !== 'all' && (
          <button type="button" className="link" onClick={() => log.setFilter('all')}>
            {texts.webhooks.deliveries.showAll}
          </button>
        )}
      </p>
    );
  return (
    <>
      {query.isError && <p className="sheet-empty md">{texts.webhooks.past(query.error.message)}</p>}
      <DeliveriesTable
        deliveries={value.deliveries}
        chosen={chosen.kind === 'delivery' ? chosen.id : null}
        onChoose={(id) => onChoose({ kind: 'delivery', id })}
      />
      {(value.next !== null || page !== null) && (
        <div className="sheet-actions">
          {page !== null && (
            <button type="button" className="btn line" onClick={() => log.setPage(null)}>
              {texts.webhooks.deliveries.newest}
            </button>
          )}
          {value.next !== null && (
            <button type="button" className="btn line" onClick={() => log.setPage(value.next)}>
              {texts.webhooks.deliveries.older}
            </button>
          )}
        </div>
      )}
    </>
  );
}
