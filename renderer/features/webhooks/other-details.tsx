// Renderer, webhooks: details of refused requests, received requests and targets.

import { useState } from 'react';
import type { Arrival, Finding, RejectedRequest, Target } from '../../../shared/channels/relay.ts';
import { count, preciseTime } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useNow, useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DescriptionItem, DescriptionList, IndicatorLine } from '../../ui/description-list.tsx';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { DetailFrame } from './detail-frame.tsx';
import { filterLabel, targetStatus } from './status.ts';

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
    <DetailFrame heading={texts.webhooks.refused.heading} sub={texts.webhooks.reasons[refused.reason]} onBack={onBack}>
      <DescriptionList narrow>
        <DescriptionItem name={texts.webhooks.arrivals.why}>{textOf(refused.message)}</DescriptionItem>
        <DescriptionItem name={texts.webhooks.refused.at}>
          {preciseTime(Date.parse(refused.at), zone, now)}
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.refused.times}>{count(refused.times)}</DescriptionItem>
      </DescriptionList>
      <h3 className="sheet-group">{texts.webhooks.refused.diagnostics}</h3>
      {input === null && <p className="sheet-empty">{texts.webhooks.refused.nothing}</p>}
      {(query.isLoading || query.isLoadingError) && (
        <QueryNotice query={query} loading={texts.webhooks.refused.examining} failed={texts.webhooks.refused.failed} />
      )}
      {query.data !== undefined && (
        <ul className="findings" aria-label={texts.webhooks.refused.diagnostics}>
          {query.data.findings.map((finding) => (
            <li key={textOf(finding.message)}>
              <IndicatorLine state={INDICATOR_STATE_OF[finding.kind]} isAnnounced={false}>
                <span className="spoken">{texts.webhooks.refused.kinds[finding.kind]}: </span>
                {textOf(finding.message)}
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
      heading={texts.webhooks.arrival.heading}
      sub={[arrival.event, arrival.symbol].filter((part) => part !== null).join(', ')}
      onBack={onBack}
    >
      <DescriptionList narrow>
        <DescriptionItem name={texts.webhooks.deliveries.time}>
          {preciseTime(Date.parse(arrival.at), zone, now)}
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.deliveries.id}>
          <span className="mono">{arrival.event_id}</span>
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.arrivals.proof}>{arrival.proof}</DescriptionItem>
        <DescriptionItem name={texts.webhooks.arrival.secret}>
          {texts.webhooks.delivery.secretNames[arrival.secret]}
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.arrival.what}>
          <IndicatorLine state={arrival.result === 'quarantined' ? 'degraded' : 'ok'}>
            {arrival.message === null ? '' : textOf(arrival.message)}
          </IndicatorLine>
        </DescriptionItem>
      </DescriptionList>
    </DetailFrame>
  );
}

export function TargetDetail({ target, onBack }: { target: Target; onBack: () => void }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const [isConfirming, setConfirming] = useState(false);
  const { state, text } = targetStatus(target, now);
  return (
    <DetailFrame
      heading={texts.webhooks.targets.url}
      sub={target.url}
      onBack={onBack}
      actions={
        <button type="button" className="btn line" onClick={() => setConfirming(true)}>
          {texts.webhooks.targets.remove}
        </button>
      }
    >
      <DescriptionList narrow>
        <DescriptionItem name={texts.webhooks.targets.url}>
          <span className="mono">{target.url}</span>
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.targets.filter}>{filterLabel(target.filter)}</DescriptionItem>
        <DescriptionItem name={texts.webhooks.targets.status}>
          <IndicatorLine state={state}>{text}</IndicatorLine>
        </DescriptionItem>
        <DescriptionItem name={texts.webhooks.targets.queue}>{count(target.queue)}</DescriptionItem>
        <DescriptionItem name={texts.webhooks.targets.delivered}>{count(target.delivered)}</DescriptionItem>
        {target.given_up > 0 && (
          <DescriptionItem name={texts.webhooks.targets.gaveUp}>
            <b className="md bad">{count(target.given_up)}</b>
          </DescriptionItem>
        )}
        {target.last !== null && (
          <DescriptionItem name={texts.webhooks.targets.last}>
            {preciseTime(Date.parse(target.last.at), zone, now)},{' '}
            {target.last.error === null ? target.last.status : textOf(target.last.error)}
            <br />
            <span className="mono t3">{target.last.event_id}</span>
          </DescriptionItem>
        )}
        {target.allow_public && <DescriptionItem name="">{texts.webhooks.targets.publicOk}</DescriptionItem>}
      </DescriptionList>
      {isConfirming && (
        <Confirm
          heading={texts.webhooks.targets.removeHeading}
          message={texts.webhooks.targets.removeText(target.url, target.queue)}
          act={texts.webhooks.targets.remove}
          onYes={() => intents.send('relay.target.remove', { id: target.id })}
          onClose={() => setConfirming(false)}
        />
      )}
    </DetailFrame>
  );
}
