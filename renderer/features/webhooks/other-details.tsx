// Renderer, webhooks: what was refused, with the findings of the signature doctor; what arrived; a target; a subscription of another program.
import { useRef, useState } from 'react';
import type { Arrival, Finding, Refused, Target } from '../../../shared/channels/relay.ts';
import type { SubscriptionFace } from '../../../shared/channels/subscriptions.ts';
import { useNow, useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldNow } from '../../store/sight.ts';
import { count, moment, preciseTime } from '../../text/format.ts';
import { webhookWords as words } from '../../text/webhooks.ts';
import { Awaited, Failed } from '../../ui/awaited.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Fact, Facts, LampLine } from '../../ui/facts.tsx';
import { useAnswer } from '../../use-answer.ts';
import { DetailFrame } from './detail-frame.tsx';
import { SecretOnce } from './secret-once.tsx';
import { eventWords, filterWords, pausesAt, subscriptionStanding, symbolWords, targetStanding } from './words.ts';

const LAMP_OF: Readonly<Record<Finding['kind'], 'lit' | 'partial' | 'out'>> = {
  fits: 'lit',
  note: 'partial',
  fault: 'out',
};

export function RefusedDetail({ refused, onBack }: { refused: Refused; onBack: () => void }) {
  const { answers } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const input = refused.examinable ? { refused: refused.id } : null;
  const slot = useAnswer('relay.doctor', input, refused.at);
  return (
    <DetailFrame heading={words.refused.heading} sub={words.reasons[refused.reason]} onBack={onBack}>
      <Facts narrow>
        <Fact name={words.arrivals.why}>{refused.words}</Fact>
        <Fact name={words.refused.at}>{preciseTime(Date.parse(refused.at), zone, now)}</Fact>
        <Fact name={words.refused.times}>{count(refused.times)}</Fact>
      </Facts>
      <h3 className="sheet-group">{words.refused.doctor}</h3>
      {input === null && <p className="sheet-empty">{words.refused.nothing}</p>}
      {slot?.status === 'failed' && slot.value === null && input !== null && (
        <Failed what={words.refused.failed} why={slot.problem} onRetry={() => answers.read('relay.doctor', input)} />
      )}
      {slot?.status === 'reading' && slot.value === null && <Awaited what={words.refused.examining} progress={null} />}
      {slot?.value != null && (
        <ul className="findings" aria-label={words.refused.doctor}>
          {slot.value.findings.map((finding) => (
            <li key={finding.words}>
              <LampLine state={LAMP_OF[finding.kind]} says={false}>
                <span className="spoken">{words.refused.kinds[finding.kind]}: </span>
                {finding.words}
              </LampLine>
            </li>
          ))}
        </ul>
      )}
    </DetailFrame>
  );
}

export function ArrivalDetail({ arrival, onBack }: { arrival: Arrival; onBack: () => void }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  return (
    <DetailFrame
      heading={words.arrival.heading}
      sub={[arrival.event, arrival.symbol].filter((part) => part !== null).join(', ')}
      onBack={onBack}
    >
      <Facts narrow>
        <Fact name={words.deliveries.time}>{preciseTime(Date.parse(arrival.at), zone, now)}</Fact>
        <Fact name={words.deliveries.id}>
          <span className="mono">{arrival.event_id}</span>
        </Fact>
        <Fact name={words.arrivals.proof}>{arrival.proof}</Fact>
        <Fact name={words.arrival.secret}>{words.delivery.slots[arrival.secret]}</Fact>
        <Fact name={words.arrival.what}>
          <LampLine state={arrival.result === 'kept_aside' ? 'partial' : 'lit'}>{arrival.words}</LampLine>
        </Fact>
      </Facts>
    </DetailFrame>
  );
}

export function TargetDetail({ target, onBack }: { target: Target; onBack: () => void }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const button = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState(false);
  const { state, text } = targetStanding(target, now);
  return (
    <DetailFrame
      heading={words.targets.url}
      sub={target.url}
      onBack={onBack}
      actions={
        <button ref={button} type="button" className="btn line" onClick={() => setAsking(true)}>
          {words.targets.remove}
        </button>
      }
    >
      <Facts narrow>
        <Fact name={words.targets.url}>
          <span className="mono">{target.url}</span>
        </Fact>
        <Fact name={words.targets.filter}>{filterWords(target.filter)}</Fact>
        <Fact name={words.targets.status}>
          <LampLine state={state}>{text}</LampLine>
        </Fact>
        <Fact name={words.targets.queue}>{count(target.queue)}</Fact>
        <Fact name={words.targets.delivered}>{count(target.delivered)}</Fact>
        {target.given_up > 0 && (
          <Fact name={words.targets.gaveUp}>
            <b className="md bad">{count(target.given_up)}</b>
          </Fact>
        )}
        {target.last !== null && (
          <Fact name={words.targets.last}>
            {preciseTime(Date.parse(target.last.at), zone, now)}, {target.last.error ?? target.last.status}
            <br />
            <span className="mono t3">{target.last.event_id}</span>
          </Fact>
        )}
        {target.allow_public && <Fact name="">{words.targets.publicOk}</Fact>}
      </Facts>
      {asking && (
        <Confirm
          heading={words.targets.removeHeading}
          words={words.targets.removeWords(target.url, target.queue)}
          act={words.targets.remove}
          returnTo={button}
          onYes={() => intents.tell('relay.target.remove', { id: target.id })}
          onClose={() => setAsking(false)}
        />
      )}
    </DetailFrame>
  );
}

