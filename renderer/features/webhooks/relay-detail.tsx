// Renderer, webhooks: the relay: switch, local address, public address, secrets, and a test.
import { useState } from 'react';
import { z } from 'zod';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow, useServices } from '../../services.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { DescriptionItem, DescriptionList, IndicatorLine } from '../../ui/description-list.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { Form, SaveRow, useSchemaForm } from '../../ui/form/form.tsx';
import { DetailFrame } from './detail-frame.tsx';
import { InboundSection } from './inbound-section.tsx';
import { PublicAddressForm, RevealAddress } from './relay-address.tsx';
import { registrationIndicator } from './subscriptions-table.tsx';

export function RelayDetail({ relay, onBack }: { relay: RelayView; onBack: () => void }) {
  const { intents } = useServices();
  const isOffline = useIsOffline();
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState<'test' | 'rotate' | null>(null);
  const { registration, secrets } = relay;
  const isRegistered = registration.state === 'registered';
  const mayAsk = isRegistered && !isOffline && busy === null;
  const ask = async (name: 'test' | 'rotate'): Promise<void> => {
    if (!mayAsk) return;
    setBusy(name);
    const answer = await intents.ask(`relay.${name}`, {});
    setBusy(null);
    setSaid(
      answer.ok
        ? 'message' in answer.value
          ? textOf(answer.value.message)
          : texts.webhooks.relay.rotated
        : answer.error,
    );
  };
  const flip = async (): Promise<void> => {
    const answer = await intents.ask('relay.switch', { on: !relay.on });
    setSaid(answer.ok ? '' : answer.error);
  };
  return (
    <DetailFrame
      heading={texts.webhooks.relay.heading}
      sub={texts.webhooks.relay.sub}
      said={said}
      onBack={onBack}
      actions={
        <>
          <button type="button" className="btn line" aria-disabled={!mayAsk} onClick={() => void ask('test')}>
            {busy === 'test' ? texts.webhooks.testing : texts.webhooks.relay.test}
          </button>
          <button type="button" className="btn line" aria-pressed={relay.on} onClick={() => void flip()}>
            {relay.on ? texts.webhooks.relay.off : texts.webhooks.relay.on}
          </button>
        </>
      }
    >
      <DescriptionList narrow>
        <DescriptionItem name={texts.webhooks.relay.state}>
          <RegistrationLine relay={relay} />
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.relay.address}>
          <LocalAddress relay={relay} onSaid={setSaid} />
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.relay.public}>
          {relay.reachable ? (
            texts.webhooks.relay.publicNone
          ) : (
            <PublicAddressForm relay={relay} why={texts.webhooks.relay.publicWhy} />
          )}
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.relay.secrets}>
          {texts.webhooks.relay.secretText(secrets.current, secrets.previous)}{' '}
          <button type="button" className="link" aria-disabled={!mayAsk} onClick={() => void ask('rotate')}>
            {busy === 'rotate' ? texts.webhooks.relay.rotating : texts.webhooks.relay.rotate}
          </button>
          {registration.state === 'by_hand' && <SecretForm />}
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.relay.form}>
          {relay.form === null ? (
            <span className="t3">{texts.webhooks.relay.noForm}</span>
          ) : (
            texts.connection.compatibility.signatureForm(relay.form)
          )}
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.relay.guards}>
          <span className="t2">{texts.webhooks.relay.limits}</span>
          {relay.quarantined > 0 && <p className="md">{texts.webhooks.arrivals.quarantined(relay.quarantined)}</p>}
        </DescriptionItem>
      </DescriptionList>
      <InboundSection relay={relay} onSaid={setSaid} />
    </DetailFrame>
  );
}

/** While offline, the last known state is shown in the past tense. */
function RegistrationLine({ relay }: { relay: RelayView }) {
  const { registration, problem } = relay;
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const isOffline = useIsOffline();
  const state = texts.webhooks.here.states[registration.state];
  return (
    <IndicatorLine state={isOffline ? 'degraded' : registrationIndicator(relay)}>
      <b className="md">{isOffline ? texts.webhooks.was(state) : state}</b>{' '}
      <span className="t3">
        {texts.webhooks.relay.since(shortTimestamp(Date.parse(registration.since), zone, now))}
      </span>
      <br />
      {problem === null && isOffline ? texts.webhooks.notSeen : textOf(problem ?? registration.message)}
    </IndicatorLine>
  );
}

function LocalAddress({ relay: { listening }, onSaid }: { relay: RelayView; onSaid: (message: string) => void }) {
  if (listening === null) return <>{texts.webhooks.relay.notListening}</>;
  return (
    <>
      <span className="mono">
        {listening.address}/in/{'\u2026'}
      </span>{' '}
      <RevealAddress channel="relay.reveal" label={texts.webhooks.relay.reveal} onSaid={onSaid} />
      {!listening.as_configured && <p className="t2">{texts.webhooks.relay.otherPort}</p>}
    </>
  );
}

const messages = texts.webhooks.relay;
const secretSchema = z.object({ secret: z.string() });

export function SecretForm() {
  const { intents } = useServices();
  const form = useSchemaForm(secretSchema, { defaultValues: { secret: '' } });
  const { control } = form;
  return (
    <Form
      form={form}
      className="inline-form"
      onSubmit={(values) => intents.ask('relay.secret', values)}
      onAccepted={form.reset}
      refusalAt="secret"
    >
      <p className="t2">{messages.giveWhy}</p>
      <TextField control={control} name="secret" label={messages.give} type="password" />
      <SaveRow control={control} save={messages.giveSave} saved={messages.given} buttonClass="btn line" />
    </Form>
  );
}
