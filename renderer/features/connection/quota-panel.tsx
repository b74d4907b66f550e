// Renderer, connection: calls that the service counts, month-end forecast, and their purposes.
import type { ConnectionDetails } from '../../../shared/channels/connection.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { connectionText as messages } from '../../text/connection.ts';
import { costs, type Meter, meters, quotaWarnings } from './lines.ts';

export function QuotaPanel({ details }: { details: ConnectionDetails }) {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const { quota, calls, counted_for } = details;
  const cost = costs(details);
  const lines = meters(details);
  const sub = !quota.counted && environment === 'sandbox' ? messages.quota.notCounted : messages.quota.counted;
  return (
    <section aria-label={messages.quota.heading}>
      <div className="head block-head">
        <h2>{messages.quota.heading}</h2>
        <span className="sub right ell">{lines.length === 0 ? messages.quota.notProvided : sub}</span>
      </div>
      {quotaWarnings(details, zone, now).map((warning) => (
        <p key={warning} className="quota-warning">
          {warning}
        </p>
      ))}
      {lines.length > 0 && <Meters name={messages.quota.heading} lines={lines} />}
      <h3 className="sheet-group">{cost.heading}</h3>
      {calls.length === 0 ? (
        <p className="sheet-empty">{messages.quota.none}</p>
      ) : (
        <Meters name={cost.heading} quiet lines={cost.lines} />
      )}
      {!counted_for.enough && <p className="sheet-empty">{messages.quota.costsWhy}</p>}
    </section>
  );
}

function Meters({ name, lines, quiet = false }: { name: string; lines: readonly Meter[]; quiet?: boolean }) {
  return (
    <table className={quiet ? 'meters quiet' : 'meters'} aria-label={name}>
      <tbody>
        {lines.map((meter) => (
          <tr key={meter.name}>
            <th scope="row">{meter.name}</th>
            <td className="meter">
              <span className="meter-bar" aria-hidden="true">
                <i className={meter.over ? 'over' : ''} style={{ width: `${(meter.part * 100).toFixed(1)}%` }} />
              </span>
            </td>
            <td className="num cond">{meter.text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
