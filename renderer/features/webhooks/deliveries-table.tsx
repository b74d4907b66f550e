// Renderer, webhooks: what the service delivered to a subscription, newest first.
import type { DeliveryView } from '../../../shared/channels/subscriptions.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { DASH, fineSpan, preciseTime } from '../../text/format.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { ChoiceRow } from './choice-row.tsx';
import { HeadRow } from './head-row.tsx';
import { deliveryStatus } from './status.ts';

interface DeliveriesTableProps {
  readonly deliveries: readonly DeliveryView[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

export function DeliveriesTable({ deliveries, chosen, onChoose }: DeliveriesTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  return (
    <table className="table hooks" aria-label={messages.deliveries.heading}>
      <HeadRow
        columns={[
          messages.deliveries.time,
          messages.deliveries.event,
          messages.deliveries.symbol,
          [messages.deliveries.id, 'wide'],
          [messages.deliveries.attempts, 'num wide'],
          [messages.deliveries.answer, 'num'],
          [messages.deliveries.took, 'num wide'],
          [messages.deliveries.result, 'last'],
        ]}
      />
      <tbody>
        {deliveries.map((delivery) => {
          const { state, text } = deliveryStatus(delivery, zone, now);
          const last = delivery.attempts.at(-1);
          return (
            <ChoiceRow
              key={delivery.id}
              chosen={chosen === delivery.id}
              onChoose={() => onChoose(delivery.id)}
              first={
                <span className="cond">
                  {delivery.created_at === null ? delivery.id : preciseTime(Date.parse(delivery.created_at), zone, now)}
                </span>
              }
            >
              <td className="mono">{delivery.event}</td>
              <td className="sym">{delivery.symbol ?? DASH}</td>
              <td className="mono t3 wide">{delivery.event_id.replace(/^evt_/, '')}</td>
              <td className="num cond wide">{delivery.attempts.length}</td>
              <td className={`num cond ${last?.error == null ? '' : 'md bad'}`}>
                {last === undefined ? '' : (last.status ?? messages.deliveries.noAnswer)}
              </td>
              <td className="num cond t2 wide">{last?.latency_ms == null ? '' : fineSpan(last.latency_ms)}</td>
              <td className="last">
                <IndicatorLine state={state} isAnnounced={false}>
                  {text}
                </IndicatorLine>
              </td>
            </ChoiceRow>
          );
        })}
      </tbody>
    </table>
  );
}
