// Renderer, webhooks: a subscription of another receiver: its status and the user's actions.

import { useState } from 'react';
import type { SubscriptionView } from '../../../shared/channels/subscriptions.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DescriptionItem, DescriptionList, IndicatorLine } from '../../ui/description-list.tsx';
import { DetailFrame } from './detail-frame.tsx';
import { SecretOnce } from './secret-once.tsx';
import { eventsLabel, pausesAt, subscriptionStatus, symbolsLabel } from './status.ts';

interface SubscriptionDetailProps {
  readonly subscription: SubscriptionView;
  /** Called after a change at the service. */
  readonly onDone: () => void;
  readonly onBack: () => void;
}

export function SubscriptionDetail({ subscription, onDone, onBack }: SubscriptionDetailProps) {
  const { url } = subscription;
  const acts = useSubscriptionActs(subscription.id, onDone);
  const [isConfirming, setConfirming] = useState(false);
  return (
    <DetailFrame
      heading={texts.webhooks.subscription.heading}
      sub={url}
      said={acts.said}
      onBack={onBack}
      actions={
        <button type="button" className="btn line" aria-disabled={acts.isBusy} onClick={() => void acts.test()}>
          {acts.isBusy ? texts.webhooks.testing : texts.webhooks.subscription.test}
        </button>
      }
    >
      <Properties subscription={subscription} />
      <Actions subscription={subscription} acts={acts} onRemove={() => setConfirming(!acts.isBusy)} />
      {acts.secret !== null && (
        <SecretOnce
          heading={texts.webhooks.subscription.secretHeading}
          secret={acts.secret}
          onClose={acts.forgetSecret}
        />
      )}
      {isConfirming && (
        <Confirm
          heading={texts.webhooks.subscription.removeHeading}
          message={texts.webhooks.subscription.removeText(url)}
          act={texts.webhooks.subscription.remove}
          onYes={() => void acts.remove().then((isRemoved) => isRemoved && onBack())}
          onClose={() => setConfirming(false)}
        />
      )}
    </DetailFrame>
  );
}

type SubscriptionActs = ReturnType<typeof useSubscriptionActs>;

/**
 * The actions on a subscription, one at a time. Each returns whether the service did it; `said` is the last
 * result.
 */
function useSubscriptionActs(id: string, onDone: () => void) {
  const { intents } = useServices();
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const act = async <Value,>(
    ask: () => Promise<Result<Value, string>>,
    onValue: (value: Value) => string,
  ): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    const answer = await ask();
    setSaid(answer.ok ? onValue(answer.value) : answer.error);
    setBusy(false);
    onDone();
    return answer.ok;
  };
  return {
    said,
    isBusy,
    /** The new signing secret, to be shown once. */
    secret,
    forgetSecret: () => setSecret(null),
    test: () =>
      act(
        () => intents.ask('subscriptions.test', { id }),
        ({ message }) => textOf(message),
      ),
    resume: () =>
      act(
        () => intents.ask('subscriptions.resume', { id, since: null }),
        () => texts.webhooks.subscription.resumed,
      ),
    promote: () =>
      act(
        () => intents.ask('subscriptions.promote', { id }),
        () => texts.webhooks.subscription.promoted,
      ),
    rotate: () =>
      act(
        () => intents.ask('subscriptions.rotate', { id }),
        (rotated) => {
          setSecret(rotated.secret);
          return '';
        },
      ),
    remove: () =>
      act(
        () => intents.ask('subscriptions.remove', { id }),
        () => '',
      ),
  };
}

function Properties({ subscription }: { subscription: SubscriptionView }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const { state, text } = subscriptionStatus(subscription, zone, now);
  const pauses = subscription.status === 'paused' ? null : pausesAt(subscription);
  return (
    <DescriptionList narrow>
      <DescriptionItem name={texts.webhooks.subscriptions.url}>
        <span className="mono">{subscription.url}</span>
      </DescriptionItem>
      <DescriptionItem name={texts.webhooks.subscriptions.status}>
        <IndicatorLine state={state}>{text}</IndicatorLine>
        {subscription.paused_reason !== null && <p className="t2">{subscription.paused_reason}</p>}
        {pauses !== null && (
          <p className="t2">{texts.webhooks.subscription.pause(shortTimestamp(pauses, zone, now))}</p>
        )}
      </DescriptionItem>
      <DescriptionItem name={texts.webhooks.subscriptions.events}>
        {subscription.events === null ? texts.webhooks.notProvided : eventsLabel(subscription.events)}
      </DescriptionItem>
      <DescriptionItem name={texts.webhooks.subscriptions.symbols}>
        {symbolsLabel(subscription.symbols)}
      </DescriptionItem>
      {subscription.created_at !== null && (
        <DescriptionItem name={texts.webhooks.subscription.created}>
          {shortTimestamp(Date.parse(subscription.created_at), zone, now)}
        </DescriptionItem>
      )}
      {subscription.rotating && (
        <DescriptionItem name={texts.webhooks.relay.secrets}>
          {texts.webhooks.subscription.rotatingText}
        </DescriptionItem>
      )}
    </DescriptionList>
  );
}

interface ActionsProps {
  readonly subscription: SubscriptionView;
  readonly acts: SubscriptionActs;
  readonly onRemove: () => void;
}

function Actions({ subscription: { status, rotating }, acts, onRemove }: ActionsProps) {
  return (
    <div className="sheet-actions">
      {status === 'paused' && (
        <button type="button" className="btn primary" aria-disabled={acts.isBusy} onClick={() => void acts.resume()}>
          {texts.webhooks.subscription.resume}
        </button>
      )}
      <button
        type="button"
        className="btn line"
        aria-disabled={acts.isBusy}
        onClick={() => void (rotating ? acts.promote() : acts.rotate())}
      >
        {rotating ? texts.webhooks.subscription.promote : texts.webhooks.subscription.rotate}
      </button>
      <button type="button" className="btn line" aria-disabled={acts.isBusy} onClick={onRemove}>
        {texts.webhooks.subscription.remove}
      </button>
    </div>
  );
}
