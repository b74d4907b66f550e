// Renderer, webhooks: a delivery: attempts, payload, signature check if received here, last response.
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { Attempt, DeliveryView, SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { count, fineSpan, shortTimestamp, span, timeOfDay } from '../../text/format.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { IndicatorIcon } from '../../ui/glyph.tsx';
import { DetailFrame } from './detail-frame.tsx';
import { deliveryStatus, pausesAt } from './status.ts';

interface DeliveryDetailProps {
  readonly delivery: DeliveryView;
  readonly subscription: SubscriptionView;
  readonly relay: RelayView | null;
  readonly said: string;
  readonly onReplay: () => void;
  readonly onBack: () => void;
}

export function DeliveryDetail({ delivery, subscription, relay, said, onReplay, onBack }: DeliveryDetailProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const { state } = deliveryStatus(delivery, zone, now);
  const last = delivery.attempts.at(-1);
  const gives = pausesAt(subscription);
  const bytes = delivery.body === null ? null : new TextEncoder().encode(delivery.body).length;
  return (
    <DetailFrame
      heading={
        <span className="row">
          <IndicatorIcon state={state} />
          {messages.delivery.heading(delivery.id)}
        </span>
      }
      sub={[delivery.event, delivery.symbol].filter((part) => part !== null).join(', ')}
      said={said}
      onBack={onBack}
      actions={
        <button type="button" className="btn line" onClick={onReplay}>
          {messages.delivery.replay} <kbd>R</kbd>
        </button>
      }
    >
      <h3 className="sheet-group">{messages.delivery.attempts}</h3>
      <Attempts delivery={delivery} />
      <h3 className="sheet-group">
        {messages.delivery.request}
        {bytes !== null && <span className="right">{messages.delivery.bytes(count(bytes))}</span>}
      </h3>
      {delivery.body === null ? (
        <p className="sheet-empty">{messages.delivery.noBody}</p>
      ) : (
        <pre className="bytes">{`POST ${subscription.url}\nwebhook-id: ${delivery.event_id}\n\n${delivery.body}`}</pre>
      )}
      <h3 className="sheet-group">{messages.delivery.diagnostics}</h3>
      <Proof delivery={delivery} own={subscription.own} relay={relay} />
      <h3 className="sheet-group">
        {messages.delivery.answer}
        <span className="right">
          {last === undefined
            ? ''
            : `${last.status ?? messages.deliveries.noAnswer}${last.latency_ms === null ? '' : `, ${fineSpan(last.latency_ms)}`}`}
        </span>
      </h3>
      {last !== undefined && (
        <pre className="bytes answer">
          {last.response ??
            (last.status === null ? (last.error ?? messages.deliveries.noAnswer) : messages.delivery.noText)}
        </pre>
      )}
      {delivery.status === 'pending' && gives !== null && (
        <p className="sheet-empty">{messages.subscription.pause(shortTimestamp(gives, zone, now))}</p>
      )}
    </DetailFrame>
  );
}

function Attempts({ delivery }: { delivery: DeliveryView }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const { attempts, next_attempt_at } = delivery;
  const first = attempts[0]?.at ?? null;
  return (
    <table className="attempts" aria-label={messages.delivery.attempts}>
      <tbody>
        {attempts.map((attempt, index) => (
          <tr key={attempt.number}>
            <td className="cond">{attempt.at === null ? attempt.number : timeOfDay(Date.parse(attempt.at), zone)}</td>
            <td>
              <IndicatorIcon state={attempt.error === null ? 'ok' : 'down'} />
            </td>
            <td className="cond t3">
              {attempt.at === null || first === null
                ? ''
                : `+${index === 0 ? '0' : span(Date.parse(attempt.at) - Date.parse(first))}`}
            </td>
            <td className={attempt.error === null ? 'cond' : 'cond md bad'}>
              {attempt.status ?? messages.deliveries.noAnswer}
            </td>
            <td className="cond t2 fill">{attemptText(attempt, attempts[index - 1])}</td>
          </tr>
        ))}
        {next_attempt_at !== null && (
          <tr>
            <td className="cond">{timeOfDay(Date.parse(next_attempt_at), zone)}</td>
            <td>
              <IndicatorIcon state="degraded" />
            </td>
            <td className="cond t3">{messages.delivery.next}</td>
            <td className="cond md" colSpan={2}>
              {messages.delivery.in(span(Date.parse(next_attempt_at) - now))}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

const attemptText = (attempt: Attempt, before: Attempt | undefined): string => {
  if (attempt.error === null) return messages.delivery.good;
  return before?.error === attempt.error && before.status === attempt.status ? messages.delivery.same : attempt.error;
};

function Proof({ delivery, own, relay }: { delivery: DeliveryView; own: boolean; relay: RelayView | null }) {
  if (!own) return <p className="sheet-empty">{messages.delivery.elsewhere}</p>;
  const arrival = relay?.arrivals.find(({ event_id }) => event_id === delivery.event_id);
  if (arrival === undefined) return <p className="sheet-empty">{messages.delivery.notHere}</p>;
  return (
    <ul className="findings">
      <li>
        <IndicatorLine state="ok">
          {messages.delivery.proven(arrival.proof, messages.delivery.secretNames[arrival.secret])}
        </IndicatorLine>
      </li>
      <li>
        <IndicatorLine state={arrival.result === 'quarantined' ? 'degraded' : 'ok'}>
          {arrival.message || messages.arrivals.result[arrival.result]}
        </IndicatorLine>
      </li>
    </ul>
  );
}
