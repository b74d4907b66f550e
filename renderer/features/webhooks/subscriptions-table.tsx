// Renderer, webhooks: the subscriptions of this profile's key, this computer first.
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { HealthIndicator } from '../../../shared/channels/state.ts';
import type { SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { type Column, Table } from '../../ui/table/table.tsx';
import { StatusCell } from './deliveries-table.tsx';
import type { Selection } from './selection.ts';
import { eventsLabel, type StatusLine, subscriptionStatus, symbolsLabel } from './status.ts';

const INDICATOR_STATE_OF: Readonly<Record<RelayView['registration']['state'], HealthIndicator['state']>> = {
  off: 'down',
  waiting: 'degraded',
  registered: 'ok',
  paused: 'degraded',
  by_hand: 'degraded',
  refused: 'down',
};
export const registrationIndicator = (relay: RelayView): HealthIndicator['state'] =>
  relay.problem !== null ? 'down' : INDICATOR_STATE_OF[relay.registration.state];

interface SubscriptionsTableProps {
  readonly subscriptions: readonly SubscriptionView[];
  readonly relay: RelayView | null;
  /** The subscription whose deliveries are shown: an id, or null for this computer. */
  readonly shown: string | null;
  readonly onChoose: (chosen: Selection) => void;
}

interface Row {
  /** null: this computer, which may have no subscription yet. */
  readonly id: string | null;
  readonly relay: RelayView | null;
  readonly subscription: SubscriptionView | null;
}

export function SubscriptionsTable({ subscriptions, relay, shown, onChoose }: SubscriptionsTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const isOffline = useIsOffline();
  /** While offline, the last known status is shown in the past tense. */
  const seen = ({ state, text }: StatusLine): StatusLine =>
    isOffline ? { state: 'degraded', text: texts.webhooks.was(text) } : { state, text };
  const own = subscriptions.find((one) => one.own) ?? null;
  const rows: readonly Row[] = [
    ...(relay === null ? [] : [{ id: null, relay, subscription: own }]),
    ...subscriptions.filter((one) => !one.own).map((one) => ({ id: one.id, relay: null, subscription: one })),
  ];
  const statusOf = ({ relay: here, subscription }: Row): StatusLine => {
    if (here !== null)
      return seen({ state: registrationIndicator(here), text: texts.webhooks.here.states[here.registration.state] });
    return subscription === null ? { state: 'ok', text: '' } : seen(subscriptionStatus(subscription, zone, now));
  };
  const sinceOf = ({ relay: here, subscription }: Row): string => {
    const since = subscription?.created_at ?? here?.registration.since ?? null;
    return since === null ? '' : shortTimestamp(Date.parse(since), zone, now);
  };
  const columns: readonly Column<Row>[] = [
    { name: texts.webhooks.subscriptions.url, cell: (row) => <NameCell {...row} /> },
    {
      name: texts.webhooks.subscriptions.events,
      cellClass: 'cond',
      cell: ({ id, subscription }) =>
        id !== null && subscription?.events === null
          ? texts.webhooks.notProvided
          : eventsLabel(subscription?.events ?? null),
    },
    {
      name: texts.webhooks.subscriptions.symbols,
      className: 'wide',
      cellClass: 'cond',
      cell: ({ subscription }) => symbolsLabel(subscription?.symbols ?? null),
    },
    {
      name: texts.webhooks.subscriptions.status,
      cellClass: (row) => (row.id === null ? '' : CLASS_OF[statusOf(row).state]),
      cell: (row) => <StatusCell {...statusOf(row)} />,
    },
    { name: texts.webhooks.subscriptions.since, className: 'wide', cellClass: 'cond t2', cell: sinceOf },
  ];
  return (
    <Table
      label={texts.webhooks.subscriptions.name}
      className="hooks"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id ?? 'here'}
      choice={{
        isChosen: ({ id }) => id === shown,
        onChoose: ({ id }) => onChoose(id === null ? { kind: 'here' } : { kind: 'subscription', id }),
      }}
    />
  );
}

const CLASS_OF: Readonly<Record<HealthIndicator['state'], string>> = { ok: '', degraded: 'md', down: 'md bad' };

function NameCell({ relay, subscription }: Row) {
  return relay === null ? (
    <span className="mono">{subscription?.url}</span>
  ) : (
    <>
      {texts.webhooks.here.name} <span className="mono t3">{relay.listening?.address}</span>
    </>
  );
}
