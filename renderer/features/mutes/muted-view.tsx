// Renderer: the current mutes with age, end and scope; forms for silences and quiet hours.

import { useState } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import type { Alert } from '../../../shared/channels/state.ts';
import { lasting, shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import type { Mute } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSandboxNotice } from '../../store/sandbox-notice.ts';
import { useSnapshot } from '../../store/store.ts';
import { FieldProblem } from '../../ui/form/form.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { SilenceForm } from './silence-form.tsx';

const { mutes: messages } = texts.rules;

const { columns: names } = messages;
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
        <ScrollRegion label={messages.list}>
          {mutes.length === 0 ? <p className="empty">{messages.none}</p> : <MutesTable mutes={mutes} />}
        </ScrollRegion>
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

function MutesTable({ mutes }: { mutes: readonly Mute[] }) {
  const { intents, clock } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const alerts = useSnapshot((snapshot) => snapshot.alerts);
  const now = useWorldMinute();
  const [refusal, setRefusal] = useState<{ readonly id: number; readonly message: string } | null>(null);
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  const end = async ({ id }: Mute): Promise<void> => {
    const ended = await intents.ask('mutes.end', { id });
    setRefusal(ended.ok ? null : { id, message: ended.error });
  };
  const columns: readonly Column<Mute>[] = [
    { name: names.what, cellClass: 'md', cell: ({ kind }) => messages.kinds[kind] },
    { name: names.symbols, isRowHead: true, cellClass: 'ell', cellTitle: symbolsLabel, cell: symbolsLabel },
    {
      name: names.made,
      cellClass: 'cond t2',
      cell: ({ made_at }) => messages.ago(lasting(clock.now() - Date.parse(made_at))),
    },
    { name: names.ends, cellClass: 'cond', cell: (mute) => endLabel(mute, at, now) },
    {
      name: names.suppressed,
      cellClass: ({ pending_count }) => (pending_count > 0 ? 'cond md' : 'cond t2'),
      cell: (mute) => messages.holds(mute.pending_count, pendingSymbols(mute, alerts)),
    },
    {
      name: names.comment,
      cellClass: 't2 ell',
      cellTitle: ({ comment }) => comment,
      cell: ({ id, comment }) => (
        <>
          {comment}
          <FieldProblem>{refusal?.id === id ? refusal.message : null}</FieldProblem>
        </>
      ),
    },
    {
      name: names.end,
      isSpoken: true,
      cell: (mute) => (
        <button
          type="button"
          className="btn line"
          aria-label={messages.endOf(`${messages.kinds[mute.kind]}, ${symbolsLabel(mute)}`)}
          onClick={() => void end(mute)}
        >
          {messages.end}
        </button>
      ),
    },
  ];
  return (
    <Table
      label={messages.heading}
      className="al-mutes"
      columns={columns}
      rows={mutes}
      keyOf={({ id }) => String(id)}
    />
  );
}

const symbolsLabel = ({ symbols }: Mute): string => symbols?.join(', ') ?? messages.every;

/** Of the alerts whose notification the mute holds back. */
const pendingSymbols = ({ symbols }: Mute, alerts: readonly Alert[]): string[] => [
  ...new Set(
    alerts
      .filter(({ notification_status }) => notification_status === 'waiting')
      .map(({ transition }) => transition.symbol)
      .filter((symbol) => symbols === null || symbols.includes(symbol)),
  ),
];

function endLabel(mute: Mute, at: (iso: string) => string, now: number): string {
  if (Date.parse(mute.from) > now + 60_000) return messages.starts(at(mute.from));
  if (mute.until_at !== null) return messages.in(at(mute.until_at), lasting(Date.parse(mute.until_at) - now));
  return mute.until === 'change' ? messages.change : messages.recovery;
}
