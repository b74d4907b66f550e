// Renderer: an alert of the inbox: a row of it, and below the chosen one its reason and its buttons.

import { memo, type ReactNode } from 'react';
import type { Alert } from '../../../shared/channels/state.ts';
import { writtenState } from '../../../shared/domain/states.ts';
import { type Followed, whatFollowed } from '../../../shared/domain/what-followed.ts';
import { shortTimestamp, span } from '../../../shared/text/format.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useCalls } from '../../queries/hold-out.ts';
import { useServices } from '../../services.ts';
import { canAcknowledge, canSnooze } from '../../store/alert-outcome.ts';
import { usePreference } from '../../store/preferences.ts';
import { openAlert } from '../../store/route.ts';
import { useSnapshot } from '../../store/store.ts';
import { useSymbolCalendar } from '../../store/symbol-calendar.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SilenceButton } from '../mutes/index.ts';
import { QuestionButton } from '../price-questions/index.ts';
import { ChanceText, StakeCell, StakeText } from './chance-text.tsx';
import type { InboxItem as Item, Tone } from './groups.ts';
import { breachText, dayOrTime, dayRange } from './row-values.ts';
import { SnoozeMenu } from './snooze-menu.tsx';
import { useActs } from './use-acts.ts';
import { useOutcomeLabel } from './use-outcome-label.ts';

interface InboxItemProps {
  readonly item: Item;
  readonly tone: Tone;
  /** World time for relative times, ms, to the minute. */
  readonly now: number;
  /** Its card is open. */
  readonly isChosen: boolean;
  /** The keys A, S and W act on this item. */
  readonly keys: boolean;
  /** The tab stop of the list is in this item. */
  readonly isTabStop: boolean;
}

type ItemProps = Pick<InboxItemProps, 'item' | 'tone' | 'now'>;

interface PastProps extends Pick<InboxItemProps, 'item' | 'now'> {
  /** What came of it; null: not known. */
  readonly followed: Followed | null;
}

export const InboxItem = memo(function InboxItem({ item, tone, now, isChosen, keys, isTabStop }: InboxItemProps) {
  const { intents } = useServices();
  const { symbol, to_state: state, state_word: word } = item.alert.transition;
  const present = useSnapshot(({ rows }) => rows[symbol]?.signal?.state);
  const followed = useFollowed(item, tone, now);
  const tabIndex = isTabStop ? 0 : -1;
  return (
    <>
      <button
        type="button"
        className="alert-row"
        tabIndex={tabIndex}
        aria-expanded={isChosen}
        onClick={() => intents.select(symbol)}
        title={texts.inbox.open(symbol)}
      >
        <Glyph name={tone === 'past' ? (present ?? 'none') : state} />
        <span className={symbol.length > 6 ? 'sym ell long' : 'sym ell'}>{symbol}</span>{' '}
        <span className="spoken">{writtenState(state, word)}</span>{' '}
        {tone === 'past' ? <PastCells {...{ item, now, followed }} /> : <Cells {...{ item, tone, now }} />}
      </button>
      {isChosen && <Card {...{ item, tone, now, followed, keys, tabIndex }} />}
    </>
  );
});

/** How far to the breach or past it, what is at stake, and since when; in their place what is out of the ordinary. */
function Cells({ item, tone, now }: ItemProps) {
  const zone = usePreference((preference) => preference.zone);
  const { symbol, occurred_at: at } = item.alert.transition;
  const row = useSnapshot(({ rows }) => rows[symbol]);
  const note = useRowNote({ item, tone, now });
  return (
    <>
      {note === null ? (
        <>
          <span className="num">
            <span className="spoken">{texts.inbox.columns.breach}</span> {breachText(row)}
          </span>{' '}
          <StakeCell symbol={symbol} />
        </>
      ) : (
        <span className="alert-flag ell" title={note}>
          {note}
        </span>
      )}{' '}
      <time className="num" dateTime={at}>
        {dayOrTime(Date.parse(at), zone, now)}
      </time>
    </>
  );
}

/** What a row says in place of its figures; null: nothing is out of the ordinary. */
function useRowNote({ item, tone, now }: ItemProps): string | null {
  const zone = usePreference((preference) => preference.zone);
  const outcomeLabel = useOutcomeLabel();
  const { transition, over_since: over, dispatch } = item.alert;
  const { to_state: state, state_word: word, in_question: question } = transition;
  if (tone === 'was') return texts.common.outage.was(state);
  if (tone === 'done' && item.outcome.kind !== 'acknowledged') return outcomeLabel(item.outcome);
  if (question !== undefined) return question === 'open' ? texts.inbox.questioned : texts.inbox.withdrawn;
  if (!item.isActive)
    return over === undefined ? texts.inbox.overShort : texts.inbox.overSince(dayOrTime(Date.parse(over), zone, now));
  if (word !== undefined) return writtenState(state, word);
  return dispatch?.outcome === 'failed' ? texts.inbox.notification.failed : null;
}

