// Renderer, webhooks: one delivery: its attempts, its bytes, its proof where it came here, and the last answer.
import type { RelayFace } from '../../../shared/channels/relay.ts';
import type { Attempt, DeliveryFace, SubscriptionFace } from '../../../shared/channels/subscriptions.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldNow } from '../../store/sight.ts';
import { count, fineSpan, moment, span, timeOfDay } from '../../text/format.ts';
import { webhookWords as words } from '../../text/webhooks.ts';
import { LampLine } from '../../ui/facts.tsx';
import { LampMark } from '../../ui/glyph.tsx';
import { DetailFrame } from './detail-frame.tsx';
import { deliveryStanding, pausesAt } from './words.ts';

interface DeliveryDetailProps {
  readonly delivery: DeliveryFace;
  readonly subscription: SubscriptionFace;
  readonly relay: RelayFace | null;
  readonly said: string;
  readonly onReplay: () => void;
  readonly onBack: () => void;
}

export function DeliveryDetail({ delivery, subscription, relay, said, onReplay, onBack }: DeliveryDetailProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const { state } = deliveryStanding(delivery, zone, now);
  const last = delivery.attempts.at(-1);
  const gives = pausesAt(subscription);
  const bytes = delivery.body === null ? null : new TextEncoder().encode(delivery.body).length;
  return (
    <DetailFrame
      heading={
        <span className="row">
          <LampMark state={state} />
          {words.delivery.heading(delivery.id)}
        </span>
      }
      sub={[delivery.event, delivery.symbol].filter((part) => part !== null).join(', ')}
      said={said}
      onBack={onBack}
      actions={
        <button type="button" className="btn line" onClick={onReplay}>
          {words.delivery.replay} <kbd>R</kbd>
        </button>
      }
    >
      <h3 className="sheet-group">{words.delivery.attempts}</h3>
      <Attempts delivery={delivery} />
      <h3 className="sheet-group">
        {words.delivery.request}
        {bytes !== null && <span className="right">{words.delivery.bytes(count(bytes))}</span>}
      </h3>
      {delivery.body === null ? (
        <p className="sheet-empty">{words.delivery.noBody}</p>
      ) : (
        <pre className="bytes">{`POST ${subscription.url}\nwebhook-id: ${delivery.event_id}\n\n${delivery.body}`}</pre>
      )}
      <h3 className="sheet-group">{words.delivery.doctor}</h3>
      <Proof delivery={delivery} own={subscription.own} relay={relay} />
      <h3 className="sheet-group">
        {words.delivery.answer}
        <span className="right">
          {last === undefined
            ? ''
            : `${last.status ?? words.deliveries.noAnswer}${last.latency_ms === null ? '' : `, ${fineSpan(last.latency_ms)}`}`}
        </span>
      </h3>
      {last !== undefined && (
        <pre className="bytes answer">
          {last.response ?? (last.status === null ? (last.error ?? words.deliveries.noAnswer) : words.delivery.noText)}
        </pre>
      )}
      {delivery.status === 'pending' && gives !== null && (
        <p className="sheet-empty">{words.subscription.pause(moment(gives, zone, now))}</p>
      )}
    </DetailFrame>
  );
}

function Attempts({ delivery }: { delivery: DeliveryFace }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const { attempts, next_attempt_at } = delivery;
  const first = attempts[0]?.at ?? null;
  return (
    <table className="attempts" aria-label={words.delivery.attempts}>
      <tbody>
        {attempts.map((attempt, index) => (
          <tr key={attempt.number}>
            <td className="cond">{attempt.at === null ? attempt.number : timeOfDay(Date.parse(attempt.at), zone)}</td>
            <td>
              <LampMark state={attempt.error === null ? 'lit' : 'out'} />
            </td>
            <td className="cond t3">
              {attempt.at === null || first === null
                ? ''
                : `+${index === 0 ? '0' : span(Date.parse(attempt.at) - Date.parse(first))}`}
            </td>
            <td className={attempt.error === null ? 'cond' : 'cond md bad'}>
              {attempt.status ?? words.deliveries.noAnswer}
            </td>
            <td className="cond t2 fill">{attemptWords(attempt, attempts[index - 1])}</td>
          </tr>
        ))}
        {next_attempt_at !== null && (
          <tr>
            <td className="cond">{timeOfDay(Date.parse(next_attempt_at), zone)}</td>
            <td>
              <LampMark state="partial" />
            </td>
            <td className="cond t3">{words.delivery.next}</td>
            <td className="cond md" colSpan={2}>
              {words.delivery.in(span(Date.parse(next_attempt_at) - now))}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

const attemptWords = (attempt: Attempt, before: Attempt | undefined): string => {
  if (attempt.error === null) return words.delivery.good;
  return before?.error === attempt.error && before.status === attempt.status ? words.delivery.same : attempt.error;
};

function Proof({ delivery, own, relay }: { delivery: DeliveryFace; own: boolean; relay: RelayFace | null }) {
  if (!own) return <p className="sheet-empty">{words.delivery.elsewhere}</p>;
  const arrival = relay?.arrivals.find(({ event_id }) => event_id === delivery.event_id);
  if (arrival === undefined) return <p className="sheet-empty">{words.delivery.notHere}</p>;
  return (
    <ul className="findings">
      <li>
        <LampLine state="lit">{words.delivery.proven(arrival.proof, words.delivery.slots[arrival.secret])}</LampLine>
      </li>
      <li>
        <LampLine state={arrival.result === 'kept_aside' ? 'partial' : 'lit'}>
          {arrival.words || words.arrivals.result[arrival.result]}
        </LampLine>
      </li>
    </ul>
  );
}
