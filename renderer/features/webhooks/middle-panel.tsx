// Renderer, webhooks: the middle: the service's delivery log, or this computer's own log.
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import type { QueryOutput } from '../../queries/policies.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { fineSpan } from '../../text/format.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { ArrivalsTable, RefusedTable } from './seen-here.tsx';
import { type DeliveryFilter, type Selection, VIEWS, type View } from './selection.ts';
import { deliveryStats } from './status.ts';

interface MiddlePanelProps {
  readonly subscription: SubscriptionView | null;
  readonly shownHere: boolean;
  readonly relay: RelayView | null;
  readonly view: View;
  readonly filter: DeliveryFilter;
  readonly log: UseQueryResult<QueryOutput<'deliveries.page'>>;
  readonly page: string | null;
  readonly chosen: Selection;
  readonly onView: (view: View) => void;
  readonly onFilter: (filter: DeliveryFilter) => void;
  readonly onPage: (page: string | null) => void;
  readonly onChoose: (chosen: Selection) => void;
  readonly onDone: () => void;
}

const FILTERS = ['all', 'failed', 'pending'] as const;

export function MiddlePanel(props: MiddlePanelProps) {
  const { subscription, relay, view, filter, log } = props;
  const [recovering, setRecovering] = useState(false);
  const recoverButton = useRef<HTMLButtonElement>(null);
  const count = { deliveries: null, arrived: relay?.arrivals.length ?? 0, refused: relay?.refused.length ?? 0 };
  const listed = log.data?.deliveries ?? [];
  const { delivered, median } = deliveryStats(listed);
  return (
    <div className="middle">
      <div className="head block-head">
        <h2 className="spoken">{messages.deliveries.heading}</h2>
        <SegmentedControl
          label={messages.deliveries.view}
          value={view}
          options={VIEWS.map((value) => ({
            value,
            label:
              count[value] === null || count[value] === 0
                ? messages.deliveries.views[value]
                : `${messages.deliveries.views[value]} ${count[value]}`,
          }))}
          onChange={props.onView}
        />
        <span className="sub grow ell">
          {view === 'deliveries' && subscription !== null && (
            <>
              <span className="mono">{subscription.url}</span>{' '}
              {listed.length > 0 &&
                messages.deliveries.summary(delivered, listed.length, median === null ? null : fineSpan(median))}
            </>
          )}
        </span>
        {view === 'deliveries' && subscription !== null && (
          <>
            <SegmentedControl
              label={messages.deliveries.filter}
              value={filter}
              options={FILTERS.map((value) => ({ value, label: messages.deliveries.filters[value] }))}
              onChange={props.onFilter}
            />
            <button ref={recoverButton} type="button" className="btn line" onClick={() => setRecovering(true)}>
              {messages.deliveries.recover}
            </button>
          </>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className="scroll" tabIndex={0} aria-label={messages.deliveries.views[view]}>
        <Body {...props} />
      </section>
      {recovering && subscription !== null && (
        <RecoverDialog
          subscription={subscription.id}
          returnTo={recoverButton}
          onDone={props.onDone}
          onClose={() => setRecovering(false)}
        />
      )}
    </div>
  );
}

function Body({
  subscription,
  shownHere,
  relay,
  view,
  filter,
  log,
  page,
  chosen,
  onFilter,
  onPage,
  onChoose,
}: MiddlePanelProps) {
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
  const missing = isOffline ? messages.notSeen : messages.deliveries.noneHere;
  if (subscription === null) return <p className="sheet-empty">{shownHere ? missing : messages.deliveries.choose}</p>;
  const value = log.data;
  if (value === undefined)
    return log.isError ? (
      <ErrorNotice what={messages.deliveries.failed} why={log.error.message} onRetry={() => void log.refetch()} />
    ) : (
      <LoadingNotice what={messages.deliveries.loading} progress={null} />
    );
  if (value.deliveries.length === 0)
    return (
      <p className="sheet-empty">
        {filter === 'all' ? messages.deliveries.none : messages.deliveries.hidden(messages.deliveries.filters[filter])}{' '}
        {filter !== 'all' && (
          <button type="button" className="link" onClick={() => onFilter('all')}>
            {messages.deliveries.showAll}
          </button>
        )}
      </p>
    );
  return (
    <>
      {log.isError && <p className="sheet-empty md">{messages.past(log.error.message)}</p>}
      <DeliveriesTable
        deliveries={value.deliveries}
        chosen={chosen.kind === 'delivery' ? chosen.id : null}
        onChoose={(id) => onChoose({ kind: 'delivery', id })}
      />
      {(value.next !== null || page !== null) && (
        <div className="sheet-actions">
          {page !== null && (
            <button type="button" className="btn line" onClick={() => onPage(null)}>
              {messages.deliveries.newest}
            </button>
          )}
          {value.next !== null && (
            <button type="button" className="btn line" onClick={() => onPage(value.next)}>
              {messages.deliveries.older}
            </button>
          )}
        </div>
      )}
    </>
  );
}
