// Renderer: the current mutes with age, end and scope; forms for silences and quiet hours.
import { useState } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { useServices } from '../../services.ts';
import type { Mute } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { lasting, shortTimestamp } from '../../text/format.ts';
import { ruleText } from '../../text/rules.ts';
import { FieldProblem } from '../../ui/form/form.tsx';
import { type TableColumn, TableHead } from '../../ui/table/table-head.tsx';
import { useSandboxNotice } from '../inbox/index.ts';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { SilenceForm } from './silence-form.tsx';

const { mutes: messages } = ruleText;

const { columns: names } = messages;
const COLUMNS: readonly TableColumn[] = [
  { name: names.what },
  { name: names.symbols },
  { name: names.made },
  { name: names.ends },
  { name: names.suppressed },
  { name: names.comment },
  { name: names.end, isSpoken: true },
];

export function MutedView({ alerting }: { alerting: Alerting }) {
  const { mutes, pending_count } = alerting;
  const sandbox = useSandboxNotice();
  return (
    <div className="al-split with-sidebar stacked">
      <section className="panel" aria-label={messages.heading}>
        <h2 className="spoken">{messages.heading}</h2>
        <div className="al-lead">
          <p className="t2">
            {pending_count > 0 && <b className="md t1">{messages.suppressedCount(pending_count)} </b>}
            {messages.endNote} {sandbox}
          </p>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section className="scroll" tabIndex={0} aria-label={messages.list}>
          {mutes.length === 0 ? (
            <p className="empty">{messages.none}</p>
          ) : (
            <table className="table al-mutes" aria-label={messages.heading}>
              <TableHead columns={COLUMNS} />
              <tbody>
                {mutes.map((mute) => (
                  <MuteRow key={mute.id} mute={mute} />
                ))}
              </tbody>
            </table>
          )}
        </section>
      </section>
      <aside className="panel al-editor" aria-label={messages.make}>
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
  const alerts = useSnapshot((snapshot) => snapshot.alerts);
  const now = useWorldMinute();
  const [problem, setProblem] = useState('');
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  const isOver = (symbol: string): boolean => mute.symbols === null || mute.symbols.includes(symbol);
  const pendingSymbols = alerts
    .filter((alert) => alert.notification_status === 'waiting' && isOver(alert.transition.symbol))
    .map(({ transition }) => transition.symbol);
  const symbols = mute.symbols === null ? messages.every : mute.symbols.join(', ');
  const name = `${messages.kinds[mute.kind]}, ${symbols}`;
  const end = async (): Promise<void> => {
    const ended = await intents.ask('mutes.end', { id: mute.id });
    if (!ended.ok) setProblem(ended.error);
  };
  return (
    <tr>
      <td className="md">{messages.kinds[mute.kind]}</td>
      <th scope="row" className="ell" title={symbols}>
        {symbols}
      </th>
      <td className="cond t2">{messages.ago(lasting(clock.now() - Date.parse(mute.made_at)))}</td>
      <td className="cond">{endLabel(mute, at, now)}</td>
      <td className={mute.pending_count > 0 ? 'cond md' : 'cond t2'}>
        {messages.holds(mute.pending_count, [...new Set(pendingSymbols)])}
      </td>
      <td className="t2 ell" title={mute.comment}>
        {mute.comment}
        <FieldProblem>{problem}</FieldProblem>
      </td>
      <td>
        <button type="button" className="btn line" aria-label={messages.endOf(name)} onClick={() => void end()}>
          {messages.end}
        </button>
      </td>
    </tr>
  );
}

function endLabel(mute: Mute, at: (iso: string) => string, now: number): string {
  if (Date.parse(mute.from) > now + 60_000) return messages.starts(at(mute.from));
  if (mute.until_at !== null) return messages.in(at(mute.until_at), lasting(Date.parse(mute.until_at) - now));
  return mute.until === 'change' ? messages.change : messages.recovery;
}
