// Renderer, webhooks: what the service delivered to a subscription, newest first.
import type { DeliveryFace } from '../../../shared/channels/subscriptions.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldNow } from '../../store/sight.ts';
import { DASH, fineSpan, preciseTime } from '../../text/format.ts';
import { webhookWords as words } from '../../text/webhooks.ts';
import { LampLine } from '../../ui/facts.tsx';
import { ChoiceRow } from './choice-row.tsx';
import { HeadRow } from './head-row.tsx';
import { deliveryStanding } from './words.ts';

interface DeliveriesTableProps {
  readonly deliveries: readonly DeliveryFace[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

export function DeliveriesTable({ deliveries, chosen, onChoose }: DeliveriesTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  return (
    <table className="table hooks" aria-label={words.deliveries.heading}>
      <HeadRow
        columns={[
          words.deliveries.time,
          words.deliveries.event,
          words.deliveries.symbol,
          [words.deliveries.id, 'wide'],
          [words.deliveries.attempts, 'num wide'],
          [words.deliveries.answer, 'num'],
          [words.deliveries.took, 'num wide'],
          [words.deliveries.result, 'last'],
        ]}
      />
      <tbody>
        {deliveries.map((delivery) => {
          const { state, text } = deliveryStanding(delivery, zone, now);
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
                {last === undefined ? '' : (last.status ?? words.deliveries.noAnswer)}
              </td>
              <td className="num cond t2 wide">{last?.latency_ms == null ? '' : fineSpan(last.latency_ms)}</td>
              <td className="last">
                <LampLine state={state} says={false}>
                  {text}
                </LampLine>
              </td>
            </ChoiceRow>
          );
        })}
      </tbody>
    </table>
  );
}
