// Renderer, connection: the self-test: follows a test event along its path, shows where it failed.
import { useRef } from 'react';
import { SELF_TEST_STEPS, type SelfTest, type SelfTestStep } from '../../../shared/channels/self-test.ts';
import { useNow, useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { connectionText as messages } from '../../text/connection.ts';
import { fineSpan, preciseTime } from '../../text/format.ts';
import { IndicatorIcon } from '../../ui/glyph.tsx';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';

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
    <section className="self-test" aria-label={messages.selfTest.heading}>
      <div className="head page-head">
        <h2>{messages.selfTest.heading}</h2>
        <span className="sub grow ell">{messages.selfTest.sub}</span>
        {awaitsUser && (
          <button type="button" className="btn primary" onClick={acknowledge}>
            {messages.selfTest.acknowledge}
          </button>
        )}
        <button
          type="button"
          className={awaitsUser ? 'btn line' : 'btn primary'}
          ref={runButton}
          aria-disabled={!canRun}
          onClick={run}
        >
          {isRunning ? messages.selfTest.running : messages.selfTest.run}
          <kbd>D</kbd>
        </button>
      </div>
      <table className="self-test-steps" aria-label={messages.selfTest.heading}>
        <colgroup>
          <col className="self-test-col-outcome" />
          <col className="self-test-col-step" />
          <col className="self-test-col-after" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span className="spoken">{messages.selfTest.outcomeHead}</span>
            </th>
            <th scope="col">
              <span className="spoken">{messages.selfTest.step}</span>
            </th>
            <th scope="col">
              <span className="spoken">{messages.selfTest.after}</span>
            </th>
            <th scope="col">
              <span className="spoken">{messages.selfTest.detail}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {SELF_TEST_STEPS.map((name) => (
            <Step key={name} name={name} step={last?.steps.find(({ step }) => step === name)} />
          ))}
        </tbody>
      </table>
      <p className="self-test-text t2" role="status">
        <Outcome last={last} reason={view?.reason ?? null} isRunning={isRunning} />
      </p>
    </section>
  );
}

function Outcome({ last, reason, isRunning }: { last: SelfTest | null; reason: string | null; isRunning: boolean }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  return (
    <>
      {last === null
        ? messages.selfTest.never
        : `${isRunning ? '' : `${preciseTime(Date.parse(last.began_at), zone, now)}. `}${last.message}`}
      {reason !== null && !isRunning && <span className="md t1"> {reason}</span>}
    </>
  );
}

function Step({ name, step }: { name: SelfTestStep['step']; step: SelfTestStep | undefined }) {
  const outcome = step?.outcome ?? 'waits';
  return (
    <tr className={`self-test-${outcome}`}>
      <td>
        <OutcomeIndicator outcome={outcome} />
        <span className="spoken">{step === undefined ? '' : messages.selfTest.outcome[outcome]}</span>
      </td>
      <th scope="row">{messages.selfTest.steps[name]}</th>
      <td className="num cond t2">{step?.after == null ? '' : fineSpan(step.after)}</td>
      <td className="cond self-test-detail" title={step?.detail}>
        {step?.detail ?? ''}
      </td>
    </tr>
  );
}

function OutcomeIndicator({ outcome }: { outcome: SelfTestStep['outcome'] }) {
  if (outcome === 'passed') return <IndicatorIcon state="ok" />;
  if (outcome === 'failed') return <IndicatorIcon state="down" />;
  return <span className="self-test-indicator" aria-hidden="true" />;
}
