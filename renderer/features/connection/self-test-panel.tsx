// Renderer, connection: the self-test: follows a test event along its path, shows where it failed.

import { useRef } from 'react';
import { SELF_TEST_STEPS, type SelfTest, type SelfTestStep } from '../../../shared/channels/self-test.ts';
import { fineSpan, preciseTime } from '../../../shared/text/format.ts';
import { type Message, optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useNow, useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { IndicatorIcon } from '../../ui/glyph.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { type Column, Table } from '../../ui/table/table.tsx';

interface Row {
  readonly name: SelfTestStep['step'];
  /** Missing before the first self-test. */
  readonly step: SelfTestStep | undefined;
}

const outcomeOf = ({ step }: Row): SelfTestStep['outcome'] => step?.outcome ?? 'waits';

const COLUMNS: readonly Column<Row>[] = [
  {
    name: texts.connection.selfTest.outcomeHead,
    className: 'self-test-col-outcome',
    cell: (row) => (
      <>
        <OutcomeIndicator outcome={outcomeOf(row)} />
        <span className="spoken">
          {row.step === undefined ? '' : texts.connection.selfTest.outcome[outcomeOf(row)]}
        </span>
      </>
    ),
  },
  {
    name: texts.connection.selfTest.step,
    className: 'self-test-col-step',
    isRowHead: true,
    cell: ({ name }) => texts.connection.selfTest.steps[name],
  },
  {
    name: texts.connection.selfTest.after,
    className: 'self-test-col-after',
    cellClass: 'num cond t2',
    cell: ({ step }) => (step?.after == null ? '' : fineSpan(step.after)),
  },
  {
    name: texts.connection.selfTest.detail,
    className: 'self-test-detail',
    cellClass: 'cond',
    cellTitle: ({ step }) => optionalText(step?.detail ?? null),
    cell: ({ step }) => optionalText(step?.detail ?? null),
  },
];

export function SelfTestPanel() {
  const { intents } = useServices();
  const view = useApp((state) => state.features.selfTest);
  const down = useApp((state) => state.link === 'down');
  const last = view?.last ?? null;
  const isRunning = last !== null && last.ended_at === null;
  const canRun = view !== null && view.reason === null && !isRunning && !down;
  const run = (): unknown => canRun && intents.send('selfTest.run', {});
  useShortcuts('service', { selfTest: run });
  const awaitsUser =
    isRunning && last.steps.every(({ step, outcome }) => step === 'acknowledged' || outcome !== 'waits');
  const runButton = useRef<HTMLButtonElement>(null);
  const acknowledge = (): void => {
    intents.send('selfTest.acknowledge', {});
    // This button disappears with its result; the focus stays in the panel.
    runButton.current?.focus();
  };
  return (
    <section className="self-test" aria-label={texts.connection.selfTest.heading}>
      <div className="head page-head">
        <h2>{texts.connection.selfTest.heading}</h2>
        <span className="sub grow ell">{texts.connection.selfTest.sub}</span>
        {awaitsUser && (
          <button type="button" className="btn primary" onClick={acknowledge}>
            {texts.connection.selfTest.acknowledge}
          </button>
        )}
        <button
          type="button"
          className={awaitsUser ? 'btn line' : 'btn primary'}
          ref={runButton}
          aria-disabled={!canRun}
          onClick={run}
        >
          {isRunning ? texts.connection.selfTest.running : texts.connection.selfTest.run}
          <kbd>D</kbd>
        </button>
      </div>
      <Table
        label={texts.connection.selfTest.heading}
        className="self-test-steps"
        head="spoken"
        columns={COLUMNS}
        rows={SELF_TEST_STEPS.map((name) => ({ name, step: last?.steps.find(({ step }) => step === name) }))}
        keyOf={({ name }) => name}
        rowClass={(row) => `self-test-${outcomeOf(row)}`}
      />
      <p className="self-test-text t2" role="status">
        <Outcome last={last} reason={view?.reason ?? null} isRunning={isRunning} />
      </p>
    </section>
  );
}

function Outcome({ last, reason, isRunning }: { last: SelfTest | null; reason: Message | null; isRunning: boolean }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  return (
    <>
      {last === null
        ? texts.connection.selfTest.never
        : `${isRunning ? '' : `${preciseTime(Date.parse(last.began_at), zone, now)}. `}${textOf(last.message)}`}
      {reason !== null && !isRunning && <span className="md t1"> {textOf(reason)}</span>}
    </>
  );
}

function OutcomeIndicator({ outcome }: { outcome: SelfTestStep['outcome'] }) {
  if (outcome === 'passed') return <IndicatorIcon state="ok" />;
  if (outcome === 'failed') return <IndicatorIcon state="down" />;
  return <span className="self-test-indicator" aria-hidden="true" />;
}
