// Renderer: an item of the inbox: glyph, symbol, state, time, reason, confidence, notification.

import { memo } from 'react';
import type { Alert } from '../../../shared/channels/state.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { percent, shortTimestamp, span, times } from '../../../shared/text/format.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useCalls } from '../../queries/hold-out.ts';
import { useServices } from '../../services.ts';
import { canAcknowledge, canSnooze } from '../../store/alert-outcome.ts';
import { usePreference } from '../../store/preferences.ts';
import { openAlert } from '../../store/route.ts';
import { baseRateOf, comparableBaseRate, isBelowBase } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { Glyph, StateLabel } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SilenceButton } from '../mutes/index.ts';
import { QuestionButton } from '../price-questions/index.ts';
import type { InboxItem as Item } from './groups.ts';
import type { Tone } from './inbox-entries.ts';
import { SnoozeMenu } from './snooze-menu.tsx';
import { useActs } from './use-acts.ts';
import { useOutcomeLabel } from './use-outcome-label.ts';

interface InboxItemProps {
  readonly item: Item;
  readonly tone: Tone;
  /** World time for relative times, ms, to the minute. */
  readonly now: number;
  /** The keys A, S and W act on this item. */
  readonly keys: boolean;
  /** The tab stop of the list is in this item. */
  readonly isTabStop: boolean;
}

export const InboxItem = memo(function InboxItem({ item, tone, now, keys, isTabStop }: InboxItemProps) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const { transition } = item.alert;
  const { symbol, to_state: state } = transition;
  const tabIndex = isTabStop ? 0 : -1;
  return (
    <>
      <button type="button" tabIndex={tabIndex} onClick={() => intents.select(symbol)} title={texts.inbox.open(symbol)}>
        <span className="line">
          <Glyph name={state} />
          <span className="sym">{symbol}</span>
          <Word item={item} tone={tone} />
          <time className="at" dateTime={transition.occurred_at}>
            {shortTimestamp(Date.parse(transition.occurred_at), zone, now)}
          </time>
        </span>
        <span className="alert-text">
          <TransitionText item={item} tone={tone} />
        </span>
        <Reason item={item} tone={tone} />
        <OverLine item={item} now={now} />
        <NotificationLine alert={item.alert} />
        {item.alert.note !== '' && <span className="alert-text alert-note">{item.alert.note}</span>}
        {tone === 'done' && <OutcomeLine item={item} />}
      </button>
      {tone !== 'was' && <Actions item={item} keys={keys} tabIndex={tabIndex} />}
    </>
  );
});

function Word({ item, tone }: Pick<InboxItemProps, 'item' | 'tone'>) {
  const { to_state: state, state_word: word, in_question: question } = item.alert.transition;
  if (tone === 'was') return <span className="word-none md">{texts.common.outage.was(state)}</span>;
  if (question === 'withdrawn') return <span className="word-0 md">{texts.inbox.withdrawn}</span>;
  if (state === 0) return <span className="word-0 md">{texts.inbox.backToNormal}</span>;
  return <StateLabel state={state} word={word} />;
}

function TransitionText({ item, tone }: Pick<InboxItemProps, 'item' | 'tone'>) {
  const { transition, assumed = [] } = item.alert;
  const { from_state: from, to_state: state, regime } = transition;
  const isFromUnknown = assumed.includes('from');
  if (state === 0 && item.before !== null && !isFromUnknown) return texts.inbox.was(from, span(item.before));
  return (
    <>
      {isFromUnknown ? texts.inbox.fromUnknown : texts.inbox.from(from)}{' '}
      {assumed.includes('time') && `${texts.inbox.timeUnknown} `}
      {state > 0 && <Significance item={item} tone={tone} />}
      {tone !== 'past' && item.isActive && state > 0 && regime !== null && texts.inbox.regime(regimeLabel(regime))}
      {tone === 'past' &&
        item.until !== null &&
        texts.inbox.lasted(span(Date.parse(item.until) - Date.parse(transition.occurred_at)))}
    </>
  );
}

