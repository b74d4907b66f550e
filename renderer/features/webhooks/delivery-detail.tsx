// Renderer, webhooks: one delivery: attempts, payload, signature check and last response.
// The check needs a delivery that this computer received.

import type { RelayView } from '../../../shared/channels/relay.ts';
import type { HealthIndicator } from '../../../shared/channels/state.ts';
import type { Attempt, DeliveryView, SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { count, fineSpan, shortTimestamp, span, timeOfDay } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { IndicatorIcon } from '../../ui/glyph.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
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
          {texts.webhooks.delivery.heading(delivery.id)}
        </span>
      }
      sub={[delivery.event, delivery.symbol].filter((part) => part !== null).join(', ')}
      said={said}
      onBack={onBack}
      actions={
        <button type="button" className="btn line" onClick={onReplay}>
          {texts.webhooks.delivery.replay} <kbd>R</kbd>
        </button>
      }
    >
      <h3 className="sheet-group">{texts.webhooks.delivery.attempts}</h3>
      <Attempts delivery={delivery} />
      <h3 className="sheet-group">
        {texts.webhooks.delivery.request}
        {bytes !== null && <span className="right">{texts.webhooks.delivery.bytes(count(bytes))}</span>}
      </h3>
      {delivery.body === null ? (
        <p className="sheet-empty">{texts.webhooks.delivery.noBody}</p>
      ) : (
        <pre className="bytes">{`POST ${subscription.url}\nwebhook-id: ${delivery.event_id}\n\n${delivery.body}`}</pre>
      )}
      <h3 className="sheet-group">{texts.webhooks.delivery.diagnostics}</h3>
      <Proof delivery={delivery} own={subscription.own} relay={relay} />
      <h3 className="sheet-group">
        {texts.webhooks.delivery.answer}
        <span className="right">
          {last === undefined
            ? ''
            : `${last.status ?? texts.webhooks.deliveries.noAnswer}${last.latency_ms === null ? '' : `, ${fineSpan(last.latency_ms)}`}`}
        </span>
      </h3>
      {last !== undefined && (
        <pre className="bytes answer">
          {last.response ??
            (last.status === null
              ? (last.error ?? texts.webhooks.deliveries.noAnswer)
              : texts.webhooks.delivery.noText)}
        </pre>
      )}
      {delivery.status === 'pending' && gives !== null && (
        <p className="sheet-empty">{texts.webhooks.subscription.pause(shortTimestamp(gives, zone, now))}</p>
      )}
    </DetailFrame>
  );
}

/** An attempt, or the next one. */
interface AttemptRow {
  readonly key: number | 'next';
  readonly time: string;
  readonly state: HealthIndicator['state'];
  readonly after: string;
  readonly status: string | number;
  readonly text: string;
}

const COLUMNS: readonly Column<AttemptRow>[] = [
  { name: '', className: 'attempt-time', cellClass: 'cond', cell: ({ time }) => time },
  { name: '', className: 'attempt-state', cell: ({ state }) => <IndicatorIcon state={state} /> },
  { name: '', className: 'attempt-after', cellClass: 'cond t3', cell: ({ after }) => after },
  {
    name: '',
    className: 'attempt-status',
    cellClass: ({ state }) => (state === 'down' ? 'cond md bad' : 'cond'),
    cell: ({ status }) => status,
  },
  {
    name: '',
    className: 'fill',
    cellClass: ({ key }) => (key === 'next' ? 'cond md' : 'cond t2'),
    cell: ({ text }) => text,
  },
];

function Attempts({ delivery: { attempts, next_attempt_at: next } }: { delivery: DeliveryView }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const first = attempts[0]?.at ?? null;
  const rows = attempts.map(
    (attempt, index): AttemptRow => ({
      key: attempt.number,
      time: attempt.at === null ? String(attempt.number) : timeOfDay(Date.parse(attempt.at), zone),
      state: attempt.error === null ? 'ok' : 'down',
      after:
        attempt.at === null || first === null
          ? ''
          : `+${index === 0 ? '0' : span(Date.parse(attempt.at) - Date.parse(first))}`,
      status: attempt.status ?? texts.webhooks.deliveries.noAnswer,
      text: attemptText(attempt, attempts[index - 1]),
    }),
  );
  if (next !== null)
    rows.push({
      key: 'next',
      time: timeOfDay(Date.parse(next), zone),
      state: 'degraded',
      after: texts.webhooks.delivery.next,
      status: '',
      text: texts.webhooks.delivery.in(span(Date.parse(next) - now)),
    });
  return (
    <Table
      label={texts.webhooks.delivery.attempts}
      className="attempts"
      head="none"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ key }) => String(key)}
    />
  );
}

const attemptText = (attempt: Attempt, before: Attempt | undefined): string => {
  if (attempt.error === null) return texts.webhooks.delivery.good;
  return before?.error === attempt.error && before.status === attempt.status
    ? texts.webhooks.delivery.same
    : attempt.error;
};

function Proof({ delivery, own, relay }: { delivery: DeliveryView; own: boolean; relay: RelayView | null }) {
  if (!own) return <p className="sheet-empty">{texts.webhooks.delivery.elsewhere}</p>;
  const arrival = relay?.arrivals.find(({ event_id }) => event_id === delivery.event_id);
  if (arrival === undefined) return <p className="sheet-empty">{texts.webhooks.delivery.notHere}</p>;
  return (
    <ul className="findings">
      <li>
        <IndicatorLine state="ok">
          {texts.webhooks.delivery.proven(arrival.proof, texts.webhooks.delivery.secretNames[arrival.secret])}
        </IndicatorLine>
      </li>
      <li>
        <IndicatorLine state={arrival.result === 'quarantined' ? 'degraded' : 'ok'}>
          {arrival.message === null ? texts.webhooks.arrivals.result[arrival.result] : textOf(arrival.message)}
        </IndicatorLine>
      </li>
    </ul>
  );
}
