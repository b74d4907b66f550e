// Renderer: the current mutes with age, end and scope, and the form that adds a silence.
import { useEffect, useMemo, useState } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import type { Alert } from '../../../shared/channels/state.ts';
import { matches, onlySymbol, placementsOf } from '../../../shared/domain/matchers.ts';
import { lasting, shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import type { Mute } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSandboxNotice } from '../../store/sandbox-notice.ts';
import { useSnapshot } from '../../store/store.ts';
import { FieldProblem, Form, SaveRow } from '../../ui/form/form.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { alertLabels, type Placements } from './coverage.ts';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { EditSilenceDialog } from './silence-dialog.tsx';
import { EMPTY_SILENCE, useSilenceDraft, writeSilence } from './silence-draft.ts';
import { SilenceFields, useSaveTypedSilence, useSilenceForm } from './silence-fields.tsx';
import { useCoverage, useExtensions, useMatchersText } from './use-silence.ts';

const messages = texts.mutes;
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
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const placements = useMemo(() => placementsOf(watchlists), [watchlists]);
  const text = useMatchersText();
  const symbolsLabel = ({ matchers }: Mute): string => text(matchers);
  const now = useWorldMinute();
  const [refusal, setRefusal] = useState<{ readonly id: number; readonly message: string } | null>(null);
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  const end = async ({ id }: Mute): Promise<void> => {
    const ended = await intents.ask('mutes.end', { id });
    setRefusal(ended.ok ? null : { id, message: ended.error });
  };
  const columns: readonly Column<Mute>[] = [
    { name: names.what, cellClass: 'md', cell: ({ kind }) => messages.kinds[kind] },
    {
      name: names.symbols,
      isRowHead: true,
      cell: (mute) => (
        <>
          {symbolsLabel(mute)}
          {onlySymbol(mute.matchers) === null && <CoversNow mute={mute} />}
        </>
      ),
    },
    {
      name: names.made,
      cellClass: 'cond t2',
      cell: ({ made_at }) => messages.ago(lasting(clock.now() - Date.parse(made_at))),
    },
    { name: names.ends, cellClass: 'cond', cell: (mute) => endLabel(mute, at, now) },
    {
      name: names.suppressed,
      cellClass: ({ pending_count }) => (pending_count > 0 ? 'cond md' : 'cond t2'),
      cell: (mute) => messages.holds(mute.pending_count, pendingSymbols(mute, alerts, placements)),
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
        <span className="al-mute-do">
          {mute.kind === 'silence' && <SilenceActions mute={mute} what={symbolsLabel(mute)} />}
          <button
            type="button"
            className="btn line"
            aria-label={messages.endOf(`${messages.kinds[mute.kind]}, ${symbolsLabel(mute)}`)}
            onClick={() => void end(mute)}
          >
            {messages.end}
          </button>
        </span>
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

/** The number of symbols that the mute covers now. */
function CoversNow({ mute }: { readonly mute: Mute }) {
  const { symbols, alerts } = useCoverage(mute.matchers);
  const high = alerts.filter(({ state }) => state === 2).length;
  return (
    <span className="t2 al-covers" title={symbols.join(', ')}>
      {messages.coversNow(symbols.length, high)}
    </span>
  );
}

function SilenceActions({ mute, what }: { readonly mute: Mute; readonly what: string }) {
  const [isEdited, setEdited] = useState(false);
  const extensions = useExtensions(mute, what);
  return (
    <>
      <button type="button" className="btn line" aria-label={messages.editOf(what)} onClick={() => setEdited(true)}>
        {messages.edit}
      </button>
      <Menu
        align="end"
        trigger={
          <button type="button" className="btn line" aria-label={messages.extendOf(what)}>
            {messages.extend}
          </button>
        }
      >
        {extensions.map(({ end, name, until, start }) => (
          <MenuItem key={end} onSelect={start}>
            {name} <span className="t3">{until}</span>
          </MenuItem>
        ))}
      </Menu>
      {isEdited && <EditSilenceDialog mute={mute} onClose={() => setEdited(false)} />}
    </>
  );
}

/** Symbols of the alerts whose notification the mute holds back. */
const pendingSymbols = ({ matchers }: Mute, alerts: readonly Alert[], placements: Placements): string[] => [
  ...new Set(
    alerts
      .filter(({ notification_status, transition }) => {
        return notification_status === 'waiting' && matches(matchers, alertLabels(transition, placements));
      })
      .map(({ transition }) => transition.symbol),
  ),
];

function endLabel(mute: Mute, at: (iso: string) => string, now: number): string {
  if (Date.parse(mute.from) > now + 60_000) return messages.starts(at(mute.from));
  if (mute.until_at !== null) return messages.in(at(mute.until_at), lasting(Date.parse(mute.until_at) - now));
  return mute.until === 'change' ? messages.change : messages.recovery;
}

/** The form of the page that adds a silence. Its text outlives a visit to another page. */
export function SilenceForm() {
  const present = usePreference((preference) => preference.zone);
  const { zone: typedIn, ...draft } = useSilenceDraft();
  const zone = typedIn ?? present;
  const form = useSilenceForm(zone, draft);
  const save = useSaveTypedSilence(zone, null);
  const { control, subscribe } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) =>
          writeSilence({ ...values, zone: `${values.from}${values.until}`.trim() === '' ? null : zone }),
      }),
    [subscribe, zone],
  );
  return (
    <Form
      form={form}
      className="al-form"
      label={messages.add}
      onSubmit={save}
      onAccepted={() => form.reset(EMPTY_SILENCE)}
    >
      <h2>{messages.add}</h2>
      <SilenceFields form={form} zone={zone} />
      <SaveRow control={control} save={messages.save} saved={messages.saved} />
    </Form>
  );
}
