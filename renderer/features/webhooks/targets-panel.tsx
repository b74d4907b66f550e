// Renderer, webhooks: where this computer passes events on to.
import { useRef, useState } from 'react';
import type { Target } from '../../../shared/channels/relay.ts';
import { useNow } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { count, DASH, preciseTime } from '../../text/format.ts';
import { webhookText as messages } from '../../text/webhooks.ts';
import { IndicatorLine } from '../../ui/description-list.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ChoiceRow } from './choice-row.tsx';
import { HeadRow } from './head-row.tsx';
import { filterLabel, targetStatus } from './status.ts';
import { TargetDialog } from './target-dialog.tsx';

interface TargetsPanelProps {
  readonly targets: readonly Target[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

export function TargetsPanel({ targets, chosen, onChoose }: TargetsPanelProps) {
  const zone = usePreference((preference) => preference.zone);
  const now = useNow();
  const [adding, setAdding] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <section className="targets" aria-label={messages.targets.heading}>
      <div className="head block-head">
        <h2>{messages.targets.heading}</h2>
        <span className="sub grow ell">{messages.targets.sub}</span>
        <button ref={button} type="button" className="btn quiet" onClick={() => setAdding(true)}>
          <Icon name="add" />
          {messages.targets.add}
        </button>
      </div>
      {adding && <TargetDialog returnTo={button} onClose={() => setAdding(false)} onAdded={onChoose} />}
      {targets.length === 0 ? (
        <p className="sheet-empty">{messages.targets.none}</p>
      ) : (
        <div className="targets-scroll">
          <table className="table hooks" aria-label={messages.targets.heading}>
            <HeadRow
              columns={[
                messages.targets.url,
                messages.targets.filter,
                [messages.targets.queue, 'num'],
                [messages.targets.last, 'wide'],
                [messages.targets.status, 'last'],
              ]}
            />
            <tbody>
              {targets.map((target) => {
                const { state, text } = targetStatus(target, now);
                return (
                  <ChoiceRow
                    key={target.id}
                    chosen={chosen === target.id}
                    onChoose={() => onChoose(target.id)}
                    first={<span className="mono">{target.url}</span>}
                  >
                    <td className="cond t2">{filterLabel(target.filter)}</td>
                    <td className="num cond">{count(target.queue)}</td>
                    <td className="cond t2 wide">
                      {target.last === null ? DASH : preciseTime(Date.parse(target.last.at), zone, now)}
                    </td>
                    <td className="last fill" title={text}>
                      <IndicatorLine state={state} isAnnounced={false}>
                        {text}
                      </IndicatorLine>
                    </td>
                  </ChoiceRow>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
