// Renderer: the reasons of an alert: market and record, then notification, then the user's note.

import { useId, useRef, useState } from 'react';
import { type InboxRow, LONGEST_COMMENT, type Trace } from '../../../shared/channels/alerting.ts';
import { callsOf, recordOf } from '../../../shared/channels/call-record.ts';
import { chanceOf } from '../../../shared/domain/fall-chance.ts';
import { datePartsIn, dayAndYear, percent, shortTimestamp, times } from '../../../shared/text/format.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { useKnownRecord } from '../../queries/hold-out.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useStakeText } from '../../store/risk-order.ts';
import { goTo } from '../../store/route.ts';
import { baseRateOf } from '../../store/select.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { Glyph, IndicatorIcon } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { SnoozeMenu, useOutcomeLabel } from '../inbox/index.ts';
import { SilenceButton } from '../mutes/index.ts';
import { isAtStake, type Line } from './filters.ts';
import { canAcknowledgeLine, type LineActs, snoozable } from './use-line-acts.ts';
import { indicatorOf, missMessage, whySentence } from './why-text.ts';
import './why.css';

interface WhyProps {
  readonly line: Line;
  readonly acts: LineActs;
  readonly onClose: () => void;
}

export function Why({ line, acts, onClose }: WhyProps) {
  const { subject } = line;
  const { alert } = subject;
  const { transition, ledger_id } = alert;
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const outcome = useOutcomeLabel()(line.outcome);
  const stake = useStakeText(transition.symbol);
  const { intents } = useServices();
  const [refreshCount, setRefreshCount] = useState(0);
  // A change of any of these has added a step to the trace.
  const reason = [
    refreshCount,
    alert.acked_at,
    alert.dispatch?.outcome,
    optionalText(alert.reason),
    alert.sources.length,
    subject.alert.note,
    subject.ended?.at,
    line.outcome.kind,
  ].join(' ');
  const query = useChannelQuery('alerts.trace', { ledger_id }, { version: reason });
  const trace = query.data ?? null;
  const heading = texts.alerts.why.heading(
    transition.symbol,
    transition.to_state,
    shortTimestamp(Date.parse(transition.occurred_at), zone, now),
  );
  return (
    <aside className="panel al-why" aria-label={texts.alerts.why.label}>
      <PanelHead heading={heading} onClose={onClose}>
        <Glyph name={transition.to_state} size={15} />
      </PanelHead>
      <ScrollRegion label={heading}>
        {transition.note !== '' && <p className="al-sentence">{transition.note}</p>}
        <BriefingLink alert={alert} />
        <Record row={subject} />
        <h3 className="group">{texts.alerts.why.delivery}</h3>
        <p className="al-delivery">{whySentence(subject, trace)}</p>
        <p className="al-became t2">{outcome}</p>
        {stake !== null && isAtStake(line) && <p className="al-plain">{stake}</p>}
        <h3 className="group">{texts.alerts.why.path}</h3>
        {trace !== null ? (
          <TracePath trace={trace} />
        ) : (
          <QueryNotice
            query={{ error: query.error, refetch: () => setRefreshCount(refreshCount + 1) }}
            loading={texts.alerts.why.loading}
            failed={texts.alerts.why.traceFailed}
          />
        )}
        {trace !== null && <Silent row={subject} trace={trace} />}
        <Note key={ledger_id} ledgerId={ledger_id} note={subject.alert.note} />
      </ScrollRegion>
      <div className="al-why-do">
        {canAcknowledgeLine(line) && (
          <button type="button" className="btn primary" onClick={acts.acknowledge}>
            <Icon name="check" />
            {texts.alerts.acts.acknowledge} <kbd>A</kbd>
          </button>
        )}
        {snoozable([line]).length > 0 && (
          <SnoozeMenu
            alerts={snoozable([line])}
            id={line.id}
            align="start"
            trigger={
              <button type="button" className="btn">
                <Icon name="clock" />
                {texts.alerts.acts.snooze} <kbd>S</kbd>
              </button>
            }
          />
        )}
        <SilenceButton symbols={[transition.symbol]} />
        <button
          type="button"
          className="btn line right"
          onClick={() => {
            intents.select(transition.symbol);
            goTo({ page: 'watch', item: transition.symbol });
          }}
        >
          {texts.alerts.why.showSymbol(transition.symbol)}
        </button>
      </div>
    </aside>
  );
}

/** How long after a transition its briefing may be dated, ms: our service dates it at the transition. */
const BRIEFED_WITHIN = 10 * 60_000;

/** The briefing that the service published about the transition. */
function BriefingLink({ alert: { transition, assumed } }: Pick<InboxRow, 'alert'>) {
  const at = Date.parse(transition.occurred_at);
  const range = { from: timestamp(at), to: timestamp(at + BRIEFED_WITHIN) };
  const input = { ...range, types: ['transition'], symbol: transition.symbol, limit: 50 };
  const { data } = useChannelQuery('briefings.list', assumed?.includes('time') === true ? null : input);
  // Newest first: the last one is the nearest.
  const briefing = data?.rows.at(-1);
  if (briefing === undefined) return null;
  return (
    <p className="al-briefing">
      <button type="button" className="link" onClick={() => goTo({ page: 'briefings', item: briefing.id })}>
        {texts.alerts.why.briefing(briefing.title)}
      </button>
    </p>
  );
}

