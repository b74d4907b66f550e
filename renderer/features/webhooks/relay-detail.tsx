// Renderer, webhooks: this computer as a receiver: on or off, where it listens, how the service reaches it, its secrets, and a test.
import { type FormEvent, useRef, useState } from 'react';
import type { RelayFace } from '../../../shared/channels/relay.ts';
import { useNow, useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useBlind } from '../../store/sight.ts';
import { connectionWords } from '../../text/connection.ts';
import { moment } from '../../text/format.ts';
import { webhookWords as words } from '../../text/webhooks.ts';
import { Fact, Facts, LampLine } from '../../ui/facts.tsx';
import { DetailFrame } from './detail-frame.tsx';
import { TextField } from './filter-fields.tsx';
import { SecretOnce } from './secret-once.tsx';
import { registrationLamp } from './subscriptions-table.tsx';

export function RelayDetail({ relay, onBack }: { relay: RelayFace; onBack: () => void }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const blind = useBlind();
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState<'test' | 'rotate' | null>(null);
  const { registration, listening, secrets } = relay;
  const isRegistered = registration.state === 'registered';
  const mayAsk = isRegistered && !blind && busy === null;
  const test = async (): Promise<void> => {
    if (!mayAsk) return;
    setBusy('test');
    const answer = await intents.ask('relay.test', {});
    setBusy(null);
    setSaid(answer.ok ? answer.value.words : answer.error);
  };
  const rotate = async (): Promise<void> => {
    if (!mayAsk) return;
    setBusy('rotate');
    const answer = await intents.ask('relay.rotate', {});
    setBusy(null);
    setSaid(answer.ok ? words.relay.rotated : answer.error);
  };
  const flip = async (): Promise<void> => {
    const answer = await intents.ask('relay.switch', { on: !relay.on });
    setSaid(answer.ok ? '' : answer.error);
  };
  return (
    <DetailFrame
      heading={words.relay.heading}
      sub={words.relay.sub}
      said={said}
      onBack={onBack}
      actions={
        <>
          <button type="button" className="btn line" aria-disabled={!mayAsk} onClick={() => void test()}>
            {busy === 'test' ? words.testing : words.relay.test}
          </button>
          <button type="button" className="btn line" aria-pressed={relay.on} onClick={() => void flip()}>
            {relay.on ? words.relay.off : words.relay.on}
          </button>
        </>
      }
    >
      <Facts narrow>
        <Fact name={words.relay.state}>
          <LampLine state={blind ? 'partial' : registrationLamp(relay)}>
            <b className="md">
              {blind ? words.was(words.here.states[registration.state]) : words.here.states[registration.state]}
            </b>{' '}
            <span className="t3">{words.relay.since(moment(Date.parse(registration.since), zone, now))}</span>
            <br />
            {relay.problem ?? (blind ? words.notSeen : registration.words)}
          </LampLine>
        </Fact>
        <Fact name={words.relay.address}>
          {listening === null ? (
            words.relay.notListening
          ) : (
            <>
              <span className="mono">
                {listening.address}/in/{'\u2026'}
              </span>{' '}
              <Reveal onSaid={setSaid} />
              {!listening.as_wanted && <p className="t2">{words.relay.otherPort}</p>}
            </>
          )}
        </Fact>
        <Fact name={words.relay.public}>
          {relay.reachable && relay.public_url === null ? words.relay.publicNone : <PublicAddress relay={relay} />}
        </Fact>
        <Fact name={words.relay.secrets}>
          {words.relay.secretWords(secrets.current, secrets.previous)}{' '}
          <button type="button" className="link" aria-disabled={!mayAsk} onClick={() => void rotate()}>
            {busy === 'rotate' ? words.relay.rotating : words.relay.rotate}
          </button>
          {registration.state === 'by_hand' && <GiveSecret />}
        </Fact>
        <Fact name={words.relay.form}>
          {relay.form === null ? (
            <span className="t3">{words.relay.noForm}</span>
          ) : (
            connectionWords.dialect.signatureForm(relay.form)
          )}
        </Fact>
        <Fact name={words.relay.guards}>
          <span className="t2">{words.relay.limits}</span>
          {relay.kept_aside > 0 && <p className="md">{words.arrivals.aside(relay.kept_aside)}</p>}
        </Fact>
      </Facts>
    </DetailFrame>
  );
}

function Reveal({ onSaid }: { onSaid: (words: string) => void }) {
  const { answers } = useServices();
  const button = useRef<HTMLButtonElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  const show = async (): Promise<void> => {
    const answer = await answers.once('relay.reveal', {});
    const found = answer.ok ? answer.value.url : null;
    if (found === null) onSaid(answer.ok ? words.secret.noAddress : answer.error);
    setUrl(found);
  };
  return (
    <>
      <button ref={button} type="button" className="link" onClick={() => void show()}>
        {words.relay.reveal}
      </button>
      {url !== null && (
        <SecretOnce
          heading={words.secret.addressHeading}
          note={words.secret.addressOnce}
          label={words.secret.addressLabel}
          secret={url}
          isLasting
          returnTo={button}
          onClose={() => setUrl(null)}
        />
      )}
    </>
  );
}

function PublicAddress({ relay }: { relay: RelayFace }) {
  const { intents } = useServices();
  const [url, setUrl] = useState(relay.public_url ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const save = async (wanted: string | null): Promise<void> => {
    const answer = await intents.ask('relay.public_url', { url: wanted });
    setProblem(answer.ok ? null : answer.error);
    setSaid(answer.ok && wanted !== null ? words.relay.saved : '');
    if (answer.ok && wanted === null) setUrl('');
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save(url.trim() === '' ? null : url.trim());
  };
  return (
    <form className="inline-form" onSubmit={submit} noValidate>
      <p className="t2">{words.relay.publicWhy}</p>
      <TextField label={words.relay.public} value={url} problem={problem} onChange={setUrl} placeholder="https://" />
      <div className="row">
        <button type="submit" className="btn line">
          {words.relay.publicSave}
        </button>
        {relay.public_url !== null && (
          <button type="button" className="btn quiet" onClick={() => void save(null)}>
            {words.relay.publicClear}
          </button>
        )}
        <output className="t2">{said}</output>
      </div>
    </form>
  );
}

function GiveSecret() {
  const { intents } = useServices();
  const [secret, setSecret] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const answer = await intents.ask('relay.secret', { secret });
    setProblem(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    setSecret('');
    setSaid(words.relay.given);
  };
  return (
    <form className="inline-form" onSubmit={(event) => void submit(event)} noValidate>
      <p className="t2">{words.relay.giveWhy}</p>
      <TextField label={words.relay.give} type="password" value={secret} problem={problem} onChange={setSecret} />
      <div className="row">
        <button type="submit" className="btn line">
          {words.relay.giveSave}
        </button>
        <output className="t2">{said}</output>
      </div>
    </form>
  );
}