/** What came of an ended alert; null: not known, or it has not ended. */
function useFollowed({ alert: { transition } }: Item, tone: Tone, now: number): Followed | null {
  const { symbol, occurred_at: at, asset_class: assetClass } = transition;
  // An alert that has not ended is not drawn again with every other one.
  const alerts = useSnapshot((snapshot) => (tone === 'past' ? snapshot.alerts : null));
  const present = useSnapshot(({ rows }) => rows[symbol]?.signal ?? null);
  const calendar = useSymbolCalendar(symbol, assetClass);
  if (alerts === null) return null;
  const later = alerts
    .map((one) => one.transition)
    .filter((one) => one.symbol === symbol && one.occurred_at > at)
    .reverse();
  return whatFollowed(transition, {
    later,
    present,
    now,
    calendar,
  });
}

function PastCells({ item, now, followed }: PastProps) {
  const zone = usePreference((preference) => preference.zone);
  const { occurred_at: at, to_state: state, state_word: word } = item.alert.transition;
  const from = Date.parse(at);
  const days = item.until === null ? dayOrTime(from, zone, now) : dayRange(from, Date.parse(item.until), zone, now);
  return (
    <>
      <time className="ell" dateTime={at}>
        {state === 2 && word === undefined ? days : `${writtenState(state, word)} ${days}`}
      </time>{' '}
      <span className={followed === 'fall' ? 't1 ell' : 'ell'}>{texts.inbox.followed[followed ?? 'unknown']}</span>
    </>
  );
}

interface CardProps extends ItemProps, PastProps {
  readonly keys: boolean;
  readonly tabIndex: 0 | -1;
}

function Card({ item, tone, now, followed, keys, tabIndex }: CardProps) {
  const { alert, isActive, outcome } = item;
  const { note, to_state: state } = alert.transition;
  const outcomeText = useOutcomeLabel()(outcome);
  return (
    <div className="alert-card">
      {tone === 'past' ? (
        <PastText {...{ item, now, followed }} />
      ) : (
        <p>
          <ChanceText alert={alert} isActive={isActive} /> {state === 2 && <Record alert={alert} />}{' '}
          <StakeText symbol={alert.transition.symbol} />
        </p>
      )}
      {note !== '' && <p className="alert-note">{note}</p>}
      <OverLine item={item} now={now} />
      <Origin alert={alert} />
      {alert.note !== '' && <p className="alert-note">{alert.note}</p>}
      {(tone === 'done' || tone === 'past') && <p className="t3">{outcomeText}.</p>}
      <Actions {...{ item, keys, tabIndex }} />
    </div>
  );
}

/** How often such calls were right. */
function Record({ alert: { transition } }: { alert: Alert }) {
  const record = useCalls(transition.symbol, Date.parse(transition.occurred_at));
  return record === null ? null : texts.notifications.alert.record(transition.symbol, record);
}

function PastText({ item, now, followed }: PastProps) {
  const zone = usePreference((preference) => preference.zone);
  const { to_state: state, state_word: word, occurred_at: from } = item.alert.transition;
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  return (
    <p>
      <b className="strong">{texts.inbox.followedLong[followed ?? 'unknown']}</b>{' '}
      {texts.inbox.wasFromTo(writtenState(state, word), at(from), item.until === null ? null : at(item.until))}
    </p>
  );
}

/** The state is over, and the alert still needs the user. */
function OverLine({ item, now }: Pick<InboxItemProps, 'item' | 'now'>) {
  const zone = usePreference((preference) => preference.zone);
  const { over_since: until, transition } = item.alert;
  if (item.isActive || item.outcome.kind !== 'needs_you') return null;
  const [from, to] = [Date.parse(transition.occurred_at), Date.parse(until ?? '')];
  return (
    <p className="strong">
      {until === undefined ? texts.inbox.overUnknown : texts.inbox.over(shortTimestamp(to, zone, now), span(to - from))}
    </p>
  );
}

/** From which state, how it arrived, and how the user was notified of it. */
function Origin({ alert }: { alert: Alert }) {
  const { assumed = [], dispatch, sources, transition } = alert;
  const others = useSnapshot(
    ({ alerts }) =>
      alerts.filter((one) => one !== alert && one.dispatch?.notification_id === dispatch?.notification_id).length,
  );
  const isFailed = dispatch?.outcome === 'failed';
  const parts: ReactNode[] = [
    assumed.includes('from') ? texts.inbox.fromUnknown : texts.inbox.from(transition.from_state),
    assumed.includes('time') && texts.inbox.timeUnknown,
    sources[0] === 'backfill' && transition.to_state === 2 && texts.inbox.late,
    dispatch !== null &&
      `${texts.inbox.notification[dispatch.outcome]}${isFailed ? `: ${optionalText(dispatch.detail)}` : ''}`,
    dispatch !== null && others > 0 && texts.inbox.together(others),
  ];
  return (
    <p className={isFailed ? 't1' : 't3'} title={optionalText(dispatch?.detail ?? null)}>
      {parts.filter(Boolean).join(' ')}
    </p>
  );
}

/** Shows only the actions that apply to the outcome. */
function Actions({ item, keys, tabIndex }: Pick<CardProps, 'item' | 'keys' | 'tabIndex'>) {
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
      {canSnooze(alert, isActive) ? (
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
      ) : (
        <SilenceButton symbols={[symbol]} tabIndex={tabIndex} />
      )}
      <button type="button" className="btn quiet right" tabIndex={tabIndex} onClick={() => openAlert(alert)}>
        {texts.alerts.acts.why} <span className="spoken">{symbol}</span> {keys && <kbd>W</kbd>}
      </button>
    </div>
  );
}
