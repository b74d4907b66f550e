// Renderer: the foot of the list: actions on the chosen lines, else on the line of the keyboard.
import { texts } from '../../../shared/text/texts.ts';
import { useSandboxNotice } from '../../store/sandbox-notice.ts';
import { Icon } from '../../ui/icon.tsx';
import { namesOf, SnoozeMenu, symbolsOf } from '../inbox/index.ts';
import { SilenceButton } from '../mutes/index.ts';
import { ExportLines } from './export-lines.tsx';
import type { Line } from './filters.ts';
import { canAcknowledgeLine, snoozable } from './line-acts.ts';
import type { LineActs } from './use-line-acts.ts';
import { view } from './view-store.ts';

interface FootProps {
  /** The lines that keys act on: the chosen lines, else the current one. */
  readonly targets: readonly Line[];
  readonly isChosen: boolean;
  /** The trace of the line is open beside the list, with the same actions. */
  readonly isOpen: boolean;
  /** Number of shown alerts that need attention. */
  readonly needing: number;
  readonly acts: LineActs;
}

export function Foot({ targets, isChosen, isOpen, needing, acts }: FootProps) {
  const alerts = targets.map(({ subject }) => subject.alert);
  return (
    <footer className="al-foot">
      {isChosen ? (
        <b className="md">{texts.alerts.acts.chosen(targets.length)}</b>
      ) : (
        <span className={targets.length === 0 ? 't2' : 't2 ell al-target'}>
          {targets.length === 0 ? texts.alerts.acts.nothing : namesOf(alerts)}
        </span>
      )}
      {(isChosen || !isOpen) && targets.length > 0 && (
        <>
          {targets.some(canAcknowledgeLine) && (
            <button type="button" className={isOpen ? 'btn' : 'btn primary'} onClick={acts.acknowledge}>
              <Icon name="check" />
              {texts.alerts.acts.acknowledge} <kbd>A</kbd>
            </button>
          )}
          {snoozable(targets).length > 0 && (
            <SnoozeMenu
              alerts={snoozable(targets)}
              id={0}
              align="start"
              trigger={
                <button type="button" className="btn">
                  <Icon name="clock" />
                  {texts.alerts.acts.snooze} <kbd>S</kbd>
                </button>
              }
            />
          )}
          <SilenceButton symbols={symbolsOf(alerts)} />
          {!isChosen && (
            <button type="button" className="btn quiet" onClick={acts.why}>
              {texts.alerts.acts.why} <kbd>W</kbd>
            </button>
          )}
        </>
      )}
      {isChosen && (
        <>
          <ExportLines lines={targets} label={texts.alerts.acts.exportChosen} />
          <button type="button" className="btn quiet" onClick={view.chooseNone}>
            {texts.alerts.acts.chooseNone}
          </button>
        </>
      )}
      {needing > 0 && (
        <button type="button" className="btn line" onClick={acts.acknowledgeAll}>
          {texts.alerts.acts.acknowledgeNeeding(needing)} <kbd>Shift A</kbd>
        </button>
      )}
      <Notes />
    </footer>
  );
}

function Notes() {
  const sandbox = useSandboxNotice();
  return (
    <p className="al-notes t3 ell" title={`${texts.alerts.acts.marketNote} ${sandbox} ${texts.alerts.acts.keys}`}>
      {sandbox} {texts.alerts.acts.marketNote}
    </p>
  );
}
