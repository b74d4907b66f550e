// Renderer, webhooks: the subscriptions of this profile's key, this computer first.
import type { RelayFace } from '../../../shared/channels/relay.ts';
import type { Lamp } from '../../../shared/channels/state.ts';
import type { SubscriptionFace } from '../../../shared/channels/subscriptions.ts';
import { usePreference } from '../../store/preferences.ts';
import { useBlind, useWorldNow } from '../../store/sight.ts';
import { moment } from '../../text/format.ts';
import { webhookWords as words } from '../../text/webhooks.ts';
import { LampLine } from '../../ui/facts.tsx';
import { ChoiceRow } from './choice-row.tsx';
import type { Chosen } from './chosen.ts';
import { HeadRow } from './head-row.tsx';
import { eventWords, type Standing, subscriptionStanding, symbolWords } from './words.ts';

const LAMP_OF: Readonly<Record<RelayFace['registration']['state'], Lamp['state']>> = {
  off: 'out',
  waiting: 'partial',
  registered: 'lit',
  paused: 'partial',
  by_hand: 'partial',
  refused: 'out',
};
export const registrationLamp = (relay: RelayFace): Lamp['state'] =>
  relay.problem !== null ? 'out' : LAMP_OF[relay.registration.state];

interface SubscriptionsTableProps {
  readonly subscriptions: readonly SubscriptionFace[];
  readonly relay: RelayFace | null;
  /** Whose deliveries are shown: an id, or null for this computer. */
  readonly shown: string | null;
  readonly onChoose: (chosen: Chosen) => void;
}

export function SubscriptionsTable({ subscriptions, relay, shown, onChoose }: SubscriptionsTableProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const blind = useBlind();
  /** What was known is told as what it was. */
  const seen = ({ state, text }: Standing): Standing =>
    blind ? { state: 'partial', text: words.was(text) } : { state, text };
  const here =
    relay === null ? null : seen({ state: registrationLamp(relay), text: words.here.states[relay.registration.state] });
  const own = subscriptions.find((one) => one.own);
  return (
    <table className="table hooks" aria-label={words.subscriptions.name}>
      <HeadRow
        columns={[
          words.subscriptions.url,
          words.subscriptions.events,
          [words.subscriptions.symbols, 'wide'],
          words.subscriptions.status,
          [words.subscriptions.since, 'wide'],
        ]}
      />
      <tbody>
        {relay !== null && here !== null && (
          <ChoiceRow
            chosen={shown === null}
            onChoose={() => onChoose({ kind: 'here' })}
            first={
              <>
                {words.here.name} <span className="mono t3">{relay.listening?.address}</span>
              </>
            }
          >
            <td className="cond">{eventWords(own?.events ?? null)}</td>
            <td className="cond wide">{symbolWords(own?.symbols ?? null)}</td>
            <td>
              <LampLine state={here.state} says={false}>
                {here.text}
              </LampLine>
            </td>
            <td className="cond t2 wide">
              {moment(Date.parse(own?.created_at ?? relay.registration.since), zone, now)}
            </td>
          </ChoiceRow>
        )}
        {subscriptions
          .filter((one) => !one.own)
          .map((one) => {
            const { state, text } = seen(subscriptionStanding(one, zone, now));
            return (
              <ChoiceRow
                key={one.id}
                chosen={shown === one.id}
                onChoose={() => onChoose({ kind: 'subscription', id: one.id })}
                first={<span className="mono">{one.url}</span>}
              >
                <td className="cond">{one.events === null ? words.notTold : eventWords(one.events)}</td>
                <td className="cond wide">{symbolWords(one.symbols)}</td>
                <td className={state === 'out' ? 'md bad' : state === 'partial' ? 'md' : ''}>
                  <LampLine state={state} says={false}>
                    {text}
                  </LampLine>
                </td>
                <td className="cond t2 wide">
                  {one.created_at === null ? '' : moment(Date.parse(one.created_at), zone, now)}
                </td>
              </ChoiceRow>
            );
          })}
      </tbody>
    </table>
  );
}
