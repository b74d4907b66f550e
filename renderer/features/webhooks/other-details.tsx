// Renderer, webhooks: details of refused and received requests, targets, foreign subscriptions.
import { useRef, useState } from 'react';
import type { Arrival, Finding, RejectedRequest, Target } from '../../../shared/channels/relay.ts';
import type { SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useNow, useServices } from '../../services.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { count, preciseTime, shortTimestamp } from '../../text/format.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DescriptionItem, DescriptionList, IndicatorLine } from '../../ui/description-list.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { DetailFrame } from './detail-frame.tsx';
import { SecretOnce } from './secret-once.tsx';
import { eventsLabel, filterLabel, pausesAt, subscriptionStatus, symbolsLabel, targetStatus } from './status.ts';

const INDICATOR_STATE_OF: Readonly<Record<Finding['kind'], 'ok' | 'degraded' | 'down'>> = {
  fits: 'ok',
  note: 'degraded',
  fault: 'down',
};

export function RefusedDetail({ refused, onBack }: { refused: RejectedRequest; onBack: () => void }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const input = refused.examinable ? { refused: refused.id } : null;
  const query = useChannelQuery('relay.diagnose', input, { version: refused.at });
  return (
    <DetailFrame heading={messages.refused.heading} sub={messages.reasons[refused.reason]} onBack={onBack}>
      <DescriptionList narrow>
        <DescriptionItem name={messages.arrivals.why}>{refused.message}</DescriptionItem>
        <DescriptionItem name={messages.refused.at}>{preciseTime(Date.parse(refused.at), zone, now)}</DescriptionItem>
        <DescriptionItem name={messages.refused.times}>{count(refused.times)}</DescriptionItem>
      </DescriptionList>
      <h3 className="sheet-group">{messages.refused.diagnostics}</h3>
      {input === null && <p className="sheet-empty">{messages.refused.nothing}</p>}
      {query.isLoadingError && (
        <ErrorNotice what={messages.refused.failed} why={query.error.message} onRetry={() => void query.refetch()} />
      )}
      {query.isLoading && <LoadingNotice what={messages.refused.examining} progress={null} />}
      {query.data !== undefined && (
        <ul className="findings" aria-label={messages.refused.diagnostics}>
          {query.data.findings.map((finding) => (
            <li key={finding.message}>
              <IndicatorLine state={INDICATOR_STATE_OF[finding.kind]} isAnnounced={false}>
                <span className="spoken">{messages.refused.kinds[finding.kind]}: </span>
                {finding.message}
              </IndicatorLine>
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
      heading={messages.arrival.heading}
      sub={[arrival.event, arrival.symbol].filter((part) => part !== null).join(', ')}
      onBack={onBack}
    >
      <DescriptionList narrow>
        <DescriptionItem name={messages.deliveries.time}>
          {preciseTime(Date.parse(arrival.at), zone, now)}
        </DescriptionItem>
        <DescriptionItem name={messages.deliveries.id}>
          <span className="mono">{arrival.event_id}</span>
        </DescriptionItem>
        <DescriptionItem name={messages.arrivals.proof}>{arrival.proof}</DescriptionItem>
        <DescriptionItem name={messages.arrival.secret}>
          {messages.delivery.secretNames[arrival.secret]}
        </DescriptionItem>
        <DescriptionItem name={messages.arrival.what}>
          <IndicatorLine state={arrival.result === 'quarantined' ? 'degraded' : 'ok'}>{arrival.message}</IndicatorLine>
        </DescriptionItem>
      </DescriptionList>
    </DetailFrame>
  );
}

export function TargetDetail({ target, onBack }: { target: Target; onBack: () => void }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const button = useRef<HTMLButtonElement>(null);
  const [isConfirming, setConfirming] = useState(false);
  const { state, text } = targetStatus(target, now);
  return (
    <DetailFrame
      heading={messages.targets.url}
      sub={target.url}
      onBack={onBack}
      actions={
        <button ref={button} type="button" className="btn line" onClick={() => setConfirming(true)}>
          {messages.targets.remove}
        </button>
      }
    >
      <DescriptionList narrow>
        <DescriptionItem name={messages.targets.url}>
          <span className="mono">{target.url}</span>
        </DescriptionItem>
        <DescriptionItem name={messages.targets.filter}>{filterLabel(target.filter)}</DescriptionItem>
        <DescriptionItem name={messages.targets.status}>
          <IndicatorLine state={state}>{text}</IndicatorLine>
        </DescriptionItem>
        <DescriptionItem name={messages.targets.queue}>{count(target.queue)}</DescriptionItem>
        <DescriptionItem name={messages.targets.delivered}>{count(target.delivered)}</DescriptionItem>
        {target.given_up > 0 && (
          <DescriptionItem name={messages.targets.gaveUp}>
            <b className="md bad">{count(target.given_up)}</b>
          </DescriptionItem>
        )}
        {target.last !== null && (
          <DescriptionItem name={messages.targets.last}>
            {preciseTime(Date.parse(target.last.at), zone, now)}, {target.last.error ?? target.last.status}
            <br />
            <span className="mono t3">{target.last.event_id}</span>
          </DescriptionItem>
        )}
        {target.allow_public && <DescriptionItem name="">{messages.targets.publicOk}</DescriptionItem>}
      </DescriptionList>
      {isConfirming && (
        <Confirm
          heading={messages.targets.removeHeading}
          message={messages.targets.removeText(target.url, target.queue)}
          act={messages.targets.remove}
          returnTo={button}
          onYes={() => intents.send('relay.target.remove', { id: target.id })}
          onClose={() => setConfirming(false)}
        />
      )}
    </DetailFrame>
  );
}

interface SubscriptionDetailProps {
  readonly subscription: SubscriptionView;
  /** Called after a change at the service. */
  readonly onDone: () => void;
  readonly onBack: () => void;
}

export function SubscriptionDetail({ subscription, onDone, onBack }: SubscriptionDetailProps) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const removeButton = useRef<HTMLButtonElement>(null);
  const rotateButton = useRef<HTMLButtonElement>(null);
  const { id, url } = subscription;
  const { state, text } = subscriptionStatus(subscription, zone, now);
  const gives = pausesAt(subscription);
  const act = async (work: () => Promise<string>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setSaid(await work());
    setBusy(false);
    onDone();
  };
  const test = (): Promise<string> =>
    intents.ask('subscriptions.test', { id }).then((answer) => (answer.ok ? answer.value.message : answer.error));
  const resume = (): Promise<string> =>
    intents
      .ask('subscriptions.resume', { id, since: null })
      .then((answer) => (answer.ok ? messages.subscription.resumed : answer.error));
  const promote = (): Promise<string> =>
    intents
      .ask('subscriptions.promote', { id })
      .then((answer) => (answer.ok ? messages.subscription.promoted : answer.error));
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
      heading={messages.subscription.heading}
      sub={url}
      said={said}
      onBack={onBack}
      actions={
        <button type="button" className="btn line" aria-disabled={busy} onClick={() => void act(test)}>
          {busy ? messages.testing : messages.subscription.test}
        </button>
      }
    >
      <DescriptionList narrow>
        <DescriptionItem name={messages.subscriptions.url}>
          <span className="mono">{url}</span>
        </DescriptionItem>
        <DescriptionItem name={messages.subscriptions.status}>
          <IndicatorLine state={state}>{text}</IndicatorLine>
          {subscription.paused_reason !== null && <p className="t2">{subscription.paused_reason}</p>}
          {subscription.status !== 'paused' && gives !== null && (
            <p className="t2">{messages.subscription.pause(shortTimestamp(gives, zone, now))}</p>
          )}
        </DescriptionItem>
        <DescriptionItem name={messages.subscriptions.events}>
          {subscription.events === null ? messages.notProvided : eventsLabel(subscription.events)}
        </DescriptionItem>
        <DescriptionItem name={messages.subscriptions.symbols}>{symbolsLabel(subscription.symbols)}</DescriptionItem>
        {subscription.created_at !== null && (
          <DescriptionItem name={messages.subscription.created}>
            {shortTimestamp(Date.parse(subscription.created_at), zone, now)}
          </DescriptionItem>
        )}
        {subscription.rotating && (
          <DescriptionItem name={messages.relay.secrets}>{messages.subscription.rotatingText}</DescriptionItem>
        )}
      </DescriptionList>
      <div className="sheet-actions">
        {subscription.status === 'paused' && (
          <button type="button" className="btn primary" aria-disabled={busy} onClick={() => void act(resume)}>
            {messages.subscription.resume}
          </button>
        )}
        {subscription.rotating ? (
          <button type="button" className="btn line" aria-disabled={busy} onClick={() => void act(promote)}>
            {messages.subscription.promote}
          </button>
        ) : (
          <button
            ref={rotateButton}
            type="button"
            className="btn line"
            aria-disabled={busy}
            onClick={() => void act(rotate)}
          >
            {messages.subscription.rotate}
          </button>
        )}
        <button
          ref={removeButton}
          type="button"
          className="btn line"
          aria-disabled={busy}
          onClick={() => setConfirming(!busy)}
        >
          {messages.subscription.remove}
        </button>
      </div>
      {secret !== null && (
        <SecretOnce
          heading={messages.subscription.secretHeading}
          secret={secret}
          returnTo={removeButton}
          onClose={() => setSecret(null)}
        />
      )}
      {isConfirming && (
        <Confirm
          heading={messages.subscription.removeHeading}
          message={messages.subscription.removeText(url)}
          act={messages.subscription.remove}
          returnTo={removeButton}
          onYes={() => void act(remove).then(onBack)}
          onClose={() => setConfirming(false)}
        />
      )}
    </DetailFrame>
  );
}
