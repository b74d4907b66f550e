// Renderer: why, or why not: the way of one alert, rules that stayed silent, how often such a signal was right, the note.
import { useId, useRef, useState } from 'react';
import type { InboxRow, Trace } from '../../../shared/channels/alerting.ts';
import { useServices } from '../../services.ts';
import { callsOf } from '../../store/hold-out.ts';
import { goTo } from '../../store/place.ts';
import { usePreference } from '../../store/preferences.ts';
import { comparableBaseRate } from '../../store/select.ts';
import { useWorldMinute } from '../../store/sight.ts';
import { useApp, useBoard } from '../../store/store.ts';
import { alerts as words } from '../../text/alerts.ts';
import { en } from '../../text/en.ts';
import { dayAndYear, moment, partsIn, percent, times } from '../../text/format.ts';
import { Awaited, Failed } from '../../ui/awaited.tsx';
import { Glyph, LampMark } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAnswer } from '../../use-answer.ts';
import type { Line } from './filters.ts';
import { canAcknowledgeLine, snoozable } from './line-acts.ts';
import { SnoozeMenu } from './snooze-menu.tsx';
import type { LineActs } from './use-line-acts.ts';
import { useOutcomeWords } from './use-outcome-words.ts';
import { lampOf, missWords, whySentence } from './why-words.ts';
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
  const outcome = useOutcomeWords()(line.outcome);
  const { intents } = useServices();
  const [asked, setAsked] = useState(0);
  // Whatever of these is another, a step was added to its way.
  const reason = [
    asked,
    alert.acked_at,
    alert.handover?.outcome,
    alert.reason,
    alert.inlets.length,
    subject.alert.note,
    subject.ended?.at,
    line.outcome.kind,
  ].join(' ');
  const slot = useAnswer('alerts.trace', { ledger_id }, reason);
  const trace = slot?.value ?? null;
  const heading = words.why.heading(
    transition.symbol,
    transition.to_state,
    moment(Date.parse(transition.occurred_at), zone, now),
  );
  return (
    <aside className="panel al-why" aria-label={words.why.label}>
      <div className="head">
        <Glyph name={transition.to_state} size={15} />
        <h2 className="ell">{heading}</h2>
        <button
          type="button"
          className="btn quiet square right"
          aria-label={en.close}
          title={`${en.close} (Esc)`}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className="scroll" tabIndex={0} aria-label={heading}>
        <p className="al-sentence">{whySentence(subject, trace)}</p>
        <p className="al-became t2">{outcome}</p>
        <h3 className="group">{words.why.path}</h3>
        {trace !== null ? (
          <Path trace={trace} />
        ) : slot?.status === 'failed' ? (
          <Failed what={words.why.traceFailed} why={slot.problem} onRetry={() => setAsked(asked + 1)} />
        ) : (
          <Awaited what={words.why.awaited} progress={null} />
        )}
        {trace !== null && <Silent row={subject} trace={trace} />}
        <Record row={subject} />
        <Note key={ledger_id} ledgerId={ledger_id} note={subject.alert.note} />
      </section>
      <div className="al-why-do">
        {canAcknowledgeLine(line) && (
          <button type="button" className="btn primary" onClick={acts.acknowledge}>
            <Icon name="check" />
            {words.acts.acknowledge} <kbd>A</kbd>
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
                {words.acts.snooze} <kbd>S</kbd>
              </button>
            }
          />
        )}
        <button
          type="button"
          className="btn line right"
          onClick={() => {
            intents.select(transition.symbol);
            goTo({ page: 'watch', item: transition.symbol });
          }}
        >
          {words.why.showSymbol(transition.symbol)}
        </button>
      </div>
    </aside>
  );
}

