// Renderer, connection: the fire drill: a test event on its whole way, and where it stopped.
import { useEffect, useRef } from 'react';
import { DRILL_STEPS, type Drill, type DrillStep } from '../../../shared/channels/drill.ts';
import { useNow, useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { connectionWords as words } from '../../text/connection.ts';
import { fineSpan, preciseTime } from '../../text/format.ts';
import { LampMark } from '../../ui/glyph.tsx';
import { isCommand } from '../../ui/keys.ts';

export function DrillPanel() {
  const { intents } = useServices();
  const face = useApp((state) => state.wholes.drill);
  const down = useApp((state) => state.link === 'down');
  const last = face?.last ?? null;
  const isRunning = last !== null && last.ended_at === null;
  const canRun = face !== null && face.obstacle === null && !isRunning && !down;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'd' || !isCommand(event) || !canRun) return;
      event.preventDefault();
      intents.tell('drill.run', {});
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [canRun, intents]);
  const awaitsUser =
    isRunning && last.steps.every(({ step, outcome }) => step === 'acknowledged' || outcome !== 'waits');
  const runButton = useRef<HTMLButtonElement>(null);
  const acknowledge = (): void => {
    intents.tell('drill.acknowledge', {});
    // This button goes with what it answers; the keyboard stays in the panel.
    runButton.current?.focus();
  };
  return (
    <section className="drill" aria-label={words.drill.heading}>
      <div className="head page-head">
        <h2>{words.drill.heading}</h2>
        <span className="sub grow ell">{words.drill.sub}</span>
        {awaitsUser && (
          <button type="button" className="btn primary" onClick={acknowledge}>
            {words.drill.acknowledge}
          </button>
        )}
        <button
          type="button"
          className={awaitsUser ? 'btn line' : 'btn primary'}
          ref={runButton}
          aria-disabled={!canRun}
          onClick={() => {
            if (canRun) intents.tell('drill.run', {});
          }}
        >
          {isRunning ? words.drill.running : words.drill.run}
          <kbd>D</kbd>
        </button>
      </div>
      <table className="drill-steps" aria-label={words.drill.heading}>
        <colgroup>
          <col className="drill-col-mark" />
          <col className="drill-col-step" />
          <col className="drill-col-after" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span className="spoken">{words.drill.outcomeHead}</span>
            </th>
            <th scope="col">
              <span className="spoken">{words.drill.step}</span>
            </th>
            <th scope="col">
              <span className="spoken">{words.drill.after}</span>
            </th>
            <th scope="col">
              <span className="spoken">{words.drill.detail}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {DRILL_STEPS.map((name) => (
            <Step key={name} name={name} step={last?.steps.find(({ step }) => step === name)} />
          ))}
        </tbody>
      </table>
      <p className="drill-words t2" role="status">
        <Words last={last} obstacle={face?.obstacle ?? null} isRunning={isRunning} />
      </p>
    </section>
  );
}

function Words({ last, obstacle, isRunning }: { last: Drill | null; obstacle: string | null; isRunning: boolean }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  return (
    <>
      {last === null
        ? words.drill.never
        : `${isRunning ? '' : `${preciseTime(Date.parse(last.began_at), zone, now)}. `}${last.words}`}
      {obstacle !== null && !isRunning && <span className="md t1"> {obstacle}</span>}
    </>
  );
}

function Step({ name, step }: { name: DrillStep['step']; step: DrillStep | undefined }) {
  const outcome = step?.outcome ?? 'waits';
  return (
    <tr className={`drill-${outcome}`}>
      <td>
        <Mark outcome={outcome} />
        <span className="spoken">{step === undefined ? '' : words.drill.outcome[outcome]}</span>
      </td>
      <th scope="row">{words.drill.steps[name]}</th>
      <td className="num cond t2">{step?.after == null ? '' : fineSpan(step.after)}</td>
      <td className="cond drill-detail" title={step?.detail}>
        {step?.detail ?? ''}
      </td>
    </tr>
  );
}

function Mark({ outcome }: { outcome: DrillStep['outcome'] }) {
  if (outcome === 'passed') return <LampMark state="lit" />;
  if (outcome === 'failed') return <LampMark state="out" />;
  return <span className="drill-mark" aria-hidden="true" />;
}
