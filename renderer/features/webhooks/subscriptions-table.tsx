// Renderer, webhooks: the subscriptions of this profile's key, this computer first.
import type { RelayView } from '../../../shared/channels/relay.ts';
import type { HealthIndicator } from '../../../shared/channels/state.ts';
import type { SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { shortTimestamp } from '../../text/format.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { ChoiceRow } from './choice-row.tsx';
import { HeadRow } from './head-row.tsx';
import type { Selection } from './selection.ts';
import { eventsLabel, type StatusLine, subscriptionStatus, symbolsLabel } from './status.ts';

const INDICATOR_STATE_OF: Readonly<Record<RelayView['registration']['state'], HealthIndicator['state']>> = {
  off: 'down',
  waiting: 'degraded',
  registered: 'ok',
  paused: 'degraded',
  by_hand: 'degraded',
  refused: 'down',
};
export const registrationIndicator = (relay: RelayView): HealthIndicator['state'] =>
  relay.problem !== null ? 'down' : INDICATOR_STATE_OF[relay.registration.state];

interface SubscriptionsTableProps {
  readonly subscriptions: readonly SubscriptionView[];
  readonly relay: RelayView | null;
  /** Whose deliveries are shown: an id, or null for this computer. */
  readonly shown: string | null;
  readonly onChoose: (chosen: Selection) => void;
}

export function SubscriptionsTable({ subscriptions, relay, shown, onChoose }: SubscriptionsTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const isOffline = useIsOffline();
  /** What was known is shown in the past tense. */
  const seen = ({ state, text }: StatusLine): StatusLine =>
    isOffline ? { state: 'degraded', text: messages.was(text) } : { state, text };
  const here =
    relay === null
      ? null
      : seen({ state: registrationIndicator(relay), text: messages.here.states[relay.registration.state] });
  const own = subscriptions.find((one) => one.own);
  return (
    <table className="table hooks" aria-label={messages.subscriptions.name}>
      <HeadRow
        columns={[
          messages.subscriptions.url,
          messages.subscriptions.events,
          [messages.subscriptions.symbols, 'wide'],
          messages.subscriptions.status,
          [messages.subscriptions.since, 'wide'],
        ]}
      />
      <tbody>
        {relay !== null && here !== null && (
          <ChoiceRow
            chosen={shown === null}
            onChoose={() => onChoose({ kind: 'here' })}
            first={
              <>
                {messages.here.name} <span className="mono t3">{relay.listening?.address}</span>
              </>
            }
          >
            <td className="cond">{eventsLabel(own?.events ?? null)}</td>
            <td className="cond wide">{symbolsLabel(own?.symbols ?? null)}</td>
            <td>
              <IndicatorLine state={here.state} isAnnounced={false}>
                {here.text}
              </IndicatorLine>
            </td>
            <td className="cond t2 wide">
              {shortTimestamp(Date.parse(own?.created_at ?? relay.registration.since), zone, now)}
            </td>
          </ChoiceRow>
        )}
        {subscriptions
          .filter((one) => !one.own)
          .map((one) => {
            const { state, text } = seen(subscriptionStatus(one, zone, now));
            return (
              <ChoiceRow
                key={one.id}
                chosen={shown === one.id}
                onChoose={() => onChoose({ kind: 'subscription', id: one.id })}
                first={<span className="mono">{one.url}</span>}
              >
                <td className="cond">{one.events === null ? messages.notProvided : eventsLabel(one.events)}</td>
                <td className="cond wide">{symbolsLabel(one.symbols)}</td>
                <td className={state === 'down' ? 'md bad' : state === 'degraded' ? 'md' : ''}>
                  <IndicatorLine state={state} isAnnounced={false}>
                    {text}
                  </IndicatorLine>
                </td>
                <td className="cond t2 wide">
                  {one.created_at === null ? '' : shortTimestamp(Date.parse(one.created_at), zone, now)}
                </td>
              </ChoiceRow>
            );
          })}
      </tbody>
    </table>
  );
}
