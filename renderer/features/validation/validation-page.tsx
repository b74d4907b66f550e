// Renderer, validation: the page: how often signals were right, against baselines, and calibration.
import { useState } from 'react';
import type { AlertKind } from '../../../shared/channels/call-record.ts';
import type { LiveRecord, ValidationRecord } from '../../../shared/channels/queries.ts';
import type { LiveScore } from '../../../shared/channels/validation.ts';
import { fullTimestamp, lasting, power, shortTimestamp } from '../../../shared/text/format.ts';
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
import { Figure, fine, KeyFigures, RecallFigure } from './key-figures.tsx';
import { Provenance } from './provenance.tsx';
import { recordCsv } from './score.ts';
import { ScoreTable } from './score-table.tsx';
import './validation.css';

export function ValidationPage() {
  const model = useLiveModel();
  const query = useHoldOut();
  const [stopped, setStopped] = useState(false);
  const [chosen, setChosen] = useState<AlertKind>('live');
  const record = query.data ?? null;
  const live = record?.live ?? null;
  const kind = live === null ? 'closes' : chosen;
  const shown = record === null ? null : kind === 'live' && live !== null ? recordOfLive(record, live) : record;
  const readAgain = (): void => {
    setStopped(false);
    void query.refetch();
  };
  return (
    <main className="validation">
      <section className="panel" aria-label={texts.validation.heading}>
        <Head record={record} />
        {record === null || shown === null ? (
          stopped || query.isError ? (
            <ErrorNotice
              what={texts.validation.failed}
              why={stopped ? texts.validation.stopped : (query.error?.message ?? null)}
              onRetry={readAgain}
            />
          ) : (
            <LoadingNotice what={texts.validation.loading} progress={null} onStop={() => setStopped(true)} />
          )
        ) : (
          <>
            <Notices record={record} model={model} />
            {live !== null && <RecordKind record={record} live={live} kind={kind} onChange={setChosen} />}
            {kind === 'live' && live !== null && live.pooled !== null && <LiveFigures pooled={live.pooled} />}
            {shown.details.pooled !== null && (
              <KeyFigures pooled={shown.details.pooled} baselines={shown.details.baselines} />
            )}
            {shown.symbols.length === 0 ? (
              <p className="empty">{texts.validation.empty}</p>
            ) : (
              <ScoreTable record={shown} />
            )}
          </>
        )}
      </section>
      {shown !== null && (
        <ScrollRegion className="panel validation-side" label={texts.validation.side}>
          {kind === 'closes' && (
            <>
              {shown.details.outcomes !== null && <AlertOutcomesSection outcomes={shown.details.outcomes} />}
              <Calibration details={shown.details} />
              <Baselines details={shown.details} />
            </>
          )}
          <Provenance record={shown} />
          <p className="validation-foot">{texts.validation.foot}</p>
        </ScrollRegion>
      )}
    </main>
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

function Head({ record }: { record: ValidationRecord | null }) {
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
      <span className="sub ell">
        {texts.validation.question} {at !== null && texts.validation.computed(fullTimestamp(at, zone))}
      </span>
      {record !== null && (
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

/** Four figures of alerts within the day, each beside its full window and a note on chance or counts. */
function LiveFigures({
  pooled: { full, holdout },
}: {
  readonly pooled: { readonly full: LiveScore; readonly holdout: LiveScore };
}) {
  const share = (value: number | null): string | null => (value === null ? null : fine(value));
  return (
    <dl className="key-figures">
      <Figure
        name={texts.validation.precision}
        value={fine(holdout.precision)}
        full={fine(full.precision)}
        note={texts.validation.livePrecisionNote(
          holdout.right,
          holdout.right + holdout.wrong,
          share(holdout.chance.precision),
        )}
      />
      <Figure
        name={texts.validation.strictPrecision}
        value={share(holdout.strict_precision)}
        full={share(full.strict_precision)}
        note={texts.validation.strictNote(share(holdout.chance.strict_precision))}
      />
      <RecallFigure full={full} holdout={holdout} />
      <Figure
        name={texts.validation.lasting}
        value={minutes(holdout.median_minutes)}
        full={minutes(full.median_minutes)}
        note={texts.validation.lastingNote(holdout.held_to_close, holdout.within_day)}
      />
    </dl>
  );
}

const minutes = (value: number | null): string | null => (value === null ? null : lasting(value * 60_000));
