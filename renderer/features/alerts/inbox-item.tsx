// Renderer: one transition in the inbox: glyph, symbol, state, time; then why, how sure, how it was told. A click shows the symbol.
import { memo } from 'react';
import type { Alert } from '../../../shared/channels/state.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { comparableBaseRate } from '../../store/select.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { moment, percent, span, times } from '../../text/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import type { InboxItem as Item } from './groups.ts';

interface InboxItemProps {
  readonly item: Item;
  /** open: it needs the user. now: it stands. past: it is over. was: it cannot be seen. */
  readonly tone: 'open' | 'now' | 'past' | 'was';
  /** World time by which times are shortened, ms, to the minute. */
  readonly now: number;
}

export const InboxItem = memo(function InboxItem({ item, tone, now }: InboxItemProps) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const { transition } = item.alert;
  const { symbol, to_state: state } = transition;
  return (
    <li className={`alert ${tone} state-${state}`}>
      <button type="button" onClick={() => intents.select(symbol)} title={en.inbox.open(symbol)}>
        <span className="line">
          <Glyph name={state} />
          <span className="sym">{symbol}</span>
          <Word item={item} tone={tone} />
          <time className="at" dateTime={transition.occurred_at}>
            {moment(Date.parse(transition.occurred_at), zone, now)}
          </time>
        </span>
        <span className="words">
          <Words item={item} tone={tone} />
        </span>
        <Told alert={item.alert} />
      </button>
    </li>
  );
});

function Word({ item, tone }: Pick<InboxItemProps, 'item' | 'tone'>) {
  const state = item.alert.transition.to_state;
  if (tone === 'was') return <span className="word-none md">{en.blind.was(state)}</span>;
  if (state === 0) return <span className="word-0 md">{en.inbox.backToNormal}</span>;
  return <StateWord state={state} />;
}

function Words({ item, tone }: Pick<InboxItemProps, 'item' | 'tone'>) {
  const { transition } = item.alert;
  const rows = useBoard((board) => board.rows);
  if (transition.to_state === 0) {
    return item.before === null ? en.inbox.from(transition.from_state) : en.inbox.was(transition.from_state, span(item.before));
  }
  const base = comparableBaseRate(transition.to_state, rows[transition.symbol]?.signal?.base_rate ?? null);
  const ratio = transition.confidence === null || base === null || base === 0 ? null : transition.confidence / base;
  return (
    <>
      {en.inbox.from(transition.from_state)}{' '}
      {transition.confidence !== null && (
        <>
          <b className="strong">{en.inbox.confidence(percent(transition.confidence))}</b>
          {ratio === null || tone === 'past' ? '.' : `${en.inbox.timesBase(times(ratio))}.`}{' '}
        </>
      )}
      {tone !== 'past' && transition.regime !== null && en.inbox.regime(regimeLabel(transition.regime))}
      {tone === 'past' && item.until !== null && en.inbox.lasted(span(Date.parse(item.until) - Date.parse(transition.occurred_at)))}
    </>
  );
}

/** How a High Risk was told; nothing for transitions that no rule tells. */
function Told({ alert }: { alert: Alert }) {
  const { handover } = alert;
  const late = alert.inlets[0] === 'backfill' && alert.transition.to_state === 2 ? en.inbox.late : '';
  if (handover === null) return late === '' ? null : <span className="told">{late}</span>;
  return (
    <span className={handover.outcome === 'failed' ? 'told md t1' : 'told'} title={handover.detail}>
      {en.inbox.told[handover.outcome]}
      {handover.outcome === 'failed' ? `: ${handover.detail}` : ''} {late}
    </span>
  );
}
