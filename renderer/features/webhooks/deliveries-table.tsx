// Renderer, webhooks: the service's deliveries to a subscription, newest first.
import type { DeliveryView } from '../../../shared/channels/subscriptions.ts';
import { DASH, fineSpan, preciseTime } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { deliveryStatus, type StatusLine } from './status.ts';

/** The event of a delivery, or of a request that this computer received. */
export const EVENT_COLUMNS: readonly Column<Pick<DeliveryView, 'event' | 'symbol' | 'event_id'>>[] = [
  { name: texts.webhooks.deliveries.event, cellClass: 'mono', cell: ({ event }) => event },
  { name: texts.webhooks.deliveries.symbol, cellClass: 'sym', cell: ({ symbol }) => symbol ?? DASH },
  {
    name: texts.webhooks.deliveries.id,
    className: 'wide',
    cellClass: 'mono t3',
    cell: ({ event_id: id }) => id.replace(/^evt_/, ''),
  },
];

interface DeliveriesTableProps {
  readonly deliveries: readonly DeliveryView[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

export function DeliveriesTable({ deliveries, chosen, onChoose }: DeliveriesTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const columns: readonly Column<DeliveryView>[] = [
    {
      name: texts.webhooks.deliveries.time,
      cell: ({ created_at: at, id }) => (
        <span className="cond">{at === null ? id : preciseTime(Date.parse(at), zone, now)}</span>
      ),
    },
    ...EVENT_COLUMNS,
    {
      name: texts.webhooks.deliveries.attempts,
      className: 'num wide',
      cellClass: 'cond',
      cell: ({ attempts }) => attempts.length,
    },
    {
      name: texts.webhooks.deliveries.answer,
      className: 'num',
      cellClass: ({ attempts }) => (attempts.at(-1)?.error == null ? 'cond' : 'cond md bad'),
      cell({ attempts }) {
        const last = attempts.at(-1);
        return last === undefined ? '' : (last.status ?? texts.webhooks.deliveries.noAnswer);
      },
    },
    {
      name: texts.webhooks.deliveries.took,
      className: 'num wide',
      cellClass: 'cond t2',
      cell({ attempts }) {
        const latency = attempts.at(-1)?.latency_ms ?? null;
        return latency === null ? '' : fineSpan(latency);
      },
    },
    {
      name: texts.webhooks.deliveries.result,
      className: 'last',
      cell: (delivery) => <StatusCell {...deliveryStatus(delivery, zone, now)} />,
    },
  ];
  return (
    <Table
      label={texts.webhooks.deliveries.heading}
      className="hooks"
      columns={columns}
      rows={deliveries}
      keyOf={({ id }) => id}
      choice={{ isChosen: ({ id }) => id === chosen, onChoose: ({ id }) => onChoose(id) }}
    />
  );
}

/** The status of a table row, as an indicator and text. */
export const StatusCell = ({ state, text }: StatusLine) => (
  <IndicatorLine state={state} isAnnounced={false}>
    {text}
  </IndicatorLine>
);
