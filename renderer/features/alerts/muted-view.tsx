// Renderer: what is muted now, with age, end and who is held; silences and quiet hours are made here.
import { useState } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldMinute } from '../../store/sight.ts';
import { useBoard } from '../../store/store.ts';
import { lasting, moment } from '../../text/format.ts';
import { ruleWords } from '../../text/rules.ts';
import type { Mute } from './outcome.ts';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { SilenceForm } from './silence-form.tsx';
import { useSandboxWords } from './use-sandbox-words.ts';

const { mutes: words } = ruleWords;

export function MutedView({ alerting }: { alerting: Alerting }) {
  const { mutes, held_back } = alerting;
  const sandbox = useSandboxWords();
  return (
    <div className="al-split with-aside stacked">
      <section className="panel" aria-label={words.heading}>
        <h2 className="spoken">{words.heading}</h2>
        <div className="al-lead">
          <p className="t2">
            {held_back > 0 && <b className="md t1">{words.heldBack(held_back)} </b>}
            {words.endNote} {sandbox}
          </p>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section className="scroll" tabIndex={0} aria-label={words.list}>
          {mutes.length === 0 ? (
            <p className="empty">{words.none}</p>
          ) : (
            <table className="table al-mutes" aria-label={words.heading}>
              <thead>
                <tr>
                  <th scope="col">{words.columns.what}</th>
                  <th scope="col">{words.columns.symbols}</th>
                  <th scope="col">{words.columns.made}</th>
                  <th scope="col">{words.columns.ends}</th>
                  <th scope="col">{words.columns.held}</th>
                  <th scope="col">{words.columns.comment}</th>
                  <th scope="col">
                    <span className="spoken">{words.columns.end}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {mutes.map((mute) => (
                  <MuteRow key={mute.id} mute={mute} />
                ))}
              </tbody>
            </table>
          )}
        </section>
      </section>
      <aside className="panel al-editor" aria-label={words.make}>
        <div className="scroll">
          <SilenceForm />
          <QuietHoursForm quiet={alerting.quiet} isQuiet={alerting.is_quiet} />
        </div>
      </aside>
    </div>
  );
}

function MuteRow({ mute }: { mute: Mute }) {
  const { intents, clock } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const alerts = useBoard((board) => board.alerts);
  const now = useWorldMinute();
  const [problem, setProblem] = useState('');
  const at = (iso: string): string => moment(Date.parse(iso), zone, now);
  const isOver = (symbol: string): boolean => mute.symbols === null || mute.symbols.includes(symbol);
  const held = alerts
    .filter((alert) => alert.telling === 'waiting' && isOver(alert.transition.symbol))
    .map(({ transition }) => transition.symbol);
  const symbols = mute.symbols === null ? words.every : mute.symbols.join(', ');
  const name = `${words.kinds[mute.kind]}, ${symbols}`;
  const end = async (): Promise<void> => {
    const ended = await intents.ask('mutes.end', { id: mute.id });
    if (!ended.ok) setProblem(ended.error);
  };
  return (
    <tr>
      <td className="md">{words.kinds[mute.kind]}</td>
      <th scope="row" className="ell" title={symbols}>
        {symbols}
      </th>
      <td className="cond t2">{words.ago(lasting(clock.now() - Date.parse(mute.made_at)))}</td>
      <td className="cond">{endWords(mute, at, now)}</td>
      <td className={mute.holds > 0 ? 'cond md' : 'cond t2'}>{words.holds(mute.holds, [...new Set(held)])}</td>
      <td className="t2 ell" title={mute.comment}>
        {mute.comment}
        {problem !== '' && <span className="al-cure">{problem}</span>}
      </td>
      <td>
        <button type="button" className="btn line" aria-label={words.endOf(name)} onClick={() => void end()}>
          {words.end}
        </button>
      </td>
    </tr>
  );
}

function endWords(mute: Mute, at: (iso: string) => string, now: number): string {
  if (Date.parse(mute.from) > now + 60_000) return words.starts(at(mute.from));
  if (mute.until_at !== null) return words.in(at(mute.until_at), lasting(Date.parse(mute.until_at) - now));
  return mute.until === 'change' ? words.change : words.recovery;
}
