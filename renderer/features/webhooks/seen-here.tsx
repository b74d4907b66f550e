// Renderer, webhooks: what arrived on this computer, and what it refused, each the last fifty since the start.
import type { Arrival, RejectedRequest } from '../../../shared/channels/relay.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { DASH, preciseTime } from '../../text/format.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { ChoiceRow } from './choice-row.tsx';
import { HeadRow } from './head-row.tsx';

interface ArrivalsTableProps {
  readonly arrivals: readonly Arrival[];
  readonly chosen: string | null;
  readonly onChoose: (eventId: string) => void;
}

export function ArrivalsTable({ arrivals, chosen, onChoose }: ArrivalsTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  if (arrivals.length === 0) return <p className="sheet-empty">{messages.arrivals.none}</p>;
  return (
    <table className="table hooks" aria-label={messages.arrivals.name}>
      <HeadRow
        columns={[
          messages.deliveries.time,
          messages.deliveries.event,
          messages.deliveries.symbol,
          [messages.deliveries.id, 'wide'],
          [messages.arrivals.proof, 'wide'],
          [messages.deliveries.result, 'last'],
        ]}
      />
      <tbody>
        {arrivals.map((arrival) => (
          <ChoiceRow
            key={`${arrival.event_id} ${arrival.at}`}
            chosen={chosen === arrival.event_id}
            onChoose={() => onChoose(arrival.event_id)}
            first={<span className="cond">{preciseTime(Date.parse(arrival.at), zone, now)}</span>}
          >
            <td className="mono">{arrival.event}</td>
            <td className="sym">{arrival.symbol ?? DASH}</td>
            <td className="mono t3 wide">{arrival.event_id.replace(/^evt_/, '')}</td>
            <td className="cond t2 wide">{arrival.proof}</td>
            <td className="last">
              <IndicatorLine state={arrival.result === 'quarantined' ? 'degraded' : 'ok'} isAnnounced={false}>
                {messages.arrivals.result[arrival.result]}
              </IndicatorLine>
            </td>
          </ChoiceRow>
        ))}
      </tbody>
    </table>
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
  if (refused.length === 0) return <p className="sheet-empty">{messages.arrivals.noneRefused}</p>;
  return (
    <table className="table hooks" aria-label={messages.arrivals.refusedName}>
      <HeadRow
        columns={[
          messages.deliveries.time,
          messages.arrivals.reason,
          [messages.arrivals.times, 'num'],
          [messages.arrivals.why, 'last'],
        ]}
      />
      <tbody>
        {refused.map((one) => (
          <ChoiceRow
            key={one.id}
            chosen={chosen === one.id}
            onChoose={() => onChoose(one.id)}
            first={<span className="cond">{preciseTime(Date.parse(one.at), zone, now)}</span>}
          >
            <td className="md">
              <IndicatorLine state="down" isAnnounced={false}>
                {messages.reasons[one.reason]}
              </IndicatorLine>
            </td>
            <td className="num cond">{one.times}</td>
            <td className="t2 last fill" title={one.message}>
              {one.message}
            </td>
          </ChoiceRow>
        ))}
      </tbody>
    </table>
  );
}
