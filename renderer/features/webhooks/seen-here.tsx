// Renderer, webhooks: tables of the last requests that this computer received and refused.
// Each table has at most fifty requests, since the start of the core.

import type { Arrival, RejectedRequest } from '../../../shared/channels/relay.ts';
import { preciseTime } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { type Column, Table } from '../../ui/table/table.tsx';
import { EVENT_COLUMNS, StatusCell } from './deliveries-table.tsx';

interface ArrivalsTableProps {
  readonly arrivals: readonly Arrival[];
  readonly chosen: string | null;
  readonly onChoose: (eventId: string) => void;
}

export function ArrivalsTable({ arrivals, chosen, onChoose }: ArrivalsTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  if (arrivals.length === 0) return <p className="sheet-empty">{texts.webhooks.arrivals.none}</p>;
  const columns: readonly Column<Arrival>[] = [
    {
      name: texts.webhooks.deliveries.time,
      cell: ({ at }) => <span className="cond">{preciseTime(Date.parse(at), zone, now)}</span>,
    },
    ...EVENT_COLUMNS,
    { name: texts.webhooks.arrivals.proof, className: 'wide', cellClass: 'cond t2', cell: ({ proof }) => proof },
    {
      name: texts.webhooks.deliveries.result,
      className: 'last',
      cell: ({ result }) => (
        <StatusCell
          state={result === 'quarantined' ? 'degraded' : 'ok'}
          text={texts.webhooks.arrivals.result[result]}
        />
      ),
    },
  ];
  return (
    <Table
      label={texts.webhooks.arrivals.name}
      className="hooks"
      columns={columns}
      rows={arrivals}
      keyOf={({ event_id, at }) => `${event_id} ${at}`}
      choice={{ isChosen: ({ event_id: id }) => id === chosen, onChoose: ({ event_id: id }) => onChoose(id) }}
    />
  );
}

interface RefusedTableProps {
  readonly refused: readonly RejectedRequest[];
  readonly chosen: number | null;
  readonly onChoose: (id: number) => void;
}

export function RefusedTable({ refused, chosen, onChoose }: RefusedTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  if (refused.length === 0) return <p className="sheet-empty">{texts.webhooks.arrivals.noneRefused}</p>;
  const columns: readonly Column<RejectedRequest>[] = [
    {
      name: texts.webhooks.deliveries.time,
      cell: ({ at }) => <span className="cond">{preciseTime(Date.parse(at), zone, now)}</span>,
    },
    {
      name: texts.webhooks.arrivals.reason,
      cellClass: 'md',
      cell: ({ reason }) => <StatusCell state="down" text={texts.webhooks.reasons[reason]} />,
    },
    { name: texts.webhooks.arrivals.times, className: 'num', cellClass: 'cond', cell: ({ times }) => times },
    {
      name: texts.webhooks.arrivals.why,
      className: 'last',
      cellClass: 't2 fill',
      cellTitle: ({ message }) => textOf(message),
      cell: ({ message }) => textOf(message),
    },
  ];
  return (
    <Table
      label={texts.webhooks.arrivals.refusedName}
      className="hooks"
      columns={columns}
      rows={refused}
      keyOf={({ id }) => String(id)}
      choice={{ isChosen: ({ id }) => id === chosen, onChoose: ({ id }) => onChoose(id) }}
    />
  );
}
