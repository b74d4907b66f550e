// Renderer, connection: the service's price feeds: status, age, history, budget and last error.

import { useState } from 'react';
import { fineSpan, preciseTime, span } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Feed } from '../../../shared/wire/feeds.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useNow, useServices } from '../../services.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { DescriptionItem, DescriptionList, IndicatorLine } from '../../ui/description-list.tsx';
import { Block } from '../../ui/panel-head.tsx';

const messages = texts.connection.feeds;
const STATES = { following: 'ok', failing: 'degraded', refused: 'down' } as const;

/** Draws nothing where the service follows no feed. */
export function FeedsPanel() {
  const query = useChannelQuery('feeds.read', {});
  const feeds = query.data?.feeds ?? [];
  return feeds.length === 0 ? null : (
    <Block heading={messages.heading} sub={messages.sub}>
      {feeds.map((feed) => (
        <FeedLines key={feed.name} feed={feed} onChanged={() => void query.refetch()} />
      ))}
    </Block>
  );
}

function FeedLines({ feed, onChanged }: { readonly feed: Feed; readonly onChanged: () => void }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const isOffline = useIsOffline();
  const { last_price_at: last, last_fault: fault, without_prices: without, delay_seconds: delay } = feed;
  return (
    <DescriptionList>
      <DescriptionItem name={messages.feed}>
        <IndicatorLine state={isOffline ? 'down' : STATES[feed.status]}>
          <b className="md">{feed.name}</b> {isOffline ? messages.notKnown : messages.status[feed.status]}
        </IndicatorLine>
      </DescriptionItem>
      <DescriptionItem name={messages.age}>
        {last === null ? messages.noPrice : messages.ago(fineSpan(Math.max(0, now - Date.parse(last))))}
        {delay > 0 && <b className="md">, {messages.delayed(span(delay * 1000))}</b>}
      </DescriptionItem>
      <DescriptionItem name={messages.history}>
        <History feed={feed} onChanged={onChanged} />
      </DescriptionItem>
      {feed.budgets.map(({ account, per_minute, left, waits_until }) => (
        <DescriptionItem key={account} name={messages.budget}>
          {feed.budgets.length > 1 && `${account}: `}
          {messages.left(left, per_minute)}
          {waits_until !== null && ` ${messages.quiet(fineSpan(Math.max(0, Date.parse(waits_until) - now)))}`}
        </DescriptionItem>
      ))}
      <DescriptionItem name={messages.fault}>
        <span className="lines">
          {fault === null ? messages.noFault : `${preciseTime(Date.parse(fault.at), zone, now)}: ${fault.message}`}
        </span>
      </DescriptionItem>
      {without.length > 0 && (
        <DescriptionItem name={messages.without}>
          <span className="lines">{without.map(({ symbol, reason }) => `${symbol}: ${reason}.`).join('\n')}</span>
        </DescriptionItem>
      )}
    </DescriptionList>
  );
}

function History({ feed, onChanged }: { readonly feed: Feed; readonly onChanged: () => void }) {
  const { intents } = useServices();
  const [problem, setProblem] = useState('');
  const { name, symbols, history } = feed;
  const all = symbols - feed.without_prices.length;
  if (history.done >= all) return messages.complete(all);
  const toggle = async (): Promise<void> => {
    const answer = await intents.ask('feeds.stop_history', { name, stopped: !history.stopped });
    setProblem(answer.ok ? '' : answer.error);
    if (answer.ok) onChanged();
  };
  return (
    <span className="form-row">
      <progress value={history.done} max={all} aria-label={messages.history} />
      {messages.progress(history.done, all, history.stopped)}
      <button type="button" className="btn line" onClick={() => void toggle()}>
        {history.stopped ? messages.goOn : texts.common.stop}
      </button>
      {problem !== '' && <span role="alert">{problem}</span>}
    </span>
  );
}