/** How likely the warned fall is, against its base rate, and how often such calls were right: as in the notification. */
function Significance({ item, tone }: Pick<InboxItemProps, 'item' | 'tone'>) {
  const { symbol, to_state: state, confidence, note, occurred_at } = item.alert.transition;
  const baseRate = useSnapshot((snapshot) => baseRateOf(snapshot, item.alert));
  const record = useCalls(symbol, Date.parse(occurred_at));
  const base = comparableBaseRate(state, baseRate);
  const isPast = tone === 'past';
  const ratio = confidence === null || base === null || base === 0 ? null : confidence / base;
  return (
    <>
      {confidence !== null && (
        <>
          <b className="strong">{texts.inbox.confidence(percent(confidence))}</b>
          {!isPast && isBelowBase(state, confidence, base)
            ? texts.inbox.belowBase(percent(base), note)
            : ratio === null || isPast
              ? '.'
              : `${texts.inbox.timesBase(times(ratio))}.`}{' '}
        </>
      )}
      {!isPast && state === 2 && record !== null && `${texts.notifications.alert.record(symbol, record)} `}
    </>
  );
}

/**
 * The service's reason for the state. Below the base rate, the text above has it already. A state that rests on a
 * price in question, and its withdrawal, always have theirs.
 */
function Reason({ item, tone }: Pick<InboxItemProps, 'item' | 'tone'>) {
  const { transition } = item.alert;
  const isSaid = useSnapshot((snapshot) =>
    isBelowBase(
      transition.to_state,
      transition.confidence,
      comparableBaseRate(transition.to_state, baseRateOf(snapshot, item.alert)),
    ),
  );
  if (transition.note === '' || tone === 'was' || (isSaid && tone !== 'past')) return null;
  if (transition.in_question === undefined && (transition.to_state === 0 || tone === 'past')) return null;
  return (
    <span className="alert-text alert-reason" title={transition.note}>
      {transition.note}
    </span>
  );
}

/** The state is over, and the alert still needs the user. */
function OverLine({ item, now }: Pick<InboxItemProps, 'item' | 'now'>) {
  const zone = usePreference((preference) => preference.zone);
  const { over_since: until, transition } = item.alert;
  if (item.isActive || item.outcome.kind !== 'needs_you') return null;
  const [from, to] = [Date.parse(transition.occurred_at), Date.parse(until ?? '')];
  return (
    <span className="alert-text md over-since">
      {until === undefined ? texts.inbox.overUnknown : texts.inbox.over(shortTimestamp(to, zone, now), span(to - from))}
    </span>
  );
}

function OutcomeLine({ item }: { item: Item }) {
  const text = useOutcomeLabel()(item.outcome);
  return <span className="alert-notified t2">{text}</span>;
}

/** Shows only the actions that apply to the outcome. */
function Actions({ item, keys, tabIndex }: Pick<InboxItemProps, 'item' | 'keys'> & { readonly tabIndex: 0 | -1 }) {
  const { alert, outcome, isActive } = item;
  const acts = useActs();
  const { symbol } = alert.transition;
  return (
    <div className="alert-do">
      {alert.transition.in_question === 'open' && <QuestionButton symbol={symbol} tabIndex={tabIndex} />}
      {canAcknowledge(outcome) && (
        <button type="button" className="btn" tabIndex={tabIndex} onClick={() => acts.acknowledge([alert])}>
          <Icon name="check" />
          {texts.alerts.acts.ack} <span className="spoken">{symbol}</span> {keys && <kbd>A</kbd>}
        </button>
      )}
      {canSnooze(alert, isActive) && (
        <SnoozeMenu
          alerts={[alert]}
          id={alert.ledger_id}
          trigger={
            <button type="button" className="btn" tabIndex={tabIndex}>
              <Icon name="clock" />
              {texts.alerts.acts.snooze} <span className="spoken">{symbol}</span> {keys && <kbd>S</kbd>}
            </button>
          }
        />
      )}
      {!canSnooze(alert, isActive) && <SilenceButton symbols={[symbol]} tabIndex={tabIndex} />}
      <button type="button" className="btn quiet right" tabIndex={tabIndex} onClick={() => openAlert(alert)}>
        {texts.alerts.acts.why} <span className="spoken">{symbol}</span> {keys && <kbd>W</kbd>}
      </button>
    </div>
  );
}

/** How the user was notified of High Risk; empty for transitions that no rule matches. */
function NotificationLine({ alert }: { alert: Alert }) {
  const { dispatch } = alert;
  const late = alert.sources[0] === 'backfill' && alert.transition.to_state === 2 ? texts.inbox.late : '';
  if (dispatch === null) return late === '' ? null : <span className="alert-notified">{late}</span>;
  return (
    <span
      className={dispatch.outcome === 'failed' ? 'alert-notified md t1' : 'alert-notified'}
      title={optionalText(dispatch.detail)}
    >
      {texts.inbox.notification[dispatch.outcome]}
      {dispatch.outcome === 'failed' ? `: ${optionalText(dispatch.detail)}` : ''} {late}
    </span>
  );
}