export function TracePath({ trace }: { trace: Trace }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  return (
    <ol className="al-path">
      {trace.steps.map((step, index) => {
        const ms = Date.parse(step.at);
        const { hour, minute, second } = datePartsIn(ms, zone);
        const indicator = indicatorOf(step);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added at the end.
          <li key={index}>
            <time
              className="mono t3"
              dateTime={step.at}
              title={shortTimestamp(ms, zone, now)}
            >{`${hour}:${minute}:${second}.${step.at.slice(20, 23)}`}</time>
            {indicator === 'none' ? <Glyph name="none" size={10} /> : <IndicatorIcon state={indicator} />}
            <div>
              <div className="md">{texts.alerts.why.steps[step.step]}</div>
              <div className="t2 cond al-detail">{optionalText(step.detail)}</div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Silent({ row, trace }: { row: InboxRow; trace: Trace }) {
  const rules = useApp((state) => state.features.alerting?.rules);
  return (
    <>
      <h3 className="group">{texts.alerts.why.silent}</h3>
      {trace.silent.length === 0 ? (
        <p className="al-plain t2">{texts.alerts.why.silentNone}</p>
      ) : (
        <dl className="al-kv names">
          {trace.silent.map(({ rule: id, miss }) => {
            const rule = rules?.find((candidate) => candidate.id === id)?.rule ?? null;
            return (
              <div key={id}>
                <dt className="t1">{rule?.name ?? id}</dt>
                <dd>{rule === null ? texts.alerts.why.ruleGone : missMessage(miss, rule, row, trace.event)}</dd>
              </div>
            );
          })}
        </dl>
      )}
    </>
  );
}

function Record({ row }: { row: InboxRow }) {
  const { symbol, to_state: state, model_version, occurred_at, note } = row.alert.transition;
  const record = useKnownRecord();
  const rate = useSnapshot((snapshot) => baseRateOf(snapshot, row.alert));
  const found = record === null ? null : recordOf(record, symbol, Date.parse(occurred_at));
  const own = found?.row;
  const byLuck = found?.kind === 'live' ? (record?.live?.pooled?.holdout.chance.precision ?? null) : null;
  const chance = chanceOf({ ...row.alert.transition, state, base_rate: rate });
  const calls = own === undefined ? null : callsOf(own.holdout);
  const caught =
    own === undefined || own.holdout.events === null
      ? ''
      : texts.alerts.why.events(Math.round(own.holdout.recall * own.holdout.events), own.holdout.events);
  return (
    <>
      <h3 className="group">{texts.alerts.why.record}</h3>
      <dl className="al-kv">
        <div>
          <dt>{texts.alerts.why.holdOut(symbol, found?.kind ?? null)}</dt>
          <dd>
            {calls === null
              ? texts.alerts.why.noRecord
              : calls.calls === 0
                ? texts.alerts.why.noCalls
                : texts.alerts.why.calls(calls.right, calls.calls)}
            {caught}
            {byLuck !== null && texts.alerts.why.chance(percent(byLuck * 100))}
          </dd>
        </div>
        <div>
          <dt>{texts.alerts.why.fall}</dt>
          <dd>
            {chance === null
              ? texts.header.fall.notStated
              : texts.alerts.why.fallOf(
                  percent(chance.percent),
                  chance.isFurther,
                  chance.usual === null ? null : percent(chance.usual),
                  chance.timesUsual === null ? null : times(chance.timesUsual),
                )}
          </dd>
        </div>
        {state === 2 && chance?.isHeld === true && (
          <div>
            <dt>{texts.alerts.why.below}</dt>
            <dd>{note === '' ? texts.alerts.why.noReason : note}</dd>
          </div>
        )}
        <div>
          <dt>{texts.alerts.why.model}</dt>
          <dd>
            {record === null
              ? model_version
              : texts.header.computed(dayAndYear(Date.parse(record.computed_at)), model_version)}
          </dd>
        </div>
      </dl>
    </>
  );
}

/** Saves the note on blur or by its button. A refused note keeps its text. */
export function Note({ ledgerId, note }: { ledgerId: number; note: string }) {
  const { intents } = useServices();
  const id = useId();
  const [text, setText] = useState(note);
  const [said, setSaid] = useState('');
  const sent = useRef(note);
  const keep = async (): Promise<void> => {
    const trimmed = text.trim();
    const before = sent.current;
    if (trimmed === before) return;
    // Blur and the button's click come together: save once.
    sent.current = trimmed;
    const saving = await intents.ask('alerts.note', { ledger_id: ledgerId, note: trimmed });
    if (!saving.ok) sent.current = before;
    setSaid(saving.ok ? texts.alerts.why.noteSaved : saving.error);
  };
  return (
    <>
      <h3 className="group">
        <label htmlFor={id}>{texts.alerts.why.note}</label>
        <span className="right" role="status">
          {said}
        </span>
      </h3>
      <div className="al-note-field">
        <textarea
          id={id}
          className="field"
          rows={3}
          maxLength={LONGEST_COMMENT}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setSaid(event.target.value.length >= LONGEST_COMMENT ? texts.alerts.why.noteFull(LONGEST_COMMENT) : '');
          }}
          onBlur={() => void keep()}
        />
        {text.trim() !== sent.current && (
          <button type="button" className="btn" onClick={() => void keep()}>
            {texts.alerts.why.noteSave}
          </button>
        )}
      </div>
    </>
  );
}