interface SubscriptionDetailProps {
  readonly subscription: SubscriptionFace;
  /** Something was changed at the service. */
  readonly onDone: () => void;
  readonly onBack: () => void;
}

export function SubscriptionDetail({ subscription, onDone, onBack }: SubscriptionDetailProps) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const removeButton = useRef<HTMLButtonElement>(null);
  const rotateButton = useRef<HTMLButtonElement>(null);
  const { id, url } = subscription;
  const { state, text } = subscriptionStanding(subscription, zone, now);
  const gives = pausesAt(subscription);
  const act = async (work: () => Promise<string>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setSaid(await work());
    setBusy(false);
    onDone();
  };
  const test = (): Promise<string> =>
    intents.ask('subscriptions.test', { id }).then((answer) => (answer.ok ? answer.value.words : answer.error));
  const resume = (): Promise<string> =>
    intents
      .ask('subscriptions.resume', { id, since: null })
      .then((answer) => (answer.ok ? words.subscription.resumed : answer.error));
  const promote = (): Promise<string> =>
    intents
      .ask('subscriptions.promote', { id })
      .then((answer) => (answer.ok ? words.subscription.promoted : answer.error));
  const remove = (): Promise<string> =>
    intents.ask('subscriptions.remove', { id }).then((answer) => (answer.ok ? '' : answer.error));
  const rotate = async (): Promise<string> => {
    const answer = await intents.ask('subscriptions.rotate', { id });
    if (!answer.ok) return answer.error;
    setSecret(answer.value.secret);
    return '';
  };
  return (
    <DetailFrame
      heading={words.subscription.heading}
      sub={url}
      said={said}
      onBack={onBack}
      actions={
        <button type="button" className="btn line" aria-disabled={busy} onClick={() => void act(test)}>
          {busy ? words.testing : words.subscription.test}
        </button>
      }
    >
      <Facts narrow>
        <Fact name={words.subscriptions.url}>
          <span className="mono">{url}</span>
        </Fact>
        <Fact name={words.subscriptions.status}>
          <LampLine state={state}>{text}</LampLine>
          {subscription.paused_reason !== null && <p className="t2">{subscription.paused_reason}</p>}
          {subscription.status !== 'paused' && gives !== null && (
            <p className="t2">{words.subscription.pause(moment(gives, zone, now))}</p>
          )}
        </Fact>
        <Fact name={words.subscriptions.events}>
          {subscription.events === null ? words.notTold : eventWords(subscription.events)}
        </Fact>
        <Fact name={words.subscriptions.symbols}>{symbolWords(subscription.symbols)}</Fact>
        {subscription.created_at !== null && (
          <Fact name={words.subscription.created}>{moment(Date.parse(subscription.created_at), zone, now)}</Fact>
        )}
        {subscription.rotating && <Fact name={words.relay.secrets}>{words.subscription.rotatingWords}</Fact>}
      </Facts>
      <div className="sheet-actions">
        {subscription.status === 'paused' && (
          <button type="button" className="btn primary" aria-disabled={busy} onClick={() => void act(resume)}>
            {words.subscription.resume}
          </button>
        )}
        {subscription.rotating ? (
          <button type="button" className="btn line" aria-disabled={busy} onClick={() => void act(promote)}>
            {words.subscription.promote}
          </button>
        ) : (
          <button
            ref={rotateButton}
            type="button"
            className="btn line"
            aria-disabled={busy}
            onClick={() => void act(rotate)}
          >
            {words.subscription.rotate}
          </button>
        )}
        <button
          ref={removeButton}
          type="button"
          className="btn line"
          aria-disabled={busy}
          onClick={() => setAsking(!busy)}
        >
          {words.subscription.remove}
        </button>
      </div>
      {secret !== null && (
        <SecretOnce
          heading={words.subscription.secretHeading}
          secret={secret}
          returnTo={removeButton}
          onClose={() => setSecret(null)}
        />
      )}
      {asking && (
        <Confirm
          heading={words.subscription.removeHeading}
          words={words.subscription.removeWords(url)}
          act={words.subscription.remove}
          returnTo={removeButton}
          onYes={() => void act(remove).then(onBack)}
          onClose={() => setAsking(false)}
        />
      )}
    </DetailFrame>
  );
}