function Path({ trace }: { trace: Trace }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  return (
    <ol className="al-path">
      {trace.steps.map((step, index) => {
        const ms = Date.parse(step.at);
        const { hour, minute, second } = partsIn(ms, zone);
        const lamp = lampOf(step);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end.
          <li key={index}>
            <time
              className="mono t3"
              dateTime={step.at}
              title={moment(ms, zone, now)}
            >{`${hour}:${minute}:${second}.${step.at.slice(20, 23)}`}</time>
            {lamp === 'none' ? <Glyph name="none" size={10} /> : <LampMark state={lamp} />}
            <div>
              <div className="md">{words.why.steps[step.step]}</div>
              <div className="t2 cond al-detail">{step.detail}</div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Silent({ row, trace }: { row: InboxRow; trace: Trace }) {
  const rules = useApp((state) => state.wholes.alerting?.rules);
  return (
    <>
      <h3 className="group">{words.why.silent}</h3>
      {trace.silent.length === 0 ? (
        <p className="al-plain t2">{words.why.silentNone}</p>
      ) : (
        <dl className="al-kv names">
          {trace.silent.map(({ rule: id, miss }) => {
            const rule = rules?.find((face) => face.id === id)?.rule ?? null;
            return (
              <div key={id}>
                <dt className="t1">{rule?.name ?? id}</dt>
                <dd>{rule === null ? words.why.ruleGone : missWords(miss, rule, row, trace.event)}</dd>
              </div>
            );
          })}
        </dl>
      )}
    </>
  );
}

function Record({ row }: { row: InboxRow }) {
  const { symbol, to_state: state, confidence, model_version } = row.alert.transition;
  const record = useApp((app) => app.shelves.validation['']?.value ?? null);
  const rate = useBoard((board) => board.rows[symbol]?.signal?.base_rate ?? null);
  const own = record?.symbols.find((each) => each.symbol === symbol);
  const base = comparableBaseRate(state, rate);
  const calls = own === undefined ? null : callsOf(own.holdout);
  const caught =
    own === undefined || own.holdout.events === null
      ? ''
      : words.why.events(Math.round(own.holdout.recall * own.holdout.events), own.holdout.events);
  return (
    <>
      <h3 className="group">{words.why.record}</h3>
      <dl className="al-kv">
        <div>
          <dt>{words.why.holdOut(symbol)}</dt>
          <dd>
            {calls === null
              ? words.why.noRecord
              : calls.calls === 0
                ? words.why.noCalls
                : words.why.calls(calls.right, calls.calls)}
            {caught}
          </dd>
        </div>
        <div>
          <dt>{words.why.base}</dt>
          <dd>
            {base === null || base === 0 || confidence === null
              ? words.why.noBase
              : words.why.baseOf(percent(base), percent(confidence), times(confidence / base))}
          </dd>
        </div>
        <div>
          <dt>{words.why.model}</dt>
          <dd>
            {record === null
              ? model_version
              : en.header.computed(dayAndYear(Date.parse(record.computed_at)), model_version)}
          </dd>
        </div>
      </dl>
    </>
  );
}

/** Kept when the field is left, or with its button. What was typed is not lost where it was refused. */
/** Letters, as the ledger takes them. */
const LONGEST_NOTE = 500;

function Note({ ledgerId, note }: { ledgerId: number; note: string }) {
  const { intents } = useServices();
  const id = useId();
  const [text, setText] = useState(note);
  const [said, setSaid] = useState('');
  const sent = useRef(note);
  const keep = async (): Promise<void> => {
    const wanted = text.trim();
    const before = sent.current;
    if (wanted === before) return;
    // Leaving the field and pressing the button come together: it is kept once.
    sent.current = wanted;
    const kept = await intents.ask('alerts.note', { ledger_id: ledgerId, note: wanted });
    if (!kept.ok) sent.current = before;
    setSaid(kept.ok ? words.why.noteKept : kept.error);
  };
  return (
    <>
      <h3 className="group">
        <label htmlFor={id}>{words.why.note}</label>
        <span className="right" role="status">
          {said}
        </span>
      </h3>
      <div className="al-note-field">
        <textarea
          id={id}
          className="field"
          rows={3}
          maxLength={LONGEST_NOTE}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setSaid(event.target.value.length >= LONGEST_NOTE ? words.why.noteFull(LONGEST_NOTE) : '');
          }}
          onBlur={() => void keep()}
        />
        {text.trim() !== sent.current && (
          <button type="button" className="btn" onClick={() => void keep()}>
            {words.why.noteSave}
          </button>
        )}
      </div>
    </>
  );
}
