// Renderer, validation: the page: how often signals were right, against baselines, and calibration.
import { useState } from 'react';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { useHoldOut } from '../../queries/hold-out.ts';
import { useOutageStart, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { fullTimestamp, shortTimestamp } from '../../text/format.ts';
import { validationText as messages } from '../../text/validation.ts';
import { CachedNote } from '../../ui/cached-note.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { csvBlob, jsonBlob, saveFile } from '../../ui/save-file.ts';
import { Baselines } from './baselines.tsx';
import { Calibration } from './calibration.tsx';
import { KeyFigures } from './key-figures.tsx';
import { Provenance } from './provenance.tsx';
import { recordCsv } from './score.ts';
import { ScoreTable } from './score-table.tsx';
import './validation.css';

export function ValidationPage() {
  const model = useLiveModel();
  const query = useHoldOut();
  const [stopped, setStopped] = useState(false);
  const record = query.data ?? null;
  const readAgain = (): void => {
    setStopped(false);
    void query.refetch();
  };
  return (
    <main className="validation">
      <section className="panel" aria-label={messages.heading}>
        <Head record={record} />
        {record === null ? (
          stopped || query.isError ? (
            <ErrorNotice
              what={messages.failed}
              why={stopped ? messages.stopped : (query.error?.message ?? null)}
              onRetry={readAgain}
            />
          ) : (
            <LoadingNotice what={messages.loading} progress={null} onStop={() => setStopped(true)} />
          )
        ) : (
          <>
            <Notices record={record} model={model} />
            {record.details.pooled !== null && (
              <KeyFigures pooled={record.details.pooled} baselines={record.details.baselines} />
            )}
            {record.symbols.length === 0 ? <p className="empty">{messages.empty}</p> : <ScoreTable record={record} />}
          </>
        )}
      </section>
      {record !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        <section className="panel validation-side" tabIndex={0} aria-label={messages.side}>
          <Calibration curves={record.details.reliability} />
          <Baselines details={record.details} />
          <Provenance record={record} />
          <p className="validation-foot">{messages.foot}</p>
        </section>
      )}
    </main>
  );
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
      <h1>{messages.heading}</h1>
      <span className="sub ell">
        {messages.question} {at !== null && messages.computed(fullTimestamp(at, zone))}
      </span>
      {record !== null && (
        <span className="right">
          <CachedNote at={record.cached_at} />
          <ExportMenu label={messages.exportName} onCsv={() => save('csv')} onJson={() => save('json')} />
        </span>
      )}
    </header>
  );
}

/** Why the record may not apply to the live signals. */
function Notices({ record, model }: { record: ValidationRecord; model: string | null }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const isOffline = useOutageStart();
  const other = record.model_version !== null && model !== null && record.model_version !== model;
  return (
    <>
      {isOffline !== null && (
        <p className="validation-notice">{messages.asOf(shortTimestamp(isOffline.world, zone, now))}</p>
      )}
      {other && <p className="validation-notice">{messages.otherModel(model, record.model_version ?? '')}</p>}
    </>
  );
}
