// Renderer, connection: calls that the service counts, month-end forecast, and their purposes.

import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { type Column, Table } from '../../ui/table/table.tsx';
import { costs, type Meter, meters, quotaWarnings } from './lines.ts';

export function QuotaPanel({ details }: { details: ConnectionDetails }) {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const { quota, calls, counted_for } = details;
  const cost = costs(details);
  const lines = meters(details);
  const sub =
    !quota.counted && environment === 'sandbox' ? texts.connection.quota.notCounted : texts.connection.quota.counted;
  return (
    <section aria-label={texts.connection.quota.heading}>
      <div className="head block-head">
        <h2>{texts.connection.quota.heading}</h2>
        <span className="sub right ell">{lines.length === 0 ? texts.connection.quota.notProvided : sub}</span>
      </div>
      {quotaWarnings(details, zone, now).map((warning) => (
        <p key={warning} className="quota-warning">
          {warning}
        </p>
      ))}
      {lines.length > 0 && <Meters name={texts.connection.quota.heading} lines={lines} />}
      <h3 className="sheet-group">{cost.heading}</h3>
      {calls.length === 0 ? (
        <p className="sheet-empty">{texts.connection.quota.none}</p>
      ) : (
        <Meters name={cost.heading} quiet lines={cost.lines} />
      )}
      {!counted_for.enough && <p className="sheet-empty">{texts.connection.quota.costsWhy}</p>}
    </section>
  );
}

const COLUMNS: readonly Column<Meter>[] = [
  { name: '', isRowHead: true, cell: (meter) => meter.name },
  {
    name: '',
    className: 'meter',
    cell: ({ over, part }) => (
      <span className="meter-bar" aria-hidden="true">
        <i className={over ? 'over' : ''} style={{ width: `${(part * 100).toFixed(1)}%` }} />
      </span>
    ),
  },
  { name: '', className: 'num cond', cell: ({ text }) => text },
];

function Meters({ name, lines, quiet = false }: { name: string; lines: readonly Meter[]; quiet?: boolean }) {
  return (
    <Table
      label={name}
      className={quiet ? 'meters quiet' : 'meters'}
      head="none"
      columns={COLUMNS}
      rows={lines}
      keyOf={(meter) => meter.name}
    />
  );
}
