// Renderer, webhooks: the relay: switch, local address, public address, secrets, and a test.
import { useState } from 'react';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { useNow, useServices } from '../../services.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { connectionText } from '../../text/connection.ts';
import { shortTimestamp } from '../../text/format.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { DescriptionItem, DescriptionList, IndicatorLine } from '../../ui/description-list.tsx';
import { DetailFrame } from './detail-frame.tsx';
import { PublicAddressForm, SecretForm } from './relay-forms.tsx';
import { RevealAddress } from './reveal-address.tsx';
import { registrationIndicator } from './subscriptions-table.tsx';

export function RelayDetail({ relay, onBack }: { relay: RelayView; onBack: () => void }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const isOffline = useIsOffline();
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState<'test' | 'rotate' | null>(null);
  const { registration, listening, secrets } = relay;
  const isRegistered = registration.state === 'registered';
  const mayAsk = isRegistered && !isOffline && busy === null;
  const test = async (): Promise<void> => {
    if (!mayAsk) return;
    setBusy('test');
    const answer = await intents.ask('relay.test', {});
    setBusy(null);
    setSaid(answer.ok ? answer.value.message : answer.error);
  };
  const rotate = async (): Promise<void> => {
    if (!mayAsk) return;
    setBusy('rotate');
    const answer = await intents.ask('relay.rotate', {});
    setBusy(null);
    setSaid(answer.ok ? messages.relay.rotated : answer.error);
  };
  const flip = async (): Promise<void> => {
    const answer = await intents.ask('relay.switch', { on: !relay.on });
    setSaid(answer.ok ? '' : answer.error);
  };
  return (
    <DetailFrame
      heading={messages.relay.heading}
      sub={messages.relay.sub}
      said={said}
      onBack={onBack}
      actions={
        <>
          <button type="button" className="btn line" aria-disabled={!mayAsk} onClick={() => void test()}>
            {busy === 'test' ? messages.testing : messages.relay.test}
          </button>
          <button type="button" className="btn line" aria-pressed={relay.on} onClick={() => void flip()}>
            {relay.on ? messages.relay.off : messages.relay.on}
          </button>
        </>
      }
    >
      <DescriptionList narrow>
        <DescriptionItem name={messages.relay.state}>
          <IndicatorLine state={isOffline ? 'degraded' : registrationIndicator(relay)}>
            <b className="md">
              {isOffline
                ? messages.was(messages.here.states[registration.state])
                : messages.here.states[registration.state]}
            </b>{' '}
            <span className="t3">
              {messages.relay.since(shortTimestamp(Date.parse(registration.since), zone, now))}
            </span>
            <br />
            {relay.problem ?? (isOffline ? messages.notSeen : registration.message)}
          </IndicatorLine>
        </DescriptionItem>
        <DescriptionItem name={messages.relay.address}>
          {listening === null ? (
            messages.relay.notListening
          ) : (
            <>
              <span className="mono">
                {listening.address}/in/{'\u2026'}
              </span>{' '}
              <RevealAddress onSaid={setSaid} />
              {!listening.as_configured && <p className="t2">{messages.relay.otherPort}</p>}
            </>
          )}
        </DescriptionItem>
        <DescriptionItem name={messages.relay.public}>
          {relay.reachable && relay.public_url === null ? (
            messages.relay.publicNone
          ) : (
            <PublicAddressForm relay={relay} />
          )}
        </DescriptionItem>
        <DescriptionItem name={messages.relay.secrets}>
          {messages.relay.secretText(secrets.current, secrets.previous)}{' '}
          <button type="button" className="link" aria-disabled={!mayAsk} onClick={() => void rotate()}>
            {busy === 'rotate' ? messages.relay.rotating : messages.relay.rotate}
          </button>
          {registration.state === 'by_hand' && <SecretForm />}
        </DescriptionItem>
        <DescriptionItem name={messages.relay.form}>
          {relay.form === null ? (
            <span className="t3">{messages.relay.noForm}</span>
          ) : (
            connectionText.compatibility.signatureForm(relay.form)
          )}
        </DescriptionItem>
        <DescriptionItem name={messages.relay.guards}>
          <span className="t2">{messages.relay.limits}</span>
          {relay.quarantined > 0 && <p className="md">{messages.arrivals.quarantined(relay.quarantined)}</p>}
        </DescriptionItem>
      </DescriptionList>
    </DetailFrame>
  );
}
