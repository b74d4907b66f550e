// Renderer, validation: the page: was it worth it, how often calls were right, calibration, the model.
import { useState } from 'react';
import type { AlertKind } from '../../../shared/channels/call-record.ts';
import type { LiveRecord, ValidationRecord } from '../../../shared/channels/queries.ts';
import { keyFigures, liveFigures } from '../../../shared/channels/record-figures.ts';
import { fullTimestamp, power, shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useHoldOut } from '../../queries/hold-out.ts';
import { useOutageStart, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { CachedNote } from '../../ui/cached-note.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { csvBlob, jsonBlob, saveFile } from '../../ui/save-file.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { AlertOutcomesSection } from './alert-outcomes.tsx';
import { Baselines } from './baselines.tsx';
import { Calibration } from './calibration.tsx';
import { KeyFigures } from './key-figures.tsx';
import { Provenance } from './provenance.tsx';
import { recordView, SECTIONS, type Section } from './record-view.ts';
import { recordCsv } from './score.ts';
import { ScoreTable } from './score-table.tsx';
import { WorthView } from './worth-view.tsx';
import './validation.css';

export function ValidationPage() {
  const section = recordView.use((view) => view.section);
  const query = useHoldOut();
  return (
    <main className="record-page">
      <Head record={query.data ?? null} section={section} />
      {section === 'worth' ? <WorthView /> : <ServiceRecord query={query} section={section} />}
    </main>
  );
}

interface ServiceRecordProps {
  readonly query: ReturnType<typeof useHoldOut>;
  readonly section: Exclude<Section, 'worth'>;
}

/** What the service says of its own calls. */
function ServiceRecord({ query, section }: ServiceRecordProps) {
  const model = useLiveModel();
  const [stopped, setStopped] = useState(false);
  const [chosen, setChosen] = useState<AlertKind>('live');
  const record = query.data ?? null;
  const live = record?.live ?? null;
  const kind = live === null ? 'closes' : chosen;
  const readAgain = (): void => {
    setStopped(false);
    void query.refetch();
  };
  if (record === null)
    return (
      <div className="panel">
        {stopped || query.isError ? (
          <ErrorNotice
            what={texts.validation.failed}
            why={stopped ? texts.validation.stopped : (query.error?.message ?? null)}
            onRetry={readAgain}
          />
        ) : (
          <LoadingNotice
            what={query.failureReason?.message ?? texts.validation.loading}
            progress={null}
            onStop={() => setStopped(true)}
          />
        )}
      </div>
    );
  const shown = kind === 'live' && live !== null ? recordOfLive(record, live) : record;
  return (
    <>
      <Notices record={record} model={model} />
      {section !== 'reliability' && live !== null && (
        <RecordKind record={record} live={live} kind={kind} onChange={setChosen} />
      )}
      {section === 'calls' && <CallsSection shown={shown} live={kind === 'live' ? live : null} />}
      {section === 'reliability' && (
        <ScrollRegion className="panel validation-side validation-two" label={texts.worth.sections.reliability}>
          <Calibration details={record.details} />
          <Baselines details={record.details} />
        </ScrollRegion>
      )}
      {section === 'model' && (
        <ScrollRegion className="panel validation-side validation-two" label={texts.worth.sections.model}>
          <Provenance record={shown} />
          <p className="validation-foot">{texts.validation.foot}</p>
        </ScrollRegion>
      )}
    </>
  );
}

/** @param live the record within the day, where that one is shown */
function CallsSection({ shown, live }: { readonly shown: ValidationRecord; readonly live: LiveRecord | null }) {
  const { pooled, outcomes } = shown.details;
  return (
    <div className="validation">
      <section className="panel" aria-label={texts.validation.heading}>
        {live !== null && live.pooled !== null && <KeyFigures figures={liveFigures(live.pooled)} />}
        {pooled !== null && <KeyFigures figures={keyFigures(pooled)} />}
        {shown.symbols.length === 0 ? <p className="empty">{texts.validation.empty}</p> : <ScoreTable record={shown} />}
      </section>
      {live === null && outcomes !== null && (
        <ScrollRegion className="panel validation-side" label={texts.validation.side}>
          <AlertOutcomesSection outcomes={outcomes} />
        </ScrollRegion>
      )}
    </div>
  );
}

/**
 * Converts the record within the day to the form of the record at closes. Calibration and baselines are
 * measured only at closes.
 */
function recordOfLive(record: ValidationRecord, { symbols, windows, notes }: LiveRecord): ValidationRecord {
  return { ...record, symbols, notes, details: { ...record.details, windows, pooled: null, baselines: [] } };
}

/** The model of this window's signals; null while none is known. */
const useLiveModel = (): string | null =>
  useSnapshot(
    (snapshot) => Object.values(snapshot.rows).find((row) => row.signal !== null)?.signal?.model_version ?? null,
  );

function Head({ record, section }: { readonly record: ValidationRecord | null; readonly section: Section }) {
  const zone = usePreference((preference) => preference.zone);
  const at = record === null ? null : Date.parse(record.computed_at);
  const save = (kind: 'csv' | 'json'): void => {
    if (record === null) return;
    const name = `validation-${record.computed_at.slice(0, 10)}`;
    if (kind === 'csv') saveFile(`${name}.csv`, csvBlob(recordCsv(record)));
    else saveFile(`${name}.json`, jsonBlob(record));
  };
  return (
    <header className="head page-head">
      <h1>{texts.validation.heading}</h1>
      <SegmentedControl
        label={texts.worth.section}
        options={SECTIONS.map((value) => ({ value, label: texts.worth.sections[value] }))}
        value={section}
        onChange={(value) => recordView.set({ section: value })}
      />
      <span className="sub ell">
        {section === 'worth' ? texts.worth.title : texts.validation.question}{' '}
        {section !== 'worth' && at !== null && texts.validation.computed(fullTimestamp(at, zone))}
      </span>
      {section !== 'worth' && record !== null && (
        <span className="right">
          <CachedNote at={record.cached_at} />
          <ExportMenu label={texts.validation.exportName} onCsv={() => save('csv')} onJson={() => save('json')} />
        </span>
      )}
    </header>
  );
}

/** The reasons why the record may not apply to the live signals. */
function Notices({ record, model }: { record: ValidationRecord; model: string | null }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const isOffline = useOutageStart();
  const other = record.model_version !== null && model !== null && record.model_version !== model;
  return (
    <>
      {isOffline !== null && (
        <p className="validation-notice">{texts.validation.asOf(shortTimestamp(isOffline.world, zone, now))}</p>
      )}
      {other && <p className="validation-notice">{texts.validation.otherModel(model, record.model_version ?? '')}</p>}
    </>
  );
}

interface RecordKindProps {
  readonly record: ValidationRecord;
  readonly live: LiveRecord;
  readonly kind: AlertKind;
  readonly onChange: (kind: AlertKind) => void;
}

/** The choice has the precision of both, so that neither is read without the other. */
function RecordKind({ record, live, kind, onChange }: RecordKindProps) {
  const within = new Set(live.symbols.map(({ symbol }) => symbol));
  const atCloses = record.symbols.filter(({ symbol }) => !within.has(symbol)).length;
  const precision = {
    live: live.pooled === null ? null : power(live.pooled.holdout.precision),
    closes: record.details.pooled === null ? null : power(record.details.pooled.holdout.precision),
  };
  return (
    <div className="validation-kind">
      <SegmentedControl
        label={texts.validation.kind}
        options={(['live', 'closes'] as const).map((value) => ({
          value,
          label: texts.validation.kinds(value, precision[value]),
        }))}
        value={kind}
        onChange={onChange}
      />
      <p>{kind === 'live' ? texts.validation.belongsLive(within.size) : texts.validation.belongsCloses(atCloses)}</p>
    </div>
  );
}
